import { existsSync, readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { UserError } from "../kernel/errors.ts";
import { lockInstance } from "../platform/lock.ts";
import { masterKeyId } from "../platform/sealing/master-key.ts";
import { type NextKeyPlace, stageNextKey } from "../platform/sealing/rotation.ts";
import { type CommonOptions, command, explained, requireData, withPlatform } from "./context.ts";

interface RotateOptions extends CommonOptions {
  toKeyFile?: string;
  toPassphraseFile?: string;
  toDataFolder?: true;
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
    .option("--to-data-folder", "keep the new key beside the data, in keys/master.key");
  return explained(subject, {
    notes: `The data keys that seal the mail are wrapped anew; the mail itself is not rewritten. A crash at any moment leaves a
folder that opens with the old key or with the new one. Without an option a key beside the data is replaced by another
one beside the data.`,
    examples: [
      "postroom key-rotate",
      "postroom key-rotate --to-key-file /media/stick/postroom.key",
      "postroom key-rotate --to-passphrase-file ./passphrase.txt",
    ],
  }).action(rotate);
}

async function rotate(options: RotateOptions): Promise<void> {
  requireData(options);
  const lock = lockInstance(options.data);
  try {
    await withPlatform(options, ({ keyring, db, master_key_source }) => {
      const place = nextPlace(options, master_key_source === "file");
      const staged = stageNextKey(options.data, place);
      if (masterKeyId(staged.key) === masterKeyId(keyring.master)) {
        throw new UserError("This is the master key already. Name a new file.");
      }
      keyring.rotate(staged.key);
      staged.promote();
      // What the old key opens is not left in the write-ahead log.
      db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
      console.log(`The master key was replaced. ${NEXT_STEP[place.kind]}`);
    });
  } finally {
    lock.release();
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
    if (!existsSync(options.toPassphraseFile)) throw new UserError(`There is no file ${options.toPassphraseFile}.`);
    const passphrase = readFileSync(options.toPassphraseFile, "utf8").trim();
    if (passphrase === "") throw new UserError(`${options.toPassphraseFile} is empty.`);
    return { kind: "passphrase", passphrase };
  }
  if (beside_data || options.toDataFolder) return { kind: "file" };
  throw new UserError(
    "The master key is kept outside the data folder. Say where the new one goes: --to-key-file, --to-passphrase-file or --to-data-folder.",
  );
}
