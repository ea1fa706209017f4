import { type RowBuffer, RowBuffer as Rows, type Value } from "./rows.ts";
import type { TableShape } from "./snapshot.ts";

/** Adjacent rows of a table. */
export interface TablePart {
  /** Encoded rows (rows.ts). Valid until the next part is requested. */
  bytes: Uint8Array;
  rows: number;
  /** SHA-256 of `bytes`, hex. Identifies the part. */
  hash: string;
}

/** Average size of a part. */
const USUAL_BYTES = 256 * 1024;
/** Maximum size of a part, unless a single row is longer. */
const MAX_BYTES = 1024 * 1024;
const HASH_RANGE = 2 ** 32;

/**
 * Cuts a table into parts. Each cut depends on the key and the length of the row at that place, not on the rows before
 * it. An added, removed or changed row therefore affects only its own part, and an incremental backup finds the other
 * parts in earlier backups by hash. The same rows always result in the same parts.
 */
export function* partsOf(table: TableShape, rows: Iterable<Value[]>): Iterable<TablePart> {
  const buffer = new Rows();
  const key = new Rows();
  let count = 0;
  const take = (): TablePart => {
    const bytes = buffer.take();
    const part = { bytes, rows: count, hash: sha256(bytes) };
    count = 0;
    return part;
  };
  for (const row of rows) {
    const length = buffer.add(row);
    count++;
    // The chance that a row ends a part grows with its length, so that parts of all tables have about the same size.
    if (keyHash(table, row, key) < (length / USUAL_BYTES) * HASH_RANGE || buffer.length >= MAX_BYTES) yield take();
  }
  if (count > 0) yield take();
}

/** Computes the hash of a whole table from the hashes of its parts, in order. */
export class TableHash {
  readonly #hasher = new Bun.CryptoHasher("sha256");
  rows = 0;

  /** Adds the next part. */
  add(part: { hash: string; rows: number }): void {
    this.#hasher.update(part.hash);
    this.rows += part.rows;
  }

  /** Returns the hash of all parts so far, hex. Call it once. */
  digest(): string {
    return this.#hasher.digest("hex");
  }
}

/** Returns the SHA-256 of bytes, hex. */
export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** Hashes the key of a row with xxHash32, which is the same in every version of the runtime. */
function keyHash(table: TableShape, row: readonly Value[], key: RowBuffer): number {
  key.add(table.key.map((index) => row[index]!));
  return Bun.hash.xxHash32(key.take());
}
