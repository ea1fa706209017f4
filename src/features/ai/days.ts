/**
 * Days of the year in a text, however they are written: "3 April", "April 3rd", "3.4.1980", "3 de abril", "4月3日". The year is
 * not looked at: a birthday without it is told all the same.
 */

const LOCALES = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru"];
const SHORTEST_MONTH_CHARS = 3;

/** Months by their names, long and short, as they stand alone and within a date. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  LOCALES.flatMap((locale) =>
    (["long", "short"] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, i) => i).flatMap((i): [string, number][] => {
        const day = new Date(Date.UTC(2024, i, 3));
        const alone = new Intl.DateTimeFormat(locale, { month, timeZone: "UTC" }).format(day);
        const within = new Intl.DateTimeFormat(locale, { month, day: "numeric", timeZone: "UTC" }).formatToParts(day);
        const names = [alone, within.find(({ type }) => type === "month")?.value ?? alone];
        return names.map((name): [string, number] => [nameKey(name), i + 1]);
      }),
    ),
  ).filter(([name]) => name.length >= SHORTEST_MONTH_CHARS && !/\d/.test(name)),
);

function nameKey(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

const NUMERIC =
  /(?<![\d.])(?:(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{1,2})\s?[-/.]\s?(\d{1,2})(?:\s?[-/.]\s?\d{2,4}\b|\.))(?!\d)/g;
const CHINESE = /(\d{1,2})\s?月\s?(\d{1,2})\s?[日号號]/g;
const DAY_MONTH = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª|°)?\.?\s(?:of\s|de\s|d')?(\p{L}{3,12})/gu;
const MONTH_DAY = /(\p{L}{3,12})\.?\s(?:the\s)?(\d{1,2})(?:st|nd|rd|th)?(?!\d)/gu;

/** @returns days as "MM-DD"; of "3/4" both readings */
export function daysIn(text: string): Set<string> {
  const days = new Set<string>();
  const add = (month: number, day: number) => {
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31)
      days.add(`${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`);
  };
  for (const [, year, month, day, one, other] of text.matchAll(NUMERIC)) {
    if (year) add(Number(month), Number(day));
    else {
      add(Number(one), Number(other));
      add(Number(other), Number(one));
    }
  }
  for (const [, month, day] of text.matchAll(CHINESE)) add(Number(month), Number(day));
  for (const [, day, name] of text.matchAll(DAY_MONTH)) add(MONTHS.get(nameKey(name!)) ?? 0, Number(day));
  for (const [, name, day] of text.matchAll(MONTH_DAY)) add(MONTHS.get(nameKey(name!)) ?? 0, Number(day));
  return days;
}
