/*
 * Encoding of a row in a backup. Values follow each other, one for each column: a tag byte, then
 *   0 NULL  nothing          1 INTEGER  8 bytes, two's complement        2 REAL  8 bytes, IEEE 754
 *   3 TEXT  4 bytes length, UTF-8                                         4 BLOB  4 bytes length, bytes
 * All numbers are little-endian. Rows have no separator: the number of columns determines where a row ends.
 */

/** A value in SQLite. Integers are bigints, because those of a full-text index do not fit into a double. */
export type Value = null | bigint | number | string | Uint8Array;

const NULL = 0;
const INTEGER = 1;
const REAL = 2;
const TEXT = 3;
const BLOB = 4;
/** SQLite's own limit for one value (MAX_LENGTH). */
const LONGEST_BYTES = 1_000_000_000;

/** Encodes rows and collects them until they are taken. */
export class RowBuffer {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #used = 0;

  /** Encoded bytes that were not taken yet. */
  get length(): number {
    return this.#used;
  }

  /** Adds a row. @returns its encoded length, bytes */
  add(row: readonly Value[]): number {
    const before = this.#used;
    for (const value of row) this.#put(value);
    return this.#used - before;
  }

  /** Returns what was added since the last call. Valid until the next `add`. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return taken;
  }

  #put(value: Value): void {
    if (value === null) {
      this.#reserve(1)[this.#used++] = NULL;
    } else if (typeof value === "bigint") {
      this.#tag(INTEGER, 8).writeBigInt64LE(value, this.#used);
      this.#used += 8;
    } else if (typeof value === "number") {
      this.#tag(REAL, 8).writeDoubleLE(value, this.#used);
      this.#used += 8;
    } else {
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      this.#tag(typeof value === "string" ? TEXT : BLOB, 4 + bytes.length).writeUInt32LE(bytes.length, this.#used);
      this.#bytes.set(bytes, this.#used + 4);
      this.#used += 4 + bytes.length;
    }
  }

  #tag(tag: number, payloadBytes: number): Buffer {
    const bytes = this.#reserve(1 + payloadBytes);
    bytes[this.#used++] = tag;
    return bytes;
  }

  #reserve(more: number): Buffer {
    const needed = this.#used + more;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** Thrown for bytes that are not rows of this table. */
export class RowsBroken extends Error {
  override readonly name = "RowsBroken";
}

/** Decodes the rows of a part, `columns` values each. Blobs share the memory of `bytes`. @throws RowsBroken */
export function* readRows(bytes: Uint8Array, columns: number): Iterable<Value[]> {
  const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (length: number): number => {
    const start = at;
    at += length;
    if (length > LONGEST_BYTES || at > from.length) throw new RowsBroken("A part of a table ends within a row.");
    return start;
  };
  while (at < from.length) {
    const row: Value[] = [];
    for (let column = 0; column < columns; column++) {
      const tag = from[take(1)];
      if (tag === NULL) row.push(null);
      else if (tag === INTEGER) row.push(from.readBigInt64LE(take(8)));
      else if (tag === REAL) row.push(from.readDoubleLE(take(8)));
      else if (tag === TEXT || tag === BLOB) {
        const length = from.readUInt32LE(take(4));
        const start = take(length);
        row.push(tag === TEXT ? from.toString("utf8", start, at) : from.subarray(start, at));
      } else throw new RowsBroken(`A part of a table has a value of an unknown kind (${tag}).`);
    }
    yield row;
  }
}
