import { createCipheriv, createDecipheriv } from "node:crypto";

/*
 * A sealed value: version (1 byte) | nonce (12) | ciphertext | tag (16). AES-256-GCM; the associated data names the
 * table, column and row, so that a value copied elsewhere in the database does not open.
 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OVERHEAD = 1 + NONCE_BYTES + TAG_BYTES;

/** Thrown for a value that is damaged, was moved, or was sealed with another key. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
}

/** Seals `plain` with a 32-byte key. `version` (0–255) identifies the key when the value is opened. */
export function sealBytes(key: Uint8Array, version: number, context: string, plain: Uint8Array): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(context));
  const body = cipher.update(plain);
  cipher.final();
  const out = new Uint8Array(OVERHEAD + body.length);
  out[0] = version;
  out.set(nonce, 1);
  out.set(body, 1 + NONCE_BYTES);
  out.set(cipher.getAuthTag(), 1 + NONCE_BYTES + body.length);
  return out;
}

/** Returns the version byte of a sealed value. @throws SealBroken if the value is too short */
export function sealedVersion(sealed: Uint8Array): number {
  if (sealed.length < OVERHEAD) throw new SealBroken("A sealed value is too short.");
  return sealed[0]!;
}

/** Opens a sealed value. @throws SealBroken if a single bit or the context differs */
export function openBytes(key: Uint8Array, context: string, sealed: Uint8Array): Uint8Array {
  sealedVersion(sealed);
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 1 + NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(1 + NONCE_BYTES, end));
  try {
    decipher.final();
  } catch (cause) {
    throw new SealBroken(`A sealed value did not open (${context.split(":")[0]}).`, { cause });
  }
  return plain;
}
