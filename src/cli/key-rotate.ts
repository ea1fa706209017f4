import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig, withValues } from "../platform/config/load.ts";
import { openDb } from "../platform/db/open.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";
import { lockInstance } from "../platform/process/lock.ts";
import { expectedMasterKeyId } from "../platform/sealing/keyring.ts";
import { formatKey } from "../platform/sealing/master-key.ts";
import { moveMasterKey } from "../platform/sealing/move-key.ts";
import { recoverMasterKey } from "../platform/sealing/recovery-key.ts";
import type { NextKeyLocation } from "../platform/sealing/rotation.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf, withPlatform } from "./context.ts";

interface RotateOptions extends CommonOptions {
  toKeyFile?: string;
  toPassphraseFile?: string;
  toDataFolder?: true;
  recoveryKey?: string;
}

/** Defines `postroom key-rotate`. */
export function keyRotateCommand(): Command {
  const subject = command("key-rotate", "Replace the master key, or move it to another place. Stop the server first.")
    .addOption(
      new Option(
        "--to-key-file <file>",
        "store the new key in this file outside the data folder; a missing file is created",
      ).conflicts(["toPassphraseFile", "toDataFolder"]),
    )
    .addOption(
      new Option("--to-passphrase-file <file>", "derive the new key from the passphrase in this file").conflicts([
        "toDataFolder",
      ]),
    )
    .option("--to-data-folder", "store the new key in the data folder, in keys/master.key")
    .option(
      "--recovery-key <file>",
      "open the data folder with the recovery key in this file, when the passphrase or master key is lost",
    );
  return explained(subject, {
    notes: `All mail stays readable. Rotation re-encrypts only the data keys; the mail that they seal is not
rewritten. After a crash at any
point, the data folder opens with either the old or the new key. Without options, a key in the data folder is
replaced by a new key in the data folder. The recovery key stays the same and also opens the new key.`,
    examples: [
      "postroom key-rotate",
      "postroom key-rotate --to-key-file /media/stick/postroom.key",
      "postroom key-rotate --to-passphrase-file ./passphrase.txt",
      "postroom key-rotate --recovery-key ./recovery-key.txt --to-passphrase-file ./new-passphrase.txt",
    ],
  }).action(rotate);
}

async function rotate(options: RotateOptions): Promise<void> {
  requireData(options);
  const lock = lockInstance(options.data);
  try {
    const work = async (platform: Platform) => {
      const location = nextLocation(options, platform.master_key_source === "file");
      await moveMasterKey(platform, location);
      // Otherwise the write-ahead log keeps values that the old key opens.
      platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
      console.log(`Replaced the master key. ${NEXT_STEP[location.kind]}`);
    };
    if (options.recoveryKey === undefined) await withPlatform(options, work);
    else await withRecovered(options, options.recoveryKey, work);
  } finally {
    lock.release();
  }
}

/** Opens a data folder whose passphrase or key is lost, and ignores both in the configuration. */
async function withRecovered(
  options: RotateOptions,
  file: string,
  work: (platform: Platform) => Promise<void>,
): Promise<void> {
  const typed = readSecret(file);
  const config = loadConfig(sourcesOf(options));
  const db = openDb(join(options.data, "postroom.db"), "full");
  let master: Uint8Array;
  try {
    master = await recoverMasterKey(options.data, typed, expectedMasterKeyId(db));
  } finally {
    db.close();
  }
  const opened = withValues(config, { "master.key": formatKey(master), "master.passphrase": "" });
  const platform = openPlatform({ config: opened, clock: systemClock });
  try {
    await work(platform);
  } finally {
    platform.close();
  }
}

const NEXT_STEP: Record<NextKeyLocation["kind"], string> = {
  file: "It is stored in keys/master.key in the data folder. Keep a copy elsewhere, and configure no other key or passphrase.",
  outside: "Set POSTROOM_MASTER_KEY_FILE to its file before the next start, and keep a copy of the file.",
  passphrase:
    "Set POSTROOM_MASTER_PASSPHRASE_FILE before the next start. Without the passphrase or a recovery key, the data cannot be opened.",
};

function nextLocation(options: RotateOptions, besideData: boolean): NextKeyLocation {
  if (options.toKeyFile !== undefined) return { kind: "outside", path: options.toKeyFile };
  if (options.toPassphraseFile !== undefined) {
    return { kind: "passphrase", passphrase: readSecret(options.toPassphraseFile) };
  }
  if (besideData || options.toDataFolder) return { kind: "file" };
  throw new UserError(
    "The master key is stored outside the data folder. Choose where to store the new one: --to-key-file, --to-passphrase-file or --to-data-folder.",
  );
}

/** Reads a file that holds one secret. @throws UserError */
function readSecret(path: string): string {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}.`);
  const secret = readFileSync(path, "utf8").trim();
  if (secret === "") throw new UserError(`${path} is empty.`);
  return secret;
}
