const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each retry; the first attempt is immediate (docs/webhooks.md, "Retries"). */
export const RETRY_DELAYS_MS: readonly number[] = [
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

/** An endpoint that fails for this long without a success is disabled (docs/webhooks.md, "Disabled endpoints"). */
export const DISABLE_AFTER_MS = 72 * HOUR_MS;

/** Waits are lengthened by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Returns how long to wait after a failed attempt, ms; null after the last one. A receiver can lengthen the wait but
 * not shorten it, because the few attempts would otherwise be used up quickly.
 * @param step number of completed waits
 * @param retryAfterMs the wait that the receiver asked for
 * @param random 0–1
 */
export function retryDelay(step: number, retryAfterMs: number | null, random: number): number | null {
  const waitMs = RETRY_DELAYS_MS[step];
  if (waitMs === undefined) return null;
  return Math.max(Math.round(waitMs * (1 + JITTER * random)), retryAfterMs ?? 0);
}

/**
 * Returns the meaning of a status: any 2xx is success, 410 means that the receiver is permanently gone. Redirects are
 * not followed.
 */
export function outcomeOf(status: number): "delivered" | "gone" | "failed" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "failed";
}

/** The state of a delivery after an attempt. */
export interface NextState {
  status: "pending" | "delivered" | "failed";
  step: number;
  next_attempt_at: number | null;
}

/**
 * Returns the state of a delivery after an attempt.
 * @param endpointDisabled its endpoint is about to be disabled: then the delivery stays pending even after its last attempt,
 * until the endpoint is active again
 */
export function nextState(
  step: number,
  result: { outcome: "delivered" | "gone" | "failed"; ended_at: number; askedWaitMs: number | null },
  random: number,
  endpointDisabled: boolean,
): NextState {
  if (result.outcome === "delivered") return { status: "delivered", step, next_attempt_at: null };
  const waitMs = retryDelay(step, result.askedWaitMs, random);
  if (waitMs === null && !endpointDisabled) return { status: "failed", step, next_attempt_at: null };
  const longestMs = RETRY_DELAYS_MS[RETRY_DELAYS_MS.length - 1]!;
  return {
    status: "pending",
    step: Math.min(step + 1, RETRY_DELAYS_MS.length),
    next_attempt_at: result.ended_at + (waitMs ?? longestMs),
  };
}
