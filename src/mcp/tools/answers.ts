import { Type } from "@sinclair/typebox";
import { ApiError } from "../../kernel/errors.ts";
import { CONTENT_BYTES, cutText, fitting } from "../budget.ts";
import { type ToolContext, tool } from "../tool.ts";
import { exact } from "./fields.ts";

/** Parts of the brief that hold words of other people. */
interface Brief {
  date: string;
  needs_reply: (Record<string, unknown> & { subject: string; quote: string; why: string; from: Person })[];
  commitments: Promise_[];
  undated: Promise_[];
  calendar: { title: string; start: string; event_id?: string }[];
  generated_at: string;
}

type Promise_ = Record<string, unknown> & { promise: string; quote: string; with: Person };

interface Person {
  name: string;
  email: string;
}

export const getBrief = tool({
  name: "get_brief",
  title: "Daily brief",
  description:
    "Get the brief: what needs a reply, what was promised, and today's calendar, each with a quote. generate creates a new one (3 credits).",
  scope: "brief:read",
  kind: "write",
  input: exact({ generate: Type.Optional(Type.Boolean()) }),
  output: Type.Object({ date: Type.String(), needs_reply: Type.Array(Type.Unknown()) }),
  run: async ({ generate }, context) => {
    if (generate) await context.call("generateBrief");
    return latestBrief(context);
  },
});

/** Returns the latest brief with its texts marked. @throws ApiError not_found if there is none yet */
export async function latestBrief({ call, mail }: Pick<ToolContext, "call" | "mail">) {
  const brief = (await call("getLatestBrief").catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === "not_found")) throw error;
    throw new ApiError("not_found", "There is no brief yet. Call get_brief with generate: true (3 credits).");
  })) as Brief;
  const person = ({ name, email }: Person) => mail.line(name === "" ? email : `${name} <${email}>`);
  const promised = ({ promise, quote: _, start: __, end: ___, with: other, ...rest }: Promise_) => ({
    ...rest,
    with: person(other),
    promise: mail.line(promise),
  });
  const needs_reply = brief.needs_reply.map(({ quote, subject, why, from, start: _, end: __, ...rest }) => ({
    ...(rest as { thread_id: string }),
    from: person(from),
    subject: mail.line(subject),
    why: mail.line(why),
    quote: mail.line(quote),
  }));
  const commitments = [...brief.commitments, ...brief.undated].map(promised);
  const calendar = brief.calendar.map(({ title, ...rest }) => ({ ...rest, title: mail.line(cutText(title, 300)) }));
  const shown = {
    needs_reply: fitting(needs_reply, CONTENT_BYTES / 2),
    commitments: fitting(commitments, CONTENT_BYTES / 3),
    calendar: fitting(calendar, CONTENT_BYTES / 6),
  };
  const left = [
    needs_reply.length - shown.needs_reply.length,
    commitments.length - shown.commitments.length,
    calendar.length - shown.calendar.length,
  ];
  return {
    date: brief.date,
    generated_at: brief.generated_at,
    ...shown,
    ...(left.some((count) => count > 0) && {
      note: `The brief is long. Not shown: ${left[0]} that need a reply, ${left[1]} promises, ${left[2]} events.`,
    }),
    undo: "Nothing was changed except the brief itself.",
  };
}

interface AskReply {
  answered: boolean;
  answer: string;
  citations: { message_id: string; thread_id: string; quote: string }[];
  possible: AskReply["citations"];
  engine: string;
  fallback: string | null;
  credits_spent: number;
}

export const askMail = tool({
  name: "ask_mail",
  title: "Ask the mail",
  description:
    "Answer a question from the mail alone, with quotes and ids. If unsure, `possible` has passages (1 credit).",
  scope: "ai:invoke",
  kind: "write",
  input: exact({ question: Type.String({ minLength: 1, maxLength: 1_000, pattern: "\\S" }) }),
  output: Type.Object({ answered: Type.Boolean(), answer: Type.String() }),
  run: async ({ question }, { call, mail }) => {
    const { answered, answer, citations, possible, engine, fallback, credits_spent } = (await call("askInbox", {
      body: { question },
    })) as AskReply;
    const quoted = ({ message_id, thread_id, quote }: AskReply["citations"][number]) => ({
      message_id,
      thread_id,
      quote: mail.line(quote),
    });
    return {
      answered,
      // The answer repeats words of mail.
      answer: mail.lines(answer),
      citations: citations.map(quoted),
      possible: possible.map(quoted),
      engine,
      ...(fallback !== null && { fallback }),
      credits_spent,
      undo: "Nothing was changed.",
    };
  },
});
