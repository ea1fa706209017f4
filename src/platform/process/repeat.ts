import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { isDiskFull } from "../disk-full.ts";
import { errorFields, type Log } from "../log.ts";

interface Parts {
  clock: Clock;
  log: Log;
}

/** Interval of retries while the disk is full. */
const SPACE_RETRY_MS = 5_000;

/**
 * Calls `task` immediately, then every `everyMs`. Errors, such as a full disk, are logged as `what`, and the next run
 * retries. An error thrown in a timer would end the thread. @returns a function that stops it
 */
export function repeatedly({ clock, log }: Parts, everyMs: number, what: string, task: () => void): CancelTimer {
  let cancel: CancelTimer = () => {};
  let stopped = false;
  const run = () => {
    try {
      task();
    } catch (error) {
      log.warn(what, errorFields(error));
    }
    if (!stopped) cancel = clock.after(everyMs, run);
  };
  run();
  return () => {
    stopped = true;
    cancel();
  };
}

/**
 * Calls `act` immediately or, on a full disk, as soon as there is space. Until then, failures are logged as `what`.
 * @throws any other error of the first call
 */
export function whenDiskSpaceIsFree({ clock, log }: Parts, what: string, act: () => void): void {
  const wait = (error: unknown) => {
    log.warn(what, errorFields(error));
    clock.after(SPACE_RETRY_MS, () => {
      try {
        act();
      } catch (again) {
        wait(again);
      }
    });
  };
  try {
    act();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    wait(error);
  }
}
