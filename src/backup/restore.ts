import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "../kernel/errors.ts";
import { isDiskFull } from "../platform/disk-full.ts";
import { parseKey } from "../platform/sealing/master-key.ts";
import { BackupFile } from "./backup-file.ts";
import { readChain } from "./chain.ts";
import { isDataPath } from "./data-files.ts";
import type { Secret } from "./envelope.ts";
import { foreignCode } from "./foreign-code.ts";
import type { BackupKeys } from "./make.ts";
import type { Head, Manifest } from "./manifest.ts";
import { partsOf, TableHash } from "./parts.ts";
import { RestoredDatabase } from "./restored-database.ts";
import { Snapshot } from "./snapshot.ts";
import { type BackupSource, sourceOf } from "./source.ts";
import { databaseFault, moveIn, prepareFolder, refuseNewer, STAGING, writeKeys } from "./staging.ts";

export interface RestoreOptions {
  file: string | BackupSource;
  /** Earlier files of the chain that are not in the folder of `file`. */
  older?: readonly (string | BackupSource)[];
  secrets: readonly Secret[];
  /** The target folder: missing or empty. */
  data_dir: string;
  /** Migrations of this program. A backup with others was created by a newer version. */
  migrations: readonly string[];
  /**
   * Makes the last changes to the verified database before it gets its name, so that no server starts without them.
   */
  settle?: (database: string, head: Head) => void;
  progress?: (doneBytes: number, total_bytes: number) => void;
}

export interface Restored {
  manifest: Manifest;
  rows: number;
  files: number;
  master_key: Uint8Array;
  /** How the restored folder finds its key. */
  custody: BackupKeys["source"];
}

/**
 * Restores a backup to a data folder. Everything is first written to a staging folder and verified there: the database
 * is read again, must match the hashes of the manifest, and must pass SQLite's checks. Only then is it moved into
 * place.
 * @throws UserError if the folder is not empty or the backup is damaged; nothing is left behind then
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { data_dir, file, secrets } = options;
  const existed = prepareFolder(data_dir);
  const staging = join(data_dir, STAGING);
  let database: RestoredDatabase | null = null;
  try {
    const opened = await BackupFile.open(file, secrets);
    refuseNewer(await opened.head(), options.migrations);
    database = new RestoredDatabase(join(staging, "postroom.db"));
    const filled = database;
    let keys: BackupKeys | null = null;
    const { manifest, rows, files } = await readChain(file, options.older ?? [], secrets, {
      keys: (found) => {
        keys = found;
      },
      schema: (schema) => filled.create(schema),
      part: (table, partRows) => filled.fill(table, partRows),
      file: (path, chunks) => writeFile(staging, path, chunks),
      ...(options.progress ? { progress: options.progress } : {}),
    });
    filled.finish();
    verifyDatabase(join(staging, "postroom.db"), manifest);
    options.settle?.(join(staging, "postroom.db"), manifest.head);
    const custody = writeKeys(staging, keys!, opened.opened.secret);
    await moveIn(staging, data_dir);
    return { manifest, rows, files, custody, master_key: parseKey((keys as unknown as BackupKeys).master_key) };
  } catch (error) {
    database?.close();
    rmSync(existed ? staging : data_dir, { recursive: true, force: true });
    if (isDiskFull(error))
      throw new UserError(`The disk of ${data_dir} has too little space for this backup. Nothing was restored.`);
    if (isOfSql(error))
      throw new UserError(`${sourceOf(file).path} does not contain a Postroom database: ${(error as Error).message}.`);
    throw error;
  }
}

/** Returns whether SQLite refused a statement, through either of its two bindings. */
function isOfSql(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException;
  return name === "SQLiteError" || code === "ERR_SQLITE_ERROR";
}

/** Reads the database again, compares it with the manifest, and runs SQLite's checks. @throws UserError */
function verifyDatabase(path: string, { tables }: Manifest): void {
  const wrong = (what: string) => new UserError(`The restored database differs from the backup: ${what}.`);
  const snapshot = new Snapshot(path);
  try {
    const shapes = new Map(snapshot.schema.tables.map((table) => [table.name, table]));
    for (const { name, rows, hash } of tables) {
      const table = shapes.get(name);
      if (!table) throw wrong(`table ${name} is missing`);
      const sum = new TableHash();
      for (const part of partsOf(table, snapshot.rows(table))) sum.add(part);
      if (sum.rows !== rows || sum.digest() !== hash) throw wrong(`table ${name} differs`);
    }
  } finally {
    snapshot.close();
  }
  const fault = databaseFault(path);
  if (fault) throw wrong(fault);
  const foreign = foreignCode(path);
  if (foreign) throw new UserError(`The restored database is not used: ${foreign}.`);
}

async function writeFile(staging: string, path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  if (!isDataPath(path)) throw new UserError(`The backup contains a file whose name does not belong in a data folder.`);
  const full = join(staging, path);
  mkdirSync(dirname(full), { recursive: true, mode: 0o700 });
  const handle = await open(full, "wx", 0o600);
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
