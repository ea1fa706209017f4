import { fullYear, indexTerms, isDay, isMonth, isYear, queryTerms } from "./calendar.ts";
import { DOT, HYPHEN, isDigit, isLetter, isSpace, SLASH, skipSpacesBack, wordStart } from "./characters.ts";
import { type Figures, numberAt } from "./figures.ts";
import type { Unit, UnitScan } from "./unit.ts";

/** Range of the years for "2026-03" and "20260312"; other numbers of that form are more likely identifiers. */
const FIRST_PLAIN_YEAR = 1990;
const LAST_PLAIN_YEAR = 2049;

/**
 * Words before "12.3." or "3/12" that make it a date. Words that also occur before fractions and ratings are left out.
 */
const BEFORE_DATES = new Set(
  (
    "on until till dated date due mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday " +
    "am vom bis zum ab seit den mi fr montag dienstag mittwoch donnerstag freitag samstag sonntag " +
    "le du au depuis lundi mardi mercredi jeudi vendredi samedi dimanche el al dia lunes martes jueves viernes " +
    "il dal entro op vanaf tot dnia em ate"
  ).split(" "),
);

/**
 * Returns the date that figures alone represent: "2026-03-12", "12.03.2026", "03/12/26", "03/2026", "20260312". Null if
 * they are not a date.
 */
export function numericDate(text: string, figures: Figures, scan: UnitScan): Unit | null {
  const before = text.charCodeAt(figures.starts[0]! - 1);
  const after = text.charCodeAt(figures.end);
  if (isLetter(before) || before === 0x2b) return null;
  if (isLetter(after) && !((after | 0x20) === 0x74 && isDigit(text.charCodeAt(figures.end + 1)))) return null;
  const unit = { start: figures.starts[0]!, end: figures.end };
  const terms = numericTerms(text, figures, scan);
  return terms.length === 0 ? null : { ...unit, terms };
}

function numericTerms(text: string, figures: Figures, scan: UnitScan): string[] {
  switch (figures.count) {
    case 1:
      return compactDate(text, figures, scan);
    case 2:
      return twoPartDate(text, figures, scan);
    case 3:
      return threePartDate(text, figures, 0, scan);
    case 6: {
      // "12.03.2026-15.03.2026": both ends of a range.
      const from = threePartDate(text, figures, 0, scan);
      const to = from.length === 0 ? [] : threePartDate(text, figures, 3, scan);
      return to.length === 0 ? [] : [...new Set([...from, ...to])];
    }
    default:
      return [];
  }
}

function datesTerms(dates: readonly (readonly [year: number, month: number, day: number])[], scan: UnitScan): string[] {
  const terms = dates.flatMap(([year, month, day]) => (scan.isQuery ? queryTerms : indexTerms)(year, month, day));
  return dates.length < 2 ? terms : [...new Set(terms)];
}

function isPlainYear(year: number): boolean {
  return year >= FIRST_PLAIN_YEAR && year <= LAST_PLAIN_YEAR;
}

/** Reads "20260312", also before a time: "20260312T101500". */
function compactDate(text: string, figures: Figures, scan: UnitScan): string[] {
  if (figures.length(0) !== 8) return [];
  const start = figures.starts[0]!;
  const year = numberAt(text, start, start + 4);
  const month = numberAt(text, start + 4, start + 6);
  const day = numberAt(text, start + 6, start + 8);
  return isPlainYear(year) && isDay(month, day) ? datesTerms([[year, month, day]], scan) : [];
}

function threePartDate(text: string, figures: Figures, first: number, scan: UnitScan): string[] {
  const mark = figures.marks[first]!;
  if (figures.marks[first + 1] !== mark || (mark !== DOT && mark !== SLASH && mark !== HYPHEN)) return [];
  const lengths = [figures.length(first), figures.length(first + 1), figures.length(first + 2)] as const;
  if (lengths[1] > 2) return [];
  const one = figures.value(text, first);
  const two = figures.value(text, first + 1);
  const three = figures.value(text, first + 2);
  if (lengths[0] === 4) {
    return lengths[2] <= 2 && isYear(one) && isDay(two, three) ? datesTerms([[one, two, three]], scan) : [];
  }
  if (lengths[0] > 2) return [];
  if (lengths[2] === 4) return isYear(three) ? dayAndMonth(three, one, two, mark, scan) : [];
  const year = lengths[2] === 2 ? fullYear(three) : 0;
  if (year === 0 || !mayHaveShortYear(text, figures, first, mark, scan)) return [];
  if (mark === DOT && !isDay(two, one)) return [];
  return dayAndMonth(year, one, two, mark, scan);
}

