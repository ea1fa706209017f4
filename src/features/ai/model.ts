import { type Static, Type } from "@sinclair/typebox";
import { Day, Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { ENGINES } from "./engines.ts";

export const Engine = OneOf(ENGINES, {
  description:
    "Who wrote it: `extractive` is the built-in engine, `local` a language model on this machine, `hosted` one elsewhere.",
});

const evidence = {
  message_id: Type.String(),
  thread_id: Type.String(),
  quote: Type.String({ description: "Words of the message's `body_text`, exactly." }),
  start: Type.Integer({ description: "Where they begin in it, in UTF-16 code units." }),
  end: Type.Integer({ description: "Where they end." }),
};
const Citation = Type.Object(evidence);
const credits_spent = Type.Integer({ description: "AI credits that the answer took; 0 where it says nothing." });

export const Question = Type.Object(
  { question: Type.String({ minLength: 1, maxLength: 1_000, pattern: "\\S" }) },
  { $id: "Question" },
);
export const Answer = Type.Object(
  {
    answered: Type.Boolean({ description: "False: nothing in the mail supports an answer, and no credit was spent." }),
    answer: Type.String(),
    citations: Type.Array(Citation),
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
        kept: Type.Boolean({ description: "A later message of the same writer seems to keep it." }),
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
        currency: Type.String({ description: "ISO 4217 where the text tells it." }),
        value: Type.Number(),
      }),
    ),
    credits_spent,
    engine: OneOf(["extractive"], { description: "Always the built-in engine: the same mail gives the same answer." }),
  },
  { $id: "Extraction" },
);

export const EngineStatus = Type.Object(
  {
    engine: Engine,
    model: Nullable(Type.String()),
    host: Nullable(Type.String({ description: "Host and port that mail text is sent to." })),
    problem: Nullable(Type.String({ description: "Why the configured model is not used." })),
    found: Type.Array(
      Type.Object({
        kind: OneOf(["ollama", "llama.cpp", "other"]),
        base_url: Type.String(),
        models: Type.Array(Type.String()),
      }),
      { description: "Model servers that answer on this machine; none of them is used unless configured." },
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
    message_ids: Type.Array(Type.String(), { description: "The messages whose text was sent." }),
    result: Nullable(Type.String({ description: "`ok`, the kind of the fault, or null when it was cut off." })),
  },
  { $id: "ModelCall" },
);
export type ModelCall = Static<typeof ModelCall>;
