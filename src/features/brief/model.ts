import { type Static, Type } from "@sinclair/typebox";
import { Day, Nullable, OneOf, Timestamp } from "../../http/schema.ts";

const Person = Type.Object({ name: Type.String(), email: Type.String() });
const evidence = {
  message_id: Type.String({ description: "The message that contains the quote." }),
  quote: Type.String({
    description: "The sentence, verbatim, with the one before it where that says what it is about.",
  }),
  start: Type.Integer({ description: "Start of the quote in the message's `body_text`, in UTF-16 code units." }),
  end: Type.Integer({ description: "End of the quote, exclusive." }),
};

export const NeedsReply = Type.Object({
  thread_id: Type.String(),
  from: Person,
  why: Type.String({ description: "The reason as a sentence for people." }),
  subject: Type.String(),
  asked_at: Timestamp(),
  due: Nullable(Day("The day that the sender names.")),
  vip: Type.Boolean(),
  ...evidence,
});
export type NeedsReply = Static<typeof NeedsReply>;

const commitment = {
  thread_id: Type.String(),
  promise: Type.String({ description: "The quote, on one line." }),
  by: OneOf(["me", "them"], { description: "Who made the promise." }),
  with: Person,
  said_at: Timestamp(),
  overdue: Type.Boolean(),
  ...evidence,
};
export const CommitmentItem = Type.Object({ ...commitment, due: Day() });
export type CommitmentItem = Static<typeof CommitmentItem>;
export const UndatedCommitment = Type.Object({ ...commitment, due: Type.Null() });
export type UndatedCommitment = Static<typeof UndatedCommitment>;

export const CalendarItem = Type.Object({
  title: Type.String(),
  start: Timestamp(),
  event_id: Type.Optional(Type.String()),
  thread_id: Type.Optional(
    Nullable(Type.String({ description: "The thread with the invitation; null if the event is not from mail." })),
  ),
});
export type CalendarItem = Static<typeof CalendarItem>;

export const Brief = Type.Object(
  {
    date: Day("The day that the brief covers, in the user's time zone."),
    needs_reply: Type.Array(NeedsReply, {
      description: "Questions and requests that wait for the user's reply, most urgent first.",
    }),
    commitments: Type.Array(CommitmentItem, { description: "Promises with a due date, earliest first." }),
    undated: Type.Array(UndatedCommitment, { description: "Promises without a due date, newest first." }),
    calendar: Type.Array(CalendarItem, { description: "Events of that day and the next." }),
    engine: OneOf(["extractive"], {
      description: "Always the built-in engine. The brief never uses a language model.",
    }),
    generated_at: Timestamp(),
  },
  { $id: "Brief" },
);
export type Brief = Static<typeof Brief>;

export const BriefGenerated = Type.Object(
  { date: Day(), status: OneOf(["ready"]), credits_spent: Type.Integer() },
  { $id: "BriefGenerated" },
);

export const BriefSettings = Type.Object(
  {
    daily: Type.Boolean({ description: "Whether a brief is generated every day." }),
    time: Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "Local time of the daily brief." }),
    timezone: Type.String({ description: "The user's time zone, an IANA name." }),
    mail: Type.Boolean({ description: "Whether the brief is also emailed to the user. Off by default." }),
  },
  { $id: "BriefSettings" },
);
export const BriefSettingsPatch = Type.Partial(Type.Omit(BriefSettings, ["timezone"]), { $id: "BriefSettingsPatch" });
export type BriefSettingsPatch = Static<typeof BriefSettingsPatch>;
