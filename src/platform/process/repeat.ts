import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { isDiskFull } from "../disk-full.ts";
import { errorFields, type Log } from "../log.ts";

interface Parts {
  clock: Clock;
  log: Log;
}

/** How soon what a full disk prevented is tried again. */
const SPACE_RETRY_MS = 5_000;

/**
 * Calls `look` now, and again every `everyMs`. Errors (a full disk, a locked database) are logged as `what`, and the
 * next run tries again: a timer whose callback throws would end its thread. @returns a function that stops it
 */
export function repeatedly({ clock, log }: Parts, everyMs: number, what: string, look: () => void): CancelTimer {
  let cancel: CancelTimer = () => {};
  let stopped = false;
  const run = () => {
    try {
      look();
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
 * Calls `act` now or, on a full disk, as soon as there is space; until then the failure is logged as `what`. @throws
 * every other error
 */
export function onceDiskSpaceIsFree({ clock, log }: Parts, what: string, act: () => void): void {
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
