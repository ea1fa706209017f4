import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, rmdirSync, statSync, truncateSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { isDiskFull } from "../disk-full.ts";

/** Held for as long as the process serves; the system frees it when the process ends, however it ends. */
export interface InstanceLock {
  release(): void;
}

/** A process that only checks the lock is done within microseconds, but a busy machine may suspend it in between. */
const LOOKERS_GONE_MS = 5_000;

/** Locks are kept here, or they would be collected, and with them the lock. */
const held = new Map<Database, string>();

/**
 * Ensures that at most one process serves a data folder. A second database file carries the lock, so that it does not
 * block readers and commands of the real one. Nothing is ever written into it: existing content is discarded.
 * @throws UserError when another process holds it, or no lock is possible; the system's error where there can be no
 * folder
 */
export function lockInstance(data_dir: string): InstanceLock {
  const path = lockFile(data_dir);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = explained(path, () => {
    clear(path);
    return new Database(path, { create: true });
  });
  try {
    // Who serves keeps readers out: then there is nothing to wait for. Else only those that look can be in the way.
    const served = !canRead(db);
    if (!served) db.run("PRAGMA journal_mode = DELETE");
    db.run(`PRAGMA busy_timeout = ${served ? 0 : LOOKERS_GONE_MS}`);
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

/** The file is not a database. While another process holds the lock, this error cannot occur. */
const isDamaged = (error: unknown) => ["SQLITE_NOTADB", "SQLITE_CORRUPT"].includes(String(codeOf(error)));

/** Throws away what is no lock, in its place: two that start at once must not end up with a file each. */
function clear(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) {
    try {
      // Only an empty folder, and never a file that another start has put there.
      rmdirSync(path);
    } catch (error) {
      if (codeOf(error) === "ENOTEMPTY")
        throw new UserError(`The folder ${path} is in the place of a lock file. Move the folder away.`);
    }
  } else if (there && there.size > 0 && isFree(path)) truncateSync(path);
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

/** Whether this process holds the lock of a data folder. */
export function lockedHere(data_dir: string): boolean {
  return [...held.values()].includes(resolve(data_dir));
}
