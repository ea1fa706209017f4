-- What each copy of a message says, states of threads without received mail, and steps of arriving mail that are to be retried.
-- Owners: src/mailbox/ (locations, threads), src/inbound/ (failed_steps).

-- Flags and labels as the server last reported them for this copy. Views (Gmail) have none: the folder behind them does.
ALTER TABLE locations ADD COLUMN flags INTEGER;   -- bits: 1 seen, 2 flagged, 4 answered, 8 draft, 16 important; null: not known
ALTER TABLE locations ADD COLUMN labels TEXT;     -- JSON array of label ids; null: none
-- Messages with several copies had the flags of the copy that was read last: the next comparison reads them again.
UPDATE locations SET flags_hash = -1 WHERE message_id IN (
  SELECT l.message_id FROM locations l JOIN folders f ON f.id = l.folder_id
  WHERE f.view_of IS NULL AND f.replaced_by IS NULL GROUP BY l.message_id HAVING count(*) > 1);

-- The state that a person gave to a thread without received mail; null: none. Its copies in Sent stay where they are.
ALTER TABLE threads ADD COLUMN given_state TEXT;

CREATE TABLE failed_steps (               -- steps of arriving mail that failed and are run again
  message_id TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  step       TEXT NOT NULL,               -- InboundStep.name
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  arrival    BLOB NOT NULL,               -- sealed: what the step needs and the message does not keep
  attempts   INTEGER NOT NULL,            -- so far, the first one included
  next_at    INTEGER,                     -- ms; null: given up, until another version of the program starts
  version    TEXT NOT NULL,               -- the program that failed last
  failed_at  INTEGER NOT NULL,
  PRIMARY KEY (message_id, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX failed_steps_due ON failed_steps(next_at) WHERE next_at IS NOT NULL;
