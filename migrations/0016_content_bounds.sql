-- What is known of the completeness of a message and of the sizes of its attachments. Owner: src/mailbox.

-- 1: some of its text or parts were left out; 0: nothing was; null: stored by a version that did not say.
ALTER TABLE messages ADD COLUMN truncated INTEGER;

-- 1: `size` was reckoned from the encoded size; 0: the part has been read, and `size` is exact.
ALTER TABLE attachments ADD COLUMN size_estimated INTEGER NOT NULL DEFAULT 0;
-- With a part number the message was stored without the bytes of its attachments.
UPDATE attachments SET size_estimated = 1 WHERE part IS NOT NULL;
