import type { Lang } from "./person.ts";
import type { When } from "./types.ts";

/** Times in the sample mail are in the owner's time zone. */
const ZONE = "Europe/Lisbon";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a formatter in Lisbon time. Formatters are cached, because creating one costs more than a hundred uses. */
export function lisbonFormat(lang: Lang, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${lang} ${JSON.stringify(options)}`;
  let made = formatters.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(lang, { timeZone: ZONE, ...options });
    formatters.set(key, made);
  }
  return made;
}

const offsets = new Map<number, number>();

/** Returns the UTC offset of Lisbon at an instant, minutes. Cached per hour, because offsets change on the hour. */
function offsetMinutes(instant: number): number {
  const hour = Math.floor(instant / HOUR_MS);
  let known = offsets.get(hour);
  if (known === undefined) {
    known = readOffset(instant);
    offsets.set(hour, known);
  }
  return known;
}

function readOffset(instant: number): number {
  const parts = lisbonFormat("en-GB", {
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((p) => p.type === type)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return Math.round((local - Math.floor(instant / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

/** Returns the calendar day of an instant in Lisbon, as days since 1970-01-01. */
function localDay(instant: Date): number {
  return Math.floor((instant.getTime() + offsetMinutes(instant.getTime()) * MINUTE_MS) / DAY_MS);
}

/** Returns the instant of `hh:mm` on a day in Lisbon. A time that daylight saving skips becomes one hour later. */
function atClock(day: number, clock: string): Date {
  const local = day * DAY_MS + (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))) * MINUTE_MS;
  const guess = local - offsetMinutes(local) * MINUTE_MS;
  return new Date(local - offsetMinutes(guess) * MINUTE_MS);
}

/**
 * `b` moves a day off a weekend, away from the base: a past day to the Friday before, a future day to the Monday after.
 */
export type Snap = "" | "d" | "b" | keyof typeof WEEKDAYS;

const WEEKDAYS = { sun: 0, mon: 1, tue: 2, wed: 3, thu: 4, fri: 5, sat: 6 };
export const SNAPS = `[db]|${Object.keys(WEEKDAYS).join("|")}`;

/**
 * Returns a time in Lisbon a number of days from `base`. A weekday in `snap` moves it to the first such day on or
 * after.
 */
export function shiftDay(base: Date, days: number, snap: Snap, clock: string): Date {
  let day = localDay(base) + days;
  const weekday = new Date(day * DAY_MS).getUTCDay();
  if (snap === "b") {
    if (weekday === 6) day += days < 0 ? -1 : 2;
    if (weekday === 0) day += days < 0 ? -2 : 1;
  } else if (snap !== "" && snap !== "d") {
    day += (WEEKDAYS[snap] - weekday + 7) % 7;
  }
  return atClock(day, clock);
}

const AGO = /^-(\d+)([mh])$/;
const DAY = new RegExp(`^([+-]\\d+)(${SNAPS}) (\\d\\d:\\d\\d)$`);

export function isWhen(text: string): boolean {
  return AGO.test(text) || DAY.test(text);
}

/** Resolves a source's `When` against the seeding time; throws on text that is none. */
export function resolveWhen(when: When, now: Date): Date {
  const ago = AGO.exec(when);
  if (ago) return new Date(now.getTime() - Number(ago[1]) * (ago[2] === "h" ? 60 : 1) * MINUTE_MS);
  const day = DAY.exec(when);
  if (!day) throw new Error(`not a sandbox time: ${when}`);
  return shiftDay(now, Number(day[1]), day[2] as Snap, day[3]!);
}
