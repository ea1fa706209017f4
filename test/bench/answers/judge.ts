import type { Question } from "./questions.ts";
import { contains, contradicts } from "./values.ts";

export type Verdict = "right" | "wrong" | "refused";

/** What POST /v1/ai/ask returned. */
export interface Reply {
  answered: boolean;
  answer: string;
  citations: { message_id: string }[];
}

/**
 * Judges an answer. Right: it contains a value of every expected line and none that is refuted, and cites a supporting
 * mail. Everything else that is answered is wrong, also any answer where the mail has none.
 * @param supporting ids of the messages that support the expected answer
 */
export function judge(
  question: Pick<Question, "expected" | "refuted">,
  reply: Reply,
  supporting: ReadonlySet<string>,
): Verdict {
  if (!reply.answered) return "refused";
  const { expected, refuted } = question;
  if (expected === null) return "wrong";
  if (!reply.citations.some(({ message_id }) => supporting.has(message_id))) return "wrong";
  const said = withoutAttribution(reply.answer);
  const holds = expected.every((values) =>
    values.some((value) => contains(value.kind === "name" ? reply.answer : said, value)),
  );
  const isRefuted =
    refuted.some((value) => contains(said, value)) || expected.flat().some((value) => contradicts(said, value));
  return holds && !isRefuted ? "right" : "wrong";
}

/** Removes "Ada on 2 March 2026:" before a quote: the date of the mail is not the answer. Names count as the author's. */
function withoutAttribution(answer: string): string {
  return answer.replace(/^[^“"\n]{0,120} on \d{1,2} \p{L}+ \d{4}: ?(?=[“"])/gmu, "");
}
