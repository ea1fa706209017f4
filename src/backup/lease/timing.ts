import type { SteadyReading } from "../../kernel/clock.ts";

/*
 * Why two machines never act at the same time.
 *
 * A holder sends a renewal at the moment s and acts until s + ACT on its clock. The store has the renewal at s or later.
 * Another machine first sees this version of the object after that, waits WAIT on its clock, and sends a write that the
 * store accepts only if the version is unchanged. It acts after the answer. If a clock is wrong by the factor r, the
 * holder ends at the latest at s + ACT / (1 - r), and the other begins at the earliest at s + WAIT / (1 + r):
 *
 *   ACT = 20 s, WAIT = 30 s:           safe up to r = 20 % (20 / 0.8 = 25 = 30 / 1.2)
 *   with STOP = 5 s to end everything: safe up to r =  9 % (25 / 0.91 = 27.5 = 30 / 1.09)
 *
 * The quartz of a computer is wrong by less than 0.02 %. The margin is for virtual machines whose clocks are corrected.
 */

/** How long a holder acts after it has sent a renewal that the store accepted, ms. */
export const ACT_MS = 20_000;
/** How long another machine must see the same version of the object before it takes over, ms. */
export const WAIT_MS = 30_000;
/** Pause between renewals, ms. One of two may fail without consequence. */
export const RENEW_MS = 10_000;
/** Within this time after the end, everything that acts must have stopped, ms. */
export const STOP_MS = 5_000;
/** Pause between two looks at the object, or before another attempt, ms. */
export const POLL_MS = 2_000;

/** A moment on the clocks of this machine. It has passed as soon as one of the clocks has reached it. */
export type Deadline = SteadyReading;

/** Returns the moment that is `ms` after a reading. */
export function after({ monotonic, wall, boot }: SteadyReading, ms: number): Deadline {
  return { monotonic: monotonic + ms, wall: wall + ms, boot: boot + ms };
}

/** Returns whether any clock says that it is too late: a machine that slept notices it by at least one of them. */
export function hasPassed(deadline: Deadline, now: SteadyReading): boolean {
  return now.monotonic >= deadline.monotonic || now.wall >= deadline.wall || now.boot >= deadline.boot;
}

/**
 * Measures a time that must really have passed. It adds up the steps between looks, each by the clock that moved least,
 * so a clock that jumps forward does not shorten the wait. One that jumps backward lengthens it by one step only.
 */
export class Wait {
  #elapsedMs = 0;
  #last: SteadyReading;

  constructor(start: SteadyReading) {
    this.#last = start;
  }

  /** @returns ms since the start, never more than really passed */
  elapsedMs(now: SteadyReading): number {
    const { monotonic, wall, boot } = this.#last;
    this.#elapsedMs += Math.max(0, Math.min(now.monotonic - monotonic, now.wall - wall, now.boot - boot));
    this.#last = now;
    return this.#elapsedMs;
  }
}
