import { lazy } from "../../kernel/lazy.ts";
import { numeralsOf } from "./numerals.ts";
import { plainNumbers } from "./plain-numbers.ts";

/**
 * Finds days of the year in a text in any notation: "3 April", "April 3rd", "3.4.1980", "3 de abril", "the third of
 * April", "4月3日". The year is ignored, because a birthday is disclosed even without it.
 */

const LOCALES = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru"];
const SHORTEST_MONTH_CHARS = 3;

/** Months by their long and short names, both in the standalone form and in the form within a date. */
const months = lazy(
  (): ReadonlyMap<string, number> =>
    new Map(
      LOCALES.flatMap((locale) =>
        (["long", "short"] as const).flatMap((month) =>
          Array.from({ length: 12 }, (_, i) => i).flatMap((i): [string, number][] => {
            const day = new Date(Date.UTC(2024, i, 3));
            const alone = new Intl.DateTimeFormat(locale, { month, timeZone: "UTC" }).format(day);
            const within = new Intl.DateTimeFormat(locale, { month, day: "numeric", timeZone: "UTC" }).formatToParts(
              day,
            );
            const names = [alone, within.find(({ type }) => type === "month")?.value ?? alone];
            return names.map((name): [string, number] => [nameKey(name), i + 1]);
          }),
        ),
      ).filter(([name]) => name.length >= SHORTEST_MONTH_CHARS && !/\d/.test(name)),
    ),
);

function nameKey(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

const NUMERIC =
  /(?<![\d.])(?:(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})|(\d{1,2})(?:\s?[-/.]\s?|\s)(\d{1,2})(?:(?:\s?[-/.]\s?|\s)\d{2,4}\b|\.)|(\d{1,2})\/(\d{1,2}))(?!\d)/g;
const COMPACT = /(?<!\d)(?:(?:19|20)\d\d([01]\d)([0-3]\d)|([0-3]\d)([01]\d)(?:19|20)\d\d)(?!\d)/g;
const CHINESE = /(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]/g;
const DAY_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|:?e|[eè]me|º|ª|°)?\.?[\s-](?:day (?:of|in) |of\s|in\s|de\s|d')?(\p{L}{3,12})/gu;
const MONTH_DAY = /(\p{L}{3,12})\.?[\s,(-]{1,3}(?:the\s|day\s)?(\d{1,2})(?:st|nd|rd|th)?(?!\d)/gu;

/** Returns the text with numbers in words and Roman numerals replaced by digits, and with single spaces. */
function withFigures(text: string): string {
  let result = "";
  let at = 0;
  for (const { start, end, digits } of numeralsOf(text)) {
    result += /\d/.test(text[start]!) ? text.slice(at, end) : `${text.slice(at, start)}${digits}`;
    at = end;
  }
  return (result + text.slice(at)).replace(/\s+/g, " ");
}

/** Returns the days in a text as "MM-DD"; for "3/4", both readings. */
export function daysIn(written: string): Set<string> {
  const text = withFigures(plainNumbers(written));
  const days = new Set<string>();
  const add = (month: number, day: number) => {
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31)
      days.add(`${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`);
  };
  for (const [, year, month, day, one, other, first, second] of text.matchAll(NUMERIC)) {
    if (year) add(Number(month), Number(day));
    else {
      add(Number(one ?? first), Number(other ?? second));
      add(Number(other ?? second), Number(one ?? first));
    }
  }
  for (const [, month, day, other, another] of text.matchAll(COMPACT))
    add(Number(month ?? another), Number(day ?? other));
  for (const [, month, day] of text.matchAll(CHINESE)) add(Number(month), Number(day));
  for (const [, day, name] of text.matchAll(DAY_MONTH)) add(months().get(nameKey(name!)) ?? 0, Number(day));
  for (const [, name, day] of text.matchAll(MONTH_DAY)) add(months().get(nameKey(name!)) ?? 0, Number(day));
  return days;
}
