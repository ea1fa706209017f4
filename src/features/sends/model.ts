import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { FAIL_REASONS } from "../../outbound/sends/classify.ts";
import { SEND_STATUSES } from "../../outbound/sends/store.ts";

const undo_window_s = Type.Number({
  minimum: 0,
  maximum: 30,
  default: 10,
  description: "Length of the undo window in seconds; fractions are allowed. 0 dispatches at once.",
});
const scheduled_at = Type.Optional(
  Timestamp("Dispatch at this time instead of now, at most one year ahead. The send can be canceled until then."),
);

export const DraftSend = Type.Object(
  { confirm: Type.Boolean({ description: "Must be true." }), undo_window_s, scheduled_at },
  { $id: "DraftSend" },
);

export const MessageSend = Type.Object(
  {
    account_id: Type.Optional(Type.String({ description: "The sending mailbox. If absent, the primary mailbox." })),
    from: Type.Optional(Type.String({ maxLength: 1000, description: "One of the mailbox's own addresses." })),
    to: Type.Optional(
      Type.Array(Type.String({ maxLength: 1000 }), {
        maxItems: 500,
        description: "Email addresses. Required unless `reply_to_thread_id` supplies them.",
      }),
    ),
    cc: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 500 })),
    bcc: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 500 })),
    subject: Type.Optional(Type.String({ maxLength: 998 })),
    body: Type.Optional(Type.String({ description: "Plain text or simple HTML." })),
    reply_to_thread_id: Type.Optional(
      Type.String({
        description: "Replies to the newest message of this thread. Recipients and subject are inherited.",
      }),
    ),
    confirm: Type.Optional(Type.Boolean({ description: "Optional; must be true if present." })),
    undo_window_s,
    scheduled_at,
  },
  { $id: "MessageSend" },
);

const Scheduled = {
  send_id: Type.String({ description: "`snd_…`" }),
  status: OneOf(SEND_STATUSES),
  undo_until: Timestamp("The send can be canceled until this time."),
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
    draft_id: Nullable(
      Type.String({
        description:
          "The draft that is being sent, or that was restored after a canceled or failed send. Null after a successful send.",
      }),
    ),
    thread_id: Nullable(Type.String({ description: "Thread of the sent message." })),
    message_id: Nullable(Type.String({ description: "Id of the sent message." })),
    from: Type.String(),
    to: Type.Array(Type.String()),
    cc: Type.Array(Type.String()),
    bcc: Type.Array(Type.String()),
    subject: Type.String(),
    scheduled_at: Nullable(Timestamp()),
    created_at: Timestamp(),
    finished_at: Nullable(Timestamp("When the message was sent, or the send failed or was canceled.")),
    attempts: Type.Integer(),
    next_attempt_at: Nullable(Timestamp("Time of the next attempt after a temporary failure.")),
    reason: Nullable(
      OneOf(FAIL_REASONS, {
        description:
          "Why the send failed. `delivery_unknown`: the connection ended before the server confirmed the message, so " +
          "it may have been delivered.",
      }),
    ),
    detail: Nullable(Type.String({ description: "The mail server's response." })),
    rejected: Type.Array(Type.Object({ recipient: Type.String(), detail: Type.String() }), {
      description: "Recipients that the server rejected while it accepted the message for the others.",
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