/** Returns both readings of "03/04/2026". With dots, the day is first wherever that is possible. */
function dayAndMonth(year: number, one: number, two: number, mark: number, scan: UnitScan): string[] {
  const isDayFirst = isDay(two, one);
  const dates: [number, number, number][] = isDayFirst ? [[year, two, one]] : [];
  if (isDay(one, two) && !(isDayFirst && mark === DOT)) dates.push([year, one, two]);
  return datesTerms(dates, scan);
}

/**
 * Returns whether a year may have two digits. "1.10.14" is a version and "2.4.20" a release, unless a word before it
 * indicates a date, or both day and month have two digits.
 */
function mayHaveShortYear(text: string, figures: Figures, first: number, mark: number, scan: UnitScan): boolean {
  if (first > 0 || !isClearlyBegun(text, figures.starts[0]!)) return first > 0;
  const after = text.charCodeAt(figures.ends[first + 2]!);
  if (figures.count === 3 && (after === HYPHEN || after === 0x5f)) return false;
  if (mark === SLASH) return true;
  const isPadded = figures.length(first) === 2 && figures.length(first + 1) === 2;
  return isPadded
    ? !isVersionBefore(text, figures.starts[first]!, scan)
    : isDateWordBefore(text, figures.starts[0]!, scan);
}

function isClearlyBegun(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  return (
    Number.isNaN(before) ||
    before <= 0x20 ||
    isSpace(before) ||
    before === 0x28 ||
    before === 0x5b ||
    before === 0x3a ||
    before > 0x2000
  );
}

/** Reads "03/2026", "2026-03", "03.2026"; after a word such as "on" also "3/12" and "12.3." */
function twoPartDate(text: string, figures: Figures, scan: UnitScan): string[] {
  const mark = figures.marks[0]!;
  if (mark !== DOT && mark !== SLASH && mark !== HYPHEN) return [];
  const one = figures.value(text, 0);
  const two = figures.value(text, 1);
  const lengths = [figures.length(0), figures.length(1)] as const;
  if (lengths[0] === 4 && lengths[1] === 2) {
    // "2011-12" is a school year.
    const isMonthOfYear = mark !== DOT && isPlainYear(one) && isMonth(two) && two !== (one + 1) % 100;
    return isMonthOfYear ? datesTerms([[one, two, 0]], scan) : [];
  }
  if (lengths[1] === 4 && lengths[0] <= 2 && isMonth(one) && isPlainYear(two)) {
    return mark === SLASH || lengths[0] === 2 ? datesTerms([[two, one, 0]], scan) : [];
  }
  if (lengths[0] > 2 || lengths[1] > 2 || mark === HYPHEN) return [];
  const isWhole = mark === SLASH || text.charCodeAt(figures.end) === DOT;
  const isAlone = scan.isQuery && isClearlyBegun(text, figures.starts[0]!);
  if (!isWhole || !(isAlone || isDateWordBefore(text, figures.starts[0]!, scan))) return [];
  return mark === DOT && !isDay(two, one) ? [] : dayAndMonth(0, one, two, mark, scan);
}

function isDateWordBefore(text: string, at: number, scan: UnitScan): boolean {
  const word = wordBefore(text, at, scan);
  return word !== "" && BEFORE_DATES.has(word);
}

const BEFORE_VERSIONS = new Set(["v", "version", "versions", "release", "ver", "rev", "revision"]);

function isVersionBefore(text: string, at: number, scan: UnitScan): boolean {
  return BEFORE_VERSIONS.has(wordBefore(text, at, scan));
}

/** Returns the word before a number, in lower case; "" if there is none. */
function wordBefore(text: string, at: number, scan: UnitScan): string {
  let end = skipSpacesBack(text, at, scan.floor);
  if (end === at) return "";
  const mark = text.charCodeAt(end - 1);
  if (end > scan.floor && (mark === DOT || mark === 0x2c || mark === 0x3a)) end--;
  return text.slice(wordStart(text, end, scan.floor), end).toLowerCase();
}
