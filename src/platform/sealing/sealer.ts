import { hkdfSync } from "node:crypto";
import { openBytes, SealBroken, sealBytes, sealedVersion } from "./box.ts";

/** Shorter texts are stored as they are: a third of so little is not worth the time that a compressor takes to begin. */
const COMPRESS_FROM_BYTES = 1_000;
const PLAIN = 0;
const ZSTD = 1;
/** Mail is a few KB at a time: higher levels take twice as long for a hundredth less. */
const ZSTD_LEVEL = 1;
const HMAC_BYTES = 16;
/** No value of ours is longer; a corrupt length must not make us allocate the machine's memory. */
const LONGEST_PLAIN_BYTES = 256 * 1024 * 1024;

/** What an HMAC column is for; the same text gives different values for different purposes. */
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
  | "oauth-state";

/** Seals and opens the values of one user (or of the system) and makes the HMACs that equality is looked up by. */
export class Sealer {
  readonly #keys: Map<number, { seal: Uint8Array; mac: Uint8Array }>;
  readonly #newest: number;
  /** HMACs begun with each purpose; a copy of one takes half the time of a new one. */
  readonly #macs = new Map<HmacPurpose, Bun.CryptoHasher>();

  /** @param keys data keys by version (1–255), 32 bytes each; the highest version seals. */
  constructor(keys: Map<number, Uint8Array>) {
    if (keys.size === 0) throw new Error("A sealer needs a key.");
    this.#newest = Math.max(...keys.keys());
    this.#keys = new Map();
    for (const [version, key] of keys) {
      this.#keys.set(version, { seal: derive(key, "seal"), mac: derive(key, "mac") });
    }
  }

  /** Seals text, compressed where that helps. `context` is `table.column:row`. */
  seal(context: string, text: string): Uint8Array {
    return this.sealRaw(context, Buffer.from(text));
  }

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

  /** Opens what `seal` made. @throws SealBroken */
  open(context: string, sealed: Uint8Array): string {
    return Buffer.from(this.openRaw(context, sealed)).toString();
  }

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

  /** Seals bytes as they are, without compressing them: for values whose length must say nothing of their content. */
  sealExact(context: string, bytes: Uint8Array): Uint8Array {
    return sealBytes(this.#keys.get(this.#newest)!.seal, this.#newest, context, bytes);
  }

  /** Opens what `sealExact` made. @throws SealBroken */
  openExact(context: string, sealed: Uint8Array): Uint8Array {
    const key = this.#keys.get(sealedVersion(sealed));
    if (!key) throw new SealBroken("A value was sealed with a key that this installation does not have.");
    return openBytes(key.seal, context, sealed);
  }

  sealJson(context: string, value: unknown): Uint8Array {
    return this.seal(context, JSON.stringify(value));
  }

  /** Opens JSON. The caller names the shape it stored: only our own code writes sealed values. */
  openJson<T>(context: string, sealed: Uint8Array): T {
    return JSON.parse(this.open(context, sealed)) as T;
  }

  /** 16 bytes that stand for `text` in an equality lookup. Equal texts give equal bytes, so a row that a stranger has caused tests a guess. */
  hmac(purpose: HmacPurpose, text: string | Uint8Array): Uint8Array {
    return this.longHmac(purpose, text).subarray(0, HMAC_BYTES);
  }

  /**
   * The first `bits` of the HMAC, the rest of the last byte zero. Different texts share it by chance, so a row that has it is a
   * candidate only: compare what is sealed. Few bits keep a row that someone has caused from singling out the rows it equals.
   */
  tag(purpose: HmacPurpose, text: string | Uint8Array, bits: number): Uint8Array {
    return firstBits(this.longHmac(purpose, text), bits);
  }

  /** The same in full: 32 bytes. */
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

/** The first `bits` of some bytes, as `Sealer.tag` has them. */
export function firstBits(bytes: Uint8Array, bits: number): Uint8Array {
  // A copy: `slice` of a Buffer is none.
  const first = new Uint8Array(bytes.subarray(0, Math.ceil(bits / 8)));
  if (bits % 8 > 0) first[first.length - 1]! &= 0xff << (8 - (bits % 8));
  return first;
}

function derive(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, new Uint8Array(0), `postroom ${use} v1`, 32));
}
