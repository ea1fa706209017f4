-- Who is in contact with one mailbox, for callers that are bound to it. Counting that anew for each list took 1.3 s over 100,000
-- messages. Owner: src/features/contacts/.

-- Numbers that grow with each settling of a user's contacts.
ALTER TABLE contacts ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;       -- the one that counted it last
ALTER TABLE contacts ADD COLUMN settled_anew INTEGER NOT NULL DEFAULT 0;  -- the one that counted all of its messages last
CREATE INDEX contacts_settled ON contacts(user_id, settled);

CREATE TABLE contact_mailboxes (
  contact_n  INTEGER NOT NULL REFERENCES contacts(n) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  threads    INTEGER NOT NULL DEFAULT 0,
  last_at    INTEGER NOT NULL DEFAULT 0,   -- ms; 0: never
  counted_n  INTEGER NOT NULL DEFAULT 0,   -- the newest message (n) that threads and last_at count
  PRIMARY KEY (contact_n, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_mailboxes_list ON contact_mailboxes(account_id, last_at DESC);

CREATE TABLE contact_mailboxes_settled (    -- up to which settling a mailbox's counts have followed
  account_id TEXT PRIMARY KEY REFERENCES accounts(id) ON DELETE CASCADE,
  settled    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
