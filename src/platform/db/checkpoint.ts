import type { CancelTimer } from "../../kernel/clock.ts";
import { errorFields } from "../log.ts";
import type { Platform } from "../platform.ts";

const EVERY_MS = 1_000;
/** Less than the size at which a commit itself checkpoints (`CHECKPOINT_PAGES`), on any thread that commits. */
const WAITING_PAGES = 2_000;

interface LogState {
  log: number;
  checkpointed: number;
}

/**
 * Moves the write-ahead log into the database from the calling background thread. Otherwise a commit of the thread that
 * serves requests has to, which takes a tenth of a second or more. PASSIVE blocks neither readers nor writers.
 * @returns a function that stops it
 */
export function startCheckpoints({ db, clock, log }: Pick<Platform, "db" | "clock" | "log">): () => void {
  let cancel: CancelTimer = () => {};
  const run = () => {
    try {
      // NOOP only reports how much is waiting.
      const state = db.sql.query<LogState, []>("PRAGMA wal_checkpoint(NOOP)").get();
      if (state && state.log - state.checkpointed >= WAITING_PAGES)
        db.sql.query("PRAGMA wal_checkpoint(PASSIVE)").get();
    } catch (error) {
      log.warn("the write-ahead log could not be moved into the database", errorFields(error));
    }
    cancel = clock.after(EVERY_MS, run);
  };
  cancel = clock.after(EVERY_MS, run);
  return () => cancel();
}
