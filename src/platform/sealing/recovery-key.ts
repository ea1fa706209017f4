import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { UserError } from "../../kernel/errors.ts";
import { formatKey, masterKeyId, parseKey, writeSecretFile } from "./master-key.ts";

/*
 * The recovery key is an age identity (age-encryption.org/v1, X25519), printed once and kept nowhere by us. The data folder
 * holds its public half and the master key encrypted to it, in keys/recovery.json, so:
 * - whoever lost the passphrase or the key file opens the folder with the printed key;
 * - backups are encrypted to the public half, without anybody having to type the key.
 */

/** A fresh recovery key. */
export interface RecoveryKey {
  /** What is printed: "AGE-SECRET-KEY-1…", 74 characters with a checksum in them. */
  secret: string;
  /** What the data folder keeps: "age1…". Encrypts, opens nothing. */
  recipient: string;
}

/** What keys/recovery.json holds. Nothing in it is secret. */
interface RecoveryFile {
  recipient: string;
  /** The master key, encrypted to the recipient (armored age file); two while a rotation runs. */
  master_keys: { id: string; wrapped: string }[];
}

const recoveryFile = (data_dir: string) => join(data_dir, "keys", "recovery.json");

export async function newRecoveryKey(): Promise<RecoveryKey> {
  const secret = await generateX25519Identity();
  return { secret, recipient: await identityToRecipient(secret) };
}

/** Makes `recipient` the recovery key of this data folder; an earlier one opens nothing from here on. */
export async function adoptRecoveryKey(data_dir: string, recipient: string, master: Uint8Array): Promise<void> {
  write(data_dir, { recipient, master_keys: [await wrap(recipient, master)] });
}

/** The public half of the recovery key; null when the data folder has none yet. */
export function recoveryRecipient(data_dir: string): string | null {
  return read(data_dir)?.recipient ?? null;
}

/**
 * The master key of a data folder, by its recovery key as a person typed it (spaces and lower case do no harm).
 * @param expected_id of the master key that the database wants; null: whichever there is
 * @throws UserError when it is no recovery key, another folder's, or an earlier one
 */
export async function recoverMasterKey(
  data_dir: string,
  typed: string,
  expected_id: string | null,
): Promise<Uint8Array> {
  const secret = parseRecoveryKey(typed);
  const file = read(data_dir);
  if (!file) throw new UserError("This data folder has no recovery key.");
  if ((await identityToRecipient(secret)) !== file.recipient) {
    throw new UserError("This recovery key belongs to another data folder, or was replaced by a newer one.");
  }
  const found = file.master_keys.find(({ id }) => expected_id === null || id === expected_id);
  if (!found) throw new UserError("keys/recovery.json does not hold the present master key. Restore it from a backup.");
  const decrypter = new Decrypter();
  decrypter.addIdentity(secret);
  return parseKey(await decrypter.decrypt(armor.decode(found.wrapped), "text"));
}

/** "AGE-SECRET-KEY-1…" out of what a person typed. @throws UserError when it cannot be one: the checksum tells */
export function parseRecoveryKey(typed: string): string {
  const secret = typed.replace(/\s+/g, "").toUpperCase();
  try {
    new Decrypter().addIdentity(secret);
    return secret;
  } catch {
    throw new UserError("This is no recovery key (AGE-SECRET-KEY-1 and 58 characters), or it has a typing error.");
  }
}

/**
 * For a rotation of the master key: adds the next one before the database changes over. `promote` drops the others then. A
 * folder without a recovery key stays without one.
 */
export async function stageRecovery(data_dir: string, next: Uint8Array): Promise<{ promote(): void }> {
  const file = read(data_dir);
  if (!file) return { promote() {} };
  const wrapped = await wrap(file.recipient, next);
  write(data_dir, { ...file, master_keys: [...file.master_keys.filter(({ id }) => id !== wrapped.id), wrapped] });
  return { promote: () => write(data_dir, { ...file, master_keys: [wrapped] }) };
}

async function wrap(recipient: string, master: Uint8Array): Promise<{ id: string; wrapped: string }> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return { id: masterKeyId(master), wrapped: armor.encode(await encrypter.encrypt(formatKey(master).trim())) };
}

function read(data_dir: string): RecoveryFile | null {
  const path = recoveryFile(data_dir);
  if (!existsSync(path)) return null;
  try {
    const { recipient, master_keys } = JSON.parse(readFileSync(path, "utf8")) as RecoveryFile;
    if (!recipient.startsWith("age1") || !Array.isArray(master_keys)) throw new Error("another shape");
    return { recipient, master_keys };
  } catch {
    throw new UserError("keys/recovery.json is damaged. Restore it from a backup, or make a new recovery key.");
  }
}

function write(data_dir: string, file: RecoveryFile): void {
  mkdirSync(join(data_dir, "keys"), { recursive: true, mode: 0o700 });
  writeSecretFile(recoveryFile(data_dir), `${JSON.stringify(file, null, 2)}\n`);
}
