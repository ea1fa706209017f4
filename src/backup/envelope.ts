import { hkdfSync } from "node:crypto";
import { Decrypter, Encrypter, type Identity, type Recipient, Stanza } from "age-encryption";
import { UserError } from "../kernel/errors.ts";
import { openBytes, SealBroken, sealBytes, sealedVersion } from "../platform/sealing/box.ts";
import { deriveKey, masterKeyId, parseKey } from "../platform/sealing/master-key.ts";
import { parseRecoveryKey } from "../platform/sealing/recovery-key.ts";

/*
 * A backup is an age file (age-encryption.org/v1) that opens with up to two keys:
 * - the recovery key of the data folder, an ordinary X25519 recipient, so that `age --decrypt` opens the file as well
 * - its master key, in a custom stanza, which age skips: "postroom/master-key", the key's id and, if the key is derived
 *   from a passphrase, the base64url of passphrase.json. The body is the file key as a sealed value (box.ts).
 */
const STANZA = "postroom/master-key";
const BODY_VERSION = 1;
const BODY_CONTEXT = "backup.file-key";

/** The keys that a backup is encrypted to. */
export interface Readers {
  master: Uint8Array;
  /** keys/passphrase.json, if the master key is derived from a passphrase. */
  salt: string | null;
  /** Public half of the recovery key. */
  recovery: string | null;
}

/** A secret that can open a backup. */
export type Secret =
  | { kind: "recovery key"; secret: string }
  /** `made` caches derived keys by salt, because deriving one is slow on purpose. */
  | { kind: "passphrase"; passphrase: string; made?: Map<string, Uint8Array> }
  | { kind: "master key"; key: Uint8Array };

/** Recognizes a typed secret: a recovery key, a master key as hex or base64, otherwise a passphrase. */
export function parseSecret(typed: string): Secret {
  const text = typed.trim();
  if (/^\s*AGE-SECRET-KEY/i.test(text)) return { kind: "recovery key", secret: parseRecoveryKey(text) };
  try {
    return { kind: "master key", key: parseKey(text) };
  } catch {
    return { kind: "passphrase", passphrase: text };
  }
}

/** Returns a stream that encrypts `plain` while it is read. */
export function encrypted(plain: ReadableStream<Uint8Array>, readers: Readers): Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter();
  if (readers.recovery !== null) encrypter.addRecipient(readers.recovery);
  encrypter.addRecipient(new MasterRecipient(readers));
  return encrypter.encrypt(plain);
}

/** The result of opening a backup's header. */
export interface OpenedHeader {
  secret: Secret;
  file_key: Uint8Array;
}

/**
 * Opens the header of a backup with the first secret that fits.
 * @param header from the first byte to the end of the line that begins with "---"
 * @throws UserError if no secret fits or the header is damaged
 */
export async function openHeader(file: string, header: Uint8Array, secrets: readonly Secret[]): Promise<OpenedHeader> {
  for (const secret of secrets) {
    const decrypter = new Decrypter();
    decrypter.addIdentity(secret.kind === "recovery key" ? secret.secret : new MasterIdentity(secret));
    try {
      return { secret, file_key: await decrypter.decryptHeader(header) };
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("no identity matched")) {
        throw new UserError(`${file} is damaged in its header (the first ${header.length} bytes).`);
      }
    }
  }
  const tried = secrets.map(({ kind }) => kind).join(" and ") || "key";
  throw new UserError(
    `The ${tried} does not open ${file}. It belongs to another data folder or an earlier key, or the header of the file (its first ${header.length} bytes) is damaged.`,
  );
}

/** Returns a stream that decrypts a whole file whose header has been opened. */
export function decrypted(
  cipher: ReadableStream<Uint8Array>,
  { file_key }: OpenedHeader,
): Promise<ReadableStream<Uint8Array>> {
  const decrypter = new Decrypter();
  decrypter.addIdentity({ unwrapFileKey: () => file_key });
  return decrypter.decrypt(cipher);
}

class MasterRecipient implements Recipient {
  constructor(private readonly readers: Readers) {}

  wrapFileKey(file_key: Uint8Array): Stanza[] {
    const { master, salt } = this.readers;
    const args = [STANZA, masterKeyId(master), ...(salt === null ? [] : [Buffer.from(salt).toString("base64url")])];
    return [new Stanza(args, sealBytes(wrappingKey(master), BODY_VERSION, BODY_CONTEXT, file_key))];
  }
}

class MasterIdentity implements Identity {
  constructor(private readonly secret: Exclude<Secret, { kind: "recovery key" }>) {}

  unwrapFileKey(stanzas: Stanza[]): Uint8Array | null {
    for (const { args, body } of stanzas) {
      if (args[0] !== STANZA) continue;
      const master = this.#master(args[2]);
      if (master === null) continue;
      try {
        if (sealedVersion(body) === BODY_VERSION) return openBytes(wrappingKey(master), BODY_CONTEXT, body);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
    }
    return null;
  }

  #master(salt: string | undefined): Uint8Array | null {
    if (this.secret.kind === "master key") return this.secret.key;
    if (salt === undefined) return null;
    const known = this.secret.made?.get(salt);
    if (known) return known;
    const made = deriveKey(this.secret.passphrase, Buffer.from(salt, "base64url").toString());
    this.secret.made ??= new Map();
    this.secret.made.set(salt, made);
    return made;
  }
}

function wrappingKey(master: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), "postroom backup v1", 32));
}
