-- Owners: src/outbound/drafts, src/outbound/approvals, src/platform/identity

-- Whether anyone who wrote the draft could read what the user keeps about clients. The writers of older drafts are
-- unknown, so the older drafts count as written by one who could.
ALTER TABLE drafts ADD COLUMN context_reader INTEGER NOT NULL DEFAULT 0;
UPDATE drafts SET context_reader = 1;

CREATE INDEX send_approvals_of_credential ON send_approvals(credential_id) WHERE state = 'waiting';
CREATE INDEX send_approvals_of_draft ON send_approvals(draft_id) WHERE state = 'waiting';

-- A key that is refused for the API, and accepted by the tool server, where the sending rules apply.
ALTER TABLE api_keys ADD COLUMN tools_only INTEGER NOT NULL DEFAULT 0;
