/** Writes bytes in sequence; numbers as LEB128 (seven bits per byte, the lowest first). */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 4_096) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** @param value 0 to 2^53 - 1 */
  varint(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    // Above 2^31, the bit operators would lose bits.
    while (rest > 0x7fffffff) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes characters below 128. */
  ascii(codes: Uint16Array, from: number, to: number): void {
    if (this.#length + to - from > this.#bytes.length) this.#grow(to - from);
    for (let i = from; i < to; i++) this.#bytes[this.#length++] = codes[i]!;
  }

  /** Writes up to three bytes, the lowest first. */
  few(count: number, bytes: number): void {
    if (this.#length + 3 > this.#bytes.length) this.#grow(3);
    for (let i = 0, rest = bytes; i < count; i++, rest >>>= 8) this.#bytes[this.#length++] = rest & 255;
  }

  bytes(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from;
    if (this.#length + count > this.#bytes.length) this.#grow(count);
    if (count < 24) {
      for (let i = from; i < to; i++) this.#bytes[this.#length++] = source[i]!;
      return;
    }
    this.#bytes.set(source.subarray(from, to), this.#length);
    this.#length += count;
  }

  /** Returns a copy of what was written and resets the writer. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Returns the memory that is written to: valid up to `length`, and until the next write. */
  get memory(): Uint8Array {
    return this.#bytes;
  }

  /** Returns what was written, as a view that the next write may change. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  at: number;
  end: number;

  constructor(
    public bytes: Uint8Array,
    from = 0,
  ) {
    this.at = from;
    this.end = bytes.length;
  }

  /**
   * Reads other bytes from now on. A new reader for each document would be half of the garbage of building a segment.
   */
  use(bytes: Uint8Array, from = 0): void {
    this.bytes = bytes;
    this.at = from;
    this.end = bytes.length;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    let shift = 7;
    while (shift < 28) {
      byte = bytes[this.at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7;
    }
    let factor = 2 ** 28;
    do {
      byte = bytes[this.at++]!;
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte >= 128 && factor < 2 ** 56);
    return value;
  }

  skip(count: number): void {
    this.at += count;
  }
}

/** Returns the text of these bytes (UTF-8). */
export function textAt(bytes: Buffer, at: number, length: number): string {
  for (let i = at; i < at + length; i++) if (bytes[i]! > 127) return bytes.toString("utf8", at, at + length);
  return bytes.toString("latin1", at, at + length);
}

/** Writes a text as UTF-8, without garbage if it is ASCII. @returns the number of bytes */
export function writeText(text: string, into: Uint8Array): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return encoder.encodeInto(text, into).written;
    into[i] = code;
  }
  return text.length;
}

const encoder = new TextEncoder();

/** Returns the same memory as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
