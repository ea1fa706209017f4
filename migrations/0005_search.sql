-- Search. Owner of the words: src/mailbox/search; of the vectors: src/ml.
--
-- Versions before 0.2 kept words in FTS5 tables, words_<user id>, which the program made; 0018 replaced them.

-- What filters ask of a message, so that a search need not read the messages themselves, which are long.
CREATE INDEX messages_filters ON messages(
  user_id, internal_date, unread, starred, has_attachment, is_draft, account_id, thread_id);
-- The same of single messages, and where a thread is, for the rows of the word index.
CREATE INDEX messages_found ON messages(
  n, user_id, thread_id, internal_date, account_id, unread, starred, has_attachment, is_draft);
CREATE INDEX threads_state ON threads(id, state);

CREATE TABLE file_texts (                   -- attachments whose text is, or is to be, in the word index
  message_n  INTEGER PRIMARY KEY REFERENCES messages(n) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  state      TEXT NOT NULL,                 -- waiting | done | failed
  attempts   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX file_texts_waiting ON file_texts(account_id, message_n) WHERE state = 'waiting';

CREATE TABLE vectors (                      -- what each message means to a model
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  message_n INTEGER NOT NULL REFERENCES messages(n) ON DELETE CASCADE,
  model     TEXT NOT NULL,                  -- id and version of the model
  user_id   TEXT NOT NULL,
  vector    BLOB,                           -- sealed; null: the model does not know the language of this text
  UNIQUE (message_n, model)
) STRICT;
CREATE INDEX vectors_user ON vectors(user_id, model, id);

CREATE TABLE vector_losses (                -- how many vectors of a user were deleted so far; tells an index in memory to look
  user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  count   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER vectors_gone AFTER DELETE ON vectors WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id) BEGIN
  INSERT INTO vector_losses (user_id, count) VALUES (OLD.user_id, 1) ON CONFLICT (user_id) DO UPDATE SET count = count + 1;
END;

CREATE TABLE embed_queue (                  -- messages that wait for a vector of the model in use
  message_n  INTEGER PRIMARY KEY REFERENCES messages(n) ON DELETE CASCADE,
  user_id    TEXT NOT NULL,
  account_id TEXT NOT NULL,
  at         INTEGER NOT NULL               -- INTERNALDATE, ms: the newest come first
) STRICT;
CREATE INDEX embed_queue_user ON embed_queue(user_id, at DESC);
CREATE INDEX embed_queue_account ON embed_queue(account_id);

CREATE TABLE embedding_models (             -- models that vectors were made with; the last adopted one is in use
  id         TEXT PRIMARY KEY,
  setting    TEXT NOT NULL,                 -- the value of embedding.model that leads to it
  adopted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
