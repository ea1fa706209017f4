import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { UserError } from "../../kernel/errors.ts";
import { formatKey, masterKeyId, parseKey } from "./master-key.ts";
import {
  authentic,
  isAuthentic,
  NOTED_RECIPIENT,
  type RecoveryContext,
  readRecoveryFile,
  writeRecoveryFile,
} from "./recovery-file.ts";

/*
 * The recovery key is an age identity (age-encryption.org/v1, X25519), printed once and never stored.
 * keys/recovery.json in the data folder contains its public half, and the master key encrypted to it. Therefore:
 * - someone who lost the passphrase or the key file can open the folder with the printed key
 * - backups can be encrypted to the public half, without typing the key
 *
 * Anyone who can write the folder could put their own public half there, or an older file. The file therefore carries
 * an HMAC under each master key that it contains, and the register of grants records the valid public half
 * (docs/decisions/0023).
 */

/** A new recovery key. */
export interface RecoveryKey {
  /** The printed secret: "AGE-SECRET-KEY-1…", 74 characters including a checksum. */
  secret: string;
  /** The public half, which the data folder stores: "age1…". It can only encrypt. */
  recipient: string;
}

/** Generates a recovery key. */
export async function newRecoveryKey(): Promise<RecoveryKey> {
  const secret = await generateX25519Identity();
  return { secret, recipient: await identityToRecipient(secret) };
}

/** Makes `recipient` the recovery key of this data folder. An earlier recovery key no longer opens the folder. */
export async function adoptRecoveryKey({ config, keyring, grants }: RecoveryContext, recipient: string): Promise<void> {
  const { master } = keyring;
  writeRecoveryFile(config.data_dir, { recipient, master_keys: [await wrap(recipient, master)] }, [master]);
  // A crash in between leaves an unregistered file, which is refused. The user then creates a new key.
  grants.noteFile(NOTED_RECIPIENT, recipient);
}

/**
 * Returns the master key of a data folder.
 * @param typed the recovery key as typed, possibly with spaces or in lower case
 * @param expectedId id of the master key in the database; null: any
 * @throws UserError if `typed` is not the recovery key of this folder, or the file was changed outside Postroom
 */
export async function recoverMasterKey(
  data_dir: string,
  typed: string,
  expectedId: string | null,
): Promise<Uint8Array> {
  const secret = parseRecoveryKey(typed);
  const file = readRecoveryFile(data_dir);
  if (!file) throw new UserError("This data folder has no recovery key.");
  if ((await identityToRecipient(secret)) !== file.recipient) {
    throw new UserError("This recovery key belongs to another data folder or has been replaced by a newer one.");
  }
  const found = file.master_keys.find(({ id }) => expectedId === null || id === expectedId);
  if (!found)
    throw new UserError("keys/recovery.json does not contain the current master key. Restore it from a backup.");
  const decrypter = new Decrypter();
  decrypter.addIdentity(secret);
  const master = parseKey(await decrypter.decrypt(armor.decode(found.wrapped), "text"));
  // Anyone can encrypt another key to the public half.
  const madeHere = masterKeyId(master) === found.id && (file.macs === undefined || isAuthentic(file, master));
  if (!madeHere) throw new UserError("keys/recovery.json was changed outside Postroom. Restore it from a backup.");
  return master;
}

/** Parses "AGE-SECRET-KEY-1…", ignoring spaces and case. @throws UserError if the checksum is wrong */
export function parseRecoveryKey(typed: string): string {
  const secret = typed.replace(/\s+/g, "").toUpperCase();
  try {
    new Decrypter().addIdentity(secret);
    return secret;
  } catch {
    throw new UserError(
      "This is not a valid recovery key (AGE-SECRET-KEY-1 followed by 58 characters). Check it for a typing error.",
    );
  }
}

/**
 * Adds the next master key to the file, before a rotation changes the database. `promote` then drops the other keys.
 * Without a recovery key, nothing is done.
 * @throws UserError if the file was changed outside Postroom; nothing was changed then
 */
export async function stageRecovery(context: RecoveryContext, next: Uint8Array): Promise<{ promote(): void }> {
  const file = authentic(context);
  if (!file) return { promote() {} };
  const { data_dir } = context.config;
  const { recipient } = file;
  const wrapped = await wrap(recipient, next);
  const both = [...file.master_keys.filter(({ id }) => id !== wrapped.id), wrapped];
  writeRecoveryFile(data_dir, { recipient, master_keys: both }, [context.keyring.master, next]);
  return {
    promote: () => writeRecoveryFile(data_dir, { recipient, master_keys: [wrapped] }, [next]),
  };
}

async function wrap(recipient: string, master: Uint8Array): Promise<{ id: string; wrapped: string }> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return { id: masterKeyId(master), wrapped: armor.encode(await encrypter.encrypt(formatKey(master).trim())) };
}
