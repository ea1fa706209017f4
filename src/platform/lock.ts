import { Database } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../kernel/errors.ts";

/** Held for as long as the process serves; the system frees it when the process ends, however it ends. */
export interface InstanceLock {
  release(): void;
}

/** Who only looks whether somebody serves is done within microseconds; a machine that is busy may stop them in between. */
const LOOKERS_GONE_MS = 5_000;

/** Locks are kept here, or they would be collected, and with them the lock. */
const held = new Map<Database, string>();

/**
 * Makes sure that one process at most serves a data folder. A second database file carries the lock, so that readers and
 * commands of the real one are not in its way.
 * @throws UserError when another process holds it
 */
export function lockInstance(data_dir: string): InstanceLock {
  mkdirSync(join(data_dir, "run"), { recursive: true, mode: 0o700 });
  const db = new Database(lockFile(data_dir), { create: true });
  try {
    // Who serves keeps readers out: then there is nothing to wait for. Else only those that look can be in the way.
    const served = !canRead(db);
    if (!served) db.run("PRAGMA journal_mode = DELETE");
    db.run(`PRAGMA busy_timeout = ${served ? 0 : LOOKERS_GONE_MS}`);
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    throw new UserError("A Postroom is serving this data folder already. Stop it first.");
  }
  held.set(db, resolve(data_dir));
  return {
    release() {
      if (!held.delete(db)) return;
      db.run("ROLLBACK");
      db.close();
    },
  };
}

/** Whether a process serves the data folder just now. A server that starts meanwhile is not kept from it. */
export function isServed(data_dir: string): boolean {
  if (!existsSync(lockFile(data_dir))) return false;
  const db = new Database(lockFile(data_dir), { readonly: true });
  try {
    return !canRead(db);
  } finally {
    db.close();
  }
}

const lockFile = (data_dir: string) => join(data_dir, "run", "instance.lock");

const isBusy = (error: unknown) => (error as { code?: unknown }).code === "SQLITE_BUSY";

/** Whether nobody has the lock file for themselves: reading takes a shared lock for a moment. */
function canRead(db: Database): boolean {
  db.run("PRAGMA busy_timeout = 0");
  try {
    db.query("SELECT 1 FROM sqlite_schema").get();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Whether this process holds the lock of a data folder. */
export function lockedHere(data_dir: string): boolean {
  return [...held.values()].includes(resolve(data_dir));
}
