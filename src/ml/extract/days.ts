import { CONTEXT_CHARS, DAY_MS, DAY_RULES, type DayText, WEEKDAY } from "./day-rules.ts";
import * as words from "./day-words.ts";
import type { Span } from "./sentences.ts";

/** When and where a text was written. */
export interface Moment {
  /** Unix time, ms. */
  at: number;
  /** UTC offset of the writer's time zone, minutes. */
  offsetMin: number;
}

/** A day that a text names. */
export interface DayMention extends Span {
  /** YYYY-MM-DD in the writer's time zone. */
  day: string;
  text: string;
  /** "until": a period ends on it. "from": one begins. "past": the text speaks of a day that has passed. */
  role: "on" | "until" | "from" | "past";
}

/**
 * The patterns are read once per rule, so their cost is proportional to the length. In prose, a day is named within this
 * many characters.
 */
const LONGEST_CHARS = 400;

/** Text without any of these names no day. This check is much faster than the rules. */
const HINT =
  /\d|[月日週曜明年]|あ[さし]|day|morrow|tonight|\b(?:eod|cob|eow|eom|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|end|week|fortnight|this|month|year|quarter|mid)|tag|woch|heute|morgen|gestern|monat|jahr|\bende|mittwoch|main\b|jourd|soir|hier\b|matin|après|semaine|\bfi[mn]|di\b|dimanche|hoy|mañana|ayer|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|oggi|domani|dopodom|stas|stam|stan|ieri|settim|venerd|fim\b|eind|(?:lune|marte|mercole|giove|vener)d[iì]|sabato|domenica|vandaag|van(?:avond|middag)|dag|hoje|amanhã|ontem|feira|segunda|terça|quarta|quinta|sexta|semana|tarde|noche|noite|manhã|jours?|días?|dias?|giorn|dagen|weken|january|february|march|april|june|july|august|september|october|november|december/i;

/** Returns the text in the form that the rules read, character by character: lower case, ASCII digits, plain spaces. */
function comparable(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[\u2018\u2019\u00b4`]/g, "'")
    .replace(/[\s\u00a0\u202f]/g, " ")
    .replace(/\p{Lu}/gu, (letter) => (letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter));
}

/**
 * Returns the days that a text names, in order. "Friday" is the coming one; a month, a duration or a time of day is not
 * a day. A date without a year is in the future, or at most two months ago.
 * @param language ISO 639-1, or null: it decides words and figures that mean different days in different languages
 */
export function daysIn(whole: string, written: Moment, language: string | null): DayMention[] {
  const original = whole.slice(0, LONGEST_CHARS);
  if (!HINT.test(original)) return [];
  const today = Math.floor((written.at + written.offsetMin * 60_000) / DAY_MS);
  const text: DayText = { words: comparable(original), original, today, language };
  const found: (Span & { number: number; weak: boolean; until: boolean })[] = [];
  const isFree = (start: number, end: number) => found.every((one) => end <= one.start || start >= one.end);
  for (const { pattern, read, weak = false, until = false } of DAY_RULES) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text.words); match; match = pattern.exec(text.words)) {
      const [start, end] = trimmed(match);
      if (!isFree(start, end)) continue;
      const number = read(match, text);
      if (number !== null) found.push({ start, end, number, weak, until });
    }
  }
  const named = found
    .filter((one) => !one.weak || !found.some((other) => !other.weak))
    .sort((a, b) => a.start - b.start);
  return named
    .filter((one, i) => !(i > 0 && one.start - named[i - 1]!.end <= 2 && isApposition(text.words, named[i - 1]!, one)))
    .map(({ start, end, number, until }) => ({
      day: new Date(number * DAY_MS).toISOString().slice(0, 10),
      text: original.slice(start, end),
      start,
      end,
      role: roleOf(text, { start, end }, number, until),
    }));
}

const trimmed = ({ index, 0: whole }: RegExpExecArray): [number, number] => {
  const lead = whole.length - whole.trimStart().length;
  return [index + lead, index + whole.trimEnd().length];
};

/** Whether the second day repeats the first: "3月9日月曜日", "5 March (Thursday)". */
const isApposition = (read: string, first: Span, second: Span): boolean =>
  /^[ (（]*$/.test(read.slice(first.end, second.start)) &&
  /^[\p{L}]+[.)）]?$/u.test(read.slice(second.start, second.end)) &&
  !/^(?:to|ende)/.test(read.slice(second.start, second.end));

/** Verbs in the past: "the file that I sent on Monday". */
const PAST =
  /(?:\b(?:was|were|did|sent|said|met|spoke|discussed|agreed|talked|asked|told|wrote|had|received|got|went|came|saw|made|gave|called|decided|mentioned|promised|ordered|paid|bought|arrived|happened)(?: \p{L}+){0,8}|(?<!\p{L})(?:war|waren|hatte|hatten|wurde|wurden|besprochen|geschickt|gesagt)(?: \p{L}+){0,3}|(?<!\p{L})(?:ai|as|a|avons|avez|ont|aviez|avait|était) (?:\p{L}+ )?\p{L}+(?:é|ée|és|u|it|is)(?: \p{L}+){0,3}|(?<!\p{L})(?:\p{L}+(?:aste|iste|ámos|iu)|\p{L}{2,}ou|ho|hai|abbiamo|heb|hebben|had|was|era|foi|fue|hemos|he|has)(?: \p{L}+){0,3})\s*(?:,|on|am|le|el|il|op|na|no|de|at)?\s*$/u;
/** "your mail of Friday". */
const MAIL_OF =
  /(?<!\p{L})(?:mail|e-?mail|nachricht|message|courrier|lettre|correo|mensaje|carta|messaggio|brief|bericht|note|letter|rechnung|invoice|facture|factura|fattura|fatura|factuur|schreiben|order|bestellung|commande)s? (?:vom|von|de|du|del|di|da|do|of|from|van|on)\s*$/u;
const IS_WEEKDAY = new RegExp(`^(?:${WEEKDAY})(?!.*\\d)`, "u");
const FUTURE =
  /\b(?:will|'ll|shall|can|could|would|please|kannst|können|könnten|bitte|pouvez|puedes|pode|puoi|kun|kunt)\b/u;
const JAPANESE_UNTIL =
  /^(?:[（(][月火水木金土日][）)])?(?:[月火水木金土日]曜日?)?(?:の?\d{1,2}時)?(?:の?(?:午前|午後|朝|正午|昼)\d{0,2}時?)?(?:まで|迄|中に|以内|締切|必着|〆切)/u;

function roleOf(
  { words: read, today }: DayText,
  { start, end }: Span,
  number: number,
  until: boolean,
): DayMention["role"] {
  const before = read.slice(Math.max(0, start - CONTEXT_CHARS), start);
  const after = read.slice(end, end + CONTEXT_CHARS);
  if (number < today || words.LAST.test(before) || words.LAST_AFTER.test(after)) return "past";
  if (until || words.UNTIL.test(before) || JAPANESE_UNTIL.test(after)) return "until";
  if (words.FROM.test(before)) return "from";
  const clause = before.slice(Math.max(before.lastIndexOf(","), before.lastIndexOf(";")) + 1);
  if (
    IS_WEEKDAY.test(read.slice(start, end)) &&
    (MAIL_OF.test(clause) || (PAST.test(clause) && !FUTURE.test(clause)))
  ) {
    return "past";
  }
  return "on";
}
