-- The full-text index of each user. Owner: src/mailbox/search (docs/decisions/0012-full-text-index.md).
--
-- A segment is immutable: its blocks are sealed with the user's key and all have one size. New mail waits in
-- search_pending, in the message's own transaction, until enough of it has gathered for a segment.

CREATE TABLE search_segments (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,                    -- whose
  state   TEXT NOT NULL,                    -- building | live | replaced
  level   INTEGER NOT NULL,                 -- size class: eight segments of a level merge into one of the next
  head    BLOB                              -- sealed: lengths of its streams; null while it is being built
) STRICT;
CREATE INDEX search_segments_user ON search_segments(user_id, state);

CREATE TABLE search_blocks (
  id   INTEGER PRIMARY KEY,                 -- segment * 2^23 + stream * 2^21 + number of the block
  data BLOB NOT NULL                        -- sealed
) STRICT;

CREATE TABLE search_pending (               -- documents that are in no segment yet
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  n       INTEGER NOT NULL,                 -- messages.n
  data    BLOB NOT NULL                     -- sealed: the terms of the message with their positions
) STRICT;
CREATE INDEX search_pending_user ON search_pending(user_id, id);
CREATE INDEX search_pending_message ON search_pending(n);

CREATE TABLE search_deleted (               -- documents of segments that are to be left out: those of message n up to an id
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  n       INTEGER NOT NULL,
  up_to   INTEGER NOT NULL                  -- a document has the id that it had in search_pending
) STRICT;
CREATE INDEX search_deleted_user ON search_deleted(user_id, id);

CREATE TABLE search_queue (                 -- messages that are to be indexed from their stored text
  message_n  INTEGER PRIMARY KEY REFERENCES messages(n) ON DELETE CASCADE,
  user_id    TEXT NOT NULL,
  account_id TEXT NOT NULL,
  at         INTEGER NOT NULL               -- INTERNALDATE, ms: the newest come first
) STRICT;
CREATE INDEX search_queue_account ON search_queue(account_id);
CREATE INDEX search_queue_user ON search_queue(user_id, at DESC);

-- Whichever way a message is deleted, by itself or with its mailbox, its words are deleted in the same transaction.
CREATE TRIGGER search_message_deleted AFTER DELETE ON messages BEGIN
  DELETE FROM search_pending WHERE n = OLD.n;
  INSERT INTO search_deleted (user_id, n, up_to)
    SELECT OLD.user_id, OLD.n, seq FROM sqlite_sequence
    WHERE name = 'search_pending' AND EXISTS (SELECT 1 FROM search_segments WHERE user_id = OLD.user_id AND state = 'live');
END;

-- Mail that was indexed by an earlier version.
INSERT INTO search_queue (message_n, user_id, account_id, at) SELECT n, user_id, account_id, internal_date FROM messages;
-- The text of attachments was kept in the index alone: they are read again.
UPDATE file_texts SET state = 'waiting', attempts = 0;
