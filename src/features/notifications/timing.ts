import { offsetMinutes } from "../../kernel/local-time.ts";
import { nextRunIn, nextTimeOfDay } from "../../platform/jobs/cron.ts";

/** Hours during which notifications wait. */
export interface QuietHours {
  quiet: boolean;
  /** HH:MM in the time zone of the person. */
  quiet_start: string;
  quiet_end: string;
}

/** When notifications are joined into one message. */
export interface Digest {
  digest: "off" | "hours" | "daily";
  digest_hours: number;
  /** HH:MM in the time zone of the person. */
  digest_at: string;
}

/** Divisors of 24, so that every day has its digests at the same hours. */
export const DIGEST_HOURS = [1, 2, 3, 4, 6, 8, 12] as const;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** A clock change moves the clocks by less than this. */
const LONGEST_SHIFT_MINUTES = 180;

function minuteOf(time: string): number {
  const [hour, minute] = time.split(":").map(Number);
  return hour! * 60 + minute!;
}

/** Returns the minute of the day that the clocks of a zone show. */
function localMinute(timezone: string, at: number): number {
  const minute = Math.floor(at / MINUTE_MS) + offsetMinutes(timezone, at);
  return ((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}

/** Returns whether a moment is within the quiet hours. They can include midnight. The end is not quiet. */
export function isQuiet({ quiet, quiet_start, quiet_end }: QuietHours, timezone: string, at: number): boolean {
  if (!quiet) return false;
  const [start, end, now] = [minuteOf(quiet_start), minuteOf(quiet_end), localMinute(timezone, at)];
  return start < end ? now >= start && now < end : now >= start || now < end;
}

/**
 * Returns when the quiet hours that include a moment end, ms. If a clock change skips the end, that is the first moment
 * after it.
 */
function quietEnd(hours: QuietHours, timezone: string, at: number): number {
  const from = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const left = (minuteOf(hours.quiet_end) - localMinute(timezone, at) + DAY_MINUTES) % DAY_MINUTES;
  const guess = from + left * MINUTE_MS;
  const shift = offsetMinutes(timezone, guess) - offsetMinutes(timezone, from);
  let end = Math.max(from + MINUTE_MS, guess - shift * MINUTE_MS);
  for (let i = 0; i < LONGEST_SHIFT_MINUTES && isQuiet(hours, timezone, end); i++) end += MINUTE_MS;
  return end;
}

/**
 * Returns the time from which a notification can be sent, ms; `now` or earlier: it is due.
 * @param at when it was noticed
 * @param urgent whether it waits neither for a digest nor for the end of quiet hours
 */
export function releaseAt(
  { at, urgent }: { at: number; urgent: boolean },
  { digest, quiet, timezone }: { digest: Digest; quiet: QuietHours; timezone: string },
  now: number,
): number {
  if (urgent) return at;
  const joined = Math.max(digestAfter(digest, timezone, at), now);
  return isQuiet(quiet, timezone, joined) ? quietEnd(quiet, timezone, joined) : joined;
}

/** Returns when the digest that includes a moment is sent, ms. */
function digestAfter({ digest, digest_hours, digest_at }: Digest, timezone: string, at: number): number {
  if (digest === "off") return at;
  if (digest === "daily") return nextTimeOfDay(digest_at, timezone, at);
  return nextRunIn(timezone, `0 */${digest_hours} * * *`, at);
}
