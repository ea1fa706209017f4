import {
  JAPANESE_WEEKDAY,
  MONTH,
  monthOf,
  RELATIVE_JAPANESE,
  RELATIVE_LATIN,
  relativeDays,
  WEEKDAY,
  WHOLE_MONTH,
  WHOLE_WEEKDAY,
  weekdayOf,
} from "./calendar-words.ts";
import { spanOf, type TypedSpan, withoutOverlaps } from "./typed-span.ts";

const DAY_MS = 86_400_000;
/** A day without a year is in the past only if it was within this time before the text was written. */
const LOOK_BACK_MS = 60 * DAY_MS;

/** "Thursday, 12 March 2026", "Do., den 12. März", "le jeudi 12 mars", "11 de março de 2026", "domenica 1° marzo". */
const LEAD = `(?:(?:${WEEKDAY})\\.?,? ?(?:dem |den |the |le |el |de |il )?)?`;
const YEAR = "(?:,? ?(?:de |del |of )?((?:19|20)\\d\\d))?(?![\\d.,]?\\d)";
const NUMERAL = "(\\d{1,2})(?:st|nd|rd|th|er|ème|º|°|ª|\\.)?";
const DAY_MONTH = new RegExp(
  `(?<![\\p{L}\\d.,:])${LEAD}${NUMERAL} ?(?:of |de |d'|di |den )?(${MONTH})(?!\\p{L})\\.?${YEAR}`,
  "giu",
);
const MONTH_DAY = new RegExp(
  `(?<!\\p{L})${LEAD}(${MONTH}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])${YEAR}`,
  "giu",
);
/** "12 to 14 March", "vom 4. bis 12. April", "du 3 au 5 mai", "14-18 de maio": the first day, whose month is named later. */
const RANGE = new RegExp(
  `(?<![\\p{L}\\d.,:])${LEAD}${NUMERAL} ?(?:to|till|until|through|and|bis|und|au|et|al|all['’]|y|a|e|tot en met|tot|t/m|[-–—]) (?:zum |the |le |el |${WEEKDAY})?,? ?${NUMERAL} ?(?:of |de |di )?(${MONTH})(?!\\p{L})\\.?${YEAR}`,
  "giu",
);
const ISO = /(?<![\d-])((?:19|20)\d\d)-(\d\d)-(\d\d)(?![\d-])/g;
const DOTTED = new RegExp(
  `(?<![\\d./\\p{Sc}-])${LEAD}(\\d{1,2})[./](\\d{1,2})(?:[./]((?:19|20)?\\d\\d)(?![\\d./-])|\\.(?!\\d)|(?<=/\\d{1,2})(?![\\d./-]))`,
  "giu",
);
const JAPANESE = new RegExp(
  `(?:(\\d{4})年)?(\\d{1,2})月(\\d{1,2})日(?:[（(]?(?:${JAPANESE_WEEKDAY}|[月火水木金土日])[)）]?)?`,
  "gu",
);
const WEEKDAY_ALONE = new RegExp(`(?<![\\p{L}-])(${WHOLE_WEEKDAY})s?(?![\\p{L}-])|(${JAPANESE_WEEKDAY})`, "giu");
const RELATIVE = new RegExp(`(?<![\\p{L}-])(${RELATIVE_LATIN})(?![\\p{L}])|(${RELATIVE_JAPANESE})`, "giu");
const MONTH_YEAR = new RegExp(`(?<!\\p{L})(${MONTH})\\.? (?:de |of )?((?:19|20)\\d\\d)(?!\\d)`, "giu");
const JAPANESE_MONTH = /(?:(\d{4})年)?(\d{1,2})月(?!\d{1,2}日)(?:[上中下]旬|末)?/gu;
const MONTH_ALONE = new RegExp(
  `(?<!\\p{L})((?:end of |early |mid-?|late |mid |ende |anfang |mitte |fin |début |finales de |fim de |fine |eind )?(?:${WHOLE_MONTH}))(?!\\p{L})|(?:(?<=\\b(?:in|im|en|em|by|until|till|from|since|ab|seit|bis|à partir de|a partir de|from) )|(?:end of |early |mid-?|late |mid |ende |anfang |mitte |fin |début |finales de |fim de |fine |eind ))(may|mai|mars|march|mayo|maio|maggio|mei)(?!\\p{L})`,
  "giu",
);
const ORDINAL = new RegExp(
  `(?:(?<=\\bthe )|(?<!\\p{L})(?:${WHOLE_WEEKDAY}),? (?:the )?)(\\d{1,2})(?:st|nd|rd|th)\\b`,
  "giu",
);

