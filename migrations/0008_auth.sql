-- Signing in to the settings page. Owner: src/platform/identity

CREATE TABLE sessions (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  hash         BLOB NOT NULL UNIQUE,      -- SHA-256 of the cookie's value
  method       TEXT NOT NULL,             -- setup | password | passkey | oidc | forward_auth | invitation
  about        BLOB NOT NULL,             -- sealed (system key): { address, user_agent }
  created_at   INTEGER NOT NULL,
  proved_at    INTEGER NOT NULL,          -- when the person last proved who they are; 0: only another service says so
  last_used_at INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL           -- the latest moment, however much it is used
) STRICT;
CREATE INDEX sessions_user ON sessions(user_id);

CREATE TABLE passwords (
  user_id    TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  hash       BLOB NOT NULL,               -- sealed (system key): argon2id
  changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE totp (                       -- RFC 6238
  user_id      TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  secret       BLOB NOT NULL,             -- sealed (system key): { secret, backup_hashes }
  last_step    INTEGER NOT NULL,          -- the newest time step that was accepted; it and older ones are refused
  confirmed_at INTEGER                    -- null: begun, asked for nowhere yet
) STRICT;

CREATE TABLE passkeys (
  id              TEXT PRIMARY KEY,
  user_id         TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  credential_hmac BLOB NOT NULL UNIQUE,
  credential      BLOB NOT NULL,          -- sealed (system key): { name, credential_id, public_key, transports }
  counter         INTEGER NOT NULL,       -- of the authenticator; 0 where it keeps none
  created_at      INTEGER NOT NULL,
  last_used_at    INTEGER
) STRICT;
CREATE INDEX passkeys_user ON passkeys(user_id);

CREATE TABLE invitations (                -- links by which a person sets a password; also one that was forgotten
  hash       BLOB PRIMARY KEY,            -- SHA-256 of the link's token
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_user ON invitations(user_id);

CREATE TABLE sign_in_failures (           -- what slows guessing down; it survives restarts
  name     BLOB PRIMARY KEY,              -- HMAC of an account's address, or of a client's
  failures INTEGER NOT NULL,
  last_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failures_age ON sign_in_failures(last_at);
