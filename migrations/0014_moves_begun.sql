-- Moves on servers without MOVE (RFC 6851), which are copies and removals: noted before the copy is asked for, so that a process
-- that dies in between does not copy again. Owner: src/outbound/.

CREATE TABLE moves_begun (
  folder_id TEXT NOT NULL,
  uid       INTEGER NOT NULL,              -- where the message lies; gone from there, it is moved
  target_id TEXT NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
  copy_uid  INTEGER,                       -- null: whether there is a copy is not known; 0: there is one, the server did not say where
  PRIMARY KEY (folder_id, uid, target_id),
  FOREIGN KEY (folder_id, uid) REFERENCES locations(folder_id, uid) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX moves_begun_target ON moves_begun(target_id);
