import { type Static, Type } from "@sinclair/typebox";
import { AttachmentList, NewText, SenderAuthentication, Truncated } from "../../http/mail-fields.ts";
import { pageQuery } from "../../http/paging.ts";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import type { ThreadChange } from "../../mailbox/changes/changes.ts";
import { TABS, THREAD_FILTERS } from "../../mailbox/queries/thread-filters.ts";
import { THREAD_STATES } from "../../mailbox/store/state.ts";
import { filterFields } from "./filters.ts";

/** States that PATCH accepts (docs/mail.md, "Change a thread"). */
export const GIVEN_STATES = ["inbox", "archived", "trash", "spam"] as const;

const Person = Type.Object({
  name: Type.String({ description: "Display name; empty if the mail has none." }),
  email: Type.String(),
});

const IMPORTANT = Type.Boolean({
  description:
    "True if any message of the thread is marked as important on the mail server, with the keyword `$Important` " +
    "or Gmail's marker. Read-only.",
});

export const ThreadItem = Type.Object(
  {
    id: Type.String({ description: "`thr_…`" }),
    account_id: Type.String(),
    subject: Type.String(),
    from: Person,
    snippet: Type.String({ description: "Start of the newest message, on one line." }),
    labels: Type.Array(Type.String()),
    unread: Type.Boolean({ description: "True if any message of the thread is unread." }),
    message_count: Type.Integer(),
    updated_at: Timestamp("When the newest message was received. The list is sorted by this time."),
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
      description: "`thr_…`. If the requested thread was merged into another one, the id of the remaining thread.",
    }),
    account_id: Type.String(),
    subject: Type.String(),
    participants: Type.Array(Type.String(), { description: "Addresses in From, To and Cc, without duplicates." }),
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
    authentication: SenderAuthentication,
    date: Timestamp("The Date header, or the time of receipt if the header is absent or implausible."),
    body_text: Type.String({
      description: "Plain text, without the quoted reply history unless `include_quoted` is true.",
    }),
    new_text: NewText,
    truncated: Truncated,
    attachments: AttachmentList,
    unread: Type.Boolean(),
    draft: Type.Boolean({ description: "True for an unfinished message in the mailbox's Drafts folder." }),
  },
  { $id: "ThreadMessage" },
);
export type ThreadMessage = Static<typeof ThreadMessage>;

const { tab, ...filters } = filterFields(THREAD_FILTERS);

export const ThreadListQuery = Type.Object({
  state: OneOf(THREAD_STATES, {
    default: "inbox",
    description: "Only threads in this state. `sent` lists every thread that contains a sent message, in any state.",
  }),
  tab,
  label: Type.Optional(Type.String({ description: "Only threads with this label." })),
  account_id: Type.Optional(Type.String({ description: "Only this mailbox; an unknown id is 404 `not_found`." })),
  ...filters,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description:
        "Only threads with a message that matches this query. Takes the words and operators of `POST /search`. Every " +
        "word except function words must occur, in any form. Spelling is not corrected.",
    }),
  ),
  ...pageQuery,
});
export type ThreadListQuery = Static<typeof ThreadListQuery>;

export const ThreadPatch = Type.Object(
  {
    read: Type.Optional(
      Type.Boolean({
        description: "True marks all messages as read. False marks the newest received message as unread.",
      }),
    ),
    starred: Type.Optional(
      Type.Boolean({
        description: "True stars the newest received message. False removes the star from all messages.",
      }),
    ),
    state: Type.Optional(
      OneOf(GIVEN_STATES, {
        description:
          "Moves the received messages. Sent messages are not moved. A thread that has only sent mail also takes this state.",
      }),
    ),
    add_labels: Type.Optional(
      Type.Array(Type.String(), {
        description: "Names of 1–200 characters, at most 50. New labels are created on first use.",
      }),
    ),
    remove_labels: Type.Optional(
      Type.Array(Type.String(), { description: "Names of labels. Labels that the thread does not have are ignored." }),
    ),
    snooze_until: Type.Optional(
      Nullable(
        Timestamp(
          "A future time; cannot be combined with `state`. Null unsnoozes the thread and can be combined with any field.",
        ),
      ),
    ),
  },
  { $id: "ThreadPatch" },
);
export type ThreadPatch = Static<typeof ThreadPatch>;

/** Returns a change with its time in ms. */
export function changeOf({ snooze_until, ...rest }: ThreadPatch): ThreadChange {
  return { ...rest, snooze_until: typeof snooze_until === "string" ? Date.parse(snooze_until) : snooze_until };
}

export const ThreadPatched = Type.Object(
  { id: Type.String(), state: OneOf(THREAD_STATES), labels: Type.Array(Type.String()), unread: Type.Boolean() },
  { $id: "ThreadPatched" },
);
export type ThreadPatched = Static<typeof ThreadPatched>;
