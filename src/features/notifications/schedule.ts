const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Mail waits this long for further mail, so that many messages become one notification. */
export const GATHER_MAIL_MS = MINUTE_MS;
/** Other kinds wait only for what belongs together. */
export const GATHER_MS = 3 * SECOND_MS;
/** A target gets at most one message in this time. */
const MIN_GAP_MS = MINUTE_MS;

/** The wait after each failed attempt in a row; the last one repeats (docs/notifications.md, "Retries"). */
const RETRY_DELAYS_MS: readonly number[] = [
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];
const LONGEST_WAIT_MS = 24 * HOUR_MS;

/** A target that a server refuses is failing after this many attempts. */
const REFUSED_ATTEMPTS = 3;
/** Any other target is failing after a day and this many attempts, so that a machine that slept does not count. */
const FAILING_ATTEMPTS = 8;
const FAILING_AFTER_MS = 24 * HOUR_MS;

/** Returns the wait after a failed attempt, ms. @param failures failed attempts in a row, from 1 */
export function retryDelay(failures: number, askedWaitMs: number | null): number {
  const waitMs = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length) - 1]!;
  return Math.max(waitMs, askedWaitMs ?? 0);
}

/** Returns whether a target with this streak of failures needs its person. */
export function isFailing(streak: { failures: number; since: number; refused: boolean }, now: number): boolean {
  if (streak.refused && streak.failures >= REFUSED_ATTEMPTS) return true;
  return streak.failures >= FAILING_ATTEMPTS && now - streak.since >= FAILING_AFTER_MS;
}

/**
 * Returns when the next attempt may start, ms. A time far in the future is from a clock that was set back since, and
 * does not count.
 */
export function earliestAttempt(
  { retry_at, sent_at }: { retry_at: number | null; sent_at: number | null },
  now: number,
): number {
  const retry = retry_at !== null && retry_at <= now + LONGEST_WAIT_MS ? retry_at : now;
  const gap = sent_at !== null && sent_at <= now ? sent_at + MIN_GAP_MS : now;
  return Math.max(retry, gap, now);
}
