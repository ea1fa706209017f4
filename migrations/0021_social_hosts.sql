-- The host of a social network is in the sealed sender: it is no longer beside it in clear. Owner: src/mailbox/.
UPDATE messages SET category_reason = 'social-host' WHERE category_reason LIKE 'social-host:%';
