import { createHash, createPublicKey, verify } from "node:crypto";
import { UserError } from "../../kernel/errors.ts";

/** A public key of minisign (https://jedisct1.github.io/minisign/). */
export interface PublicKey {
  /** 8 bytes that name the key, as hex digits in the order that minisign prints. */
  id: string;
  /** Ed25519, 32 bytes. */
  key: Buffer;
}

const ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** DER of a SubjectPublicKeyInfo with an Ed25519 key, up to the key (RFC 8410 §4). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const COMMENT = "untrusted comment: ";
const TRUSTED = "trusted comment: ";

/** Reads a public key: the line in Base64, with or without the comment before it. @returns null if it is none */
export function parsePublicKey(text: string): PublicKey | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith(COMMENT));
  const bytes = lines.length === 1 ? fromBase64(lines[0]!) : null;
  if (bytes?.length !== 2 + ID_BYTES + KEY_BYTES || bytes.toString("latin1", 0, 2) !== "Ed") return null;
  return { id: idOf(bytes), key: bytes.subarray(2 + ID_BYTES) };
}

/**
 * Verifies a signature of minisign, prehashed (`minisign -S`) or not (`minisign -Sl`), with its trusted comment.
 * @param signature text of the `.minisig` file @returns the trusted comment
 * @throws UserError with what is wrong
 */
export function verifySignature(publicKey: PublicKey, signature: string, message: Uint8Array): string {
  const [comment = "", encoded = "", trusted = "", global = ""] = signature.split("\n").map(withoutReturn);
  const bytes = fromBase64(encoded);
  const overall = fromBase64(global);
  const algorithm = bytes?.toString("latin1", 0, 2);
  if (
    !comment.startsWith(COMMENT) ||
    !trusted.startsWith(TRUSTED) ||
    bytes?.length !== 2 + ID_BYTES + SIGNATURE_BYTES ||
    overall?.length !== SIGNATURE_BYTES ||
    (algorithm !== "Ed" && algorithm !== "ED")
  ) {
    throw new UserError("The signature of the release is not a signature of minisign.");
  }
  if (idOf(bytes) !== publicKey.id) {
    throw new UserError(`The release was signed with key ${idOf(bytes)}. The expected key is ${publicKey.id}.`);
  }
  const own = bytes.subarray(2 + ID_BYTES);
  const signed = algorithm === "ED" ? createHash("blake2b512").update(message).digest() : message;
  const text = trusted.slice(TRUSTED.length);
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey.key]), format: "der", type: "spki" });
  if (!verify(null, signed, key, own) || !verify(null, Buffer.concat([own, Buffer.from(text)]), key, overall)) {
    throw new UserError(
      "The signature of the release is wrong: the list of checksums was changed after it was signed.",
    );
  }
  return text;
}

/** minisign prints the id as a number, whose bytes are stored in the reverse order. */
function idOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(2, 2 + ID_BYTES))
    .reverse()
    .toString("hex")
    .toUpperCase();
}

const withoutReturn = (line: string) => line.replace(/\r$/, "");

function fromBase64(text: string): Buffer | null {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : null;
}
