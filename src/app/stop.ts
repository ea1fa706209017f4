import type { Clock } from "../kernel/clock.ts";

/**
 * Time limits for the steps of an orderly stop, ms. Together they stay below the five seconds from SIGTERM to process
 * exit that operations.md promises, even when the other end of a connection no longer answers. Work that does not
 * finish in time is not lost: everything accepted is on disk and resumes at the next start.
 */
export const STOP_LIMITS = {
  /** Running requests. Open streams end immediately. */
  requestsMs: 1_000,
  /** Messages being submitted, webhooks, the mail worker's batch and the semantic worker's batch, all in parallel. */
  workMs: 2_000,
  /** Everything left is ended with the process, which takes its own time on a busy machine. */
  wholeMs: 3_800,
  /** Longest wait for another database writer during the stop. This thread is blocked for that time. */
  busyMs: 500,
} as const;

/** Resolves when `work` has settled, or after `ms`. */
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
