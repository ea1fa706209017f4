import { type Static, Type } from "@sinclair/typebox";
import { Day, Nullable, OneOf, Timestamp } from "../../http/schema.ts";

const Person = Type.Object({ name: Type.String(), email: Type.String() });
const evidence = {
  message_id: Type.String({ description: "The message that says so." }),
  quote: Type.String({ description: "The sentence, word for word." }),
  start: Type.Integer({ description: "Where the quote begins in the message's `body_text`, in UTF-16 code units." }),
  end: Type.Integer({ description: "Where it ends." }),
};

export const NeedsReply = Type.Object({
  thread_id: Type.String(),
  from: Person,
  why: Type.String({ description: "In a sentence, for people." }),
  subject: Type.String(),
  asked_at: Timestamp(),
  due: Nullable(Day("The day that the sender names.")),
  vip: Type.Boolean(),
  ...evidence,
});
export type NeedsReply = Static<typeof NeedsReply>;

const commitment = {
  thread_id: Type.String(),
  promise: Type.String({ description: "The sentence that promises, on one line." }),
  by: OneOf(["me", "them"], { description: "Who promised." }),
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
});
export type CalendarItem = Static<typeof CalendarItem>;

export const Brief = Type.Object(
  {
    date: Day("The day that it is for, where the user is."),
    needs_reply: Type.Array(NeedsReply, {
      description: "Questions and requests that wait for the user, the most pressing first.",
    }),
    commitments: Type.Array(CommitmentItem, { description: "Promises with a day, the earliest first." }),
    undated: Type.Array(UndatedCommitment, { description: "Promises that name no day, the newest first." }),
    calendar: Type.Array(CalendarItem, { description: "Events of that day and the next." }),
    engine: OneOf(["extractive"], { description: "The brief is made on this machine; no language model takes part." }),
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
    daily: Type.Boolean({ description: "Whether a brief is made every day." }),
    time: Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "Local time of the daily brief." }),
    timezone: Type.String({ description: "Of the user; IANA name." }),
    mail: Type.Boolean({ description: "Whether it is also mailed to the user. Off unless turned on." }),
  },
  { $id: "BriefSettings" },
);
export const BriefSettingsPatch = Type.Partial(Type.Omit(BriefSettings, ["timezone"]), { $id: "BriefSettingsPatch" });
export type BriefSettingsPatch = Static<typeof BriefSettingsPatch>;
