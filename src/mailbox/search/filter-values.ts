/** Values of filters as people type them. Each function returns null for a value that it cannot parse. */

const DAY_MS = 86_400_000;
const UNITS_MS: Record<string, number> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS, m: 30 * DAY_MS, y: 365 * DAY_MS };
const LONGEST_PERIOD_MS = 1_000 * 365 * DAY_MS;
const MONTHS = 12;

/** 2026-11-20, 2026/11/20, 2026.11.20 */
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
/** 11/20/2026, 20/11/2026 */
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
/** 20.11.2026 */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const TIME = /^\d{4}-\d{2}-\d{2}T/;

/**
 * Returns the start of a day in UTC, or an ISO 8601 time; ms. With slashes the month is first, as in Gmail, unless the
 * first number cannot be a month. With dots the day is first.
 */
export function timeOf(value: string): number | null {
  const [, year, month, day] = YEAR_FIRST.exec(value) ?? [];
  if (year !== undefined) return dayOf(year, month!, day!);
  const [, first, second, slashedYear] = SLASHED.exec(value) ?? [];
  if (slashedYear !== undefined) {
    return Number(first) > MONTHS ? dayOf(slashedYear, second!, first!) : dayOf(slashedYear, first!, second!);
  }
  const dotted = DOTTED.exec(value);
  if (dotted) return dayOf(dotted[3]!, dotted[2]!, dotted[1]!);
  const time = value.toUpperCase();
  const at = TIME.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Returns null for a day that does not exist. */
function dayOf(year: string, month: string, day: string): number | null {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, iso.length) !== iso ? null : at;
}

/** Parses a number with h, d, w, m or y; ms. */
export function periodOf(value: string): number | null {
  const [, count, unit] = /^(\d{1,6})([hdwmy])$/i.exec(value) ?? [];
  const period = Number(count) * (UNITS_MS[unit?.toLowerCase() ?? ""] ?? Number.NaN);
  return period <= LONGEST_PERIOD_MS ? period : null;
}

/**
 * Parses a number of bytes, optionally with k, m or g (each 1024 times the previous unit) and "b" or "ib": 10M, 1.5 MB,
 * 200kib.
 */
export function bytesOf(value: string): number | null {
  const [, count, unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?)\s?([kmg]?)(?:i?b|bytes)?$/i.exec(value) ?? [];
  const bytes = Math.round(Number(count) * 1024 ** ["", "k", "m", "g"].indexOf(unit.toLowerCase()));
  return bytes <= Number.MAX_SAFE_INTEGER ? bytes : null;
}

/** Returns a Message-ID without its angle brackets. */
export function messageIdOf(value: string): string | null {
  return /^<?([^\s<>]+)>?$/.exec(value)?.[1] ?? null;
}
