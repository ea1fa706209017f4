/** Index terms of days, months and years, and the limits of valid dates. */

const TWO_DIGITS = Array.from({ length: 32 }, (_, value) => String(value).padStart(2, "0"));
const two = (value: number) => TWO_DIGITS[value]!;
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MONTH_TERMS = MONTH_DAYS.map((_, i) => `@m${two(i + 1)}`);
/** Indexed by month times 32 plus day. */
const DAY_TERMS = Array.from({ length: 13 * 32 }, (_, i) => `@${two(i >> 5)}${two(i & 31)}`);
const FIRST_YEAR = 1900;
const LAST_YEAR = 2099;

/** Returns whether a number of four digits is a plausible year, 1900 to 2099. */
export function isYear(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/**
 * Returns the full year for two digits, 1970 to 2049; 0 for other numbers, which are more likely parts of a phone
 * number.
 */
export function fullYear(twoDigits: number): number {
  if (twoDigits < 50) return 2000 + twoDigits;
  return twoDigits >= 70 ? 1900 + twoDigits : 0;
}

/** Returns whether a number is a month, 1 to 12. */
export function isMonth(month: number): boolean {
  return month >= 1 && month <= 12;
}

/** Returns whether a month can have this day; 29 February is always valid. */
export function isDay(month: number, day: number): boolean {
  return isMonth(month) && day >= 1 && day <= MONTH_DAYS[month - 1]!;
}

/**
 * Returns the terms under which a date is indexed.
 * @param year 0 if unknown
 * @param day 0 for a whole month
 */
export function indexTerms(year: number, month: number, day: number): string[] {
  const terms = day === 0 ? [MONTH_TERMS[month - 1]!] : [DAY_TERMS[(month << 5) | day]!, MONTH_TERMS[month - 1]!];
  if (year === 0) return terms;
  terms.push(`@${year}-${two(month)}`);
  if (day > 0) terms.push(`@${year}-${two(month)}-${two(day)}`);
  return terms;
}

/**
 * Returns the terms that a query for a date searches for, the most exact first. A day with a year is also searched for
 * without the year, because mail often leaves it out.
 */
export function queryTerms(year: number, month: number, day: number): string[] {
  if (day === 0) return [year === 0 ? MONTH_TERMS[month - 1]! : `@${year}-${two(month)}`];
  const ofAnyYear = DAY_TERMS[(month << 5) | day]!;
  return year === 0 ? [ofAnyYear] : [`@${year}-${two(month)}-${two(day)}`, ofAnyYear];
}
