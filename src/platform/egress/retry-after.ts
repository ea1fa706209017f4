const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;

/** Statuses whose `Retry-After` is respected. */
const ASKS_FOR_TIME = new Set([429, 503]);

/**
 * Returns the wait that a 429 or 503 asks for in `Retry-After` (RFC 9110, 10.2.3: seconds or a date), at most a day,
 * ms.
 */
export function retryAfterDelay(status: number, retryAfter: string | undefined, nowMs: number): number | null {
  if (!ASKS_FOR_TIME.has(status) || retryAfter === undefined) return null;
  const text = retryAfter.trim();
  const waitMs = /^\d{1,10}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, waitMs), LONGEST_RETRY_AFTER_MS);
}
