import { type Static, Type } from "@sinclair/typebox";
import { AttachmentList, NewText, SenderAuthentication, Truncated } from "../../http/mail-fields.ts";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";

import { viewAuthentication } from "../../mailbox/queries/authentication.ts";
import type { StoredMessage } from "../../mailbox/store/stored-message.ts";

const Person = Type.Object({ name: Type.String(), email: Type.String() });
const CATEGORIES = ["primary", "social", "promotions", "updates"] as const;

export const Message = Type.Object(
  {
    id: Type.String({ description: "`msg_…`" }),
    thread_id: Type.String(),
    account_id: Type.String(),
    from: Person,
    to: Type.Array(Person),
    cc: Type.Array(Person),
    authentication: SenderAuthentication,
    subject: Type.String(),
    date: Timestamp("The Date header, or the time of receipt if the header is absent or implausible."),
    body_text: Type.String({ description: "Plain text without the quoted reply history." }),
    new_text: NewText,
    truncated: Truncated,
    headers: Type.Object({
      message_id: Type.String({ description: "The Message-ID header exactly as received; empty if there is none." }),
    }),
    labels: Type.Array(Type.String()),
    unread: Type.Boolean(),
    starred: Type.Boolean(),
    draft: Type.Boolean(),
    category: OneOf(CATEGORIES),
    category_reason: Type.String({
      description: "The rule that chose the category. docs/categories.md explains the values.",
    }),
    attachments: AttachmentList,
    unsubscribe: Nullable(
      Type.Object(
        {
          host: Type.String({ description: "Host of the sender's server that receives the request." }),
          unsubscribed_at: Nullable(Timestamp("When the server accepted the request.")),
        },
        { description: "Set if the sender offers one-click unsubscribe (RFC 8058)." },
      ),
    ),
  },
  { $id: "Message" },
);
export type Message = Static<typeof Message>;

/**
 * Returns a message as the API shows it.
 * @param unsubscribedAtMs when the sender accepted the unsubscribe request, ms; null: not yet
 */
export function viewMessage(message: StoredMessage & { labels: string[] }, unsubscribedAtMs: number | null): Message {
  const { head, date, category, internal_date: _, text: __, unsubscribe_url: url, ...rest } = message;
  const unsubscribedAt = unsubscribedAtMs === null ? null : isoTime(unsubscribedAtMs);
  return {
    ...rest,
    from: head.from,
    to: head.to,
    cc: head.cc,
    authentication: viewAuthentication(head, rest.draft),
    subject: head.subject,
    date: isoTime(date),
    category: category as (typeof CATEGORIES)[number],
    headers: { message_id: head.message_id ?? "" },
    unsubscribe: url === undefined ? null : { host: new URL(url).hostname, unsubscribed_at: unsubscribedAt },
  };
}
