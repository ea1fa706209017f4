import { type DayMention, daysIn, type Moment } from "./days.ts";

/** Words between two days that are alternatives: "today or tomorrow". */
const OR = /^,?\s*(?:or|oder|ou|o|of|か)\s*$/iu;

/**
 * Returns the day by which a sentence wants or promises something: the first day that ends a period, otherwise the
 * first day that it names. Days that have passed and beginnings of periods are not due.
 * @param language ISO 639-1, or null
 */
export function dueDay(sentence: string, written: Moment, language: string | null): DayMention | null {
  const named = daysIn(sentence, written, language).filter(({ role }) => role !== "past");
  // "From Monday to Friday" is a period in which nothing is due.
  const found = named.filter(({ role }, i) => role !== "from" && !(role === "until" && named[i - 1]?.role === "from"));
  const at = Math.max(
    0,
    found.findIndex(({ role }) => role === "until"),
  );
  const [first, second] = found.slice(at);
  if (!first) return null;
  // "Today or tomorrow" ends tomorrow.
  const isToday = Date.parse(first.day) <= written.at + written.offsetMin * 60_000;
  return isToday && second && OR.test(sentence.slice(first.end, second.start)) ? second : first;
}
