-- Webhook endpoints and what became of every delivery. Owner: src/features/webhooks.

CREATE TABLE webhook_endpoints (
  id              TEXT PRIMARY KEY,
  user_id         TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  target          BLOB NOT NULL,             -- sealed: { url }
  events          TEXT NOT NULL,             -- JSON array of the event names it wants
  status          TEXT NOT NULL,             -- active | disabled
  disabled_reason TEXT,                      -- user | failing | gone
  failure_count   INTEGER NOT NULL DEFAULT 0,  -- failed attempts since the last success
  streak_since    INTEGER,                   -- the first of them
  last_failure_at INTEGER,
  disabled_at     INTEGER,
  position        INTEGER NOT NULL,          -- events up to it became deliveries, where it wants them
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_user ON webhook_endpoints(user_id, id);

CREATE TABLE webhook_secrets (
  id          INTEGER PRIMARY KEY,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  secret      BLOB NOT NULL,                 -- sealed
  expires_at  INTEGER                        -- null: the current one; the others go on signing until then
) STRICT;
CREATE INDEX webhook_secrets_endpoint ON webhook_secrets(endpoint_id, id);

CREATE TABLE webhook_deliveries (            -- one event on its way to one endpoint
  id              TEXT PRIMARY KEY,
  endpoint_id     TEXT NOT NULL REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  event_id        TEXT NOT NULL,
  event           TEXT NOT NULL,
  event_at        INTEGER NOT NULL,
  status          TEXT NOT NULL,             -- pending | delivered | failed
  attempts        INTEGER NOT NULL DEFAULT 0,
  step            INTEGER NOT NULL DEFAULT 0,  -- how many waits of the schedule are behind it
  next_attempt_at INTEGER,                   -- null unless pending
  created_at      INTEGER NOT NULL,
  finished_at     INTEGER,
  UNIQUE (endpoint_id, event_id)
) STRICT;
CREATE INDEX webhook_deliveries_list ON webhook_deliveries(endpoint_id, id);
CREATE INDEX webhook_deliveries_first ON webhook_deliveries(endpoint_id) WHERE status = 'pending' AND attempts = 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries(endpoint_id, next_attempt_at)
  WHERE status = 'pending' AND attempts > 0;
CREATE INDEX webhook_deliveries_age ON webhook_deliveries(event_at);

CREATE TABLE webhook_attempts (
  delivery_id     TEXT NOT NULL REFERENCES webhook_deliveries(id) ON DELETE CASCADE,
  attempt         INTEGER NOT NULL,
  at              INTEGER NOT NULL,
  duration_ms     INTEGER NOT NULL,
  response_status INTEGER,                   -- null: there was no answer
  detail          BLOB NOT NULL,             -- sealed: { error, headers, body }
  PRIMARY KEY (delivery_id, attempt)
) STRICT;
