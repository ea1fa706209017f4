import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
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
 *
 * Anyone who can write the folder could put their own public half there, or an older file. So the file carries an HMAC under
 * each master key that it holds, and the register of grants notes the public half that counts (decisions/0023).
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
  /** HMACs of the above by the master key's id, hex; absent in files of versions that made none. */
  macs?: Record<string, string>;
}

/** What of the register of grants is needed here. */
export interface NotedFiles {
  noteFile(name: string, contents: string | null): void;
  holdsFile(name: string, contents: string | null): boolean;
}

/** The parts of a platform that say what counts. */
export interface RecoveryPlace {
  config: { data_dir: string };
  keyring: { master: Uint8Array };
  grants: NotedFiles;
}

/** How the register calls the public half. */
const NOTED = "recovery recipient";

const recoveryFile = (data_dir: string) => join(data_dir, "keys", "recovery.json");

export async function newRecoveryKey(): Promise<RecoveryKey> {
  const secret = await generateX25519Identity();
  return { secret, recipient: await identityToRecipient(secret) };
}

/** Makes `recipient` the recovery key of this data folder; an earlier one opens nothing from here on. */
export async function adoptRecoveryKey({ config, keyring, grants }: RecoveryPlace, recipient: string): Promise<void> {
  const { master } = keyring;
  write(config.data_dir, { recipient, master_keys: [await wrap(recipient, master)] }, [master]);
  // A crash in between leaves a file that is not noted: it is refused, and a new key is made.
  grants.noteFile(NOTED, recipient);
}

/** Whether a data folder has a file of a recovery key, whatever it says. */
export function hasRecoveryFile(data_dir: string): boolean {
  return existsSync(recoveryFile(data_dir));
}

/**
 * The public half of the recovery key; null when the data folder has none yet.
 * @throws UserError when the file was changed, replaced or deleted by anything but Postroom
 */
export function recoveryRecipient(place: RecoveryPlace): string | null {
  return authentic(place)?.recipient ?? null;
}

/** For the upgrade from versions that did not authenticate the file: takes it as it is. A damaged one is left to be refused. */
export function authenticateOlder(data_dir: string, master: Uint8Array, grants: NotedFiles): void {
  try {
    const file = read(data_dir);
    if (!file) return;
    write(data_dir, file, [master]);
    grants.noteFile(NOTED, file.recipient);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
}

/** @throws UserError */
function authentic({ config, keyring, grants }: RecoveryPlace): RecoveryFile | null {
  const file = read(config.data_dir);
  const noted = grants.holdsFile(NOTED, file?.recipient ?? null);
  if (noted && (file === null || isAuthentic(file, keyring.master))) return file;
  throw new UserError(
    file === null
      ? "keys/recovery.json is missing. Restore it from a backup, or make a new recovery key on the settings page."
      : "keys/recovery.json was changed outside Postroom: its recovery key may be somebody else's. Make a new recovery key on the settings page, or restore the file from a backup.",
  );
}

function isAuthentic(file: RecoveryFile, master: Uint8Array): boolean {
  const given = Buffer.from(file.macs?.[masterKeyId(master)] ?? "", "hex");
  const right = macOf(file, master);
  return given.length === right.length && timingSafeEqual(given, right);
}

function macOf({ recipient, master_keys }: RecoveryFile, master: Uint8Array): Buffer {
  const key = new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), "postroom recovery file v1", 32));
  const text = JSON.stringify([recipient, master_keys.map(({ id, wrapped }) => [id, wrapped])]);
  return createHmac("sha256", key).update(text).digest();
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
  const master = parseKey(await decrypter.decrypt(armor.decode(found.wrapped), "text"));
  // Anybody can encrypt a key of their own to the public half.
  const made_here = masterKeyId(master) === found.id && (file.macs === undefined || isAuthentic(file, master));
  if (!made_here) throw new UserError("keys/recovery.json was changed outside Postroom. Restore it from a backup.");
  return master;
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
 * folder without a recovery key stays without one. @throws UserError for a file that is not ours; nothing has changed then
 */
export async function stageRecovery(place: RecoveryPlace, next: Uint8Array): Promise<{ promote(): void }> {
  const file = authentic(place);
  if (!file) return { promote() {} };
  const { data_dir } = place.config;
  const { recipient } = file;
  const wrapped = await wrap(recipient, next);
  const both = [...file.master_keys.filter(({ id }) => id !== wrapped.id), wrapped];
  write(data_dir, { recipient, master_keys: both }, [place.keyring.master, next]);
  return {
    promote: () => write(data_dir, { recipient, master_keys: [wrapped] }, [next]),
  };
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
    const { recipient, master_keys, macs } = JSON.parse(readFileSync(path, "utf8")) as RecoveryFile;
    if (!recipient.startsWith("age1") || !Array.isArray(master_keys)) throw new Error("another shape");
    return { recipient, master_keys, ...(macs && { macs }) };
  } catch {
    throw new UserError("keys/recovery.json is damaged. Restore it from a backup, or make a new recovery key.");
  }
}

function write(data_dir: string, file: RecoveryFile, masters: readonly Uint8Array[]): void {
  const macs = Object.fromEntries(masters.map((key) => [masterKeyId(key), macOf(file, key).toString("hex")]));
  mkdirSync(join(data_dir, "keys"), { recursive: true, mode: 0o700 });
  writeSecretFile(recoveryFile(data_dir), `${JSON.stringify({ ...file, macs }, null, 2)}\n`);
}
