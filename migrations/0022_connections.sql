-- Assistants that may use the tool server, and the OAuth rows behind them. Owner: src/platform/identity.

CREATE TABLE assistant_connections (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  client_hmac  BLOB NOT NULL,             -- of the client's id
  client       BLOB NOT NULL,             -- sealed (system key): { id, name, uri, redirect_host, verified }
  scopes       TEXT NOT NULL,             -- JSON array
  account_id   TEXT,                      -- bound to one mailbox when set
  created_at   INTEGER NOT NULL,
  revoked_at   INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX assistant_connections_user ON assistant_connections(user_id, client_hmac);

CREATE TABLE assistant_clients (          -- programs that registered themselves (RFC 7591)
  id_hmac    BLOB PRIMARY KEY,
  metadata   BLOB NOT NULL,               -- sealed (system key)
  created_at INTEGER NOT NULL,
  used_at    INTEGER                      -- first consent of a person; null: none yet, the row expires after a day
) STRICT, WITHOUT ROWID;
CREATE INDEX assistant_clients_unused ON assistant_clients(created_at) WHERE used_at IS NULL;

CREATE TABLE assistant_tokens (           -- authorization requests, codes, access and refresh tokens
  kind          TEXT NOT NULL,
  hash          BLOB NOT NULL,            -- HMAC of the secret, which is not stored
  connection_id TEXT REFERENCES assistant_connections(id) ON DELETE CASCADE,
  user_id       TEXT REFERENCES users(id) ON DELETE CASCADE,
  payload       BLOB NOT NULL,            -- sealed (system key)
  expires_at    INTEGER NOT NULL,
  PRIMARY KEY (kind, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX assistant_tokens_connection ON assistant_tokens(connection_id) WHERE connection_id IS NOT NULL;
CREATE INDEX assistant_tokens_user ON assistant_tokens(user_id) WHERE user_id IS NOT NULL;
CREATE INDEX assistant_tokens_expiry ON assistant_tokens(expires_at);
