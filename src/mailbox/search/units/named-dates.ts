import { amountBeforeCurrency } from "./amounts.ts";
import { fullYear, indexTerms, isDay, isMonth, isYear, queryTerms } from "./calendar.ts";
import {
  COMMA,
  DOT,
  HYPHEN,
  isApostrophe,
  isDigit,
  isLetter,
  isSpace,
  SLASH,
  skipSpaces,
  skipSpacesBack,
  wordEnd,
  wordStart,
} from "./characters.ts";
import { Figures, numberAt } from "./figures.ts";
import { unitDefinition } from "./lexicon.ts";
import type { Unit, UnitScan } from "./unit.ts";

interface NamedMonth {
  month: number;
  start: number;
  end: number;
  isRare: boolean;
}

const ORDINALS = new Set(["st", "nd", "rd", "th", "er", "re", "e", "eme", "ème", "ten", "ter", "te", "o", "a"]);
const LONGEST_ORDINAL = 3;
const CONNECTORS = new Set(["of", "de", "del", "di", "the"]);
const LONGEST_CONNECTOR = 3;
const MAY = 5;
const PERCENT = 0x25;
const COLON = 0x3a;
const YEAR_CHARACTERS = new Set([0x5e74, 0xb144]);
const MONTH_CHARACTERS = new Set([0x6708, 0xc6d4]);
const DAY_CHARACTERS = new Set([0x65e5, 0x53f7, 0x865f, 0xc77c]);

/**
 * Returns the date of a number next to the name of a month: "12 March 2026", "March 12th", "12–14 mars", "marzo de
 * 2026", "3月12日".
 */
export function namedDate(text: string, figures: Figures, scan: UnitScan): Unit | null {
  const { count } = figures;
  if (count > 2) return null;
  const first = figures.length(0);
  if (count === 1 && first === 4) return monthOfYear(text, figures, scan);
  if (first > 2 || (count === 2 && !isDayRange(text, figures))) return null;
  const last = figures.value(text, count - 1);
  if (last < 1 || last > 31) return null;
  if (count === 1) {
    const counted = countedMonth(text, figures.starts[0]!, figures.end, 0, scan);
    if (counted) return counted;
  }
  return dayAfterMonth(text, figures, scan) ?? dayBeforeMonth(text, figures, scan);
}

/** Returns whether the figures are like "12-14" and "12/13" next to a month. */
function isDayRange(text: string, figures: Figures): boolean {
  const mark = figures.marks[0]!;
  if ((mark !== HYPHEN && mark !== SLASH) || figures.length(1) > 2) return false;
  const from = figures.value(text, 0);
  return from >= 1 && from < figures.value(text, 1);
}

function unitOf(
  text: string,
  figures: Figures,
  span: [number, number],
  year: number,
  month: number,
  scan: UnitScan,
): Unit | null {
  const terms = scan.isQuery ? queryTerms : indexTerms;
  const last = figures.value(text, figures.count - 1);
  if (!isDay(month, last)) return null;
  const all = terms(year, month, last);
  if (figures.count === 2)
    all.unshift(...terms(year, month, figures.value(text, 0)).filter((term) => !all.includes(term)));
  return { start: span[0], end: span[1], terms: all };
}

/** Reads "12 March 2026", "12th of March", "12. März", "12-Mar-2026", "12 de marzo de 2026". */
function dayBeforeMonth(text: string, figures: Figures, scan: UnitScan): Unit | null {
  const named = monthAfter(text, figures.end, scan);
  if (!named) return null;
  const { year, end } = yearAfter(text, named.end, text.charCodeAt(named.start - 1), scan);
  if (named.isRare && year === 0) return null;
  return unitOf(text, figures, [figures.starts[0]!, end], year, named.month, scan);
}

