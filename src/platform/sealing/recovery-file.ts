import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { masterKeyId, writeSecretFile } from "./master-key.ts";

/*
 * Reads and authenticates keys/recovery.json. Separate from recovery-key.ts, because every thread needs this and few
 * need age.
 */

/** The content of keys/recovery.json. Nothing in it is secret. */
export interface RecoveryFile {
  recipient: string;
  /** The master key, encrypted to the recipient (armored age file). Two keys during a rotation. */
  master_keys: { id: string; wrapped: string }[];
  /** HMACs of the fields above by the master key's id, hex. Absent in files of older versions. */
  macs?: Record<string, string>;
}

/** The parts of the register of grants that are used here. */
export interface NotedFiles {
  noteFile(name: string, contents: string | null): void;
  holdsFile(name: string, contents: string | null): boolean;
}

/** The parts of a platform that are needed to authenticate the file. */
export interface RecoveryContext {
  config: { data_dir: string };
  keyring: { master: Uint8Array };
  grants: NotedFiles;
}

/** Name of the public half in the register. */
export const NOTED_RECIPIENT = "recovery recipient";

const recoveryFile = (data_dir: string) => join(data_dir, "keys", "recovery.json");

/** Returns whether a data folder has a recovery file, valid or not. */
export function hasRecoveryFile(data_dir: string): boolean {
  return existsSync(recoveryFile(data_dir));
}

/**
 * Returns the public half of the recovery key; null if the data folder has none yet.
 * @throws UserError if the file was changed, replaced or deleted outside Postroom
 */
export function recoveryRecipient(context: RecoveryContext): string | null {
  return authentic(context)?.recipient ?? null;
}

/**
 * Registers the file of a version that did not authenticate it. A damaged file is left as it is, and is refused later.
 */
export function authenticateOlder(data_dir: string, master: Uint8Array, grants: NotedFiles): void {
  try {
    const file = readRecoveryFile(data_dir);
    if (!file) return;
    writeRecoveryFile(data_dir, file, [master]);
    grants.noteFile(NOTED_RECIPIENT, file.recipient);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
}

/** Reads and authenticates the file; null if there is none. @throws UserError if it was changed outside Postroom */
export function authentic({ config, keyring, grants }: RecoveryContext): RecoveryFile | null {
  const file = readRecoveryFile(config.data_dir);
  const noted = grants.holdsFile(NOTED_RECIPIENT, file?.recipient ?? null);
  if (noted && (file === null || isAuthentic(file, keyring.master))) return file;
  throw new UserError(
    file === null
      ? "keys/recovery.json is missing. Restore it from a backup, or create a new recovery key on the settings page."
      : "keys/recovery.json was changed outside Postroom: its recovery key may belong to someone else. Create a new " +
          "recovery key on the settings page, or restore the file from a backup.",
  );
}

/** Returns whether the HMAC of the file is correct. */
export function isAuthentic(file: RecoveryFile, master: Uint8Array): boolean {
  const given = Buffer.from(file.macs?.[masterKeyId(master)] ?? "", "hex");
  const right = macOf(file, master);
  return given.length === right.length && timingSafeEqual(given, right);
}

function macOf({ recipient, master_keys }: RecoveryFile, master: Uint8Array): Buffer {
  const key = new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), "postroom recovery file v1", 32));
  const text = JSON.stringify([recipient, master_keys.map(({ id, wrapped }) => [id, wrapped])]);
  return createHmac("sha256", key).update(text).digest();
}

/** Reads the file without authenticating it; null if there is none. @throws UserError if it is damaged */
export function readRecoveryFile(data_dir: string): RecoveryFile | null {
  const path = recoveryFile(data_dir);
  if (!existsSync(path)) return null;
  try {
    const { recipient, master_keys, macs } = JSON.parse(readFileSync(path, "utf8")) as RecoveryFile;
    if (!recipient.startsWith("age1") || !Array.isArray(master_keys)) throw new Error("another shape");
    return { recipient, master_keys, ...(macs && { macs }) };
  } catch {
    throw new UserError("keys/recovery.json is damaged. Restore it from a backup, or create a new recovery key.");
  }
}

/** Writes the file with its HMACs. @param masters keys to authenticate it with */
export function writeRecoveryFile(data_dir: string, file: RecoveryFile, masters: readonly Uint8Array[]): void {
  const macs = Object.fromEntries(masters.map((key) => [masterKeyId(key), macOf(file, key).toString("hex")]));
  mkdirSync(join(data_dir, "keys"), { recursive: true, mode: 0o700 });
  writeSecretFile(recoveryFile(data_dir), `${JSON.stringify({ ...file, macs }, null, 2)}\n`);
}
