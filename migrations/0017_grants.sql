-- The register of grants: which rows may grant something, and what each of them said when Postroom wrote it. Owner: src/platform/grants.

CREATE TABLE grants (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  stamp    BLOB NOT NULL,                 -- random, new with every change: readers keep what they read until it differs
  register BLOB NOT NULL                  -- sealed (system key), bound to the stamp: a digest of each row, by table and key
) STRICT;
