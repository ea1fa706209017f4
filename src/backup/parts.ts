import { type RowBuffer, RowBuffer as Rows, type Value } from "./rows.ts";
import type { TableShape } from "./snapshot.ts";

/** Adjacent rows of a table. */
export interface TablePart {
  /** Encoded rows (rows.ts); valid until the next part is asked for. */
  bytes: Uint8Array;
  rows: number;
  /** SHA-256 of `bytes`, hex: what the part is known by. */
  hash: string;
}

/** A part has about so many bytes. */
const USUAL_BYTES = 256 * 1024;
/** More than that only when one row alone is longer. */
const MOST_BYTES = 1024 * 1024;
const HASH_RANGE = 2 ** 32;

/**
 * Cuts a table into parts. Each cut depends on the rows at that place (their keys and lengths), not on the rows before
 * them: an added, removed or changed row affects its own part, and the others keep their content. A backup can
 * therefore find by hash which parts an earlier one has. The same rows always result in the same parts.
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
    // A row ends a part with a chance that grows with its length, so that parts of all tables have about the same size.
    if (keyHash(table, row, key) < (length / USUAL_BYTES) * HASH_RANGE || buffer.length >= MOST_BYTES) yield take();
  }
  if (count > 0) yield take();
}

/** Stands for all of a table: of the hashes of its parts, in their order. */
export class TableHash {
  readonly #hasher = new Bun.CryptoHasher("sha256");
  rows = 0;

  add(part: { hash: string; rows: number }): void {
    this.#hasher.update(part.hash);
    this.rows += part.rows;
  }

  digest(): string {
    return this.#hasher.digest("hex");
  }
}

export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** xxHash32: the same in every version of the runtime, which parts must be. */
function keyHash(table: TableShape, row: readonly Value[], key: RowBuffer): number {
  key.add(table.key.map((index) => row[index]!));
  return Bun.hash.xxHash32(key.take());
}
