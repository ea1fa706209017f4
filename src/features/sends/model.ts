import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { FAIL_REASONS } from "../../outbound/sends/classify.ts";
import { SEND_STATUSES } from "../../outbound/sends/store.ts";

const undo_window_s = Type.Number({
  minimum: 0,
  maximum: 30,
  default: 10,
  description: "Seconds, fractions allowed, during which the send can be cancelled; 0 dispatches at once.",
});
const scheduled_at = Type.Optional(
  Timestamp("Dispatch then instead of now; at most a year ahead. It can be cancelled until then."),
);

export const DraftSend = Type.Object(
  { confirm: Type.Boolean({ description: "Must be true." }), undo_window_s, scheduled_at },
  { $id: "DraftSend" },
);

export const MessageSend = Type.Object(
  {
    account_id: Type.Optional(Type.String({ description: "The sending mailbox; the primary one when absent." })),
    from: Type.Optional(Type.String({ maxLength: 1000, description: "One of the mailbox's own addresses." })),
    to: Type.Optional(
      Type.Array(Type.String({ maxLength: 1000 }), {
        maxItems: 500,
        description: "E-mail addresses. Required unless `reply_to_thread_id` gives them.",
      }),
    ),
    cc: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 500 })),
    bcc: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 500 })),
    subject: Type.Optional(Type.String({ maxLength: 998 })),
    body: Type.Optional(Type.String({ description: "Plain text or simple HTML." })),
    reply_to_thread_id: Type.Optional(
      Type.String({ description: "Answers the newest message of this thread; recipients and subject are inherited." }),
    ),
    confirm: Type.Optional(Type.Boolean({ description: "May be absent; when present it must be true." })),
    undo_window_s,
    scheduled_at,
  },
  { $id: "MessageSend" },
);

const Scheduled = {
  send_id: Type.String({ description: "`snd_…`" }),
  status: OneOf(SEND_STATUSES),
  undo_until: Timestamp("Until then it can be cancelled."),
};

export const SendScheduled = Type.Object(Scheduled, { $id: "SendScheduled" });
export type SendScheduled = Static<typeof SendScheduled>;

export const SendCancelled = Type.Object(
  { send_id: Type.String(), status: OneOf(["undone"]), draft_id: Nullable(Type.String()) },
  { $id: "SendCancelled" },
);

export const Send = Type.Object(
  {
    ...Scheduled,
    account_id: Type.String(),
    draft_id: Nullable(Type.String({ description: "What is being sent, or what came back; null once it was sent." })),
    thread_id: Nullable(Type.String({ description: "Of the sent message." })),
    message_id: Nullable(Type.String({ description: "Of the sent message." })),
    from: Type.String(),
    to: Type.Array(Type.String()),
    cc: Type.Array(Type.String()),
    bcc: Type.Array(Type.String()),
    subject: Type.String(),
    scheduled_at: Nullable(Timestamp()),
    created_at: Timestamp(),
    finished_at: Nullable(Timestamp("When it was sent, failed or cancelled.")),
    attempts: Type.Integer(),
    next_attempt_at: Nullable(Timestamp("After a fault that passes by itself.")),
    reason: Nullable(
      OneOf(FAIL_REASONS, {
        description: "Why it failed; `delivery_unknown` when nobody can know whether it arrived.",
      }),
    ),
    detail: Nullable(Type.String({ description: "The mail server's words." })),
    rejected: Type.Array(Type.Object({ recipient: Type.String(), detail: Type.String() }), {
      description: "Recipients that the server refused while it took the message for the others.",
    }),
    bounced: Nullable(
      Type.Object({
        at: Timestamp(),
        recipients: Type.Array(
          Type.Object({ recipient: Type.String(), status: Nullable(Type.String()), detail: Type.String() }),
        ),
      }),
    ),
  },
  { $id: "Send" },
);
export type Send = Static<typeof Send>;
