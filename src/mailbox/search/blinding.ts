import { type Cipheriv, createCipheriv } from "node:crypto";
import { isUnspaced } from "./tokens.ts";

/*
 * A blinded word: 20 characters of base32 that say nothing without the user's key, but begin alike where words begin alike,
 * so that FTS5's own prefix search works on them. Four characters stand for the first three letters, two more for each of
 * the next five, six for the word as a whole; a shorter word fills the places that it has no letters for from its own
 * HMAC, so that all are equally long. See docs/security.md for what this hides and what not.
 *
 * A beginning fits into one block of AES, so all beginnings of a word are blinded by one call; for the word, which may be
 * of any length, there is HMAC-SHA-256.
 */
const FIRST_CHARS = 4;
const NEXT_CHARS = 2;
const WHOLE_CHARS = 6;
const LEVELS = 6;
export const TOKEN_CHARS = FIRST_CHARS + NEXT_CHARS * (LEVELS - 1) + WHOLE_CHARS;
/** Letters of the shortest prefix that can be asked for; where a character is nearly a word, one. */
const SHORTEST_PREFIX = 3;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
/** A longer run is a key or a scrap of coded data: nobody asks for its beginning. */
const LONGEST_PREFIXED = 24;
/** What no word begins with marks a stem (stems.ts), and nobody asks for the beginning of one. */
const STEM_MARK = "~";
const NON_ASCII = /[^ -~]/;
/** Of AES: the eight UTF-16 units of the longest beginning, the shorter ones with zeros behind. */
const BLOCK_BYTES = 16;

/** Letters that a prefix of this word needs at least. */
export function shortestPrefix(word: string): number {
  return NON_ASCII.test(word) && isUnspaced(word) ? 1 : SHORTEST_PREFIX;
}

/** The longest prefix that is told from others; of a longer one, only these letters count. */
export function longestPrefix(word: string): number {
  return shortestPrefix(word) + LEVELS - 1;
}

/** Blinds words with one user's key. */
export class Blinding {
  readonly #mac: Bun.CryptoHasher;
  readonly #cipher: Cipheriv;
  readonly #blocks = new Uint8Array(LEVELS * BLOCK_BYTES);

  /** @param key of `Sealer.wordKey`, which opens nothing */
  constructor(key: Uint8Array) {
    this.#mac = new Bun.CryptoHasher("sha256", key);
    const prefix_key = new Bun.CryptoHasher("sha256", key).update("*prefixes").digest();
    // Single blocks, each a pseudorandom function of the beginning in it: to be equal for equal ones is their purpose.
    this.#cipher = createCipheriv("aes-256-ecb", prefix_key, null).setAutoPadding(false);
  }

  /** The token that stands for a word, or for a stem. */
  word(word: string): string {
    const begun = word.length > LONGEST_PREFIXED || word.startsWith(STEM_MARK) ? "" : this.#levels(word);
    const whole = this.#mac.copy().update(word).digest();
    return begun + base32(whole, 0, TOKEN_CHARS - begun.length);
  }

  /**
   * What the tokens of all words with this beginning begin with, the letters beyond the eighth disregarded; null when the
   * beginning is too short.
   */
  prefix(beginning: string): string | null {
    return this.#levels(beginning) || null;
  }

  #levels(word: string): string {
    const shortest = shortestPrefix(word);
    const levels = Math.min(LEVELS, word.length - shortest + 1);
    if (levels <= 0) return "";
    const blocks = this.#blocks.fill(0);
    for (let level = 0; level < levels; level++) {
      for (let i = 0; i < shortest + level; i++) {
        const unit = word.charCodeAt(i);
        blocks[level * BLOCK_BYTES + i * 2] = unit;
        blocks[level * BLOCK_BYTES + i * 2 + 1] = unit >>> 8;
      }
    }
    const blinded = this.#cipher.update(blocks.subarray(0, levels * BLOCK_BYTES));
    let out = "";
    for (let level = 0; level < levels; level++) {
      out += base32(blinded, level * BLOCK_BYTES, level === 0 ? FIRST_CHARS : NEXT_CHARS);
    }
    return out;
  }
}

/** So many characters of base32 from the bytes that begin at `from`. */
function base32(bytes: Uint8Array, from: number, length: number): string {
  let out = "";
  let value = 0;
  let bits = 0;
  for (let at = from; out.length < length; at++) {
    value = ((value << 8) | bytes[at]!) & 0xffff;
    bits += 8;
    while (bits >= 5 && out.length < length) {
      bits -= 5;
      out += BASE32[(value >>> bits) & 31];
    }
  }
  return out;
}
