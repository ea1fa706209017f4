import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, rmdirSync, statSync, truncateSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { isDiskFull } from "../disk-full.ts";

/** Held while the process serves. The system frees it whenever the process ends. */
export interface InstanceLock {
  release(): void;
}

/** Wait for processes that only check the lock: usually microseconds, but a busy machine may suspend them. */
const LOCK_CHECK_WAIT_MS = 5_000;

/** Keeps connections from being garbage-collected, which would release their locks. */
const held = new Map<Database, string>();

/**
 * Ensures that at most one process serves a data folder. The lock is on a second database file, so that it does not
 * block readers of the real one. That file stays empty, and existing content is discarded.
 * @throws UserError if another process holds the lock, or no lock is possible; the system's error if its folder cannot
 * be created
 */
export function lockInstance(data_dir: string): InstanceLock {
  const path = lockFile(data_dir);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = explained(path, () => {
    clear(path);
    return new Database(path, { create: true });
  });
  try {
    // A server locks readers out, and waiting would not help then. Otherwise, only short checks can be in the way.
    const served = !canRead(db);
    if (!served) db.run("PRAGMA journal_mode = DELETE");
    db.run(`PRAGMA busy_timeout = ${served ? 0 : LOCK_CHECK_WAIT_MS}`);
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw unusable(path, error);
    throw new UserError("Another Postroom process is already serving this data folder. Stop it first.");
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

/** Returns whether a process serves the data folder now. Does not prevent a server from starting. */
export function isServed(data_dir: string): boolean {
  const path = lockFile(data_dir);
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  return explained(path, () => !isFree(path));
}

const lockFile = (data_dir: string) => join(data_dir, "run", "instance.lock");

const codeOf = (error: unknown) => (error as { code?: unknown }).code;

const isBusy = (error: unknown) => codeOf(error) === "SQLITE_BUSY";

/** Returns whether the file is not a database. While another process holds the lock, this error cannot occur. */
const isDamaged = (error: unknown) => ["SQLITE_NOTADB", "SQLITE_CORRUPT"].includes(String(codeOf(error)));

/** Empties a file that is not a lock. It is not replaced, because concurrent starts would then lock different files. */
function clear(path: string): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) {
    try {
      // Removes only an empty folder, never a file that another process has created in the meantime.
      rmdirSync(path);
    } catch (error) {
      if (codeOf(error) === "ENOTEMPTY")
        throw new UserError(`There is a folder at ${path}, where the lock file must be. Move the folder elsewhere.`);
    }
  } else if (existing && existing.size > 0 && isFree(path)) truncateSync(path);
}

/** Returns whether no process has exclusive access to a lock file. */
function isFree(path: string): boolean {
  const db = new Database(path, { readonly: true });
  try {
    return canRead(db);
  } catch (error) {
    if (isDamaged(error)) return true;
    throw error;
  } finally {
    db.close();
  }
}

/** Returns whether no process has exclusive access to the lock file: reading takes a shared lock for a moment. */
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

function explained<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): Error {
  if (error instanceof UserError || isDiskFull(error)) return error as Error;
  const reason = (error as Error).message;
  return new UserError(
    `The lock of the data folder cannot be used (${path}: ${reason}). The folder that contains it must be writable.`,
  );
}

/** Returns whether this process holds the lock of a data folder. */
export function lockedHere(data_dir: string): boolean {
  return [...held.values()].includes(resolve(data_dir));
}
