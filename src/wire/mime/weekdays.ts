/** The names of the days of the week, as mail programs write them before a date. */

const LOCALES =
  "en de fr es it nl pt sv nb da fi pl cs sk ru uk tr hu ro el he ar fa ja zh zh-TW ko hr sl sr bg et lt lv vi id ca th hi";
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

let names: string[] | null = null;

/** Returns names and abbreviations in lower case, longest first, escaped for a pattern, without a final period. */
export function weekdays(): readonly string[] {
  if (names) return names;
  const found = new Set<string>();
  for (const locale of LOCALES.split(" ")) {
    for (const weekday of ["short", "long"] as const) {
      const format = new Intl.DateTimeFormat(locale, {
        weekday,
        timeZone: "UTC",
      });
      for (let day = 0; day < 7; day += 1) found.add(format.format(MONDAY + day * DAY_MS).toLowerCase());
    }
  }
  // Gmail's abbreviations of the Vietnamese names.
  names = [...found, "th 2", "th 3", "th 4", "th 5", "th 6", "th 7"]
    .map((name) => name.replace(/\.$/, "").replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .sort((a, b) => b.length - a.length);
  return names;
}
