import { createPrivateKey, createPublicKey, type KeyObject, scryptSync, sign, timingSafeEqual } from "node:crypto";

/**
 * Signs files in the format of minisign (https://jedisct1.github.io/minisign/#signature-format), so that everyone can
 * verify them with `minisign -V`. Keys are created with `minisign -G`.
 */

export interface SigningKey {
  /** The 8 bytes that signatures and the public key share. */
  id: Buffer;
  key: KeyObject;
  /** The line in Base64 that `minisign -P` accepts. */
  publicKey: string;
}

const COMMENT = "untrusted comment: ";
const ID_BYTES = 8;
const SALT_BYTES = 32;
const SECRET_BYTES = 64;
const CHECKSUM_BYTES = 32;
const LOCKED_BYTES = ID_BYTES + SECRET_BYTES + CHECKSUM_BYTES;
/** Three names of algorithms, the salt, the two limits, and what a password encrypts. */
const FILE_BYTES = 3 * 2 + SALT_BYTES + 2 * 8 + LOCKED_BYTES;
/** DER of a PrivateKeyInfo with an Ed25519 key, up to the key (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Reads a secret key.
 * @param text a key file of minisign, or its second line
 * @param password of an encrypted key
 * @throws Error that says what is wrong with it
 */
export function readSigningKey(text: string, password: string | undefined): SigningKey {
  const lines = text.split("\n").map((line) => line.trim());
  const [line = "", ...more] = lines.filter((one) => one !== "" && !one.startsWith(COMMENT));
  const bytes = Buffer.from(line, "base64");
  const algorithms = bytes.toString("latin1", 0, 6);
  if (more.length > 0 || bytes.length !== FILE_BYTES || !/^Ed(Sc|\0\0)B2$/.test(algorithms)) {
    throw new Error("the signing key is not a secret key of minisign");
  }
  const isEncrypted = algorithms.includes("Sc");
  if (isEncrypted && !password) {
    throw new Error("the signing key is encrypted: set POSTROOM_RELEASE_KEY_PASSWORD to its password");
  }
  const salt = bytes.subarray(6, 6 + SALT_BYTES);
  const limits = bytes.subarray(6 + SALT_BYTES, FILE_BYTES - LOCKED_BYTES);
  const locked = bytes.subarray(FILE_BYTES - LOCKED_BYTES);
  const open = isEncrypted ? xor(locked, stretch(password!, salt, limits)) : locked;
  const id = open.subarray(0, ID_BYTES);
  const secret = open.subarray(ID_BYTES, ID_BYTES + SECRET_BYTES);
  const checksum = open.subarray(ID_BYTES + SECRET_BYTES);
  const expected = new Bun.CryptoHasher("blake2b256").update(Buffer.concat([Buffer.from("Ed"), id, secret])).digest();
  // Unencrypted keys have no checksum.
  if (isEncrypted && !timingSafeEqual(checksum, expected)) throw new Error("the password of the signing key is wrong");
  // A secret key of Ed25519 in libsodium: the seed, then the public key.
  const [seed, publicBytes] = [secret.subarray(0, 32), secret.subarray(32)];
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  if (createPublicKey(key).export({ format: "jwk" }).x !== publicBytes.toString("base64url")) {
    throw new Error("the signing key is damaged");
  }
  const publicKey = Buffer.concat([Buffer.from("Ed"), id, publicBytes]).toString("base64");
  return { id: Buffer.from(id), key, publicKey };
}

/**
 * Returns the text of a `.minisig` file: a signature of the BLAKE2b hash of the message, and a second one that covers
 * the trusted comment.
 */
export function signature(
  { id, key }: SigningKey,
  message: Uint8Array,
  { untrusted, trusted }: { untrusted: string; trusted: string },
): string {
  const hash = new Bun.CryptoHasher("blake2b512").update(message as Uint8Array<ArrayBuffer>).digest();
  const own = sign(null, hash, key);
  const overall = sign(null, Buffer.concat([own, Buffer.from(trusted)]), key);
  const first = Buffer.concat([Buffer.from("ED"), id, own]).toString("base64");
  return `${COMMENT}${untrusted}\n${first}\ntrusted comment: ${trusted}\n${overall.toString("base64")}\n`;
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ b[i]!));
}

/** Derives the key stream of an encrypted key from its password, with the parameters that libsodium derives. */
function stretch(password: string, salt: Buffer, limits: Buffer): Buffer {
  const operations = Math.max(32_768, Number(limits.readBigUInt64LE(0)));
  const memory = Number(limits.readBigUInt64LE(8));
  const r = 8;
  // `pickparams` of libsodium (pwhash_scryptsalsa208sha256.c).
  const isShort = operations < memory / 32;
  const most = isShort ? operations / (r * 4) : memory / (r * 128);
  let log = 1;
  while (log < 63 && 2 ** log <= most / 2) log++;
  const N = 2 ** log;
  const p = isShort ? 1 : Math.max(1, Math.floor(Math.min(operations / 4 / N, 0x3fffffff) / r));
  const maxmem = 2 * 128 * N * r + 128 * r * p;
  return scryptSync(password, salt, LOCKED_BYTES, { N, r, p, maxmem });
}
