import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { UserError } from "../../kernel/errors.ts";
import { formatKey, masterKeyId, parseKey } from "./master-key.ts";
import {
  authentic,
  isAuthentic,
  NOTED_RECIPIENT,
  type RecoveryPlace,
  readRecoveryFile,
  writeRecoveryFile,
} from "./recovery-file.ts";

/* The recovery key is an age identity (age-encryption.org/v1, X25519), printed once and never stored. The data folder has its public half and the master key encrypted to it, in keys/recovery.json, so:
- anyone who lost the passphrase or the key file can open the folder with the printed key;
- backups are encrypted to the public half, and no one has to type the key.

Anyone who can write the folder could put their own public half there, or an older file. The file therefore carries an HMAC under each master key that it contains, and the register of grants records the valid public half (docs/decisions/0023). */

/** A fresh recovery key. */
export interface RecoveryKey {
  /** What is printed: "AGE-SECRET-KEY-1…", 74 characters with a checksum in them. */
  secret: string;
  /** What the data folder keeps: "age1…". Encrypts, opens nothing. */
  recipient: string;
}

export async function newRecoveryKey(): Promise<RecoveryKey> {
  const secret = await generateX25519Identity();
  return { secret, recipient: await identityToRecipient(secret) };
}

/** Makes `recipient` the recovery key of this data folder; an earlier one opens nothing from here on. */
export async function adoptRecoveryKey({ config, keyring, grants }: RecoveryPlace, recipient: string): Promise<void> {
  const { master } = keyring;
  writeRecoveryFile(config.data_dir, { recipient, master_keys: [await wrap(recipient, master)] }, [master]);
  // A crash in between leaves a file that is not noted: it is refused, and a new key is made.
  grants.noteFile(NOTED_RECIPIENT, recipient);
}

/**
 * The master key of a data folder, by its recovery key as a person typed it (spaces and lower case do no harm).
 * @param expected_id of the master key that the database wants; null: whichever there is
 * @throws UserError when it is no recovery key, another folder's, or an earlier one
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

/** Parses "AGE-SECRET-KEY-1…" as a person typed it. @throws UserError when the checksum is wrong */
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
 * For a rotation of the master key: adds the next one before the database changes over. `promote` drops the others then. A
 * folder without a recovery key stays without one. @throws UserError for a file that is not ours; nothing has changed then
 */
export async function stageRecovery(place: RecoveryPlace, next: Uint8Array): Promise<{ promote(): void }> {
  const file = authentic(place);
  if (!file) return { promote() {} };
  const { data_dir } = place.config;
  const { recipient } = file;
  const wrapped = await wrap(recipient, next);
  const both = [...file.master_keys.filter(({ id }) => id !== wrapped.id), wrapped];
  writeRecoveryFile(data_dir, { recipient, master_keys: both }, [place.keyring.master, next]);
  return {
    promote: () => writeRecoveryFile(data_dir, { recipient, master_keys: [wrapped] }, [next]),
  };
}

async function wrap(recipient: string, master: Uint8Array): Promise<{ id: string; wrapped: string }> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return { id: masterKeyId(master), wrapped: armor.encode(await encrypter.encrypt(formatKey(master).trim())) };
}
