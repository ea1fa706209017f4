import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UserError } from "../kernel/errors.ts";
import { makePrivate } from "../platform/private-folder.ts";
import { formatKey, keyFile, parseKey, saltFile, writeSecretFile } from "../platform/sealing/master-key.ts";
import type { Secret } from "./envelope.ts";
import type { BackupKeys } from "./make.ts";
import { syncFolder } from "./target-file.ts";

/** Folder for the restored data until all of it is verified. */
export const STAGING = "restoring";

/** Creates the folder and its staging folder. @returns whether it existed @throws UserError if it is not empty */
export function prepareFolder(data_dir: string): boolean {
  const existed = existsSync(data_dir);
  // The staging folder of a killed restore is replaced.
  const inside = existed ? readdirSync(data_dir).filter((name) => name !== STAGING) : [];
  if (inside.length > 0) {
    throw new UserError(
      `${data_dir} is not empty. A backup can only be restored to a new or an empty folder: name one with --data.`,
    );
  }
  makePrivate(data_dir, { deep: false });
  rmSync(join(data_dir, STAGING), { recursive: true, force: true });
  mkdirSync(join(data_dir, STAGING), { recursive: true, mode: 0o700 });
  return existed;
}

/** @throws UserError if the data was written by a newer version of Postroom */
export function refuseNewer(
  { migrations, version }: { migrations: readonly string[]; version: string | null },
  known: readonly string[],
): void {
  const unknown = migrations.find((name) => !known.includes(name));
  if (unknown) {
    throw new UserError(
      `This backup was created by a newer version of Postroom (${version === null ? "" : `${version}, `}migration ${unknown}). Restore it with that version.`,
    );
  }
}

/** Runs SQLite's checks on a database. @returns what is wrong; null if nothing is */
export function databaseFault(path: string): string | null {
  const sql = new Database(path, { strict: true });
  try {
    const answer = sql.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()?.integrity_check;
    if (answer !== "ok") return String(answer);
    const broken = sql.query<{ table: string }, []>("PRAGMA foreign_key_check").get();
    return broken ? `a row of ${broken.table} refers to one that is missing` : null;
  } finally {
    sql.close();
  }
}

/**
 * Stores the key as it was stored before. If the recovery key opened the backup, the key is stored next to the data,
 * because the other secrets may be lost. @returns how the folder finds its key
 */
export function writeKeys(staging: string, keys: BackupKeys, secret: Secret): BackupKeys["source"] {
  const dir = join(staging, "keys");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const custody = secret.kind === "recovery key" ? "file" : keys.source;
  if (custody === "file") writeSecretFile(keyFile(dir), formatKey(parseKey(keys.master_key)));
  if (custody === "passphrase") writeSecretFile(saltFile(dir), keys.passphrase_json!);
  if (keys.recovery_json !== null) writeSecretFile(join(dir, "recovery.json"), keys.recovery_json);
  return custody;
}

/** Moves everything into place, the database last: a folder counts as a data folder once it has one. */
export async function moveIn(staging: string, data_dir: string): Promise<void> {
  const handle = await open(join(staging, "postroom.db"), "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  // SQLite has closed these. The folder is of the staging folder, and the data folder may have its own.
  rmSync(join(staging, "run"), { recursive: true, force: true });
  const names = readdirSync(staging).filter((name) => name !== "postroom.db");
  for (const name of names) move(join(staging, name), join(data_dir, name));
  await syncFolder(resolve(data_dir));
  renameSync(join(staging, "postroom.db"), join(data_dir, "postroom.db"));
  rmSync(staging, { recursive: true, force: true });
  await syncFolder(resolve(data_dir));
}

/** Moves a file or folder. Into a folder that exists, as after an interruption, it moves what is in it. */
function move(from: string, to: string): void {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder(from) || !isFolder(to)) {
    renameSync(from, to);
    return;
  }
  for (const name of readdirSync(from)) move(join(from, name), join(to, name));
  rmdirSync(from);
}
