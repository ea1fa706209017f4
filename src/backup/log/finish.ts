import { Database } from "bun:sqlite";
import { createReadStream, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { expectedMasterKeyId } from "../../platform/sealing/keyring.ts";
import { parseKey } from "../../platform/sealing/master-key.ts";
import { dataFiles } from "../data-files.ts";
import { foreignCode } from "../foreign-code.ts";
import type { BackupKeys } from "../make.ts";
import { databaseFault, moveIn, refuseNewer, writeKeys } from "../staging.ts";
import { dropCheckpoint, type KnownFile, writeCheckpoint } from "./checkpoint.ts";
import { LogFault } from "./faults.ts";
import { FILES_FOLDER, PAGES_FILE } from "./folder-target.ts";
import type { LogFollower } from "./follower.ts";

const DATABASE = "postroom.db";

export interface FinishOptions {
  follower: LogFollower;
  data_dir: string;
  /** Migrations of this program. A log with others was written by a newer version. */
  migrations: readonly string[];
  /** Makes the last changes to the verified database before it gets its name. Must be safe to repeat. */
  settle?: (database: string, head: { migrations: string[] }) => void;
}

export interface Finished {
  /** How the folder finds its key. */
  custody: BackupKeys["source"];
  master_key: Uint8Array;
  files: number;
}

/**
 * Makes a data folder of what a follower has: verifies it against the disk, runs SQLite's checks, adds the keys, and
 * moves everything into place, the database last. Killed at any moment, it can be called again.
 * @throws UserError; the data folder then has no database
 */
export async function finishFollower({ follower, data_dir, migrations, settle }: FinishOptions): Promise<Finished> {
  const { folder, reader } = follower;
  const files = join(folder, FILES_FOLDER);
  const database = join(files, DATABASE);
  if (!existsSync(database)) {
    await follower.verify();
    const { position, map } = follower;
    follower.close();
    const pages = join(folder, PAGES_FILE);
    checkDatabase(pages, migrations);
    dropCheckpoint(data_dir);
    // A server in the new folder continues the log with the difference.
    if (position && map) {
      writeCheckpoint(data_dir, reader.keys, { position, map, files: await hashed(files), bytesSince: 0 });
    }
    renameSync(pages, database);
  }
  const count = [...dataFiles(files, [])].length;
  settle?.(database, { migrations: migrationsOf(database) });
  const keys = reader.keys.backupKeysOf(masterIdOf(database));
  if (!keys) {
    throw new LogFault("missing", `${reader.store.place}/keys lacks the master key of that time.`);
  }
  // Opening a database makes this folder. A standby has its own.
  rmSync(join(files, "run"), { recursive: true, force: true });
  const custody = writeKeys(files, keys, reader.secret);
  await moveIn(files, data_dir);
  rmSync(folder, { recursive: true, force: true });
  return { custody, master_key: parseKey(keys.master_key), files: count };
}

async function hashed(folder: string): Promise<KnownFile[]> {
  const found: KnownFile[] = [];
  for (const { path, size, mtimeMs } of dataFiles(folder, [])) {
    const hasher = new Bun.CryptoHasher("sha256");
    for await (const chunk of createReadStream(join(folder, path))) hasher.update(chunk as Uint8Array);
    found.push({ path, size, mtimeMs, sha256: hasher.digest("hex") });
  }
  return found;
}

/** @throws UserError if SQLite finds a fault, or the database is of a newer version */
export function checkDatabase(path: string, migrations: readonly string[]): void {
  const fault = databaseFault(path);
  if (fault) throw new UserError(`The restored database is damaged: ${fault}.`);
  refuseNewer({ migrations: migrationsOf(path), version: null }, migrations);
  const foreign = foreignCode(path);
  if (foreign) throw new UserError(`The restored database is not used: ${foreign}.`);
}

function migrationsOf(path: string): string[] {
  const sql = new Database(path, { readwrite: true, create: false });
  try {
    return sql
      .query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name")
      .all()
      .map(({ name }) => name);
  } finally {
    sql.close();
  }
}

function masterIdOf(path: string): string | null {
  const sql = new Database(path, { readwrite: true, create: false });
  try {
    return expectedMasterKeyId({ sql });
  } finally {
    sql.close();
  }
}
