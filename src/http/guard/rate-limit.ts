import type { Clock } from "../../kernel/clock.ts";

const WINDOW_MS = 60_000;
/** With more clients than this within a minute, the oldest windows are dropped early. About 3 MB. */
const MAX_WINDOWS = 20_000;

/** State of a bucket. `resetAt` is when its window ends, ms. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  resetAt: number;
}

interface Window {
  start: number;
  used: number;
}

/**
 * Limits requests per minute for many names (keys, users or addresses), in memory. A window starts with the first
 * request and lasts 60 s, so that exactly `limit` requests pass within it.
 */
export class RateLimiter {
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly clock: Clock,
    private readonly limit: number,
    private readonly maxWindows = MAX_WINDOWS,
  ) {}

  /** Returns the state of a bucket. @param limit for this name, if it is not the limiter's own */
  state(name: string, limit = this.limit): RateLimitState {
    const window = this.#live(name);
    const now = this.clock.now();
    if (!window) return { limit, remaining: limit, resetAt: now + WINDOW_MS };
    return { limit, remaining: limit - window.used, resetAt: window.start + WINDOW_MS };
  }

  /** Counts one request. Check `state` first: a refused request is not counted. */
  take(name: string): void {
    const window = this.#live(name);
    if (window) {
      window.used++;
      return;
    }
    this.#windows.delete(name); // keeps the map in the order of the windows' starts
    this.#makeSpace();
    this.#windows.set(name, { start: this.clock.now(), used: 1 });
  }

  get size(): number {
    return this.#windows.size;
  }

  #live(name: string): Window | null {
    const window = this.#windows.get(name);
    return window && this.#isLive(window) ? window : null;
  }

  /**
   * Returns whether a window still runs. Setting the wall clock back also ends it; otherwise clients would be locked
   * out until the old time is reached again.
   */
  #isLive(window: Window): boolean {
    const age = this.clock.now() - window.start;
    return age >= 0 && age < WINDOW_MS;
  }

  #makeSpace(): void {
    for (const [name, window] of this.#windows) {
      if (this.#isLive(window) && this.#windows.size < this.maxWindows) return;
      this.#windows.delete(name);
    }
  }
}

/** Returns the bucket with the least left: the one that `X-RateLimit-*` describe. */
export function tightest(states: readonly RateLimitState[]): RateLimitState {
  return states.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.resetAt > a.resetAt) ? b : a,
  );
}
