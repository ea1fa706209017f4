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
 * Takes a look now, and again every `every_ms`. What it throws (a full disk, a locked database) is logged as `what`, and the
 * next look tries again: a timer whose callback throws would end its thread. @returns stops it
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

/** Does something now or, on a full disk, as soon as there is room; until then it is logged as `what`. @throws what has another reason */
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
