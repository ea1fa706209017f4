import { UserError } from "../../kernel/errors.ts";
import type { Platform } from "../platform.ts";
import { masterKeyId } from "./master-key.ts";
import { noteSalt } from "./note-salt.ts";
import { recoveryRecipient } from "./recovery-file.ts";
import { stageRecovery } from "./recovery-key.ts";
import { type NextKeyLocation, stageNextKey } from "./rotation.ts";

const SOURCES = { file: "file", outside: "given", passphrase: "passphrase" } as const;

/**
 * Replaces the master key, or moves it. The recovery key also opens the new one. A crash at any moment leaves a folder
 * that opens with the old key or with the new one.
 * @throws UserError if the place cannot be used; nothing was changed then
 */
export async function moveMasterKey(platform: Platform, location: NextKeyLocation): Promise<void> {
  const { config, keyring } = platform;
  // Checked before anything is written, because a forged recovery file must not receive the next key.
  recoveryRecipient(platform);
  const staged = await stageNextKey(config.data_dir, location);
  if (masterKeyId(staged.key) === masterKeyId(keyring.master)) {
    throw new UserError("This file already contains the master key. Choose a new file.");
  }
  const recovery = await stageRecovery(platform, staged.key);
  keyring.rotate(staged.key);
  staged.promote();
  recovery.promote();
  noteSalt(platform.grants, config.data_dir, location.kind === "passphrase");
  platform.master_key_source = SOURCES[location.kind];
}
