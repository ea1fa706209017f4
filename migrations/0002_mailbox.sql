-- The mailbox: accounts, folders, messages with their locations, threads, labels. Owner: src/mailbox.

CREATE TABLE accounts (
  id                TEXT PRIMARY KEY,
  user_id           TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  provider          TEXT NOT NULL,        -- imap | gmail | outlook | sandbox
  profile           BLOB NOT NULL,        -- sealed: { email, aliases, exclude }
  connection        BLOB,                 -- sealed: { imap, smtp, username, password }; null for the sandbox
  email_hmac        BLOB NOT NULL,
  is_primary        INTEGER NOT NULL DEFAULT 0,
  status            TEXT NOT NULL,        -- active | connecting | auth_failed | unreachable | paused
  read_only         INTEGER NOT NULL DEFAULT 0,
  on_server_delete  TEXT NOT NULL DEFAULT 'follow',
  pass              INTEGER NOT NULL DEFAULT 0,   -- full passes over all folders so far
  last_error        BLOB,                 -- sealed
  last_sync_at      INTEGER,
  sync_phase        TEXT NOT NULL DEFAULT 'waiting',
  sync_done         INTEGER NOT NULL DEFAULT 0,
  sync_total        INTEGER NOT NULL DEFAULT 0,
  created_at        INTEGER NOT NULL,
  UNIQUE (user_id, email_hmac)
) STRICT;

