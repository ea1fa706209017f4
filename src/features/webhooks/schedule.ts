const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after a failed attempt the next one is made; the first is made at once (docs/webhooks.md, "Retries"). */
export const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** An endpoint that fails without a break for so long is disabled (docs/webhooks.md, "Disabled endpoints"). */
export const DISABLE_AFTER_MS = 72 * HOUR_MS;

/** Waits are lengthened by up to this share, so that what failed together does not come back together. */
const JITTER = 0.1;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * How long to wait after a failed attempt, ms; null when that was the last one. A receiver can ask for more time, never
 * for less: attempts are few, and hurrying would use them up.
 * @param step how many waits are behind it
 * @param retry_after_ms what the receiver asked for
 * @param random 0–1
 */
export function waitAfter(step: number, retryAfterMs: number | null, random: number): number | null {
  const waitMs = WAITS_MS[step];
  if (waitMs === undefined) return null;
  return Math.max(Math.round(waitMs * (1 + JITTER * random)), retryAfterMs ?? 0);
}

/** Statuses whose `Retry-After` is honoured. */
const ASKS_FOR_TIME = new Set([429, 503]);

/** The time that a 429 or 503 asks for in `Retry-After` (RFC 9110, 10.2.3: seconds or a date), at most a day, ms. */
export function askedWait(status: number, retryAfter: string | undefined, nowMs: number): number | null {
  if (!ASKS_FOR_TIME.has(status) || retryAfter === undefined) return null;
  const text = retryAfter.trim();
  const waitMs = /^\d{1,10}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, waitMs), LONGEST_RETRY_AFTER_MS);
}

/** What a status means: any 2xx is success, 410 that nobody will ever listen there again. Redirects are not followed. */
export function meaningOf(status: number): "delivered" | "gone" | "failed" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "failed";
}

/** Where a delivery stands after an attempt. */
export interface NextState {
  status: "pending" | "delivered" | "failed";
  step: number;
  next_attempt_at: number | null;
}

/**
 * What becomes of a delivery after an attempt.
 * @param comes_back its endpoint is about to be disabled: then it keeps waiting, for the day that the endpoint is active
 * again, even after its last attempt
 */
export function afterAttempt(
  step: number,
  result: { outcome: "delivered" | "gone" | "failed"; ended_at: number; askedWaitMs: number | null },
  random: number,
  comesBack: boolean,
): NextState {
  if (result.outcome === "delivered") return { status: "delivered", step, next_attempt_at: null };
  const waitMs = waitAfter(step, result.askedWaitMs, random);
  if (waitMs === null && !comesBack) return { status: "failed", step, next_attempt_at: null };
  const longestMs = WAITS_MS[WAITS_MS.length - 1]!;
  return {
    status: "pending",
    step: Math.min(step + 1, WAITS_MS.length),
    next_attempt_at: result.ended_at + (waitMs ?? longestMs),
  };
}
