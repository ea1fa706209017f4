import type { Clock } from "../kernel/clock.ts";

/**
 * How long each step of an orderly stop may take, ms: together less than the five seconds from SIGTERM to the end of the process
 * that operations.md promises, also when no server at the other end of a connection answers any more. Whatever does not
 * end in time loses nothing: what was accepted is on the disk, and goes on at the next start.
 */
export const STOP = {
  /** Requests that are running; open streams end at once. */
  requestsMs: 1_000,
  /** Messages that are being handed over, webhooks, the mail worker's batch and the semantic worker's: all at the same time. */
  workMs: 2_000,
  /** What is left then is ended with the process, which on a busy machine takes its time, too. */
  wholeMs: 3_800,
  /** Longest wait for another writer meanwhile: this thread stands still for it. */
  busyMs: 500,
} as const;

/** Resolves when `work` has ended, however it ended, or after `ms`. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}
