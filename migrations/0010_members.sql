-- People who share an installation: teams, and those who are being removed. Owner: src/platform/identity.

ALTER TABLE users ADD COLUMN removing_at INTEGER;   -- set: locked out, and what is theirs is being deleted

CREATE TABLE teams (                      -- people who share the amounts of their plan, and whose mail organisation keys read
  id         TEXT PRIMARY KEY,
  profile    BLOB NOT NULL,               -- sealed (system key): { name }
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE team_members (
  team_id    TEXT NOT NULL REFERENCES teams(id) ON DELETE CASCADE,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  invited_at INTEGER NOT NULL,
  joined_at  INTEGER,                     -- null: asked, and has not accepted
  PRIMARY KEY (team_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX team_members_one ON team_members(user_id) WHERE joined_at IS NOT NULL;
CREATE INDEX team_members_user ON team_members(user_id);

ALTER TABLE api_keys ADD COLUMN team_id TEXT REFERENCES teams(id) ON DELETE CASCADE;  -- an organisation key of this team
CREATE INDEX api_keys_team ON api_keys(team_id) WHERE team_id IS NOT NULL;
