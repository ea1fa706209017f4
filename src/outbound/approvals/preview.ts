import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import { parseRecipients } from "../../wire/smtp/addresses.ts";
import { senderOf } from "../drafts/checks.ts";
import type { Draft, DraftAttachment } from "../drafts/store.ts";
import type { SendPreview } from "./tables.ts";

export type WholeDraft = Draft & { attachments: DraftAttachment[] };

export const NO_PREVIEW: SendPreview = { from: "", to: [], cc: [], bcc: [], subject: "", body: "", attachments: [] };

/** Returns the message as it would be sent. */
export function previewOf(draft: WholeDraft, accounts: Accounts): SendPreview {
  const { to, cc, bcc, subject, body } = draft;
  const sender = senderOf(accounts.get(draft.account_id)!, draft.from);
  const from = sender.name === "" ? sender.email : `${sender.name} <${sender.email}>`;
  const attachments = draft.attachments.map(({ id, name, mime, size }) => ({ id, name, mime, size }));
  return { from, to, cc, bcc, subject, body, attachments };
}

/** Returns the plain addresses of all recipients. */
export function addressesOf({ to, cc, bcc }: Draft): string[] {
  const fields = { to, cc, bcc };
  return (["to", "cc", "bcc"] as const).flatMap((field) =>
    parseRecipients(field, fields[field]).map(({ email }) => email),
  );
}
