-- Whether the user has written to its sender, for the rows that a search finds. Owner: src/mailbox/.
DROP INDEX messages_found;
CREATE INDEX messages_found ON messages(
  n, user_id, thread_id, internal_date, account_id, unread, starred, has_attachment, is_draft, from_correspondent);
