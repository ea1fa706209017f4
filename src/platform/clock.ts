import type { CancelTimer, Clock } from "../kernel/clock.ts";

/** setTimeout fires at once for delays longer than this (2^31 - 1 ms), so long delays are split into steps. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The system clock. No other code in src/ reads it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS));
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};

/** A clock for tests. It moves only on request, and then fires the due timers in order. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { at: number; fn: () => void }[] = [];

  constructor(start: number | string = "2026-03-02T09:00:00Z") {
    this.#now = typeof start === "number" ? start : Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, fn: () => void): CancelTimer {
    const timer = { at: this.#now + Math.max(0, delayMs), fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves the clock forward and runs every timer that becomes due, each at its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((t) => t !== due);
      this.#now = Math.max(this.#now, due.at);
      due.fn();
    }
    this.#now = end;
  }

  /** Jumps without firing timers, like a change of the wall clock. */
  set(now: number | string): void {
    this.#now = typeof now === "number" ? now : Date.parse(now);
  }
}
