import { session } from "../../state/session.ts";

/** Days are strings in the form YYYY-MM-DD, counted in the time zone of the user, as in the brief. */

const DAY_MS = 86_400_000;

/** Returns the time zone of the signed-in user. */
export function timezone(): string {
  return session.value?.user?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the user's day at a time, ms. */
export function dayAt(at: number): string {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: timezone(),
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

/** Returns today in the user's time zone. */
export function today(): string {
  return dayAt(Date.now());
}

const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" });
const DAY_AND_MONTH = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** Returns a day relative to today: "today", "yesterday", "on Friday", "on 14 April". */
export function dayInWords(day: string, now: string): string {
  const date = Date.parse(`${day}T00:00:00Z`);
  const away = Math.round((date - Date.parse(`${now}T00:00:00Z`)) / DAY_MS);
  if (away === 0) return "today";
  if (away === 1) return "tomorrow";
  if (away === -1) return "yesterday";
  if (away > 1 && away < 7) return `on ${WEEKDAY.format(date)}`;
  if (away < 0 && away > -14) return `${-away} days ago`;
  return `on ${DAY_AND_MONTH.format(date)}`;
}
