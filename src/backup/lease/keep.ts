import type { Clock } from "../../kernel/clock.ts";
import { LeaseFault } from "./faults.ts";
import type { Lease } from "./lease.ts";
import { pause } from "./pause.ts";
import type { AcquireOptions } from "./takeover.ts";
import { RENEW_MS } from "./timing.ts";

export interface KeepOptions {
  lease: Lease;
  clock: Clock;
  /** How to take the lease for the first time. */
  acquire?: Omit<AcquireOptions, "signal">;
  /** Pause between renewals, ms: by default 10 s; 60 s is enough in the mode "alone". */
  renewMs?: number;
  /** Called each time the lease was taken: start everything that acts. */
  gained(): void;
  /** Called for each attempt that failed. */
  failed(error: unknown): void;
}

const CHECK_MS = 1_000;
/** Pause after a renewal that failed, as a share of the pause between renewals. */
const RETRY_SHARE = 0.2;
/** Pause after a failure that needs a person. */
const REFUSED_MS = 10_000;

/**
 * Takes the lease, checks it every second, renews it in time, and takes it again after a loss, until the signal aborts.
 * Renewals of the change log count. `Lease.onLost` reports a loss. It ends after `Lease.release`, too.
 * @throws LeaseFault superseded, alone, active: only a person can resolve these
 */
export async function keepLease(options: KeepOptions, signal: AbortSignal): Promise<void> {
  const { lease, clock, gained, failed } = options;
  let how = options.acquire ?? {};
  const stopChecks = everySecond(clock, () => lease.check());
  try {
    while (!signal.aborted) {
      try {
        await lease.acquire({ ...how, signal });
        how = {};
      } catch (error) {
        if (signal.aborted || lease.loss?.reason === "released") return;
        if (error instanceof LeaseFault && ["superseded", "alone", "active"].includes(error.reason)) throw error;
        failed(error);
        await pause(clock, REFUSED_MS, signal);
        continue;
      }
      gained();
      await renewWhileHeld(options, signal);
      if (lease.loss?.reason === "released") return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stopChecks();
  }
}

async function renewWhileHeld({ lease, clock, renewMs = RENEW_MS, failed }: KeepOptions, signal: AbortSignal) {
  while (lease.held) {
    const dueMs = renewMs - (lease.sinceRenewalMs ?? 0);
    if (dueMs >= 1) {
      await pause(clock, Math.min(dueMs, CHECK_MS), signal);
      continue;
    }
    try {
      await lease.renew();
    } catch (error) {
      failed(error);
      if (lease.held) await pause(clock, renewMs * RETRY_SHARE, signal);
    }
  }
}

/** A renewal that hangs must not delay the end of the lease. */
function everySecond(clock: Clock, check: () => void): () => void {
  let cancel = () => {};
  const run = () => {
    check();
    cancel = clock.after(CHECK_MS, run);
  };
  run();
  return () => cancel();
}
