import { type Static, Type } from "@sinclair/typebox";
import { Day, Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { ENGINES } from "./engines.ts";

const Engine = OneOf(ENGINES, {
  description:
    "Which engine wrote it. `extractive`: the built-in engine. `local`: a language model on this machine. " +
    "`hosted`: a language model on another machine.",
});

const evidence = {
  message_id: Type.String(),
  thread_id: Type.String(),
  quote: Type.String({ description: "Exact words from the message's `body_text`." }),
  start: Type.Integer({ description: "Start of the quote in `body_text`, in UTF-16 code units." }),
  end: Type.Integer({ description: "End of the quote, exclusive." }),
};
const Citation = Type.Object(evidence);
/** A citation of an answer, which can also be from a file. */
const AnswerCitation = Type.Object({
  ...evidence,
  attachment_id: Type.Optional(
    Type.String({
      description:
        "The attachment or invitation that has the words, if they are not in the message itself. `quote`, `start` and " +
        "`end` are then of its text; an invitation is written as one line with title, day, time and place.",
    }),
  ),
});
const credits_spent = Type.Integer({ description: "AI credits spent; 0 if there is no result." });

export const Question = Type.Object(
  { question: Type.String({ minLength: 1, maxLength: 1_000, pattern: "\\S" }) },
  { $id: "Question" },
);
export const Answer = Type.Object(
  {
    answered: Type.Boolean({
      description: "False if nothing in the mail surely answers the question. In that case no credit is spent.",
    }),
    answer: Type.String(),
    confidence: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          "How likely the answer is right, estimated by the built-in engine. Null if there is no answer, or if a language " +
          "model gave it.",
      }),
    ),
    citations: Type.Array(AnswerCitation),
    possible: Type.Array(AnswerCitation, {
      description: "If `answered` is false: passages that may answer the question, the most likely first.",
    }),
    replaced: Type.Array(AnswerCitation, {
      description: "Earlier statements with another value, which the answer replaces.",
    }),
    fallback: Nullable(
      Type.String({
        description: "Why the configured language model did not answer; null if it did, or if there is none.",
      }),
    ),
    credits_spent,
    engine: Engine,
  },
  { $id: "Answer" },
);
export type Answer = Static<typeof Answer>;

export const ThreadChoice = Type.Object({ thread_id: Type.String() }, { $id: "ThreadChoice" });
export const Summary = Type.Object(
  {
    thread_id: Type.String(),
    summary: Type.String(),
    points: Type.Array(Type.Object({ text: Type.String(), citation: Citation })),
    fallback: Nullable(
      Type.String({
        description: "Why the configured language model did not summarize; null if it did, or if there is none.",
      }),
    ),
    credits_spent,
    engine: Engine,
  },
  { $id: "Summary" },
);

export const Extraction = Type.Object(
  {
    thread_id: Type.String(),
    commitments: Type.Array(
      Type.Object({
        ...evidence,
        by: OneOf(["me", "them"]),
        due: Nullable(Day()),
        kept: Type.Boolean({
          description: "True if a later message by the same sender appears to fulfill the commitment.",
        }),
        said_at: Timestamp(),
      }),
    ),
    dates: Type.Array(Type.Object({ ...evidence, date: Day() })),
    asks: Type.Array(
      Type.Object({
        ...evidence,
        kind: OneOf(["question", "request"]),
        from: Type.Object({ name: Type.String(), email: Type.String() }),
        due: Nullable(Day()),
      }),
    ),
    decisions: Type.Array(Citation),
    amounts: Type.Array(
      Type.Object({
        ...evidence,
        currency: Type.String({ description: "ISO 4217 code, if the text states a currency." }),
        value: Type.Number(),
      }),
    ),
    credits_spent,
    engine: OneOf(["extractive"], {
      description: "Always the built-in engine, so the same mail always gives the same result.",
    }),
  },
  { $id: "Extraction" },
);

export const EngineStatus = Type.Object(
  {
    engine: Engine,
    model: Nullable(Type.String()),
    host: Nullable(Type.String({ description: "Host and port that mail text is sent to." })),
    problem: Nullable(Type.String({ description: "Why the configured model is not in use." })),
    found: Type.Array(
      Type.Object({
        kind: OneOf(["ollama", "llama.cpp", "lm_studio", "other"]),
        base_url: Type.String(),
        models: Type.Array(Type.String()),
      }),
      { description: "Model servers found on this machine. A server is used only if it is configured." },
    ),
  },
  { $id: "EngineStatus" },
);

export const ModelCall = Type.Object(
  {
    at: Timestamp(),
    purpose: Type.String(),
    host: Type.String(),
    model: Type.String(),
    bytes_out: Type.Integer(),
    bytes_in: Nullable(Type.Integer()),
    message_ids: Type.Array(Type.String(), { description: "Messages whose text was part of the request." }),
    result: Nullable(Type.String({ description: "`ok`, the kind of failure, or null if the call was interrupted." })),
  },
  { $id: "ModelCall" },
);
export type ModelCall = Static<typeof ModelCall>;