/** Reads "March 12", "March 12th, 2026", "Mar-12". */
function dayAfterMonth(text: string, figures: Figures, scan: UnitScan): Unit | null {
  const named = monthBefore(text, figures.starts[0]!, scan.floor, false);
  if (!named || named.isRare) return null;
  const { end } = figures;
  const ordinalEnd = endOfOrdinal(text, end);
  if (isLetter(text.charCodeAt(ordinalEnd)) || text.charCodeAt(skipSpaces(text, end)) === PERCENT) return null;
  if (ordinalEnd === end && isAmount(text, figures, scan)) return null;
  const { year, end: yearEnd } = yearAfter(text, ordinalEnd, 0, scan);
  return unitOf(text, figures, [named.start, yearEnd], year, named.month, scan);
}

/** Reads "March 2026", "marzo de 2026", "Mar-2026", "2026年3月12日". */
function monthOfYear(text: string, figures: Figures, scan: UnitScan): Unit | null {
  const year = figures.value(text, 0);
  if (!isYear(year)) return null;
  const start = figures.starts[0]!;
  if (YEAR_CHARACTERS.has(text.charCodeAt(figures.end))) {
    const at = skipSpaces(text, figures.end + 1);
    const end = endOfDigits(text, at);
    return end > at && end - at <= 2 ? countedMonth(text, at, end, year, scan, start) : null;
  }
  if (isLetter(text.charCodeAt(figures.end))) return null;
  const named = monthBefore(text, start, scan.floor, true);
  if (!named || named.isRare) return null;
  const terms = (scan.isQuery ? queryTerms : indexTerms)(year, named.month, 0);
  return { start: named.start, end: figures.end, terms };
}

/** Reads "3月" and "3月12日". The digits of the month are from `at` to `end`. */
function countedMonth(text: string, at: number, end: number, year: number, scan: UnitScan, start = at): Unit | null {
  const character = skipSpaces(text, end);
  const month = numberAt(text, at, end);
  if (!MONTH_CHARACTERS.has(text.charCodeAt(character)) || !isMonth(month)) return null;
  const dayStart = skipSpaces(text, character + 1);
  const dayEnd = endOfDigits(text, dayStart);
  const day = dayEnd - dayStart <= 2 ? numberAt(text, dayStart, dayEnd) : 0;
  const dayCharacter = skipSpaces(text, dayEnd);
  const hasDay = isDay(month, day) && DAY_CHARACTERS.has(text.charCodeAt(dayCharacter));
  const terms = (scan.isQuery ? queryTerms : indexTerms)(year, month, hasDay ? day : 0);
  return { start, end: hasDay ? dayCharacter + 1 : character + 1, terms };
}

/**
 * Returns where the digits at `at` end. Examines at most five, because no number that matters here has more than four.
 */
