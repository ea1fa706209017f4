const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timezone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  FORMATS.set(timezone, made);
  return made;
}

/** How far a zone's clocks are ahead of UTC at a moment, minutes. @param timezone an IANA name */
export function offsetMinutes(timezone: string, at: number): number {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const get = (type: string) => parts.get(type as Intl.DateTimeFormatPartTypes) ?? 0;
  const local = Date.UTC(get("year"), get("month") - 1, get("day"), get("hour"), get("minute"), get("second"));
  return Math.round((local - Math.floor(at / 1000) * 1000) / 60_000);
}

/** The day, YYYY-MM-DD, that a zone's calendars show at a moment. */
export function localDay(timezone: string, at: number): string {
  return new Date(at + offsetMinutes(timezone, at) * 60_000).toISOString().slice(0, 10);
}

/** When a day begins in a zone, ms. Where midnight is skipped it is the first moment after it. */
export function startOfDay(timezone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetMinutes(timezone, midnight) * 60_000;
  const exact = midnight - offsetMinutes(timezone, guess) * 60_000;
  return localDay(timezone, exact) === day ? exact : Math.max(guess, exact);
}

/** The day `days` after another, YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Days from one to another, YYYY-MM-DD each; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
