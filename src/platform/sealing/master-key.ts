import { createHash, randomBytes, type ScryptOptions, scrypt, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { removeOthersAccess } from "../private-folder.ts";

const KEY_BYTES = 32;
/** scrypt with N = 2^16 and r = 8 takes about 150 ms and 64 MiB, once per start. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
/** Parameters of a file, such as those in a backup, may cost at most this many times as much. */
const MAX_TIMES = 8;

/** The master key and its source. A key in a file does not protect against a stolen disk. */
export interface MasterKey {
  key: Uint8Array;
  source: "file" | "given" | "passphrase";
}

export interface MasterKeySettings {
  /** 64 hex digits or 44 base64 characters, from the environment or from a file outside the data folder. */
  given: string;
  passphrase: string;
}

/** Returns a short public id of a key, which distinguishes keys without revealing them. */
export function masterKeyId(key: Uint8Array): string {
  return createHash("sha256").update("postroom master key id\0").update(key).digest("hex").slice(0, 16);
}

/**
 * Finds the master key: given from outside, otherwise derived from a passphrase (scrypt, salt in keys/passphrase.json),
 * otherwise in the file keys/master.key, which the first start creates with mode 0600.
 * @param expectedId the id in the database; null for a new one. A rotation that was interrupted by a crash leaves the
 *   next key or salt beside the current one, and this id determines which of them counts.
 * @throws UserError that says what is missing or wrong
 */
export function findMasterKey(data_dir: string, settings: MasterKeySettings, expectedId: string | null): MasterKey {
  const dir = join(data_dir, "keys");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (settings.given) return { key: fromOutside(settings.given, expectedId), source: "given" };
  if (settings.passphrase) return { key: fromPassphrase(dir, settings.passphrase, expectedId), source: "passphrase" };
  return { key: fromFile(dir, expectedId), source: "file" };
}

/** Returns whether the key of a data folder is derived from a passphrase, so that one must be given. */
export function needsPassphrase(data_dir: string): boolean {
  const dir = join(data_dir, "keys");
  const hasKey = [keyFile(dir), nextKeyFile(dir)].some((path) => existsSync(path));
  return !hasKey && [saltFile(dir), nextSaltFile(dir)].some((path) => existsSync(path));
}

/** Reads a key given as hex or base64. */
export function parseKey(text: string): Uint8Array {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : Buffer.from(trimmed, "base64");
  if (bytes.length !== KEY_BYTES) throw new UserError("The master key must be 32 bytes, as 64 hex digits or base64.");
  return new Uint8Array(bytes);
}

/** Returns the path of the key. @param dir the folder keys/ */
export const keyFile = (dir: string) => join(dir, "master.key");
/** Returns the path of the next key during a rotation. */
export const nextKeyFile = (dir: string) => join(dir, "master.key.next");
/** Returns the path of the salt and the parameters for the passphrase. */
export const saltFile = (dir: string) => join(dir, "passphrase.json");
/** Name of the salt file in the register of grants, while the master key is derived from a passphrase. */
export const NOTED_SALT = "keys/passphrase.json";
/** Returns the path of the next salt during a rotation. */
export const nextSaltFile = (dir: string) => join(dir, "passphrase.json.next");

function fromOutside(given: string, expectedId: string | null): Uint8Array {
  const key = parseKey(given);
  if (expectedId !== null && masterKeyId(key) !== expectedId) {
    throw new UserError(
      "Wrong master key: the one in master.key (POSTROOM_MASTER_KEY) does not open this data folder.",
    );
  }
  return key;
}

function fromFile(dir: string, expectedId: string | null): Uint8Array {
  const candidates = [keyFile(dir), nextKeyFile(dir)].filter((path) => existsSync(path));
  const keys = candidates.map((path) => ({ path, key: parseKey(readFileSync(path, "utf8")) }));
  if (expectedId !== null) {
    const match = keys.find(({ key }) => masterKeyId(key) === expectedId);
    if (match) {
      if (match.path === nextKeyFile(dir)) renameSync(match.path, keyFile(dir));
      return match.key;
    }
    throw new UserError(
      existsSync(saltFile(dir)) || existsSync(nextSaltFile(dir))
        ? "This data folder is protected by a passphrase. Set POSTROOM_MASTER_PASSPHRASE or POSTROOM_MASTER_PASSPHRASE_FILE."
        : "The master key of this data folder is not in keys/master.key. Restore the file from your backup. If you " +
            "keep the key elsewhere, set POSTROOM_MASTER_KEY_FILE.",
    );
  }
  if (keys[0]) return keys[0].key;
  const key = newMasterKey();
  writeSecretFile(keyFile(dir), formatKey(key));
  return key;
}

function fromPassphrase(dir: string, passphrase: string, expectedId: string | null): Uint8Array {
  const salts = [saltFile(dir), nextSaltFile(dir)].filter((path) => existsSync(path));
  if (expectedId === null) {
    if (!existsSync(saltFile(dir))) writeSecretFile(saltFile(dir), newSalt());
    const saltJson = readFileSync(saltFile(dir), "utf8");
    requireFullCost(saltJson);
    return deriveKey(passphrase, saltJson);
  }
  if (salts.length === 0) {
    throw new UserError(
      "This data folder is not protected by a passphrase. Start without the passphrase. To protect the folder, run " +
        "'postroom key-rotate --to-passphrase-file FILE'.",
    );
  }
  for (const path of salts) {
    const key = deriveKey(passphrase, readFileSync(path, "utf8"));
    if (masterKeyId(key) !== expectedId) continue;
    if (path === nextSaltFile(dir)) renameSync(path, saltFile(dir));
    return key;
  }
  throw new UserError("Wrong passphrase: it does not open this data folder.");
}

/** Formats a key for its file. */
export function formatKey(key: Uint8Array): string {
  return `${Buffer.from(key).toString("hex")}\n`;
}

/** Writes a file that only its owner can read. A crash leaves either the complete old or the complete new file. */
export function writeSecretFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  removeOthersAccess(temporary);
  renameSync(temporary, path);
}

