/** Cancels a timer; calling it twice is harmless. */
export type CancelTimer = () => void;

/**
 * The only source of time. Everything that needs "now" or a delay takes a Clock, so that tests can turn the hands.
 * Times are milliseconds since the Unix epoch, UTC.
 */
export interface Clock {
  now(): number;
  /** Calls `fn` once after `delay_ms` (0 or more). The timer does not keep the process alive. */
  after(delay_ms: number, fn: () => void): CancelTimer;
}

/** "2026-11-21": the UTC day that daily caps count against (contract, Limits). */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** "2026-11": the UTC month that AI credits count against (decisions, AI). */
export function utcMonth(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** Start of the next UTC day, ms. */
export function nextUtcMidnight(ms: number): number {
  const day_ms = 86_400_000;
  return (Math.floor(ms / day_ms) + 1) * day_ms;
}

/** ISO 8601 UTC, the contract's timestamp form. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
