import type { Platform } from "../platform.ts";
import { ScrubConnection } from "./scrub.ts";

/** Exists while pages are being overwritten. */
const SCRATCH = "free_page_filler";
/**
 * 256 MB: after a large removal, not all free space is rewritten each day. SQLite reuses the most recently freed pages
 * first.
 */
const MAX_PAGES = 65_536;
/**
 * Other threads read for milliseconds, and a `PageTracker` moves on every second. A longer read keeps the log until the
 * next call.
 */
const MAX_TRIES = 50;
const WAIT_MS = 100;

/**
 * Overwrites the free pages of the database, which contain sealed values of deleted data, and empties the write-ahead
 * log. A transaction writes about 256 KB. A kill at any moment leaves a table that the next call removes. Must not be
 * called within a transaction.
 * @param rest awaited between transactions
 * @returns whether the log was emptied; false while another connection reads an older state
 */
export async function overwriteFreePages(
  { config, clock }: Pick<Platform, "config" | "clock">,
  rest: () => Promise<void>,
): Promise<boolean> {
  const scrub = new ScrubConnection(config.data_dir);
  try {
    scrub.write(() => scrub.run(`CREATE TABLE IF NOT EXISTS ${SCRATCH} (n INTEGER PRIMARY KEY, filler BLOB)`));
    // Pages that others free during the call are left for the next one.
    for (let left = Math.min(MAX_PAGES, scrub.freePages); left > 0; ) {
      const before = scrub.freePages;
      if (!scrub.write(() => scrub.claimPages(SCRATCH))) break;
      left -= Math.max(1, before - scrub.freePages);
      await rest();
    }
    const release = `DELETE FROM ${SCRATCH} WHERE n = (SELECT max(n) FROM ${SCRATCH})`;
    while (scrub.write(() => scrub.run(release)) > 0) await rest();
    scrub.write(() => scrub.run(`DROP TABLE ${SCRATCH}`));
    for (let i = 0; i < MAX_TRIES; i++) {
      if (scrub.truncateLog()) return true;
      await new Promise<void>((resolve) => void clock.after(WAIT_MS, resolve));
    }
    return false;
  } finally {
    scrub.close();
  }
}