function endOfDigits(text: string, at: number): number {
  let end = at;
  while (end - at < 5 && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Returns where "th", "er" or "º" after a day ends; `at` itself if there is none. */
function endOfOrdinal(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0xba || code === 0xaa || code === 0xb0) return at + 1;
  if (!isLetter(code)) return at;
  const end = wordEnd(text, at);
  return end - at <= LONGEST_ORDINAL && ORDINALS.has(text.slice(at, end).toLowerCase()) ? end : at;
}

/**
 * Returns where the connector ("of", "de", "d'") at `at` and the spaces after it end; `at` itself if there is none.
 */
function endOfConnector(text: string, at: number): number {
  const end = wordEnd(text, at);
  if (end === at || end - at > LONGEST_CONNECTOR) return at;
  if (end - at === 1 && isApostrophe(text.charCodeAt(end)) && (text.charCodeAt(at) | 0x20) === 0x64) return end + 1;
  return isSpace(text.charCodeAt(end)) && CONNECTORS.has(text.slice(at, end).toLowerCase())
    ? skipSpaces(text, end)
    : at;
}

/** Returns the month after a day that ends at `at`. */
function monthAfter(text: string, at: number, scan: UnitScan): NamedMonth | null {
  const ordinalEnd = endOfOrdinal(text, at);
  let next = ordinalEnd;
  const mark = text.charCodeAt(next);
  if (mark === HYPHEN || mark === SLASH) next++;
  else next = skipSpaces(text, mark === DOT ? next + 1 : next);
  const start = endOfConnector(text, next);
  const named = monthFrom(text, start, wordEnd(text, start));
  if (!named) return null;
  const isPlain = ordinalEnd === at && start === next && mark !== DOT && mark !== HYPHEN && mark !== SLASH;
  return isPlain && !scan.isQuery && isVerb(text, named) ? null : named;
}

/** Returns true for a verb, as in "all 12 may attend". */
function isVerb(text: string, { month, start, end }: NamedMonth): boolean {
  if (month !== MAY || text.slice(start, end) !== "may") return false;
  const next = text.charCodeAt(skipSpaces(text, end));
  return isSpace(text.charCodeAt(end)) && isLetter(next);
}

/** Returns the month before a day or a year that starts at `at`. */
function monthBefore(text: string, at: number, floor: number, isBeforeYear: boolean): NamedMonth | null {
  let end = at;
  const mark = text.charCodeAt(at - 1);
  if (mark === HYPHEN || mark === SLASH) end--;
  else {
    end = skipSpacesBack(text, at, floor);
    if (end === at) return null;
    const start = wordStart(text, end, floor);
    if (end - start <= LONGEST_CONNECTOR && start < end && CONNECTORS.has(text.slice(start, end).toLowerCase())) {
      end = skipSpacesBack(text, start, floor);
    }
    if (isBeforeYear && text.charCodeAt(end - 1) === COMMA) end--;
    if (text.charCodeAt(end - 1) === DOT) end--;
  }
  if (end <= floor) return null;
  const start = wordStart(text, end, floor);
  if (start === end || isDigit(text.charCodeAt(start - 1))) return null;
  return monthFrom(text, start, end);
}

function monthFrom(text: string, start: number, end: number): NamedMonth | null {
  const definition = unitDefinition(text, start, end);
  return definition?.kind === "month" ? { month: definition.month, start, end, isRare: definition.isRare } : null;
}

const yearFigures = new Figures();

/**
 * Returns true for the number in "in March 20 €", but not for that in "on March 20 EUR 500", whose currency belongs to
 * the next number.
 */
function isAmount(text: string, number: Figures, scan: UnitScan): boolean {
  const tried = { ...scan, sharedFrom: -1 };
  return amountBeforeCurrency(text, number, tried) !== null && tried.sharedFrom < 0;
}

/**
 * Returns the year after a day and month that end at `at`: ", 2026", " de 2026", " '26". 0 if there is none.
 * @param joint the mark between day and month, after which a year may have two digits ("12-Mar-26"); 0 for none
 */
function yearAfter(text: string, at: number, joint: number, scan: UnitScan): { year: number; end: number } {
  const none = { year: 0, end: at };
  let start = at;
  const mark = text.charCodeAt(start);
  let mayBeShort = false;
  if (mark === HYPHEN || mark === SLASH) {
    mayBeShort = mark === joint;
    start++;
  } else {
    if (text.charCodeAt(start) === DOT) start++;
    if (text.charCodeAt(start) === COMMA) start++;
    start = endOfConnector(text, skipSpaces(text, start));
    if (isApostrophe(text.charCodeAt(start))) {
      mayBeShort = true;
      start++;
    }
  }
  const end = endOfDigits(text, start);
  if (end === start || isLetter(text.charCodeAt(end)) || isInNumber(text, start, end)) return none;
  const value = numberAt(text, start, end);
  const year = end - start === 4 && isYear(value) ? value : end - start === 2 && mayBeShort ? fullYear(value) : 0;
  if (year === 0) return none;
  yearFigures.read(text, start);
  return isAmount(text, yearFigures, scan) ? none : { year, end };
}

/** Returns whether more of a number or a time follows: "2.000", "20:30"; logs write "12/Mar/2026:10:30:00". */
function isInNumber(text: string, start: number, end: number): boolean {
  const mark = text.charCodeAt(end);
  const isMark = mark === DOT || mark === COMMA || (mark === COLON && end - start < 4);
  return isMark && isDigit(text.charCodeAt(end + 1));
}
