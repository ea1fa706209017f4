-- Owners: src/outbound/drafts, src/outbound/approvals, src/platform/identity

-- Whether anyone who wrote the draft could read what the user keeps about clients. The writers of older drafts are
-- unknown, so the older drafts count as written by one who could.
ALTER TABLE drafts ADD COLUMN context_reader INTEGER NOT NULL DEFAULT 0;
UPDATE drafts SET context_reader = 1;
