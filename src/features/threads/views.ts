import { isoTime } from "../../kernel/clock.ts";
import type { MessageView } from "../../mailbox/queries/messages.ts";
import type { TABS } from "../../mailbox/queries/thread-filters.ts";
import type { ThreadDetail, ThreadRow } from "../../mailbox/queries/threads.ts";
import type { Thread, ThreadItem, ThreadMessage } from "./model.ts";

export function viewItem({ last_at, category, ...row }: ThreadRow): ThreadItem {
  return { ...row, category: category as (typeof TABS)[number], updated_at: isoTime(last_at) };
}

export function viewThread({ user_id: _, snooze_until, messages, ...thread }: ThreadDetail): Thread {
  return {
    ...thread,
    snooze_until: snooze_until === null ? null : isoTime(snooze_until),
    messages: messages.map(({ date, ...message }) => ({ ...message, date: isoTime(date) })),
  };
}

/** Returns a message as the API shows it. @param quoted whether `body_text` includes the reply history */
export function viewMessage(message: MessageView, quoted: boolean): ThreadMessage {
  const { id, head, date, text, body_text, new_text, attachments, unread, draft, truncated } = message;
  return {
    id,
    from: head.from,
    to: head.to,
    cc: head.cc,
    date: isoTime(date),
    body_text: quoted ? text : body_text,
    new_text,
    ...(truncated === undefined ? {} : { truncated }),
    attachments,
    unread,
    draft,
  };
}
