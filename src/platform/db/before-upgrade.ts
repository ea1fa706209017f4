import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { isoTime } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { isDiskFull } from "../disk-full.ts";
import { removeOthersAccess } from "../private-folder.ts";
import { lockedHere, lockInstance } from "../process/lock.ts";
import type { Upgrade } from "./migrate.ts";

/** Folder of the copies: `upgrades/<last migration of the copy>-<time>.db` in the data folder. */
const FOLDER = "upgrades";
/** Space for what the migration itself writes, in addition to the copy. */
const SLACK_BYTES = 64 * 1024 * 1024;
const MIB = 1024 * 1024;

export interface CopyOptions {
  data_dir: string;
  /** Number of copies to keep, including this one. */
  keep: number;
  /** Unix ms. */
  now: number;
}

/**
 * Copies the database before an upgrade changes it, and verifies the copy. No server may run on the folder at the same
 * time.
 * @param sql open on the database
 * @returns the path of the copy
 * @throws UserError if a server runs or the disk has too little space; nothing was changed then
 */
export function copyBeforeUpgrade(sql: Database, upgrade: Upgrade, options: CopyOptions): string {
  const { data_dir, keep, now } = options;
  const lock = lockedHere(data_dir) ? null : lockForUpgrade(data_dir);
  const folder = join(data_dir, FOLDER);
  const path = join(folder, `${upgrade.from}-${isoTime(now).slice(0, 19).replaceAll(":", "-")}.db`);
  const partial = `${path}.part`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Remove what killed processes left. This is safe because only one process at a time upgrades a data folder.
    for (const name of unfinished(folder)) rmSync(join(folder, name), { force: true });
    checkSpace(sql, data_dir);
    sql.query("VACUUM INTO ?").run(partial);
    removeOthersAccess(partial);
    prove(sql, partial);
    sync(partial);
    renameSync(partial, path);
    sync(folder);
    removeOld(folder, keep);
    return path;
  } catch (error) {
    rmSync(partial, { force: true });
    if (!isDiskFull(error)) throw error;
    throw new UserError(
      `There is not enough disk space in ${folder} to copy the database before the upgrade. Nothing was changed.`,
    );
  } finally {
    lock?.release();
  }
}

/** Returns the newest copy in a data folder, or null. */
export function newestCopy(data_dir: string): string | null {
  const [newest] = copies(join(data_dir, FOLDER)).slice(-1);
  return newest ? join(data_dir, FOLDER, newest) : null;
}

/** Returns the paths of all copies in a data folder, oldest first, including unfinished ones. */
export function copiesBeforeUpgrade(data_dir: string): string[] {
  const folder = join(data_dir, FOLDER);
  return [...copies(folder), ...unfinished(folder)].map((name) => join(folder, name));
}

function lockForUpgrade(data_dir: string): { release(): void } {
  try {
    return lockInstance(data_dir);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      "An older version of Postroom is serving this data folder, and this version would have to upgrade it first. " +
        "Stop the older one and start this one with 'postroom serve'. Nothing was changed.",
    );
  }
}

function checkSpace(sql: Database, data_dir: string): void {
  const number = (pragma: string) => Number(sql.query(`PRAGMA ${pragma}`).values()[0]![0]);
  const needed = (number("page_count") - number("freelist_count")) * number("page_size") + SLACK_BYTES;
  const { bavail, bsize } = statfsSync(data_dir);
  const free = bavail * bsize;
  if (free >= needed) return;
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / MIB)} MiB`;
  throw new UserError(
    `The upgrade copies the database first and needs ${mebibytes(needed)} in ${data_dir}. Only ` +
      `${mebibytes(free)} are free. Nothing was changed.`,
  );
}

/** Verifies that the copy is a sound database with the same number of rows in every table. */
function prove(sql: Database, path: string): void {
  const copy = new Database(path, { strict: true });
  try {
    const answer = String(copy.query("PRAGMA quick_check(1)").values()[0]![0]);
    if (answer !== "ok") throw new UserError(`The copy of the database before the upgrade is damaged: ${answer}.`);
    const tables = sql
      .query<{ name: string }, []>(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    for (const { name } of tables) {
      const count = (of: Database) => of.query(`SELECT count(*) FROM "${name}"`).values()[0]![0];
      if (count(copy) !== count(sql)) {
        throw new UserError(`The copy of the database before the upgrade lacks rows of ${name}. Nothing was changed.`);
      }
    }
  } finally {
    copy.close();
  }
  // Opening the copy may have created these files.
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

/**
 * Removes all copies. After an erasure no data of the person may be left, and the copies contain it.
 * @returns the number of copies
 */
export function removeCopies(data_dir: string): number {
  const paths = copiesBeforeUpgrade(data_dir);
  for (const path of paths) rmSync(path, { force: true });
  return paths.length;
}

function removeOld(folder: string, keep: number): void {
  for (const name of copies(folder).slice(0, -keep)) rmSync(join(folder, name), { force: true });
}

/** Sorts copies by creation time, oldest first. */
function copies(folder: string): string[] {
  const when = (name: string) => name.slice(-"2026-11-21T10-00-00.db".length);
  return namesIn(folder)
    .filter((name) => /^\d{4}_.*\.db$/.test(name))
    .sort((a, b) => (when(a) < when(b) ? -1 : 1));
}

/**
 * Returns the files of a copy that a killed process left unfinished, including those that SQLite creates next to it.
 */
const unfinished = (folder: string) =>
  namesIn(folder).filter((name) => /^\d{4}_.*\.db\.part(?:-(?:wal|shm|journal))?$/.test(name));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
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
