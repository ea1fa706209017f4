import type { Lang } from "./person.ts";
import { lisbonFormat, SNAPS, type Snap, shiftDay } from "./when.ts";

/**
 * The template language of the sample mail:
 *
 *     {{now+3|weekday}}       a day relative to the seeding time, the same in every message
 *     {{date-2|day}}          a day relative to the date of the message
 *     {{now+3b|weekday}}      b: moved off a weekend, as in `When`
 *     {{now+10fri|day}}       the first Friday on or after that day (mon, tue, wed, thu, fri, sat, sun)
 *     {{now|full}}            the day itself
 *
 * | format    | English        | use                       |
 * |-----------|----------------|---------------------------|
 * | weekday   | Thursday       | within a week             |
 * | day       | 12 June        |                           |
 * | long      | Thursday 12 June |                         |
 * | full      | 12 June 2025   |                           |
 * | month     | June           |                           |
 * | monthyear | June 2025      |                           |
 * | lastmonth | May 2025       | the month before          |
 * | year      | 2025           |                           |
 * | num       | 12/06/2025     | receipts                  |
 * | iso       | 2025-06-12     | files                     |
 * | compact   | 20250612       | invoice and order numbers |
 */
const EXPRESSION = new RegExp(`\\{\\{(now|date)(?:([+-]\\d+)(${SNAPS})?)?\\|([a-z]+)\\}\\}`, "g");

const FORMATS: Record<string, Intl.DateTimeFormatOptions> = {
  weekday: { weekday: "long" },
  day: { day: "numeric", month: "long" },
  long: { weekday: "long", day: "numeric", month: "long" },
  full: { day: "numeric", month: "long", year: "numeric" },
  month: { month: "long" },
  monthyear: { month: "long", year: "numeric" },
  year: { year: "numeric" },
  num: { day: "2-digit", month: "2-digit", year: "numeric" },
};

export interface TemplateScope {
  now: Date;
  date: Date;
  lang: Lang;
}

/** Returns what is wrong with the expressions of a text; null if nothing is. */
export function templateFault(source: string): string | null {
  if (!source.includes("{{")) return null;
  for (const [, , , , format = ""] of source.matchAll(EXPRESSION)) {
    if (!FORMATS[format] && !["iso", "compact", "lastmonth"].includes(format))
      return `unknown date format \`${format}\``;
  }
  const left = /\{\{[^}]*\}?\}?/.exec(source.replace(EXPRESSION, ""));
  return left ? `unknown template expression \`${left[0]}\`` : null;
}

/** Replaces every expression; throws on one it does not know, so that a typing error never reaches a mailbox. */
export function fill(source: string, scope: TemplateScope): string {
  const fault = templateFault(source);
  if (fault !== null) throw new Error(`${fault} in the sandbox`);
  return source.replace(EXPRESSION, (_, base: "now" | "date", days = "0", snap: Snap = "", format = "") => {
    const day = shiftDay(scope[base], Number(days), snap, "12:00");
    if (format === "iso" || format === "compact") {
      const iso = lisbonFormat("en-GB", { year: "numeric", month: "2-digit", day: "2-digit" }).format(day);
      return iso
        .split("/")
        .reverse()
        .join(format === "iso" ? "-" : "");
    }
    if (format === "lastmonth") {
      // The last day of the previous month. At noon in Lisbon the UTC date is the same.
      const end = shiftDay(day, -day.getUTCDate(), "", "12:00");
      return lisbonFormat(scope.lang, { month: "long", year: "numeric" }).format(end);
    }
    const text = lisbonFormat(scope.lang, FORMATS[format]!).format(day);
    // "el lunes 3 de junio": the comma that Spanish lists put after the weekday is wrong inside a sentence.
    return format === "long" && scope.lang === "es-ES" ? text.replace(",", "") : text;
  });
}
