import { isoTime } from "../../kernel/clock.ts";
import type { DraftAttachment, Draft as StoredDraft } from "../../outbound/drafts/store.ts";
import type { DraftAiNote } from "./ai.ts";
import type { Draft, DraftItem } from "./model.ts";

/** Returns a draft as lists show it. */
export function viewItem({ id, to, subject, send_id, updated_at, account_id, thread_id }: StoredDraft): DraftItem {
  return { id, to, subject, status: "draft", send_id, updated_at: isoTime(updated_at), account_id, thread_id };
}

/** Returns a draft as the API shows it. @param account_email the sender when the draft names none */
export function viewDraft(
  draft: StoredDraft & { attachments: DraftAttachment[] },
  accountEmail: string,
  note: (DraftAiNote & { credits: number }) | null = null,
): Draft {
  const { id, account_id, thread_id, from, to, cc, bcc, subject, body, attachments, send_id } = draft;
  return {
    id,
    account_id,
    thread_id,
    from: from ?? accountEmail,
    to,
    cc,
    bcc,
    subject,
    body,
    attachments,
    status: "draft",
    send_id,
    created_at: isoTime(draft.created_at),
    updated_at: isoTime(draft.updated_at),
    ...viewNote(note),
  };
}

function viewNote(note: (DraftAiNote & { credits: number }) | null): Pick<Draft, "credits_spent" | "ai"> {
  if (!note) return { credits_spent: 0 };
  const { credits, engine, model, fallback, held_for_review, review_reasons, gaps, provenance } = note;
  return { credits_spent: credits, ai: { engine, model, fallback, held_for_review, review_reasons, gaps, provenance } };
}
