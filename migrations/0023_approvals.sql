-- Sends that assistants prepare: who confirms them, and those that wait for a person. Owner: src/outbound/approvals

-- How a key or connection may send through the tool server. Without a row, the defaults apply. A row grants something.
CREATE TABLE sending_policies (
  credential_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  confirm TEXT NOT NULL,                  -- ask | approve | token
  recipients TEXT NOT NULL,               -- known | anyone
  sends_per_day INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE send_approvals (
  id TEXT PRIMARY KEY,                    -- apv_…
  user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL,
  draft_id TEXT NOT NULL,
  -- HMAC of the confirmation, so that one confirmation makes one approval.
  confirmation_hmac BLOB NOT NULL UNIQUE,
  state TEXT NOT NULL,                    -- waiting | confirmed | approved | rejected | withdrawn | void
  request BLOB NOT NULL,                  -- sealed: what was asked, as shown to the person
  send_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX send_approvals_user ON send_approvals(user_id, state, id);