CREATE TABLE folders (
  id             TEXT PRIMARY KEY,
  account_id     TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  name           BLOB NOT NULL,           -- sealed: { path, delimiter }
  path_hmac      BLOB NOT NULL,
  role           TEXT NOT NULL,           -- inbox | sent | drafts | trash | spam | archive | snoozed | all | other
  uidvalidity    INTEGER,                 -- null: never opened
  uidnext        INTEGER NOT NULL DEFAULT 1,  -- every UID below it, down to backfill_uid, has been looked at
  backfill_uid   INTEGER NOT NULL DEFAULT 1,  -- UIDs below it are still to come; 1: none
  live_uid       INTEGER NOT NULL DEFAULT 1,  -- UIDs from here on arrived after the mailbox was connected
  highestmodseq  TEXT,
  server_count   INTEGER NOT NULL DEFAULT 0,
  checked_at     INTEGER,
  view_of        TEXT,                    -- shows some messages of this folder, under the same UIDs (Gmail's labels)
  replaced_by    TEXT,                    -- its UIDs became void (UIDVALIDITY): kept until this folder has been read anew
  keywords_ok    INTEGER NOT NULL DEFAULT 1,  -- the server stores keywords in this folder
  UNIQUE (account_id, path_hmac)
) STRICT;

CREATE TABLE threads (
  id             TEXT PRIMARY KEY,
  user_id        TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id     TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  state          TEXT NOT NULL,           -- inbox | archived | snoozed | trash | spam | sent
  last_at        INTEGER NOT NULL,        -- INTERNALDATE of the newest message
  top_message_id TEXT NOT NULL,           -- the message whose head the list shows
  message_count  INTEGER NOT NULL,
  unread         INTEGER NOT NULL,
  starred        INTEGER NOT NULL,
  important      INTEGER NOT NULL,
  has_attachment INTEGER NOT NULL,
  has_sent       INTEGER NOT NULL,
  category       TEXT NOT NULL,
  snooze_until   INTEGER
) STRICT;
CREATE INDEX threads_list ON threads(user_id, state, last_at DESC, id DESC);
CREATE INDEX threads_account ON threads(account_id, state, last_at DESC, id DESC);
CREATE INDEX threads_unread ON threads(user_id, state, last_at DESC, id DESC) WHERE unread = 1;
CREATE INDEX threads_tab ON threads(user_id, state, category, last_at DESC, id DESC);
CREATE INDEX threads_starred ON threads(user_id, state, last_at DESC, id DESC) WHERE starred = 1;
CREATE INDEX threads_sent ON threads(user_id, last_at DESC, id DESC) WHERE has_sent = 1;
CREATE INDEX threads_snoozed ON threads(snooze_until) WHERE snooze_until IS NOT NULL;

CREATE TABLE thread_aliases (             -- ids of threads that were joined into another one still work
  id        TEXT PRIMARY KEY,
  user_id   TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  thread_id TEXT NOT NULL REFERENCES threads(id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_aliases_target ON thread_aliases(thread_id);

CREATE TABLE thread_keys (                -- what ties messages together: HMACs of Message-IDs and server thread ids
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  key_hmac   BLOB NOT NULL,
  thread_id  TEXT NOT NULL,
  PRIMARY KEY (account_id, key_hmac)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_keys_thread ON thread_keys(thread_id);

CREATE TABLE messages (
  n              INTEGER PRIMARY KEY,     -- for bodies and the word index; never leaves the machine
  id             TEXT NOT NULL UNIQUE,
  user_id        TEXT NOT NULL,
  account_id     TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  thread_id      TEXT NOT NULL,
  internal_date  INTEGER NOT NULL,
  sent_date      INTEGER NOT NULL,        -- the Date header, or internal_date
  size           INTEGER NOT NULL,        -- RFC822.SIZE
  unread         INTEGER NOT NULL,
  starred        INTEGER NOT NULL,
  answered       INTEGER NOT NULL,
  important      INTEGER NOT NULL DEFAULT 0,
  is_draft       INTEGER NOT NULL DEFAULT 0,
  has_attachment INTEGER NOT NULL,
  category       TEXT NOT NULL,
  category_reason TEXT NOT NULL,
  msgid_hmac     BLOB NOT NULL,           -- of the Message-ID, or of the content where there is none
  content_hmac   BLOB NOT NULL,           -- of what makes two copies the same message
  sender_hmac    BLOB NOT NULL,           -- of the From address
  subject_hmac   BLOB,                    -- of the base subject; null when it is too plain to thread by
  subject_kind   INTEGER NOT NULL,        -- 2: a reply by its subject without references; 1: another reply; 0: no reply
  people         BLOB NOT NULL,           -- four bytes for each address that takes part: of an HMAC of subject and address
  head           BLOB NOT NULL,           -- sealed: what lists show
  missing_pass   INTEGER,                 -- vanished from its last folder during this pass
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_thread ON messages(thread_id, internal_date, id);
CREATE INDEX messages_identity ON messages(account_id, msgid_hmac);
CREATE INDEX messages_sender ON messages(account_id, sender_hmac);
CREATE INDEX messages_subject ON messages(account_id, subject_hmac, subject_kind, sent_date) WHERE subject_hmac IS NOT NULL;
CREATE INDEX messages_missing ON messages(account_id, missing_pass) WHERE missing_pass IS NOT NULL;

CREATE TABLE bodies (
  n    INTEGER PRIMARY KEY REFERENCES messages(n) ON DELETE CASCADE,
  text BLOB NOT NULL,                     -- sealed: { text, body_text, new_text, headers }
  html BLOB                               -- sealed
) STRICT;

CREATE TABLE locations (                  -- where on the server a message lies; one message may lie in several folders
  folder_id  TEXT NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
  uid        INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  flags_hash INTEGER NOT NULL,            -- of the flags and keywords last seen there; tells whether they changed
  PRIMARY KEY (folder_id, uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX locations_message ON locations(message_id);

CREATE TABLE attachments (
  id         TEXT PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  idx        INTEGER NOT NULL,            -- position in the message
  part       TEXT,                        -- IMAP part number; null: taken from the whole source
  encoding   TEXT,
  size       INTEGER NOT NULL,
  info       BLOB NOT NULL,               -- sealed: { name, mime, content_id, disposition }
  UNIQUE (message_id, idx)
) STRICT;

CREATE TABLE labels (
  id        TEXT PRIMARY KEY,
  user_id   TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  name      BLOB NOT NULL,                -- sealed
  name_hmac BLOB NOT NULL,
  UNIQUE (user_id, name_hmac)
) STRICT;

CREATE TABLE message_labels (
  message_id TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  label_id   TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE,
  PRIMARY KEY (message_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_labels_label ON message_labels(label_id);

CREATE TABLE thread_labels (
  thread_id TEXT NOT NULL REFERENCES threads(id) ON DELETE CASCADE,
  label_id  TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE,
  PRIMARY KEY (thread_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_labels_label ON thread_labels(label_id, thread_id);

CREATE TABLE correspondents (             -- addresses this account wrote to
  account_id   TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  address_hmac BLOB NOT NULL,
  PRIMARY KEY (account_id, address_hmac)
) STRICT, WITHOUT ROWID;

CREATE TABLE announced (                  -- message.received fires once per message for ever
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  identity   BLOB NOT NULL,
  PRIMARY KEY (account_id, identity)
) STRICT, WITHOUT ROWID;

CREATE TABLE pending_changes (            -- changes made here that the server does not have yet
  message_id TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  field      TEXT NOT NULL,               -- seen | flagged | folder | label:<id>
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  value      TEXT NOT NULL,               -- '1' | '0' | a folder role
  previous   TEXT NOT NULL,               -- to go back to when the server refuses for good
  stamp      INTEGER NOT NULL,            -- changes with every overwrite, so that a finished replay clears only what it did
  request_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_changes_account ON pending_changes(account_id, created_at);
