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

/** Returns how far a zone's clocks are ahead of UTC at a moment, in minutes. @param timezone an IANA name */
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

/** Returns the calendar day, YYYY-MM-DD, in a zone at a moment. */
export function localDay(timezone: string, at: number): string {
  return new Date(at + offsetMinutes(timezone, at) * 60_000).toISOString().slice(0, 10);
}

/** Returns when a day starts in a zone, ms. If a clock change skips midnight, that is the first moment after it. */
export function startOfDay(timezone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetMinutes(timezone, midnight) * 60_000;
  const exact = midnight - offsetMinutes(timezone, guess) * 60_000;
  return localDay(timezone, exact) === day ? exact : Math.max(guess, exact);
}

/** Returns the day `days` days after another, YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the number of days between two days, YYYY-MM-DD each; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
