-- Notifications for people. Owner: src/features/notifications.

CREATE TABLE notification_settings (
  user_id     TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  senders     BLOB NOT NULL,               -- sealed: addresses that count as VIPs, beside the VIPs of the contacts
  quiet       INTEGER NOT NULL,            -- quiet hours are on
  quiet_start TEXT NOT NULL,               -- HH:MM in the user's time zone
  quiet_end   TEXT NOT NULL
) STRICT;

CREATE TABLE notification_targets (
  id              TEXT PRIMARY KEY,
  user_id         TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  target          BLOB NOT NULL,             -- sealed: name, service, address, credentials
  kinds           TEXT NOT NULL,             -- JSON: kind -> off | on | always
  detail          TEXT NOT NULL,             -- minimal | sender | subject
  digest          TEXT NOT NULL,             -- off | hours | daily
  digest_hours    INTEGER NOT NULL,
  digest_at       TEXT NOT NULL,             -- HH:MM in the user's time zone
  status          TEXT NOT NULL,             -- active | off | failing
  position        INTEGER NOT NULL,          -- events up to it became items, where the target wants them
  skipped         INTEGER NOT NULL DEFAULT 0,  -- notifications beyond the limit of waiting ones, only counted
  failure_count   INTEGER NOT NULL DEFAULT 0,  -- failed attempts since the last success
  streak_since    INTEGER,                   -- the first of them
  retry_at        INTEGER,                   -- no attempt before this time
  sent_at         INTEGER,                   -- the last success
  outcome         BLOB,                      -- sealed: the last result
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX notification_targets_user ON notification_targets(user_id, id);

CREATE TABLE notification_items (            -- one notification for one target
  id           INTEGER PRIMARY KEY,
  target_id    TEXT NOT NULL REFERENCES notification_targets(id) ON DELETE CASCADE,
  source       TEXT NOT NULL,                -- id of the event or finding; a target gets each once
  kind         TEXT NOT NULL,
  at           INTEGER NOT NULL,
  content      BLOB,                         -- sealed; null once delivered
  delivered_at INTEGER,
  UNIQUE (target_id, source)
) STRICT;
CREATE INDEX notification_items_waiting ON notification_items(target_id, id) WHERE delivered_at IS NULL;
CREATE INDEX notification_items_age ON notification_items(at);

CREATE TABLE notification_findings (         -- faults that a person has been notified of
  user_id  TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  findings BLOB NOT NULL                     -- sealed
) STRICT;
