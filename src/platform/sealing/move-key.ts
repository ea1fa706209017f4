import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import type { Platform } from "../platform.ts";
import { masterKeyId, NOTED_SALT, saltFile } from "./master-key.ts";
import { recoveryRecipient, stageRecovery } from "./recovery-key.ts";
import { type NextKeyPlace, stageNextKey } from "./rotation.ts";

const SOURCES = { file: "file", outside: "given", passphrase: "passphrase" } as const;

/** Notes the salt that has just made the right key, so that backups carry no other one. @param used whether a passphrase does */
export function noteSalt(grants: Platform["grants"], data_dir: string, used: boolean): void {
  const salt = used ? readFileSync(saltFile(join(data_dir, "keys")), "utf8") : null;
  if (!grants.holdsFile(NOTED_SALT, salt)) grants.noteFile(NOTED_SALT, salt);
}

/**
 * Replaces the master key, or moves it; the recovery key opens the next one, too. A crash at any moment leaves a folder that
 * opens with the old key or with the new one.
 * @throws UserError saying why the place will not do; nothing has changed then
 */
export async function moveMasterKey(platform: Platform, place: NextKeyPlace): Promise<void> {
  const { config, keyring } = platform;
  // Before anything is written: a replaced recovery file must not get the next key.
  recoveryRecipient(platform);
  const staged = await stageNextKey(config.data_dir, place);
  if (masterKeyId(staged.key) === masterKeyId(keyring.master)) {
    throw new UserError("This is the master key already. Name a new file.");
  }
  const recovery = await stageRecovery(platform, staged.key);
  keyring.rotate(staged.key);
  staged.promote();
  recovery.promote();
  noteSalt(platform.grants, config.data_dir, place.kind === "passphrase");
  platform.master_key_source = SOURCES[place.kind];
}
