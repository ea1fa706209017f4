-- Platform ledgers: users and keys, meters, idempotent replies, audit, events, jobs, settings.
-- "sealed" in a comment: AES-256-GCM under the owning user's data key, bound to table, column and row.

CREATE TABLE settings (
  key        TEXT PRIMARY KEY,
  value      BLOB NOT NULL,               -- sealed (system key)
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
  id           TEXT PRIMARY KEY,
  profile      BLOB NOT NULL,             -- sealed (system key): { email, name }
  email_hmac   BLOB NOT NULL UNIQUE,
  plan         TEXT NOT NULL,
  role         TEXT NOT NULL,             -- owner | member | sandbox
  sandbox_of   TEXT REFERENCES users(id) ON DELETE CASCADE,
  timezone     TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX users_sandbox ON users(sandbox_of) WHERE sandbox_of IS NOT NULL;

CREATE TABLE data_keys (                  -- one random key per user (and '_system'), wrapped by the master key
  user_id    TEXT NOT NULL,
  version    INTEGER NOT NULL,            -- the version byte of every value sealed with it
  wrapped    BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  hash         BLOB NOT NULL UNIQUE,      -- SHA-256 of the whole key
  label        BLOB NOT NULL,             -- sealed (system key): { name, ip_allow }
  hint         TEXT NOT NULL,             -- "service_live_" and four characters, safe to log
  scopes       TEXT NOT NULL,             -- JSON array
  account_id   TEXT,                      -- bound to one mailbox when set
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  revoked_at   INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_user ON api_keys(user_id);

CREATE TABLE meters (                     -- requests and sends per UTC day, credits per UTC month
  user_id TEXT NOT NULL,
  meter   TEXT NOT NULL,
  period  TEXT NOT NULL,
  used    INTEGER NOT NULL,
  PRIMARY KEY (user_id, meter, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  user_id    TEXT NOT NULL,
  method     TEXT NOT NULL,
  path       TEXT NOT NULL,
  key_hash   BLOB NOT NULL,
  body_hash  BLOB NOT NULL,
  status     INTEGER,                     -- null while the first call runs
  reply      BLOB,                        -- sealed: { body, content_type }
  started_by TEXT NOT NULL,               -- the boot that runs it; a later boot knows that it died
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, method, path, key_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency(created_at);

CREATE TABLE audit (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL,
  actor_kind TEXT NOT NULL,               -- key | user | rule | agent | system
  actor_id   TEXT,
  action     TEXT NOT NULL,
  target     TEXT,
  payload    BLOB NOT NULL,               -- sealed: { before, after }
  request_id TEXT,
  at         INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_user ON audit(user_id, id);
CREATE INDEX audit_age ON audit(at);

CREATE TABLE events (
  position   INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL,
  type       TEXT NOT NULL,
  thread_id  TEXT,
  payload    BLOB NOT NULL,               -- sealed: the data object
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_user ON events(user_id, position);
CREATE INDEX events_age ON events(created_at);

CREATE TABLE jobs (
  id          TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  dedupe_key  TEXT,                       -- at most one pending job per kind and key
  user_id     TEXT,                       -- whose key seals the payload; null: the system's
  payload     BLOB NOT NULL,              -- sealed
  state       TEXT NOT NULL,              -- pending | running | done | failed
  run_at      INTEGER NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  started_by  TEXT,
  created_at  INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX jobs_due ON jobs(kind, run_at) WHERE state = 'pending';
CREATE INDEX jobs_running ON jobs(started_by) WHERE state = 'running';
CREATE UNIQUE INDEX jobs_dedupe ON jobs(kind, dedupe_key) WHERE state = 'pending' AND dedupe_key IS NOT NULL;
CREATE INDEX jobs_finished ON jobs(finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_user ON jobs(user_id);

CREATE TABLE job_attempts (
  job_id     TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  attempt    INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,
  outcome    TEXT,                        -- done | retry | failed | lost
  detail     BLOB,                        -- sealed
  PRIMARY KEY (job_id, attempt)
) STRICT, WITHOUT ROWID;