/** Returns the content of a new passphrase.json: scrypt parameters and a fresh salt. Nothing in it is secret. */
export function newSalt(): string {
  return `${JSON.stringify({ kdf: "scrypt", N: SCRYPT.N, r: SCRYPT.r, p: SCRYPT.p, salt: randomBytes(16).toString("hex") })}\n`;
}

/**
 * Derives a key from a passphrase with the parameters of a passphrase.json. It blocks the thread for about 150 ms, so
 * use it only at startup and in commands. @throws UserError if passphrase.json is damaged
 */
export function deriveKey(passphrase: string, saltJson: string): Uint8Array {
  const { salt, options } = parseSalt(saltJson);
  return new Uint8Array(scryptSync(passphrase.normalize("NFC"), salt, KEY_BYTES, options));
}

/** Derives a key without blocking the thread. @throws UserError if passphrase.json is damaged */
export async function deriveKeyAsync(passphrase: string, saltJson: string): Promise<Uint8Array> {
  const { salt, options } = parseSalt(saltJson);
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(new Uint8Array(key)),
    );
  });
}

function parseSalt(saltJson: string): { salt: Buffer; options: ScryptOptions } {
  try {
    const { N, r, p, salt } = JSON.parse(saltJson) as { N: number; r: number; p: number; salt: string };
    const isValid =
      [N, r, p].every((value) => Number.isInteger(value) && value > 0) && /^([0-9a-f]{2}){16,}$/i.test(salt);
    if (
      isValid &&
      Number.isInteger(Math.log2(N)) &&
      p <= MAX_TIMES &&
      N * r * p <= MAX_TIMES * SCRYPT.N * SCRYPT.r * SCRYPT.p
    ) {
      return { salt: Buffer.from(salt, "hex"), options: { N, r, p, maxmem: MAX_TIMES * SCRYPT.maxmem } };
    }
  } catch {
    // Not JSON: the error below reports it.
  }
  throw new UserError(
    "keys/passphrase.json is damaged. Restore it from your backup, because the passphrase needs its salt.",
  );
}

/**
 * Refuses weak parameters for a new database: a file that someone put there may make guessing cheap.
 * @throws UserError
 */
function requireFullCost(saltJson: string): void {
  const { N = 0, r = 0, p = 0 } = parseSalt(saltJson).options;
  if (N >= SCRYPT.N && r >= SCRYPT.r && p >= SCRYPT.p) return;
  throw new UserError(
    "keys/passphrase.json makes the passphrase too easy to guess. Remove the file and start again: a new data " +
      "folder gets its own.",
  );
}

/** Returns a new random master key. */
export function newMasterKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_BYTES));
}
