-- Connecting mailboxes: signing in by OAuth2, whether all of a mailbox is here, unsubscribing. Owner: src/mailbox.

CREATE TABLE oauth_clients (              -- what the owner registered with a provider
  provider   TEXT PRIMARY KEY,            -- google | microsoft
  client     BLOB NOT NULL,               -- sealed (system key): { client_id, client_secret, tenant }
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE oauth_flows (                -- people who are at a provider's page just now
  state_hash BLOB PRIMARY KEY,            -- SHA-256 of the state that comes back with the answer
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  flow       BLOB NOT NULL,               -- sealed: { provider, email, account_id, verifier, redirect_uri }
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_flows_age ON oauth_flows(expires_at);

CREATE TABLE oauth_grants (               -- access to a mailbox that a provider gave
  account_id     TEXT PRIMARY KEY REFERENCES accounts(id) ON DELETE CASCADE,
  tokens         BLOB NOT NULL,           -- sealed: { provider, refresh_token, access_token }
  expires_at     INTEGER NOT NULL,        -- of the access token
  withdrawn_at   INTEGER,                 -- the provider took it back: nobody asks again
  renewing_by    TEXT,                    -- who renews it just now; the others wait
  renewing_until INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE folder_checks (              -- the last comparison of a folder with the server
  folder_id   TEXT PRIMARY KEY REFERENCES folders(id) ON DELETE CASCADE,
  server      INTEGER NOT NULL,           -- messages there
  here        INTEGER NOT NULL,           -- messages here
  missing     INTEGER NOT NULL,           -- there and not here
  extra       INTEGER NOT NULL,           -- here and not there
  refused     INTEGER NOT NULL,           -- the server would not show the folder: the numbers say nothing
  verified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE account_checks (
  account_id TEXT PRIMARY KEY REFERENCES accounts(id) ON DELETE CASCADE,
  tried_at   INTEGER NOT NULL,
  checked_at INTEGER,                     -- when one last came to its end
  error      BLOB                         -- sealed: why the last one did not
) STRICT, WITHOUT ROWID;

CREATE TABLE unsubscribes (               -- messages whose one-click unsubscribe the sender's server took
  message_id TEXT PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
  at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
