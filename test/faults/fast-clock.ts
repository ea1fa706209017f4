import type { Clock } from "../../src/kernel/clock.ts";

/** Waits shorter than this would only spin. */
const SHORTEST_MS = 4;

/**
 * Creates a clock that runs `speed` times as fast from `epoch_ms` on, identical in every process with the same values:
 * an hour's wait in the program takes seconds in the test.
 */
export function fastClock(epoch_ms: number, speed: number): Clock {
  return {
    now: () => Math.floor(epoch_ms + (Date.now() - epoch_ms) * speed),
    after(delayMs, fn) {
      const timer = setTimeout(fn, Math.max(SHORTEST_MS, delayMs / speed));
      return () => clearTimeout(timer);
    },
  };
}
