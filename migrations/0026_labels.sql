-- Labels of the API: ids, labels without mail, and changes in the background. Owner: src/mailbox/{store,threading,changes}.

-- A row is one name, which is a keyword on the mail servers. When a label is renamed, its id moves to the row of the new name.
ALTER TABLE labels ADD COLUMN api_id TEXT NOT NULL DEFAULT '';
UPDATE labels SET api_id = id;
CREATE UNIQUE INDEX labels_api ON labels(api_id);

-- Counts and bound keys need the labels of one mailbox without reading its threads.
DROP INDEX thread_labels_label;
ALTER TABLE thread_labels ADD COLUMN account_id TEXT NOT NULL DEFAULT '';
UPDATE thread_labels SET account_id = coalesce((SELECT account_id FROM threads WHERE threads.id = thread_labels.thread_id), '');
CREATE INDEX thread_labels_label ON thread_labels(label_id, account_id, thread_id);

CREATE TABLE created_labels (               -- labels that are listed even without a thread
  label_id   TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE,
  account_id TEXT REFERENCES accounts(id) ON DELETE CASCADE,  -- created by a key that is bound to this mailbox; null: by any other
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX created_labels_label ON created_labels(label_id, coalesce(account_id, ''));

CREATE TABLE label_changes (                -- labels that are being replaced or removed in a mailbox
  label_id   TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  to_id      TEXT REFERENCES labels(id) ON DELETE CASCADE,  -- the label that replaces it; null: none
  up_to_id   TEXT NOT NULL,                 -- threads with later ids are done, or were created since
  started_at INTEGER NOT NULL,
  PRIMARY KEY (label_id, account_id)
) STRICT, WITHOUT ROWID;
