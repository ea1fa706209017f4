-- Drafts and sends. Owner: src/outbound.

CREATE TABLE drafts (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  thread_id  TEXT,                        -- the conversation that it answers; null: new mail
  content    BLOB NOT NULL,               -- sealed: { from, to, cc, bcc, subject, body, in_reply_to, references, message_id }
  send_id    TEXT,                        -- the send that holds it: locked until that has ended
  hidden     INTEGER NOT NULL DEFAULT 0,  -- composed and sent in one call: shown only when it comes back
  revision   INTEGER NOT NULL DEFAULT 1,  -- counts the changes of what it says
  placed     INTEGER NOT NULL DEFAULT 0,  -- the revision that the server's Drafts folder has; 0: none
  uidvalidity INTEGER,                    -- where it has it; null: nowhere
  uid        INTEGER,
  msgid_hmac BLOB,                        -- of the Message-ID there
  missing_at INTEGER,                     -- when it was not found there any more
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_list ON drafts(user_id, updated_at DESC, id DESC) WHERE hidden = 0;
CREATE INDEX drafts_account ON drafts(account_id);

CREATE TABLE draft_remains (              -- copies in a server's Drafts folder whose draft is gone or was put there anew: to be removed
  account_id  TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  uidvalidity INTEGER NOT NULL,
  uid         INTEGER NOT NULL,
  PRIMARY KEY (account_id, uidvalidity, uid)
) STRICT, WITHOUT ROWID;

CREATE TABLE draft_attachments (          -- the bytes lie in <data>/blobs under the draft's and the attachment's id
  id         TEXT PRIMARY KEY,
  draft_id   TEXT NOT NULL REFERENCES drafts(id) ON DELETE CASCADE,
  size       INTEGER NOT NULL,
  info       BLOB NOT NULL,               -- sealed: { name, mime, content_id }
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX draft_attachments_draft ON draft_attachments(draft_id, id);

CREATE TABLE sends (
  id               TEXT PRIMARY KEY,
  user_id          TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id       TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  key_id           TEXT,                  -- the API key that asked for it
  pool_id          TEXT NOT NULL,         -- whose sends of the day it counts against
  draft_id         TEXT,                  -- what is sent, or what came back; null once it left
  status           TEXT NOT NULL,         -- scheduled | sending | sent | failed | undone
  undo_until       INTEGER NOT NULL,      -- until then it can be cancelled; then it is dispatched
  scheduled_at     INTEGER,
  attempts         INTEGER NOT NULL DEFAULT 0,
  first_attempt_at INTEGER,               -- also the Date header
  next_attempt_at  INTEGER,               -- after a fault that passes
  handed_over_at   INTEGER,               -- the server may have the message from then on; null: it certainly has not
  thread_id        TEXT,                  -- of the sent message, as our ids
  message_id       TEXT,
  copy             TEXT,                  -- of the copy in Sent: wanted | placed; null: none is made
  msgid_hmac       BLOB NOT NULL,         -- of its Message-ID: ties bounces and copies to it
  info             BLOB NOT NULL,         -- sealed: { message_id, from, to, cc, bcc, subject }
  outcome          BLOB,                  -- sealed: { reason, detail, rejected }
  created_at       INTEGER NOT NULL,
  finished_at      INTEGER
) STRICT;
CREATE INDEX sends_list ON sends(user_id, id DESC);
CREATE INDEX sends_account ON sends(account_id);
CREATE INDEX sends_key ON sends(key_id, created_at);
CREATE INDEX sends_msgid ON sends(user_id, msgid_hmac);
CREATE INDEX sends_message ON sends(message_id) WHERE message_id IS NOT NULL;
CREATE INDEX sends_open ON sends(status) WHERE status IN ('scheduled', 'sending');

CREATE TABLE bounces (                    -- delivery status notifications that came back for a send
  send_id        TEXT NOT NULL REFERENCES sends(id) ON DELETE CASCADE,
  recipient_hmac BLOB NOT NULL,
  action         TEXT NOT NULL,           -- failed | delayed
  detail         BLOB NOT NULL,           -- sealed: { recipient, status, detail, message_id }
  at             INTEGER NOT NULL,
  PRIMARY KEY (send_id, recipient_hmac)
) STRICT, WITHOUT ROWID;
