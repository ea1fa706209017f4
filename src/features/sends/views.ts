import { isoTime } from "../../kernel/clock.ts";
import type { BouncedRecipient } from "../../outbound/bounces/store.ts";
import type { Send as StoredSend } from "../../outbound/sends/store.ts";
import type { Send, SendScheduled } from "./model.ts";

/** Returns a scheduled send as the API shows it. */
export function viewScheduled({ id, status, undo_until }: StoredSend): SendScheduled {
  return { send_id: id, status, undo_until: isoTime(undo_until) };
}

/** Returns a send as the API shows it. @param bounces bounces of this send, latest first */
export function viewSend(send: StoredSend, bounces: readonly BouncedRecipient[]): Send {
  const { account_id, thread_id, message_id, from, to, cc, bcc, subject, attempts, outcome } = send;
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms));
  return {
    ...viewScheduled(send),
    account_id,
    // A sent message may keep its draft until the sent copy is stored, but the draft can no longer be used.
    draft_id: send.status === "sent" ? null : send.draft_id,
    thread_id,
    message_id,
    from,
    to,
    cc,
    bcc,
    subject,
    scheduled_at: time(send.scheduled_at),
    created_at: isoTime(send.created_at),
    finished_at: time(send.finished_at),
    attempts,
    next_attempt_at: time(send.next_attempt_at),
    reason: outcome?.reason ?? null,
    detail: outcome?.detail || null,
    rejected: outcome?.rejected ?? [],
    bounced:
      bounces.length === 0
        ? null
        : {
            at: isoTime(bounces[0]!.at),
            recipients: bounces.map(({ recipient, status, detail }) => ({ recipient, status, detail })),
          },
  };
}
