/** Cancels a timer. Safe to call more than once. */
export type CancelTimer = () => void;

/**
 * The only source of time. Everything that needs "now" or a delay takes a Clock, so that tests can control time. Times
 * are milliseconds since the Unix epoch, UTC.
 */
export interface Clock {
  now(): number;
  /** Calls `fn` once after `delayMs` (0 or more). The timer does not keep the process alive. */
  after(delayMs: number, fn: () => void): CancelTimer;
}

/** One reading of every clock of this machine, ms. Only differences between two readings have a meaning. */
export interface SteadyReading {
  /** Since the thread started. No one can set this clock. Many systems stop it while the machine sleeps. */
  monotonic: number;
  /** Since the Unix epoch. It jumps when someone sets the clock. */
  wall: number;
  /** Since the machine started, with the time in which it slept. The same in all threads and processes. */
  boot: number;
}

/**
 * All clocks of the machine at once, for decisions that must hold although a clock is set, a laptop sleeps or a
 * virtual machine is paused. The caller chooses the clock that is on the safe side: the one that moved most for "too
 * late", the one that moved least for "long enough".
 */
export interface SteadyClock {
  read(): SteadyReading;
}

/** Returns the UTC day, "2026-11-21", that daily limits apply to (docs/api.md, "Plans and daily quotas"). */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns the UTC month, "2026-11", that AI credits are counted in (docs/ai.md, "Credits"). */
export function utcMonth(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** Returns the start of the next UTC day, ms. */
export function nextUtcMidnight(ms: number): number {
  const dayMs = 86_400_000;
  return (Math.floor(ms / dayMs) + 1) * dayMs;
}

/** Returns a time in ISO 8601 format, UTC, as in the API. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

const LATEST_MS = 8.64e15;

/**
 * Returns `value` with every time in it as ISO 8601: each number (ms) under a name such as `undo_until`, at any depth.
 */
export function withIsoTimes(value: unknown, name = ""): unknown {
  if (typeof value === "number") return isTime(name, value) ? isoTime(value) : value;
  if (Array.isArray(value)) return value.map((item) => withIsoTimes(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withIsoTimes(child, key)]));
}

/**
 * Distinguishes event times from text positions: small numbers named `start` and `end` are positions, because events
 * are dated after 1973.
 */
function isTime(name: string, value: number): boolean {
  if (Math.abs(value) > LATEST_MS) return false;
  return /(^|_)(at|until|date|due)$/.test(name) || (/(^|_)(start|end)$/.test(name) && value > 1e11);
}
