import type { Clock } from "../../kernel/clock.ts";

/** How often a request to a store is sent before its fault is reported. */
export const ATTEMPTS = 6;
export const FIRST_PAUSE_MS = 500;
export const LONGEST_PAUSE_MS = 20_000;

/** Returns the pause after an attempt: growing, and random within it, so that clients do not repeat together. */
export function pauseAfter(attempt: number, firstMs: number): number {
  return Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** Waits. Rejects with the reason of the signal. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
