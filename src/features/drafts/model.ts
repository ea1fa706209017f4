import { type Static, Type } from "@sinclair/typebox";
import { Nullable, Timestamp } from "../../http/schema.ts";
import { DraftAiNote } from "./ai.ts";

const MAX_RECIPIENTS = 500;
const MAX_SUBJECT_CHARS = 998;

const recipients = (description: string) =>
  Type.Array(Type.String({ maxLength: 1000 }), { maxItems: MAX_RECIPIENTS, description });
const Subject = Type.String({ maxLength: MAX_SUBJECT_CHARS });
const Body = Type.String({ description: "Plain text or simple HTML." });
const From = Type.String({
  maxLength: 1000,
  description: "One of the mailbox's own addresses, optionally with a name: `Ada <ada@example.org>`.",
});

const written = {
  from: Type.Optional(From),
  to: Type.Optional(recipients("Email addresses, optionally with names. A reply inherits them.")),
  cc: Type.Optional(recipients("Same form as `to`. To reply to all, list the other recipients here.")),
  bcc: Type.Optional(recipients("Same form as `to`. Hidden from the other recipients.")),
  subject: Type.Optional(Subject),
  body: Type.Optional(Body),
};

export const NewDraft = Type.Object(
  {
    account_id: Type.Optional(Type.String({ description: "The sending mailbox. If absent, the primary mailbox." })),
    reply_to_thread_id: Type.Optional(
      Type.String({
        description: "Replies to the newest message of this thread. Recipients and subject are inherited.",
      }),
    ),
    ...written,
    use_ai: Type.Boolean({ default: false, description: "Have the body written by AI; `body` is then ignored." }),
    instructions: Type.Optional(Type.String({ description: "What the AI draft should say. Used with `use_ai`." })),
  },
  { $id: "NewDraft" },
);

export const DraftEdit = Type.Object({ account_id: Type.Optional(Type.String()), ...written }, { $id: "DraftEdit" });

const Status = Type.Literal("draft");
const send_id = Nullable(
  Type.String({
    description:
      "The pending send (`snd_…`), either scheduled or sending. The draft cannot be changed until that send has " +
      "ended. Null if no send is pending.",
  }),
);
const thread_id = Type.Union([Type.String(), Type.Null()], { description: "The thread that the draft replies to." });

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
      description: "Set for an inline image that the HTML references as `cid:`.",
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
    credits_spent: Type.Integer({ description: "AI credits spent on writing the draft; 0 without AI." }),
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
