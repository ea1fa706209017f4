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
import type { NextKeyPlace } from "../platform/sealing/rotation.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf, withPlatform } from "./context.ts";

interface RotateOptions extends CommonOptions {
  toKeyFile?: string;
  toPassphraseFile?: string;
  toDataFolder?: true;
  recoveryKey?: string;
}

export function keyRotateCommand(): Command {
  const subject = command(
    "key-rotate",
    "Replace the master key, or move it. All mail stays readable. Stop the server first.",
  )
    .addOption(
      new Option(
        "--to-key-file <file>",
        "keep the new key in this file outside the data folder; made when absent",
      ).conflicts(["toPassphraseFile", "toDataFolder"]),
    )
    .addOption(
      new Option("--to-passphrase-file <file>", "derive the new key from the passphrase in this file").conflicts([
        "toDataFolder",
      ]),
    )
    .option("--to-data-folder", "keep the new key beside the data, in keys/master.key")
    .option(
      "--recovery-key <file>",
      "open the folder with the recovery key in this file: the passphrase or key is lost",
    );
  return explained(subject, {
    notes: `The data keys that seal the mail are wrapped anew; the mail itself is not rewritten. A crash at any moment leaves a
folder that opens with the old key or with the new one. Without an option a key beside the data is replaced by another
one beside the data. The recovery key stays the same: it opens the new key, too.`,
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
      const place = nextPlace(options, platform.master_key_source === "file");
      await moveMasterKey(platform, place);
      // What the old key opens is not left in the write-ahead log.
      platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
      console.log(`The master key was replaced. ${NEXT_STEP[place.kind]}`);
    };
    if (options.recoveryKey === undefined) await withPlatform(options, work);
    else await withRecovered(options, options.recoveryKey, work);
  } finally {
    lock.release();
  }
}

/** Opens a folder whose passphrase or key is lost, whatever the configuration says of them. */
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

const NEXT_STEP: Record<NextKeyPlace["kind"], string> = {
  file: "It is in keys/master.key in the data folder; keep a copy elsewhere, and set no other key or passphrase.",
  outside: "Set POSTROOM_MASTER_KEY_FILE to its file before the next start, and keep a copy of it.",
  passphrase: "Set POSTROOM_MASTER_PASSPHRASE_FILE before the next start. Without the passphrase nothing opens.",
};

function nextPlace(options: RotateOptions, beside_data: boolean): NextKeyPlace {
  if (options.toKeyFile !== undefined) return { kind: "outside", path: options.toKeyFile };
  if (options.toPassphraseFile !== undefined) {
    return { kind: "passphrase", passphrase: readSecret(options.toPassphraseFile) };
  }
  if (beside_data || options.toDataFolder) return { kind: "file" };
  throw new UserError(
    "The master key is kept outside the data folder. Say where the new one goes: --to-key-file, --to-passphrase-file or --to-data-folder.",
  );
}

/** What a file with one secret in it holds. @throws UserError */
function readSecret(path: string): string {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}.`);
  const secret = readFileSync(path, "utf8").trim();
  if (secret === "") throw new UserError(`${path} is empty.`);
  return secret;
}
