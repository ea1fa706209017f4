-- The AI layer. Owners: src/features/{ai,brief,agent}.

CREATE TABLE ai_egress (                    -- every call to a language model, noted before its first byte leaves
  id         INTEGER PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  purpose    TEXT NOT NULL,                 -- draft | ask | summarize | extract | triage | probe
  host       TEXT NOT NULL,                 -- with its port
  model      TEXT NOT NULL,
  bytes_out  INTEGER NOT NULL,
  bytes_in   INTEGER,
  messages   TEXT NOT NULL,                 -- JSON: ids of the messages whose text was sent
  result     TEXT,                          -- ok, or the kind of the fault; null: cut off
  started_at INTEGER NOT NULL,
  ended_at   INTEGER
) STRICT;
CREATE INDEX ai_egress_user ON ai_egress(user_id, id DESC);
CREATE INDEX ai_egress_age ON ai_egress(started_at);

CREATE TABLE ai_drafts (                    -- what is known of a draft that was written here, beside the draft itself
  draft_id   TEXT PRIMARY KEY REFERENCES drafts(id) ON DELETE CASCADE,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  engine     TEXT NOT NULL,                 -- extractive | a model's kind: local | hosted
  credits    INTEGER NOT NULL,
  notes      BLOB NOT NULL,                 -- sealed: { model, fallback, held_for_review, review_reasons, provenance }
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE ai_voice (                     -- how a user writes, as last measured; what they changed of it is in their variables
  user_id    TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  learned    BLOB NOT NULL,                 -- sealed: variables by key
  learned_at INTEGER NOT NULL
) STRICT;

CREATE TABLE briefs (                       -- the last one of each day
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  day        TEXT NOT NULL,                 -- YYYY-MM-DD where the user is
  content    BLOB NOT NULL,                 -- sealed
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, day)
) STRICT;
CREATE INDEX briefs_latest ON briefs(user_id, created_at DESC);

CREATE TABLE brief_settings (
  user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  daily   INTEGER NOT NULL,                 -- one is made every day
  at      TEXT NOT NULL,                    -- HH:MM where the user is
  mail    INTEGER NOT NULL                  -- it is also mailed to the user, through their own account
) STRICT;

CREATE TABLE agent_state (
  user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  seen_n  INTEGER NOT NULL                  -- messages up to this number have been looked at
) STRICT;

CREATE TABLE agent_actions (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  thread_id  TEXT NOT NULL,
  message_id TEXT NOT NULL,                 -- what it was done for
  action     TEXT NOT NULL,                 -- drafted | followup | triaged
  mode       TEXT NOT NULL,                 -- suggest | draft | autopilot
  state      TEXT NOT NULL,                 -- suggested | done | undone
  draft_id   TEXT,
  detail     BLOB NOT NULL,                 -- sealed: { reason, engine, changes, evidence }
  created_at INTEGER NOT NULL,
  undone_at  INTEGER
) STRICT;
CREATE INDEX agent_actions_user ON agent_actions(user_id, id DESC);
CREATE INDEX agent_actions_message ON agent_actions(message_id);
CREATE INDEX agent_actions_day ON agent_actions(user_id, created_at);
