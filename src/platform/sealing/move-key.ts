import { UserError } from "../../kernel/errors.ts";
import type { Platform } from "../platform.ts";
import { masterKeyId } from "./master-key.ts";
import { noteSalt } from "./note-salt.ts";
import { recoveryRecipient } from "./recovery-file.ts";
import { stageRecovery } from "./recovery-key.ts";
import { type NextKeyPlace, stageNextKey } from "./rotation.ts";

const SOURCES = { file: "file", outside: "given", passphrase: "passphrase" } as const;

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
    throw new UserError("This file already contains the master key. Choose a new file.");
  }
  const recovery = await stageRecovery(platform, staged.key);
  keyring.rotate(staged.key);
  staged.promote();
  recovery.promote();
  noteSalt(platform.grants, config.data_dir, place.kind === "passphrase");
  platform.master_key_source = SOURCES[place.kind];
}
