import { createHash, randomBytes, scryptSync } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";

const KEY_BYTES = 32;
/** scrypt at N = 2^16, r = 8: about 150 ms and 64 MiB once per start. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/** Where the master key comes from, and whether it protects against a stolen disk. */
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
 * @param expected_id the id noted in the database, or null for a new one. During a rotation that a crash cut short the
 *   file of the next key lies beside the present one; the database says which of them counts.
 */
export function findMasterKey(data_dir: string, settings: MasterKeySettings, expected_id: string | null): MasterKey {
  const dir = join(data_dir, "keys");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (settings.given) return { key: parseKey(settings.given), source: "given" };
  if (settings.passphrase) return { key: fromPassphrase(dir, settings.passphrase), source: "passphrase" };
  return { key: fromFile(dir, expected_id), source: "file" };
}

/** Reads a key given as hex or base64. */
export function parseKey(text: string): Uint8Array {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : Buffer.from(trimmed, "base64");
  if (bytes.length !== KEY_BYTES) throw new UserError("The master key must be 32 bytes as 64 hex digits or base64.");
  return new Uint8Array(bytes);
}

const keyFile = (dir: string) => join(dir, "master.key");
const nextKeyFile = (dir: string) => join(dir, "master.key.next");

function fromFile(dir: string, expected_id: string | null): Uint8Array {
  const candidates = [keyFile(dir), nextKeyFile(dir)].filter((path) => existsSync(path));
  const keys = candidates.map((path) => ({ path, key: parseKey(readFileSync(path, "utf8")) }));
  if (expected_id !== null) {
    const match = keys.find(({ key }) => masterKeyId(key) === expected_id);
    if (match) {
      if (match.path === nextKeyFile(dir)) renameSync(match.path, keyFile(dir));
      return match.key;
    }
    throw new UserError(
      existsSync(join(dir, "passphrase.json"))
        ? "This data folder is protected by a passphrase: set POSTROOM_MASTER_PASSPHRASE or POSTROOM_MASTER_PASSPHRASE_FILE."
        : "The master key of this data folder is missing or another one (keys/master.key). Restore it from your backup.",
    );
  }
  if (keys[0]) return keys[0].key;
  const key = new Uint8Array(randomBytes(KEY_BYTES));
  writeKeyFile(keyFile(dir), key);
  return key;
}

/** Writes `keys/master.key.next`; `promoteNextKey` makes it the key once the database is rewrapped. */
export function stageNextKey(data_dir: string): Uint8Array {
  const key = new Uint8Array(randomBytes(KEY_BYTES));
  writeKeyFile(nextKeyFile(join(data_dir, "keys")), key);
  return key;
}

export function promoteNextKey(data_dir: string): void {
  const dir = join(data_dir, "keys");
  renameSync(nextKeyFile(dir), keyFile(dir));
}

/** Drops key files that no longer count, after the key moved to a passphrase or outside. */
export function removeKeyFiles(data_dir: string): void {
  const dir = join(data_dir, "keys");
  for (const path of [keyFile(dir), nextKeyFile(dir)]) rmSync(path, { force: true });
}

function writeKeyFile(path: string, key: Uint8Array): void {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, `${Buffer.from(key).toString("hex")}\n`, { mode: 0o600, flush: true });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

function fromPassphrase(dir: string, passphrase: string): Uint8Array {
  const path = join(dir, "passphrase.json");
  if (!existsSync(path)) {
    writeFileSync(path, JSON.stringify({ kdf: "scrypt", ...SCRYPT, salt: randomBytes(16).toString("hex") }), {
      mode: 0o600,
      flush: true,
    });
  }
  const stored = JSON.parse(readFileSync(path, "utf8")) as { N: number; r: number; p: number; salt: string };
  const options = { N: stored.N, r: stored.r, p: stored.p, maxmem: SCRYPT.maxmem };
  return new Uint8Array(scryptSync(passphrase.normalize("NFC"), Buffer.from(stored.salt, "hex"), KEY_BYTES, options));
}
