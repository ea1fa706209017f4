-- The text of attachments and invitations, from which questions are answered; sealed, the beginning only.
ALTER TABLE file_texts ADD COLUMN texts BLOB;
