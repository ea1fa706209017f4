-- Short tags: HMACs that many messages share by chance, and that are verified against what is sealed (docs/decisions/0025).
-- Owners: src/mailbox/, src/outbound/ (sends, bounces).
--
-- The indexes come first and last: their pages have the long values, and are not written again for each row.
DROP INDEX messages_identity;
DROP INDEX messages_sender;
DROP INDEX messages_subject;
DROP INDEX sends_msgid;

-- 1: the user has written to its sender. Kept, because a short tag cannot be joined with the correspondents.
ALTER TABLE messages ADD COLUMN from_correspondent INTEGER NOT NULL DEFAULT 0;

UPDATE messages SET
  from_correspondent = EXISTS (
    SELECT 1 FROM correspondents c
    WHERE c.account_id = messages.account_id AND c.address_hmac = messages.sender_hmac),
  msgid_hmac = substr(msgid_hmac, 1, 2),                               -- 16 bits
  content_hmac = substr(content_hmac, 1, 1),                           -- 8 bits
  sender_hmac = unhex(substr(hex(sender_hmac) || '000', 1, 3) || '0'), -- 12 bits
  subject_hmac = substr(subject_hmac, 1, 1),                           -- 8 bits
  -- Four bytes for each address become one of sixteen bits: the one that their first half byte names.
  people = CASE length(people) WHEN 0 THEN people ELSE unhex(printf('%04X', (
    WITH RECURSIVE addresses(i) AS (
      SELECT 1 UNION ALL SELECT i + 8 FROM addresses WHERE i + 8 < length(hex(people)))
    SELECT sum(DISTINCT 1 << (instr('0123456789ABCDEF', substr(hex(people), i, 1)) - 1)) FROM addresses))) END;

CREATE INDEX messages_identity ON messages(account_id, msgid_hmac, content_hmac);
CREATE INDEX messages_sender ON messages(account_id, sender_hmac) WHERE from_correspondent = 0;
CREATE INDEX messages_subject ON messages(account_id, subject_hmac, subject_kind, sent_date, people)
  WHERE subject_hmac IS NOT NULL;

UPDATE sends SET msgid_hmac = substr(msgid_hmac, 1, 2);
CREATE INDEX sends_msgid ON sends(user_id, msgid_hmac);

-- Of the send and the recipient from now on: one recipient looks different in each send. Stored rows are opened to be compared.
UPDATE bounces SET recipient_hmac = randomblob(16);
