/** Returns how far a time zone is ahead of UTC at an instant, ms. */
function offsetMs(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(instant / 1000) * 1000;
}

/**
 * Returns a time of n8n as the API expects it, in UTC: "2026-12-01T08:00:00.000Z". n8n's date picker gives local times
 * without a zone; expressions give ISO texts, dates and Luxon's DateTime.
 * @param timeZone the time zone of the workflow, for times without a zone: "Europe/Berlin"
 * @throws TypeError for anything that is not a time
 */
export function toInstant(value: unknown, timeZone: string): string {
  const text = value instanceof Date || isDateTime(value) ? new Date(value.valueOf() as number).toISOString() : value;
  const iso = typeof text === "string" ? text.trim().replace(/^(\d{4}-\d\d-\d\d) /, "$1T") : "";
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(iso);
  const parsed = Date.parse(zoned ? iso : `${iso.includes("T") ? iso : `${iso}T00:00:00`}Z`);
  if (!/^\d{4}-\d\d-\d\d/.test(iso) || Number.isNaN(parsed)) {
    throw new TypeError(`"${String(value)}" is not a time. Use a time such as 2026-12-01T08:00:00.`);
  }
  if (zoned) return new Date(parsed).toISOString();
  // The offset at the guessed instant can differ from that of the result around a change of the clocks.
  const guess = parsed - offsetMs(parsed, timeZone);
  return new Date(parsed - offsetMs(guess, timeZone)).toISOString();
}

function isDateTime(value: unknown): value is { valueOf(): unknown } {
  return typeof value === "object" && value !== null && typeof value.valueOf() === "number";
}
