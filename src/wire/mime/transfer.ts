/**
 * Decodes Content-Transfer-Encoding (RFC 2045 §6), whole or as a stream, tolerating the damage done by mail servers and
 * lists.
 */

/** Takes encoded chunks and returns decoded ones; `end` returns the bytes held back. */
export interface Decoder {
  push(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

const EMPTY = new Uint8Array(0);

/**
 * Returns the decoded bytes. An unknown or missing encoding leaves the bytes unchanged (RFC 2045 §6.2). Never throws.
 */
export function decodePart(bytes: Uint8Array, encoding: string | null | undefined): Uint8Array {
  const decoder = transferDecoder(encoding);
  if (!decoder) return bytes;
  const body = decoder.push(bytes);
  const rest = decoder.end();
  if (rest.length === 0) return body;
  const joined = new Uint8Array(body.length + rest.length);
  joined.set(body);
  joined.set(rest, body.length);
  return joined;
}

/** Decodes a part that arrives in pieces. Holds back at most one line. */
export function decodeStream(encoding: string | null | undefined): TransformStream<Uint8Array, Uint8Array> {
  const decoder = transferDecoder(encoding);
  if (!decoder) return new TransformStream();
  const emit = (bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => {
    if (bytes.length > 0) controller.enqueue(bytes);
  };
  return new TransformStream({
    transform: (chunk, controller) => emit(decoder.push(chunk), controller),
    flush: (controller) => emit(decoder.end(), controller),
  });
}

/** Returns null for an encoding that leaves the bytes unchanged. */
export function transferDecoder(encoding: string | null | undefined): Decoder | null {
  // "base64 (comment)", "x-base64" and "Content-Transfer-Encoding: Quoted_Printable" all occur.
  const name = (encoding ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
  if (name.includes("base64")) return new Base64Decoder();
  if (name.includes("quotedprintable")) return new QuotedPrintableDecoder();
  if (/uuencode|xuue|^uue/.test(name)) return new UuDecoder();
  return null;
}

const SKIP = 255;
const PAD = 254;
const SPACE = 253;
const BASE64 = new Uint8Array(256).fill(SKIP);
for (const [index, letter] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()) {
  BASE64[letter.charCodeAt(0)] = index;
}
BASE64[0x3d] = PAD;
for (const space of [0x20, 0x09, 0x0d, 0x0a]) BASE64[space] = SPACE;

/** Maximum length of a base64 line after padding. */
const LONGEST_LINE_AFTER_PAD = 4096;

/**
 * Skips characters outside the alphabet. Padding ends a unit, not the data: some senders pad every line. But after
 * padding, a line must be entirely base64: mailing lists append their footer in plain text, which would decode to
 * noise.
 */
class Base64Decoder implements Decoder {
  #bits = 0;
  #count = 0;
  #padded = false;
  #ended = false;
  /** The line being read after padding. */
  #line = new Uint8Array(LONGEST_LINE_AFTER_PAD);
  #lineLength = 0;

  push(chunk: Uint8Array): Uint8Array {
    if (this.#ended) return EMPTY;
    const out = new Uint8Array(Math.ceil(((chunk.length + this.#lineLength + 4) * 3) / 4));
    let length = 0;
    let at = this.#padded ? 0 : -1;
    if (at < 0) {
      at = 0;
      // Local variables for speed: this loop sees every byte of every attachment.
      let bits = this.#bits;
      let count = this.#count;
      for (; at < chunk.length; at++) {
        const value = BASE64[chunk[at]!]!;
        if (value < 64) {
          bits = (bits << 6) | value;
          if (++count === 4) {
            out[length++] = bits >> 16;
            out[length++] = bits >> 8;
            out[length++] = bits;
            bits = count = 0;
          }
        } else if (value === PAD) {
          this.#padded = true;
          break;
        }
      }
      this.#bits = bits;
      this.#count = count;
      if (this.#padded) length = this.#flush(out, length);
    }
    for (; at < chunk.length && !this.#ended; at++) {
      const byte = chunk[at]!;
      if (byte === 0x0a) length = this.#takeLine(out, length);
      else if (this.#lineLength < LONGEST_LINE_AFTER_PAD) this.#line[this.#lineLength++] = byte;
      else this.#ended = true;
    }
    return out.subarray(0, length);
  }

  end(): Uint8Array {
    const out = new Uint8Array(Math.ceil((this.#lineLength * 3) / 4) + 3);
    const length = this.#padded && !this.#ended ? this.#takeLine(out, 0) : 0;
    return out.subarray(0, this.#flush(out, length));
  }

  /** Decodes a line after padding when it is entirely base64; otherwise the data ends. */
  #takeLine(out: Uint8Array, start: number): number {
    let gap = false;
    let started = false;
    for (let i = 0; i < this.#lineLength; i++) {
      const value = BASE64[this.#line[i]!]!;
      if (value === SPACE) gap = started;
      else if (value === SKIP || gap) this.#ended = true;
      else started = true;
    }
    let length = start;
    for (let i = 0; i < this.#lineLength && !this.#ended; i++) {
      const value = BASE64[this.#line[i]!]!;
      if (value === PAD) length = this.#flush(out, length);
      else if (value < 64) {
        this.#bits = (this.#bits << 6) | value;
        if (++this.#count === 4) length = this.#flush(out, length);
      }
    }
    this.#lineLength = 0;
    return length;
  }

  /** Writes the bytes of a unit of two to four letters; a single letter holds none. */
  #flush(out: Uint8Array, start: number): number {
    let length = start;
    const bits = this.#bits << (6 * (4 - this.#count));
    for (let k = 1; k < this.#count; k++) out[length++] = bits >> (24 - 8 * k);
    this.#bits = this.#count = 0;
    return length;
  }
}

/** A longer run of blanks is text in any position; this bounds the bytes that a stream holds back. */
const LONGEST_BLANK_RUN = 1000;

/**
 * Decodes quoted-printable (RFC 2045 §6.7). Blanks before a line end were added in transport and are removed; an
 * invalid escape is kept as text.
 */
class QuotedPrintableDecoder implements Decoder {
  #held: Uint8Array = EMPTY;

  push(chunk: Uint8Array): Uint8Array {
    return this.#decode(chunk, false);
  }

  end(): Uint8Array {
    return this.#decode(EMPTY, true);
  }

  #decode(chunk: Uint8Array, last: boolean): Uint8Array {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = EMPTY;
    const out = new Uint8Array(bytes.length);
    let length = 0;
    let i = 0;
    while (i < bytes.length) {
      const byte = bytes[i]!;
      if (byte !== 0x3d && byte !== 0x20 && byte !== 0x09) {
        out[length++] = byte;
        i++;
        continue;
      }
      if (byte === 0x3d) {
        const value = (hex(bytes[i + 1]) << 4) | hex(bytes[i + 2]);
        if (value >= 0) {
          out[length++] = value;
          i += 3;
          continue;
        }
      }
      // A soft line break may have blanks after its "="; other blanks may precede a line end.
      let next = byte === 0x3d ? i + 1 : i;
      const limit = next + LONGEST_BLANK_RUN;
      while (next < limit && (bytes[next] === 0x20 || bytes[next] === 0x09)) next++;
      const partial = next >= bytes.length || (byte === 0x3d && i + 2 >= bytes.length) || endsInCr(bytes, next);
      if (partial && !last && next < limit) {
        this.#held = bytes.slice(i);
        break;
      }
      const atLineEnd = next < limit && (next >= bytes.length || bytes[next] === 0x0a || bytes[next] === 0x0d);
      if (byte === 0x3d) {
        if (atLineEnd) {
          i = next;
          if (bytes[i] === 0x0d) i++;
          if (bytes[i] === 0x0a) i++;
        } else {
          out[length++] = byte;
          i++;
        }
      } else {
        if (!atLineEnd) for (; i < next; i++) out[length++] = bytes[i]!;
        i = next;
      }
    }
    return out.subarray(0, length);
  }
}

function endsInCr(bytes: Uint8Array, at: number): boolean {
  return at === bytes.length - 1 && bytes[at] === 0x0d;
}

/** Returns 0–15, or -1 (all bits set, so that it makes a whole pair negative). */
function hex(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

const LONGEST_UU_LINE = 1000;

/** Decodes uuencode, the encoding used before MIME: lines of a length letter and groups of four, "begin" to "end". */
class UuDecoder implements Decoder {
  #line = new Uint8Array(LONGEST_UU_LINE + 4);
  #length = 0;
  #ended = false;

  push(chunk: Uint8Array): Uint8Array {
    const out = new Uint8Array(chunk.length + this.#length + 64);
    let length = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === 0x0a) length = this.#takeLine(out, length);
      else if (byte !== 0x0d && this.#length < LONGEST_UU_LINE) this.#line[this.#length++] = byte;
    }
    return out.subarray(0, length);
  }

  end(): Uint8Array {
    const out = new Uint8Array(64);
    return out.subarray(0, this.#takeLine(out, 0));
  }

  #takeLine(out: Uint8Array, start: number): number {
    const line = this.#line;
    const size = this.#length;
    this.#length = 0;
    if (this.#ended || size < 2 || line[0]! < 0x20 || line[0]! > 0x60 || startsWith(line, "begin ")) return start;
    if (size <= 4 && startsWith(line, "end")) {
      this.#ended = true;
      return start;
    }
    // Trailing blanks, which represent zero bits, are often lost in transport.
    line.fill(0x20, size, size + 4);
    const count = Math.min((line[0]! - 0x20) & 63, Math.floor(((size - 1) * 3) / 4) + 2);
    for (let k = 0; k < count; k++) {
      const at = 1 + Math.floor(k / 3) * 4 + (k % 3);
      const high = (line[at]! - 0x20) & 63;
      const low = (line[at + 1]! - 0x20) & 63;
      out[start + k] = (high << (2 + 2 * (k % 3))) | (low >> (4 - 2 * (k % 3)));
    }
    return start + count;
  }
}

function startsWith(line: Uint8Array, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (line[i] !== word.charCodeAt(i)) return false;
  return true;
}
