import { type Static, Type } from "@sinclair/typebox";
import { AttachmentList, NewText, Truncated } from "../../http/mail-fields.ts";
import { pageQuery } from "../../http/paging.ts";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { THREAD_STATES } from "../../mailbox/store/state.ts";

export const TABS = ["primary", "social", "promotions", "updates"] as const;
/** States that PATCH accepts (docs/mail.md, "Change a thread"). */
export const GIVEN_STATES = ["inbox", "archived", "trash", "spam"] as const;

const Person = Type.Object({
  name: Type.String({ description: 'Display name; "" when the mail gives none.' }),
  email: Type.String(),
});

const IMPORTANT = Type.Boolean({
  description:
    "Any of its messages is marked as important on the mail server: the keyword `$Important`, or Gmail's marker. Read-only.",
});

export const ThreadItem = Type.Object(
  {
    id: Type.String({ description: "`thr_…`" }),
    account_id: Type.String(),
    subject: Type.String(),
    from: Person,
    snippet: Type.String({ description: "Beginning of the newest message, on one line." }),
    labels: Type.Array(Type.String()),
    unread: Type.Boolean({ description: "Any of its messages is unread." }),
    message_count: Type.Integer(),
    updated_at: Timestamp("When the newest message was received; the list is ordered by it."),
    state: OneOf(THREAD_STATES),
    starred: Type.Boolean(),
    important: IMPORTANT,
    has_attachment: Type.Boolean(),
    category: OneOf(TABS),
  },
  { $id: "ThreadItem" },
);
export type ThreadItem = Static<typeof ThreadItem>;

export const Thread = Type.Object(
  {
    id: Type.String({
      description: "`thr_…`; of the surviving thread when the one asked for was merged into another.",
    }),
    account_id: Type.String(),
    subject: Type.String(),
    participants: Type.Array(Type.String(), { description: "Addresses in From, To and Cc, each once." }),
    labels: Type.Array(Type.String()),
    state: OneOf(THREAD_STATES),
    unread: Type.Boolean(),
    starred: Type.Boolean(),
    important: IMPORTANT,
    snooze_until: Nullable(Timestamp("When a snoozed thread returns to the inbox.")),
    messages: Type.Array(Type.Object({ id: Type.String(), from: Person, date: Timestamp(), snippet: Type.String() }), {
      description: "Oldest first.",
    }),
  },
  { $id: "Thread" },
);
export type Thread = Static<typeof Thread>;

export const ThreadMessage = Type.Object(
  {
    id: Type.String({ description: "`msg_…`" }),
    from: Person,
    to: Type.Array(Person),
    cc: Type.Array(Person),
    date: Timestamp("The Date header; the time of receipt where that header is absent or implausible."),
    body_text: Type.String({ description: "Plain text; without reply history unless `include_quoted` is true." }),
    new_text: NewText,
    truncated: Truncated,
    attachments: AttachmentList,
    unread: Type.Boolean(),
    draft: Type.Boolean({ description: "An unfinished message of the mailbox's Drafts folder." }),
  },
  { $id: "ThreadMessage" },
);
export type ThreadMessage = Static<typeof ThreadMessage>;

export const ThreadListQuery = Type.Object({
  state: OneOf(THREAD_STATES, {
    default: "inbox",
    description: "`sent` lists every thread that holds a sent message, whatever its own state.",
  }),
  tab: Type.Optional(OneOf(TABS, { description: "Only this category." })),
  label: Type.Optional(Type.String({ description: "Only threads carrying the label of this name." })),
  account_id: Type.Optional(Type.String({ description: "Only this mailbox; an unknown one is 404 `not_found`." })),
  unread: Type.Optional(Type.Boolean({ description: "True: only unread threads; false: only read ones." })),
  starred: Type.Optional(
    Type.Boolean({ description: "True: only starred threads; false: only threads without a star." }),
  ),
  has_attachment: Type.Optional(
    Type.Boolean({ description: "True: only threads with an attachment; false: only threads without one." }),
  ),
  before: Type.Optional(Timestamp("Only threads whose newest message was received before this time.")),
  after: Type.Optional(Timestamp("Only threads whose newest message was received at this time or later.")),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description:
        "Only threads with a message that this query finds: the words and operators of `POST /search`. Every word but function words must occur, in any form; no spelling is corrected.",
    }),
  ),
  ...pageQuery,
});
export type ThreadListQuery = Static<typeof ThreadListQuery>;

export const ThreadPatch = Type.Object(
  {
    read: Type.Optional(
      Type.Boolean({ description: "True: all messages; false: the newest received message becomes unread." }),
    ),
    starred: Type.Optional(
      Type.Boolean({ description: "True: the newest received message; false: all messages lose the star." }),
    ),
    state: Type.Optional(
      OneOf(GIVEN_STATES, {
        description:
          "Moves the received messages. Sent messages stay where they are; a thread with only sent mail takes the state all the same.",
      }),
    ),
    add_labels: Type.Optional(
      Type.Array(Type.String(), { description: "Names of 1–200 characters, at most 50; made on first use." }),
    ),
    remove_labels: Type.Optional(Type.Array(Type.String(), { description: "Names; those not carried are ignored." })),
    snooze_until: Type.Optional(
      Nullable(Timestamp("A future time, not together with `state`; null unsnoozes and combines with everything.")),
    ),
  },
  { $id: "ThreadPatch" },
);
export type ThreadPatch = Static<typeof ThreadPatch>;

export const ThreadPatched = Type.Object(
  { id: Type.String(), state: OneOf(THREAD_STATES), labels: Type.Array(Type.String()), unread: Type.Boolean() },
  { $id: "ThreadPatched" },
);
export type ThreadPatched = Static<typeof ThreadPatched>;
