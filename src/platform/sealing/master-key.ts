import { createHash, randomBytes, type ScryptOptions, scrypt, scryptSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { closeToOthers } from "../private-folder.ts";

const KEY_BYTES = 32;
/** scrypt at N = 2^16, r = 8: about 150 ms and 64 MiB once per start. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
/** Parameters of others (a backup carries its own) may cost so many times what ours do. */
const MOST_TIMES = 8;

/** The source of the master key, and whether it protects against a stolen disk. */
export interface MasterKey {
  key: Uint8Array;
  source: "file" | "given" | "passphrase";
}

export interface MasterKeySettings {
  /** 64 hex digits or 44 base64 characters, given by environment or by a file outside the data folder. */
  given: string;
  passphrase: string;
}

/** A short public name of a key, to tell keys apart in the database without revealing them. */
export function masterKeyId(key: Uint8Array): string {
  return createHash("sha256").update("postroom master key id\0").update(key).digest("hex").slice(0, 16);
}

/**
 * Finds the master key: given from outside, else derived from a passphrase (scrypt, salt in keys/passphrase.json), else
 * the file keys/master.key, made with mode 0600 at the first start.
 * @param expected_id the id noted in the database, or null for a new one. A rotation that a crash cut short leaves the
 *   next key (or the next salt) beside the present one; the database says which of them counts.
 * @throws UserError saying what is missing or wrong
 */
export function findMasterKey(data_dir: string, settings: MasterKeySettings, expectedId: string | null): MasterKey {
  const dir = join(data_dir, "keys");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (settings.given) return { key: fromOutside(settings.given, expectedId), source: "given" };
  if (settings.passphrase) return { key: fromPassphrase(dir, settings.passphrase, expectedId), source: "passphrase" };
  return { key: fromFile(dir, expectedId), source: "file" };
}

/** Reads a key given as hex or base64. */
export function parseKey(text: string): Uint8Array {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : Buffer.from(trimmed, "base64");
  if (bytes.length !== KEY_BYTES) throw new UserError("The master key must be 32 bytes, as 64 hex digits or base64.");
  return new Uint8Array(bytes);
}

/** Paths of the key and the salt, and of their successors during a rotation. */
export const keyFile = (dir: string) => join(dir, "master.key");
export const nextKeyFile = (dir: string) => join(dir, "master.key.next");
export const saltFile = (dir: string) => join(dir, "passphrase.json");
/** How the register of grants calls the salt file, while a passphrase makes the master key. */
export const NOTED_SALT = "keys/passphrase.json";
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
    return derive(passphrase, saltJson);
  }
  if (salts.length === 0) {
    throw new UserError(
      "This data folder is not protected by a passphrase. Start without the passphrase. To protect the folder, run " +
        "'postroom key-rotate --to-passphrase-file FILE'.",
    );
  }
  for (const path of salts) {
    const key = derive(passphrase, readFileSync(path, "utf8"));
    if (masterKeyId(key) !== expectedId) continue;
    if (path === nextSaltFile(dir)) renameSync(path, saltFile(dir));
    return key;
  }
  throw new UserError("Wrong passphrase: it does not open this data folder.");
}

/** A key as its file holds it. */
export function formatKey(key: Uint8Array): string {
  return `${Buffer.from(key).toString("hex")}\n`;
}

/** Writes a file that only its owner may read, so that a crash leaves the old one, or the new one, whole. */
export function writeSecretFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  closeToOthers(temporary);
  renameSync(temporary, path);
}

/** Parameters and a fresh salt for a passphrase: what passphrase.json holds. Nothing in it is secret. */
export function newSalt(): string {
  return `${JSON.stringify({ kdf: "scrypt", N: SCRYPT.N, r: SCRYPT.r, p: SCRYPT.p, salt: randomBytes(16).toString("hex") })}\n`;
}

/**
 * The key that a passphrase makes with the parameters of a passphrase.json. It keeps the thread busy for its 150 ms: at a
 * start and in commands. @throws UserError when that is damaged
 */
export function derive(passphrase: string, saltJson: string): Uint8Array {
  const { salt, options } = parseSalt(saltJson);
  return new Uint8Array(scryptSync(passphrase.normalize("NFC"), salt, KEY_BYTES, options));
}

/** The same beside other work, for a server that is serving. @throws UserError */
export async function deriveAside(passphrase: string, saltJson: string): Promise<Uint8Array> {
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
    const sound =
      [N, r, p].every((value) => Number.isInteger(value) && value > 0) && /^([0-9a-f]{2}){16,}$/i.test(salt);
    if (
      sound &&
      Number.isInteger(Math.log2(N)) &&
      p <= MOST_TIMES &&
      N * r * p <= MOST_TIMES * SCRYPT.N * SCRYPT.r * SCRYPT.p
    ) {
      return { salt: Buffer.from(salt, "hex"), options: { N, r, p, maxmem: MOST_TIMES * SCRYPT.maxmem } };
    }
  } catch {
    // No JSON.
  }
  throw new UserError(
    "keys/passphrase.json is damaged. Restore it from your backup, because the passphrase needs its salt.",
  );
}

/** For a new database: a file that was put there before may make the passphrase cheap to guess. @throws UserError */
function requireFullCost(saltJson: string): void {
  const { N = 0, r = 0, p = 0 } = parseSalt(saltJson).options;
  if (N >= SCRYPT.N && r >= SCRYPT.r && p >= SCRYPT.p) return;
  throw new UserError(
    "keys/passphrase.json makes the passphrase too easy to guess. Remove the file and start again: a new data " +
      "folder gets its own.",
  );
}

/** A fresh master key. */
export function newMasterKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_BYTES));
}