/**
 * Returns the dates that a text names, in the notation of eight languages, in order. Normal form: YYYY-MM-DD; YYYY-MM or
 * MM for a month. A day without a year is the next one after the text was written, or one shortly before.
 * @param writtenAt when the text was written, ms
 */
export function datesOf(text: string, writtenAt: number): TypedSpan[] {
  const found: TypedSpan[] = [];
  const add = (match: RegExpMatchArray, year: string | undefined, month: number | null, day: number) => {
    const normal = month === null ? null : dayNear(writtenAt, year, month, day);
    if (normal) found.push(spanOf("date", match[0].trimEnd(), match.index!, normal));
  };
  for (const match of text.matchAll(ISO)) add(match, match[1], Number(match[2]), Number(match[3]));
  for (const match of text.matchAll(RANGE)) {
    const month = monthOf(match[3]!);
    add(match, match[4], month, Number(match[1]));
  }
  for (const match of text.matchAll(DAY_MONTH)) add(match, match[3], monthOf(match[2]!), Number(match[1]));
  for (const match of text.matchAll(MONTH_DAY)) add(match, match[3], monthOf(match[1]!), Number(match[2]));
  for (const match of text.matchAll(JAPANESE)) add(match, match[1], Number(match[2]), Number(match[3]));
  for (const match of text.matchAll(DOTTED)) add(match, match[3], Number(match[2]), Number(match[1]));
  for (const match of text.matchAll(MONTH_YEAR)) {
    const month = monthOf(match[1]!)!;
    found.push(spanOf("date", match[0], match.index, `${match[2]}-${two(month)}`));
  }
  for (const match of text.matchAll(WEEKDAY_ALONE)) {
    const weekday = weekdayOf(match[1] ?? match[2]!);
    if (weekday !== null) found.push(spanOf("date", match[0], match.index, nextWeekday(writtenAt, weekday)));
  }
  for (const match of text.matchAll(RELATIVE)) {
    const days = relativeDays(match[0]);
    if (days !== null) found.push(spanOf("date", match[0], match.index, isoDay(writtenAt + days * DAY_MS)));
  }
  for (const match of text.matchAll(ORDINAL)) {
    const normal = dayOfMonth(writtenAt, Number(match[1]));
    if (normal) found.push(spanOf("date", match[0], match.index, normal));
  }
  for (const match of text.matchAll(JAPANESE_MONTH)) {
    const normal = two(Number(match[2]));
    found.push(spanOf("date", match[0], match.index, match[1] ? `${match[1]}-${normal}` : normal));
  }
  for (const match of text.matchAll(MONTH_ALONE)) {
    const month = monthOf(/\S+$/.exec(match[0])![0]);
    if (month !== null) found.push(spanOf("date", match[0], match.index, two(month)));
  }
  return withoutOverlaps(found);
}

const two = (number: number): string => String(number).padStart(2, "0");
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

function dayNear(writtenAt: number, year: string | undefined, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const own = new Date(writtenAt).getUTCFullYear();
  const at = (y: number) => Date.UTC(y, month - 1, day);
  const named = year === undefined ? null : Number(year.length === 2 ? `20${year}` : year);
  const chosen = named ?? (at(own) < writtenAt - LOOK_BACK_MS ? own + 1 : own);
  const date = new Date(at(chosen));
  return date.getUTCMonth() === month - 1 ? isoDay(date.getTime()) : null;
}

function nextWeekday(writtenAt: number, weekday: number): string {
  const ahead = (weekday - new Date(writtenAt).getUTCDay() + 7) % 7 || 7;
  return isoDay(writtenAt + ahead * DAY_MS);
}

/** "the 17th": the next day of that number. */
function dayOfMonth(writtenAt: number, day: number): string | null {
  if (day < 1 || day > 31) return null;
  const now = new Date(writtenAt);
  const month = now.getUTCMonth() + (day < now.getUTCDate() ? 1 : 0);
  const date = new Date(Date.UTC(now.getUTCFullYear(), month, day));
  return date.getUTCDate() === day ? isoDay(date.getTime()) : null;
}
