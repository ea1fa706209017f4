import { amountAfterCurrency, amountBeforeCurrency, currencyBefore } from "./amounts.ts";
import { queryTerms } from "./calendar.ts";
import { isLetter } from "./characters.ts";
import { Figures } from "./figures.ts";
import { groupedNumbers } from "./grouped-numbers.ts";
import { unitDefinition } from "./lexicon.ts";
import { namedDate } from "./named-dates.ts";
import { numericDate } from "./numeric-dates.ts";
import type { Unit, UnitScan } from "./unit.ts";

/** Maximum number of units read from one text. Further amounts and dates are found only by their words. */
export const MAX_UNITS = 5_000;

/** ASCII and full-width digits. The engine's search is faster than a loop over the characters. */
const DIGIT = /[0-9\uff10-\uff19]/g;
const FIRST_WIDE_DIGIT = 0xff10;
const WIDE = /[\uff01-\uff5e]/g;
const WIDE_OFFSET = 0xfee0;
const WORD = /[\p{L}\p{M}]+/gu;
const CHINESE_MONTHS = "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月".split(" ");

const figures = new Figures();
const spaced = new Figures();

/**
 * Returns the amounts and dates of a text being indexed, in order and without overlaps. A number is an amount next to a
 * currency, and a date next to the name of a month or in a common form. "03/04/2026" has the terms of both readings.
 * Takes time linear in the length of the text.
 * @param text as written, not folded
 */
export function unitsOf(text: string): Unit[] {
  return scanText(text, false);
}

/**
 * Returns the amounts, dates and long numbers of a query, in order and without overlaps. The terms of a unit, the most
 * exact first, are alternatives to each other and to the words that the unit covers: "march" may be the month or the
 * word.
 */
export function unitsOfQuery(text: string): Unit[] {
  const units = scanText(text, true);
  const known = inOrder([...units, ...groupedNumbers(text, units, true)]);
  return inOrder([...known, ...monthsAlone(text, known)]);
}

function inOrder(units: Unit[]): Unit[] {
  return units.sort((a, b) => a.start - b.start);
}

function scanText(text: string, isQuery: boolean): Unit[] {
  const units: Unit[] = [];
  const scan: UnitScan = { floor: 0, sharedFrom: -1, isQuery };
  DIGIT.lastIndex = 0;
  while (DIGIT.test(text)) {
    const at = DIGIT.lastIndex - 1;
    if (text.charCodeAt(at) >= FIRST_WIDE_DIGIT) return scanText(narrowed(text), isQuery);
    figures.read(text, at);
    const { end } = figures;
    const unit = figures.count === 0 || figures.isTime ? null : read(text, scan);
    DIGIT.lastIndex = end;
    if (unit === null) continue;
    scan.floor = unit.end;
    if (unit.end > end) DIGIT.lastIndex = unit.end;
    if (units.push(unit) >= MAX_UNITS) break;
  }
  return units;
}

/** Returns the same text with full-width characters replaced by ASCII characters, at the same offsets. */
function narrowed(text: string): string {
  return text.replace(WIDE, (char) => String.fromCharCode(char.charCodeAt(0) - WIDE_OFFSET));
}

function read(text: string, scan: UnitScan): Unit | null {
  const { sharedFrom } = scan;
  scan.sharedFrom = -1;
  const start = figures.starts[0]!;
  const hasSpaced = spaced.readSpaced(text, figures);
  const currency = currencyBefore(text, start, scan);
  if (currency) {
    const unit =
      (hasSpaced ? amountAfterCurrency(text, spaced, currency, scan) : null) ??
      amountAfterCurrency(text, figures, currency, scan);
    if (unit) return unit;
  }
  // A number that touches a word ("B12", "x86") is a name.
  if (isLetter(text.charCodeAt(start - 1))) return null;
  const unit =
    namedDate(text, figures, scan) ??
    numericDate(text, figures, scan) ??
    (hasSpaced ? amountBeforeCurrency(text, spaced, scan) : null) ??
    amountBeforeCurrency(text, figures, scan);
  if (unit || sharedFrom < 0) return unit;
  const shared = currencyBefore(text, start, { ...scan, floor: sharedFrom });
  return shared && amountAfterCurrency(text, figures, shared, scan);
}

/** Returns the names of months outside of the units. */
function monthsAlone(text: string, units: readonly Unit[]): Unit[] {
  const found: Unit[] = [];
  let next = 0;
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const end = start + word.length;
    while (next < units.length && units[next]!.end <= start) next++;
    if (next < units.length && units[next]!.start < end) continue;
    const month = monthAlone(text, start, end);
    if (month > 0) found.push({ start, end, terms: queryTerms(0, month, 0) });
    if (found.length >= MAX_UNITS) break;
  }
  return found;
}

function monthAlone(text: string, start: number, end: number): number {
  if (end - start > 3 || text.charCodeAt(start) < 128) {
    const definition = unitDefinition(text, start, end);
    if (definition) return definition.kind === "month" && definition.isAlone ? definition.month : 0;
  }
  return CHINESE_MONTHS.indexOf(text.slice(start, end)) + 1;
}
