import { Database } from "bun:sqlite";
import { closeSync, copyFileSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isoTime } from "../../kernel/clock.ts";
import { removeOthersAccess } from "../private-folder.ts";
import { migrationsOf } from "./record.ts";

export interface RestoreCopyOptions {
  data_dir: string;
  /** The copy from before an upgrade. */
  copy: string;
  /** Unix ms. */
  now: number;
  /** Neutralizes what a database of an earlier moment must not simply resume. */
  prepare(database: string, migrations: readonly string[]): void;
}

/**
 * Puts back a copy of the database from before an upgrade. The caller holds the lock of the folder. The database that it
 * replaces becomes a copy in `upgrades/`, so that nothing is lost for good. At every moment, also after a crash,
 * `postroom.db` is one of the two, complete.
 * @returns the path of the replaced database
 */
export function restoreCopy({ data_dir, copy, now, prepare }: RestoreCopyOptions): string {
  const database = join(data_dir, "postroom.db");
  const partial = `${database}.restoring`;
  emptyLog(database);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(partial + suffix, { force: true });
  copyFileSync(copy, partial);
  removeOthersAccess(partial);
  prepare(partial, migrationsOf(copy));
  emptyLog(partial);
  sync(partial);
  const when = isoTime(now).slice(0, 19).replaceAll(":", "-");
  const kept = join(data_dir, "upgrades", `${migrationsOf(database).at(-1)}-${when}.db`);
  for (const suffix of ["-wal", "-shm"]) rmSync(database + suffix, { force: true });
  keep(database, kept);
  renameSync(partial, database);
  for (const path of [partial, kept]) for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  sync(dirname(database));
  return kept;
}

/** Moves the write-ahead log into the database, and removes its files. */
function emptyLog(database: string): void {
  const sql = new Database(database);
  try {
    sql.run("PRAGMA busy_timeout = 10000");
    sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    sql.close();
  }
}

function keep(database: string, kept: string): void {
  try {
    linkSync(database, kept);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(database, kept);
  }
}

function sync(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems do not support syncing folders; they order renames themselves.
  } finally {
    closeSync(fd);
  }
}
