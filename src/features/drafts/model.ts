import { type Static, Type } from "@sinclair/typebox";
import { Nullable, Timestamp } from "../../http/schema.ts";
import { DraftAiNote } from "./ai.ts";

const MAX_RECIPIENTS = 500;
const MAX_SUBJECT_CHARS = 998;

export const recipients = (description: string) =>
  Type.Array(Type.String({ maxLength: 1000 }), { maxItems: MAX_RECIPIENTS, description });
export const Subject = Type.String({ maxLength: MAX_SUBJECT_CHARS });
export const Body = Type.String({ description: "Plain text or simple HTML." });
export const From = Type.String({
  maxLength: 1000,
  description: "One of the mailbox's own addresses, a name before it allowed: `Ada <ada@example.org>`.",
});

const written = {
  from: Type.Optional(From),
  to: Type.Optional(recipients("E-mail addresses, a name before each allowed. A reply inherits them.")),
  cc: Type.Optional(recipients("As `to`. A reply to all names them here.")),
  bcc: Type.Optional(recipients("As `to`; never seen by the others.")),
  subject: Type.Optional(Subject),
  body: Type.Optional(Body),
};

export const NewDraft = Type.Object(
  {
    account_id: Type.Optional(Type.String({ description: "The sending mailbox; the primary one when absent." })),
    reply_to_thread_id: Type.Optional(
      Type.String({ description: "Answers the newest message of this thread; recipients and subject are inherited." }),
    ),
    ...written,
    use_ai: Type.Boolean({ default: false, description: "Have the body written; `body` is not taken then." }),
    instructions: Type.Optional(Type.String({ description: "What an AI draft should say; goes with `use_ai`." })),
  },
  { $id: "NewDraft" },
);

export const DraftEdit = Type.Object({ account_id: Type.Optional(Type.String()), ...written }, { $id: "DraftEdit" });

const Status = Type.Literal("draft");
const send_id = Nullable(
  Type.String({
    description:
      "The send that is pending (`snd_…`): scheduled or sending. The draft cannot be changed until that send has ended. " +
      "Null when no send is pending.",
  }),
);
const thread_id = Type.Union([Type.String(), Type.Null()], { description: "The thread that it answers." });

export const DraftItem = Type.Object(
  {
    id: Type.String({ description: "`drf_…`" }),
    to: Type.Array(Type.String()),
    subject: Type.String(),
    status: Status,
    send_id,
    updated_at: Timestamp(),
    account_id: Type.String(),
    thread_id,
  },
  { $id: "DraftItem" },
);
export type DraftItem = Static<typeof DraftItem>;

export const DraftAttachment = Type.Object(
  {
    id: Type.String({ description: "`att_…`" }),
    name: Type.String(),
    size: Type.Integer({ description: "Bytes." }),
    mime: Type.String(),
    content_id: Type.Union([Type.String(), Type.Null()], {
      description: "Set on a picture that the HTML shows by `cid:`.",
    }),
  },
  { $id: "DraftAttachment" },
);
export type DraftAttachment = Static<typeof DraftAttachment>;

export const Draft = Type.Object(
  {
    id: Type.String({ description: "`drf_…`" }),
    account_id: Type.String(),
    thread_id,
    from: Type.String(),
    to: Type.Array(Type.String()),
    cc: Type.Array(Type.String()),
    bcc: Type.Array(Type.String()),
    subject: Type.String(),
    body: Type.String(),
    attachments: Type.Array(DraftAttachment),
    status: Status,
    send_id,
    created_at: Timestamp(),
    updated_at: Timestamp(),
    credits_spent: Type.Integer({ description: "AI credits that writing it took; 0 without AI." }),
    ai: Type.Optional(DraftAiNote),
  },
  { $id: "Draft" },
);
export type Draft = Static<typeof Draft>;

export const DraftUpdated = Type.Object(
  { id: Type.String(), status: Status, send_id, updated_at: Timestamp() },
  { $id: "DraftUpdated" },
);

export const Deleted = (name: string) => Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: name });
