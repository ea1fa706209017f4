import type { ConversationMessage } from "../../../mailbox/queries/conversations.ts";
import { oneLine, visible } from "../prompt.ts";
import type { Candidate } from "./candidates.ts";
import type { Decision } from "./decide.ts";
import { polarityOf } from "./polarity.ts";
import type { Question } from "./question.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const WEEKDAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
export const NOTHING_FOUND = "Nothing in your mail answers this question.";

/** Returns the answer in words: the value, the sentence that says so with its author and date, and what it replaces. */
export function answerText(question: Question, best: Candidate, { also, replaced, isPlain }: Decision): string {
  const said = [best, ...also].map(({ passage: { text } }) => `“${inOneLine(text)}”`).join(" ");
  const polarity = also.length === 0 ? polarityOf(question, best) : null;
  const stated = polarity ? `${polarity}.` : isPlain ? statedValue(question, best) : null;
  const { file } = best.passage;
  const place = file ? ` (in ${oneLine(file.name) || "an attachment"})` : "";
  const lines = [stated, `${whoAndWhen(best.read.message)}: ${said}${place}`];
  if (replaced) lines.push(`This replaces what ${whoAndWhen(replaced.read.message)} wrote.`);
  return lines.filter((line) => line !== null).join("\n");
}

/** Characters that are quoted of a sentence that may be the answer. */
const LONGEST_POSSIBLE = 240;

/** Returns what to say where no answer is sure: which sentences of which mails may be one. */
export function unsureText({ possible }: Decision): string {
  if (possible.length === 0) return NOTHING_FOUND;
  const mails = possible.map(
    (one) =>
      `- ${oneLine(one.read.message.head.subject) || "(no subject)"}, ${whoAndWhen(one.read.message)}: ${partOf(one)}`,
  );
  return `Not sure. ${possible.length === 1 ? "This mail" : "These mails"} may say it:\n${mails.join("\n")}`;
}

/** Returns the words of a passage in quotation marks. Of a long one, what is around its value. */
function partOf({ passage: { text }, span }: Candidate): string {
  if (text.length <= LONGEST_POSSIBLE) return `“${inOneLine(text)}”`;
  const last = text.length - LONGEST_POSSIBLE;
  const from = span ? Math.max(0, Math.min(span.end - LONGEST_POSSIBLE / 2, last)) : 0;
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1 || from;
  const space = text.lastIndexOf(" ", from + LONGEST_POSSIBLE);
  const end = from === last ? text.length : space > from + LONGEST_POSSIBLE / 2 ? space : from + LONGEST_POSSIBLE;
  const words = inOneLine(text.slice(start, end).toWellFormed().replaceAll("\uFFFD", ""));
  return `“${start > 0 ? "… " : ""}${words}${end < text.length ? " …" : ""}”`;
}

const inOneLine = (text: string): string => visible(text).replace(/\s+/g, " ").trim();

/** Returns the value with a full stop; a relative day as a date. Null where the sentence is the answer. */
function statedValue({ kinds }: Question, { span, passage }: Candidate): string | null {
  if (!span || kinds.length === 0 || span.kind === "name") return null;
  const isDay = span.kind === "date" && /^\d{4}-\d\d-\d\d$/.test(span.normal);
  const value =
    isDay && !/\d/.test(span.text) && !isRecurring(passage.text, span)
      ? WEEKDAY.format(Date.parse(span.normal))
      : oneLine(span.text);
  return /[.!?]$/.test(value) ? value : `${value}.`;
}

/** "Mittwochs" and "every Wednesday" are no single day. */
const isRecurring = (text: string, { start, end }: { start: number; end: number }): boolean =>
  /(?:every|each|jeden|jede|chaque|cada|todos|todas|ogni|elke|any|tous)(?: \p{L}{1,4})? $/iu.test(
    text.slice(0, start),
  ) || /(?:day|tag|abend|woch)s$/iu.test(text.slice(start, end));

function whoAndWhen({ outgoing, head, at }: ConversationMessage): string {
  return `${outgoing ? "You" : oneLine(head.from.name || head.from.email)} on ${DAY.format(at)}`;
}
