-- Updates of the program. Owner: src/platform/ledger

-- Requests for a release of the program, recorded before the first byte leaves. Only a person's command makes them.
CREATE TABLE update_egress (
  id         INTEGER PRIMARY KEY,
  file       TEXT NOT NULL,               -- name of the file that was requested
  host       TEXT NOT NULL,               -- with its port
  bytes_in   INTEGER,
  result     TEXT,                        -- HTTP status or the kind of the fault; null until the end
  started_at INTEGER NOT NULL,
  ended_at   INTEGER
) STRICT;
CREATE INDEX update_egress_started ON update_egress(started_at);
