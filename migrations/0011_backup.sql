-- What became of every backup of this installation. Owner: src/backup.

CREATE TABLE backups (
  id           TEXT PRIMARY KEY,
  state        TEXT NOT NULL,             -- running | done | failed
  kind         TEXT NOT NULL,             -- full | incremental
  file         TEXT NOT NULL,             -- absolute path
  kept         INTEGER NOT NULL,          -- 1: one of the schedule's own, which retention removes; 0: made to a path that somebody named
  backup_id    TEXT,                      -- as the file itself says; null until it is done
  base_id      TEXT,                      -- backup_id of the one that an incremental one leans on
  bytes        INTEGER NOT NULL DEFAULT 0,
  reused_bytes INTEGER NOT NULL DEFAULT 0,
  row_count    INTEGER NOT NULL DEFAULT 0,
  file_count   INTEGER NOT NULL DEFAULT 0,
  sha256       TEXT,                      -- of the file, hex
  error        TEXT,                      -- a sentence, when it failed
  started_by   TEXT NOT NULL,             -- the boot that runs it; a later boot knows that it died
  started_at   INTEGER NOT NULL,
  ended_at     INTEGER,
  removed_at   INTEGER                    -- when retention took the file away
) STRICT;
CREATE INDEX backups_latest ON backups(started_at DESC);
