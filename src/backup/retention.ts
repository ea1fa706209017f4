import { mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isoTime } from "../kernel/clock.ts";
import { requireFolder } from "./folder.ts";
import type { BackupLedger, BackupRun } from "./ledger.ts";
import type { BackupSettings } from "./settings.ts";

/** Matches the names that `nextBackup` gives to files. */
const OWN_NAME = /^postroom-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(full|incremental)\.age$/;

/** The next backup of the schedule: its file, and the file that it is based on if it is incremental. */
export interface NextBackup {
  file: string;
  since: string | null;
}

/**
 * Decides whether the next backup is full or incremental. It is full if no backup exists, if the configured number of
 * incremental backups follows the last full one, or if a file of that chain is missing or in another folder.
 * @param present backups of the schedule whose files exist, newest first
 */
export function nextBackup(settings: BackupSettings, present: readonly BackupRun[], now: number): NextBackup {
  const { folder } = settings;
  // A folder that was chosen on the settings page existed. If it is missing, its drive is probably not connected.
  if (settings.chosen) requireFolder(settings.chosen);
  else mkdirSync(folder, { recursive: true, mode: 0o700 });
  const newest = present[0];
  const chain = newest ? chainOf(newest, present) : null;
  // A chain is in one folder, so that it can be restored from one drive.
  const together = chain?.every(({ file }) => dirname(file) === folder);
  const incremental = newest && chain && together && chain.length <= settings.incrementals;
  // "2026-11-21T02-30-00": sorts by time and is a valid name on every file system.
  const when = isoTime(now).slice(0, 19).replaceAll(":", "-");
  const file = join(folder, `postroom-${when}-${incremental ? "incremental" : "full"}.age`);
  return { file, since: incremental ? newest.file : null };
}

/** Removes the oldest backups of the schedule, except those that a kept one is based on. @returns the removed files */
export function removeOld({ keep: kept }: Pick<BackupSettings, "keep">, ledger: BackupLedger): string[] {
  const present = ledger.present().filter((run) => run.kept);
  const keep = keptOf(present, kept);
  const old = present.filter((run) => !keep.has(run));
  for (const { id, file } of old) {
    // The list may be from a restored, forged backup, so only files with Postroom's names are deleted.
    if (OWN_NAME.test(basename(file))) rmSync(file, { force: true });
    ledger.noteRemoved(id);
  }
  return old.map(({ file }) => file);
}

type Link = Pick<BackupRun, "backup_id" | "base_id">;

/** Returns the newest `count` backups and those that they are based on. @param present newest first */
export function keptOf<R extends Link>(present: readonly R[], count: number): Set<R> {
  return new Set(present.slice(0, count).flatMap((run) => chainOf(run, present) ?? [run]));
}

/** Returns a backup and those that it is based on, newest first; null if one of them is missing. */
export function chainOf<R extends Link>(run: R, present: readonly R[]): R[] | null {
  const chain = [run];
  for (let base_id = run.base_id; base_id !== null; ) {
    const base = present.find(({ backup_id }) => backup_id === base_id);
    if (!base) return null;
    chain.push(base);
    base_id = base.base_id;
  }
  return chain;
}
