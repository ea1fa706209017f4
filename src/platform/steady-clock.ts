import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { Clock, SteadyClock, SteadyReading } from "../kernel/clock.ts";
import { systemClock } from "./clock.ts";

/** The clocks of the system. A reading takes about 5 µs. */
export const systemSteadyClock: SteadyClock = {
  read: () => ({ monotonic: performance.now(), wall: systemClock.now(), boot: bootMs() }),
};

/**
 * The first number of /proc/uptime is CLOCK_BOOTTIME in hundredths of a second (proc_uptime(5)). Systems without the
 * file, and services that may not read it, have whole seconds.
 */
function bootMs(): number {
  try {
    const seconds = Number.parseFloat(readFileSync("/proc/uptime", "latin1"));
    if (Number.isFinite(seconds)) return seconds * 1_000;
  } catch {
    // Not Linux, or hidden by ProcSubset=pid.
  }
  return uptime() * 1_000;
}

/** Steady clocks for tests. All follow a clock such as ManualClock, until a test disturbs one of them. */
export class ManualSteadyClock implements SteadyClock {
  readonly #shift: SteadyReading = { monotonic: 0, wall: 0, boot: 0 };
  readonly #start: number;

  constructor(private readonly clock: Pick<Clock, "now">) {
    this.#start = clock.now();
  }

  read(): SteadyReading {
    const now = this.clock.now();
    const { monotonic, wall, boot } = this.#shift;
    return { monotonic: now - this.#start + monotonic, wall: now + wall, boot: now - this.#start + boot };
  }

  /** Moves one clock, forward or backward, as setting it or a suspended machine does. */
  shift(clock: keyof SteadyReading, ms: number): void {
    this.#shift[clock] += ms;
  }
}
