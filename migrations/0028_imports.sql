-- Mail that people upload to import it. Owner: src/mailbox/imports.

CREATE TABLE imports (
  id             TEXT PRIMARY KEY,
  user_id        TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id     TEXT REFERENCES accounts(id) ON DELETE CASCADE,  -- null until its first message was found
  state          TEXT NOT NULL,             -- uploading, waiting, importing, done, failed, canceled
  about          BLOB NOT NULL,             -- sealed: name of the file, when it was changed, and name of the mailbox
  bytes          INTEGER NOT NULL,          -- of the whole file
  received_bytes INTEGER NOT NULL DEFAULT 0,
  done_bytes     INTEGER NOT NULL DEFAULT 0, -- of total_bytes, which are those of its mail when unpacked
  total_bytes    INTEGER NOT NULL DEFAULT 0,
  read_count     INTEGER NOT NULL DEFAULT 0, -- messages that are stored or were there already
  taken_count    INTEGER NOT NULL DEFAULT 0,
  known_count    INTEGER NOT NULL DEFAULT 0,
  cut_count      INTEGER NOT NULL DEFAULT 0,
  unreadable     INTEGER NOT NULL DEFAULT 0,
  error          BLOB,                      -- sealed: why it failed, as a sentence
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  ended_at       INTEGER
) STRICT;
CREATE INDEX imports_user ON imports(user_id, id);
CREATE UNIQUE INDEX imports_active ON imports(user_id) WHERE state IN ('uploading', 'waiting', 'importing');
