import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fill } from "../../../src/sandbox/template.ts";
import { readValue, type Value } from "./values.ts";

/** The moment at which the mailboxes are read. The sample mail is made then, too. */
export const TODAY = new Date("2026-03-02T09:00:00Z");

export const SPLITS = ["dev", "held-out"] as const;
export type Split = (typeof SPLITS)[number];
/** There are further questions without briefs. */
const QUESTION_SPLITS = [...SPLITS, "check"] as const;

const TYPES = [
  "when",
  "who",
  "where",
  "how much",
  "how many",
  "number",
  "yes-no",
  "why",
  "wants",
  "until",
  "what",
] as const;

export interface Question {
  split: (typeof QUESTION_SPLITS)[number];
  mailbox: string;
  type: (typeof TYPES)[number];
  language: string;
  text: string;
  /** What a right answer contains: of each line, one of the values. Null where the mail has no answer. */
  expected: Value[][] | null;
  /** Values of earlier messages or of other things, which make an answer wrong. */
  refuted: Value[];
  /** Names of the mails that support the answer; one of them must be cited. */
  mails: string[];
  /** Whether the value is in an attachment. */
  attached: boolean;
}

/** Returns the questions of all splits. Dates about the sample mail are in the template language of src/sandbox/template.ts. */
export function questions(): Question[] {
  return QUESTION_SPLITS.flatMap((split) =>
    readQuestions(readFileSync(join(import.meta.dir, `questions-${split}.txt`), "utf8"), split),
  );
}

/** Reads blocks of lines: the question, `=` what it expects, `-` what refutes it, `@` its mails. @throws Error */
export function readQuestions(source: string, split: Question["split"]): Question[] {
  const scope = { now: TODAY, date: TODAY, lang: "en-GB" as const };
  const blocks = source
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== "");
  return blocks.map((block) => {
    const [head = "", ...lines] = fill(block, scope).trim().split("\n");
    const [mailbox = "", type, language = "", text = ""] = head.split(" | ");
    const known = TYPES.find((one) => one === type);
    const of = (mark: string) =>
      lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(mark.length + 1));
    const expected = of("=");
    const mails = [...of("@"), ...of("@+")].flatMap((line) => line.split(" "));
    if (!known || text === "" || expected.length === 0) throw new Error(`no question: ${block}`);
    const isNothing = expected[0] === "nothing";
    if (isNothing !== (mails.length === 0)) throw new Error(`mails do not fit: ${block}`);
    return {
      split,
      mailbox,
      type: known,
      language,
      text,
      expected: isNothing ? null : expected.map((line) => line.split(" / ").map(readValue)),
      refuted: of("-").map(readValue),
      mails,
      attached: of("@+").length > 0,
    };
  });
}
