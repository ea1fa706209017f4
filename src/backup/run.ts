import { existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UserError } from "../kernel/errors.ts";
import type { Platform } from "../platform/platform.ts";
import { readManifest } from "./chain.ts";
import type { Secret } from "./envelope.ts";
import { backupKeys } from "./keys.ts";
import { BackupLedger, type BackupRun } from "./ledger.ts";
import { makeBackup, type Progress } from "./make.ts";
import type { Manifest } from "./manifest.ts";
import { backupSettings } from "./settings.ts";

export interface RunOptions {
  platform: Platform;
  version: string;
  /** Path of the backup file to create. */
  file: string;
  replace?: boolean;
  /** Path of an earlier backup; only what changed since then is written. */
  since?: string;
  /** Retention may remove it. */
  kept: boolean;
  progress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

/** Creates a backup and records its outcome. @throws UserError with the reason if it fails */
export async function runBackup(options: RunOptions): Promise<BackupRun> {
  const { platform, since } = options;
  const ledger = new BackupLedger(platform);
  const file = resolve(options.file);
  const id = ledger.begin({ kind: since ? "incremental" : "full", file, kept: options.kept });
  try {
    const { config, clock, keyring } = platform;
    const base = since ? await readBase(since, { kind: "master key", key: keyring.master }) : null;
    if (!base) checkSpace(platform, file);
    const made = await makeBackup({
      data_dir: config.data_dir,
      file,
      ...(options.replace ? { replace: true } : {}),
      // Backups in other places of the data folder are left out too. Otherwise each would contain all earlier ones.
      except: [backupSettings(platform).folder, ...ledger.present().map((earlier) => earlier.file)],
      ...backupKeys(platform),
      version: options.version,
      clock,
      ...(base && since ? { since: { manifest: base, file: since } } : {}),
      ...(options.progress ? { progress: options.progress } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    ledger.done(id, made);
    return ledger.get(id)!;
  } catch (error) {
    ledger.failed(id, sentence(error, options.signal));
    throw error;
  }
}

async function readBase(since: string, secret: Secret): Promise<Manifest> {
  try {
    return await readManifest(since, [secret]);
  } catch (error) {
    if (!(error instanceof UserError) || !error.message.includes("does not open")) throw error;
    throw new UserError(`${since} was created with a master key other than the current one. Create a full backup.`);
  }
}

/** Requires space for a full backup, which is about as large as its content: sealed mail does not compress. */
function checkSpace({ db }: Platform, file: string): void {
  const number = (pragma: string) =>
    Object.values(db.sql.query<Record<string, number>, []>(`PRAGMA ${pragma}`).get()!)[0]!;
  const usedBytes = (number("page_count") - number("freelist_count")) * number("page_size");
  // A missing folder is reported when the file is created.
  if (!existsSync(dirname(file))) return;
  const folder = statfsSync(dirname(file));
  const free_bytes = folder.bavail * folder.bsize;
  // Indexes, about a quarter of a database, are not in a backup.
  if (free_bytes >= usedBytes * 0.75) return;
  const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  throw new UserError(
    `The disk of ${file} has too little space for a backup: ${mebibytes(free_bytes)} MiB are free, but about ${mebibytes(usedBytes)} MiB are needed.`,
  );
}

/** Returns the reason of a failure for people. The reason of an internal error is only in the log. */
function sentence(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return "The backup was stopped.";
  if (error instanceof UserError) return error.message;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === "string"
    ? `The backup failed (${code}). See the log for details.`
    : "The backup failed. See the log for details.";
}
