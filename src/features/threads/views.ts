import { isoTime } from "../../kernel/clock.ts";

import { viewAuthentication } from "../../mailbox/queries/authentication.ts";

import type { TABS } from "../../mailbox/queries/thread-filters.ts";
import type { ListedThread, ThreadDetail } from "../../mailbox/queries/threads.ts";
import type { StoredMessage } from "../../mailbox/store/stored-message.ts";
import type { Thread, ThreadItem, ThreadMessage } from "./model.ts";

/** Returns a thread as lists show it. */
export function viewItem({ last_at, category, ...row }: ListedThread): ThreadItem {
  return { ...row, category: category as (typeof TABS)[number], updated_at: isoTime(last_at) };
}

/** Returns a thread with its messages as the API shows it. */
export function viewThread({ user_id: _, snooze_until, messages, ...thread }: ThreadDetail): Thread {
  return {
    ...thread,
    snooze_until: snooze_until === null ? null : isoTime(snooze_until),
    messages: messages.map(({ date, ...message }) => ({ ...message, date: isoTime(date) })),
  };
}

/** Returns a message as the API shows it. @param quoted whether `body_text` includes the reply history */
export function viewMessage(message: StoredMessage, quoted: boolean): ThreadMessage {
  const { id, head, date, text, body_text, new_text, attachments, unread, draft, truncated } = message;
  return {
    id,
    from: head.from,
    to: head.to,
    cc: head.cc,
    authentication: viewAuthentication(head, draft),
    date: isoTime(date),
    body_text: quoted ? text : body_text,
    new_text,
    ...(truncated === undefined ? {} : { truncated }),
    attachments,
    unread,
    draft,
  };
}
