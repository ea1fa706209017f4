import { hkdfSync } from "node:crypto";
import { openBytes, SealBroken, sealBytes, sealedVersion } from "./box.ts";

/** Minimum length to compress. For shorter texts, the saved space is not worth the time. */
const COMPRESS_FROM_BYTES = 1_000;
const PLAIN = 0;
const ZSTD = 1;
/** For texts of a few KB, higher levels take twice as long and save only one percent more. */
const ZSTD_LEVEL = 1;
const HMAC_BYTES = 16;
/** Maximum length of an unsealed value. No valid value is longer. */
const LONGEST_PLAIN_BYTES = 256 * 1024 * 1024;

/** The purpose of an HMAC. The same text has different HMACs for different purposes. */
export type HmacPurpose =
  | "email"
  | "address"
  | "path"
  | "message-id"
  | "content"
  | "subject"
  | "thread-key"
  | "label"
  | "cursor"
  | "idempotency"
  | "person"
  | "context"
  | "event-uid"
  | "passkey"
  | "sign-in"
  | "url"
  | "grant"
  | "api-key"
  | "session"
  | "invitation"
  | "calendar-feed"
  | "oauth-state"
  | "assistant-token"
  | "assistant-client"
  | "send-confirmation";

declare const SHAPE: unique symbol;
/** A sealed value. `Shape` is the type of its JSON, or string or Uint8Array for text or bytes that are not JSON. */
export type Sealed<Shape> = Uint8Array & { readonly [SHAPE]?: Shape };

/** Seals and opens the values of one user or of the system, and computes HMACs for equality lookups. */
export class Sealer {
  readonly #keys: Map<number, { seal: Uint8Array; mac: Uint8Array }>;
  readonly #newest: number;
  /** HMACs initialized with each purpose. Copying one takes half the time of creating one. */
  readonly #macs = new Map<HmacPurpose, Bun.CryptoHasher>();

  /** @param keys data keys by version (1–255), 32 bytes each. The highest version seals. */
  constructor(keys: Map<number, Uint8Array>) {
    if (keys.size === 0) throw new Error("A sealer needs a key.");
    this.#newest = Math.max(...keys.keys());
    this.#keys = new Map();
    for (const [version, key] of keys) {
      this.#keys.set(version, { seal: derive(key, "seal"), mac: derive(key, "mac") });
    }
  }

  /** Seals text and compresses it if it is long. @param context `table.column:row` */
  seal(context: string, text: string): Uint8Array {
    return this.sealRaw(context, Buffer.from(text));
  }

  /** Seals bytes like `seal`. */
  sealRaw(context: string, bytes: Uint8Array): Uint8Array {
    let marked: Uint8Array;
    if (bytes.length >= COMPRESS_FROM_BYTES) {
      const packed = Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL });
      marked = new Uint8Array(packed.length + 1);
      marked[0] = ZSTD;
      marked.set(packed, 1);
    } else {
      marked = new Uint8Array(bytes.length + 1);
      marked[0] = PLAIN;
      marked.set(bytes, 1);
    }
    return sealBytes(this.#keys.get(this.#newest)!.seal, this.#newest, context, marked);
  }

  /** Opens a value of `seal`. @throws SealBroken */
  open(context: string, sealed: Uint8Array): string {
    return Buffer.from(this.openRaw(context, sealed)).toString();
  }

  /** Opens a value of `sealRaw`. @throws SealBroken */
  openRaw(context: string, sealed: Uint8Array): Uint8Array {
    const key = this.#keys.get(sealedVersion(sealed));
    if (!key) throw new SealBroken("A value was sealed with a key that this installation does not have.");
    const marked = openBytes(key.seal, context, sealed);
    const body = marked.subarray(1);
    if (marked[0] === PLAIN) return body;
    const plain = Bun.zstdDecompressSync(body);
    if (plain.length > LONGEST_PLAIN_BYTES) throw new SealBroken("A sealed value is implausibly long.");
    return plain;
  }

  /** Seals bytes without compression, for values whose length must not reveal their content. */
  sealExact(context: string, bytes: Uint8Array): Uint8Array {
    return sealBytes(this.#keys.get(this.#newest)!.seal, this.#newest, context, bytes);
  }

  /** Opens a value of `sealExact`. @throws SealBroken */
  openExact(context: string, sealed: Uint8Array): Uint8Array {
    const key = this.#keys.get(sealedVersion(sealed));
    if (!key) throw new SealBroken("A value was sealed with a key that this installation does not have.");
    return openBytes(key.seal, context, sealed);
  }

  /** Seals a value as JSON. */
  sealJson(context: string, value: unknown): Uint8Array {
    return this.seal(context, JSON.stringify(value));
  }

  /**
   * Opens a value of `sealJson`. Its type is that of the column. It is not checked, because only Postroom writes sealed
   * values.
   * @throws SealBroken
   */
  openJson<T>(context: string, sealed: Sealed<T>): T {
    return JSON.parse(this.open(context, sealed)) as T;
  }

  /**
   * Returns 16 bytes for an equality lookup of `text`. Because equal texts have equal HMACs, someone who can cause a
   * row, for example by sending mail, and can read the database can test a guess.
   */
  hmac(purpose: HmacPurpose, text: string | Uint8Array): Uint8Array {
    return this.longHmac(purpose, text).subarray(0, HMAC_BYTES);
  }

  /**
   * Returns the first `bits` of the HMAC, padded with zero bits. Different texts can share a tag, so the caller must
   * compare the sealed values of rows that have it. With few bits, a row that someone has caused does not identify rows
   * with the same text.
   */
  tag(purpose: HmacPurpose, text: string | Uint8Array, bits: number): Uint8Array {
    return firstBits(this.longHmac(purpose, text), bits);
  }

  /** Returns the whole HMAC, 32 bytes. */
  longHmac(purpose: HmacPurpose, text: string | Uint8Array): Uint8Array {
    let begun = this.#macs.get(purpose);
    if (!begun) {
      const first = this.#keys.get(Math.min(...this.#keys.keys()))!;
      begun = new Bun.CryptoHasher("sha256", first.mac).update(`${purpose}\0`);
      this.#macs.set(purpose, begun);
    }
    return begun.copy().update(text).digest();
  }
}

/** Returns the first `bits` of some bytes, padded with zero bits. */
export function firstBits(bytes: Uint8Array, bits: number): Uint8Array {
  // Copies explicitly, because `slice` of a Buffer does not copy.
  const first = new Uint8Array(bytes.subarray(0, Math.ceil(bits / 8)));
  if (bits % 8 > 0) first[first.length - 1]! &= 0xff << (8 - (bits % 8));
  return first;
}

function derive(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, new Uint8Array(0), `postroom ${use} v1`, 32));
}
