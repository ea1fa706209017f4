import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../kernel/errors.ts";
import type { Platform } from "../platform/platform.ts";
import { formatKey, keyFile, masterKeyId, NOTED_SALT, parseKey, saltFile } from "../platform/sealing/master-key.ts";
import { recoveryRecipient } from "../platform/sealing/recovery-file.ts";
import type { Readers } from "./envelope.ts";
import type { BackupKeys } from "./make.ts";

/**
 * Returns the keys that a backup of this data folder is encrypted to, and the keys that it contains.
 * @throws UserError if keys/passphrase.json was changed outside Postroom
 */
export function backupKeys(platform: Pick<Platform, "config" | "keyring" | "grants">): {
  keys: BackupKeys;
  readers: Readers;
} {
  const { config, keyring, grants } = platform;
  const recipient = recoveryRecipient(platform);
  const dir = join(config.data_dir, "keys");
  const source = keySource(dir, keyring.master, grants);
  const passphrase_json = source === "passphrase" ? readFileSync(saltFile(dir), "utf8") : null;
  if (passphrase_json !== null && !grants.holdsFile(NOTED_SALT, passphrase_json)) {
    throw new UserError(
      "keys/passphrase.json was changed outside Postroom, so your passphrase would not open the backup. Restore the file from a backup.",
    );
  }
  const recovery = join(dir, "recovery.json");
  return {
    keys: {
      master_key: formatKey(keyring.master).trim(),
      source,
      passphrase_json,
      recovery_json: existsSync(recovery) ? readFileSync(recovery, "utf8") : null,
    },
    readers: { master: keyring.master, salt: passphrase_json, recovery: recipient },
  };
}

/** Returns how the next start finds this master key, according to the key folder, even after a rotation. */
function keySource(dir: string, master: Uint8Array, grants: Platform["grants"]): BackupKeys["source"] {
  const key = keyFile(dir);
  if (existsSync(key) && masterKeyId(parseKey(readFileSync(key, "utf8"))) === masterKeyId(master)) return "file";
  return grants.notes.files[NOTED_SALT] === undefined ? "given" : "passphrase";
}
