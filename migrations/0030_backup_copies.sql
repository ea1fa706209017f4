-- Copies of backups on another machine. Owners: src/backup, src/platform/ledger (store_egress)

-- What is known about the place of the copies, and the upload that was interrupted. One row.
CREATE TABLE backup_copies (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  state BLOB NOT NULL                     -- sealed under the key of the system
) STRICT;

-- Requests to object stores, recorded before the first byte leaves.
CREATE TABLE store_egress (
  id         INTEGER PRIMARY KEY,
  action     TEXT NOT NULL,               -- put | get | head | list | delete
  host       TEXT NOT NULL,               -- with its port
  bytes_out  INTEGER NOT NULL,
  bytes_in   INTEGER,
  result     TEXT,                        -- HTTP status or the kind of the fault; null until the end
  started_at INTEGER NOT NULL,
  ended_at   INTEGER
) STRICT;
CREATE INDEX store_egress_started ON store_egress(started_at);
