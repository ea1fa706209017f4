import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../kernel/errors.ts";

/** Held for as long as the process serves; the system frees it when the process ends, however it ends. */
export interface InstanceLock {
  release(): void;
}

/** Locks are kept here, or they would be collected, and with them the lock. */
const held = new Set<Database>();

/**
 * Makes sure that one process at most serves a data folder. A second database file carries the lock, so that readers and
 * commands of the real one are not in its way.
 * @throws UserError when another process holds it
 */
export function lockInstance(data_dir: string): InstanceLock {
  mkdirSync(join(data_dir, "run"), { recursive: true, mode: 0o700 });
  const db = new Database(join(data_dir, "run", "instance.lock"), { create: true });
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA journal_mode = DELETE");
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if ((error as { code?: unknown }).code !== "SQLITE_BUSY") throw error;
    throw new UserError("A Postroom is serving this data folder already. Stop it first.");
  }
  held.add(db);
  return {
    release() {
      if (!held.delete(db)) return;
      db.run("ROLLBACK");
      db.close();
    },
  };
}
