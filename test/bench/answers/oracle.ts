import { type ModelServer, startModelServer, wholeAnswer } from "../../support/model-server.ts";
import type { Question } from "./questions.ts";
import { contains, type Value } from "./values.ts";

/** Why the oracle gave no answer although the mailbox has one. */
export type Missing = "mail not given" | "in an attachment" | "passage cut off";

/** A mail of a prompt. */
export interface GivenMail {
  /** Its number in the prompt. */
  n: number;
  id: string;
  /** The line with its sender and day. */
  header: string;
  text: string;
}

export interface OracleReply {
  answered: boolean;
  answer: string;
  citations: { mail: number; quote: string }[];
}

/** What the oracle knows of the question that is being asked. */
export interface Known {
  question: Question;
  /** Ids of the messages that support the expected answer. */
  supporting: ReadonlySet<string>;
  /** Returns the ids of the messages of the prompt, in their order: as the ledger has them. */
  given: () => Promise<string[]>;
}

/** A model that knows the expected answers, and gives one only if the mail of the prompt has it. */
export interface Oracle {
  server: ModelServer;
  /** Set before each question. */
  known: Known | null;
  /** Why it did not answer the last question. */
  missing: Missing | null;
  /** Sizes of the prompts, bytes. */
  prompts: number[];
}

/** Starts the oracle, a server with the chat completions protocol on this machine. */
export function startOracle(): Oracle {
  const oracle: Omit<Oracle, "server"> = { known: null, missing: null, prompts: [] };
  const server = startModelServer(async ({ body, bytes }) => {
    oracle.prompts.push(bytes);
    const { question, supporting, given } = oracle.known!;
    const mails = mailsOfPrompt(body.messages.at(-1)!.content, await given());
    const { reply, missing } = answerFrom(question, supporting, mails);
    oracle.missing = missing;
    return wholeAnswer(JSON.stringify(reply));
  });
  return Object.assign(oracle, { server });
}

/** Returns the mails of a prompt of src/features/ai/prompt.ts. @param ids of its messages, in their order */
export function mailsOfPrompt(prompt: string, ids: readonly string[]): GivenMail[] {
  const blocks = prompt.matchAll(/^<<mail ([0-9a-f]+)>>\n\[(\d+)\] (from [^\n]*)\n([\s\S]*?)\n<<end \1>>$/gm);
  return [...blocks].map(([, , n, header, text]) => ({
    n: Number(n),
    id: ids[Number(n) - 1] ?? "",
    header: header!,
    text: text!,
  }));
}

const NO_ANSWER: OracleReply = { answered: false, answer: "", citations: [] };

/** Answers with the expected values in the words of the mails that support them, each quoted; or not at all. */
export function answerFrom(
  { expected, attached }: Pick<Question, "expected" | "attached">,
  supporting: ReadonlySet<string>,
  mails: readonly GivenMail[],
): { reply: OracleReply; missing: Missing | null } {
  if (expected === null) return { reply: NO_ANSWER, missing: null };
  const able = mails.filter(({ id }) => supporting.has(id));
  if (able.length === 0) return { reply: NO_ANSWER, missing: "mail not given" };
  const found = expected.map((values) => firstOf(values, able));
  if (found.some((one) => one === null))
    return { reply: NO_ANSWER, missing: attached ? "in an attachment" : "passage cut off" };
  const parts = found.filter((one) => one !== null);
  return {
    reply: {
      answered: true,
      answer: `${parts.map(({ answer }) => answer).join("; ")}.`,
      citations: parts.map(({ mail, quote }) => ({ mail, quote })),
    },
    missing: null,
  };
}

interface Part {
  answer: string;
  mail: number;
  quote: string;
}

function firstOf(values: readonly Value[], mails: readonly GivenMail[]): Part | null {
  for (const { n, header, text } of mails) {
    for (const value of values) {
      if (value.kind === "yes" || value.kind === "no") {
        const quote = passageWith(text, { kind: "text", text: value.text });
        if (quote) return { answer: value.kind === "yes" ? "Yes" : "No", mail: n, quote };
      } else {
        const quote = passageWith(text, value);
        if (quote) return { answer: shortest(quote, value), mail: n, quote };
        // A person who wrote the mail need not be named in it.
        const line = text.split("\n").find(isLongEnough);
        if (value.kind === "name" && line && contains(header, value))
          return { answer: value.text, mail: n, quote: line };
      }
    }
  }
  return null;
}

/** Evidence needs a few words (src/features/ai/evidence.ts). */
const isLongEnough = (text: string) => text.trim().length >= 8;
const LONGEST_PASSAGE_LINES = 3;

/** Returns the shortest run of lines that has the value and is long enough for a quote; null if none has it. */
function passageWith(text: string, value: Value): string | null {
  const lines = text.split("\n");
  for (let count = 1; count <= LONGEST_PASSAGE_LINES; count++) {
    for (let from = 0; from + count <= lines.length; from++) {
      const passage = lines
        .slice(from, from + count)
        .join("\n")
        .trim();
      if (isLongEnough(passage) && contains(passage, value)) return passage;
    }
  }
  return null;
}

/** Returns the shortest run of words that has the value. */
function shortest(passage: string, value: Value): string {
  const words = passage.split(/\s+/);
  for (let count = 1; count < words.length; count++) {
    for (let from = 0; from + count <= words.length; from++) {
      const part = words.slice(from, from + count).join(" ");
      if (contains(part, value)) return part.replace(/^[("“„«]+|[)"”».,;:!?]+$/g, "") || part;
    }
  }
  return words.join(" ");
}
