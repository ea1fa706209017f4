/** Rows looked up one by one before all that may pass are found at once. */
export const MOST_LOOKED_UP = 4_000;

/**
 * Takes the first of a long walk that pass a filter. Looking a message up costs a microsecond: of a walk of which hardly anything
 * passes, so many would be looked up that finding all that pass, wherever they are, is the shorter way.
 */
export class Sieve<T extends { n: number }> {
  #looked_up = 0;
  #passing: Set<number> | null = null;

  /**
   * @param look the rows, among these numbers, that pass
   * @param all the numbers of all that pass
   * @param most_looked_up one by one
   */
  constructor(
    private readonly look: (numbers: readonly number[]) => T[],
    private readonly all: () => readonly number[],
    private readonly most_looked_up = MOST_LOOKED_UP,
  ) {}

  /** The first `most` that pass, in the order of the walk. */
  first(walk: Iterable<readonly number[]>, most: number): T[] {
    const passed: T[] = [];
    for (const piece of walk) {
      for (const numbers of this.#batches(piece, most)) {
        const rows = new Map(this.look(numbers).map((row) => [row.n, row]));
        for (const n of numbers) {
          const row = rows.get(n);
          if (row) passed.push(row);
          if (passed.length === most) return passed;
        }
      }
    }
    return passed;
  }

  /** What of a piece is worth looking up, at most twice as much at once as is wanted. */
  *#batches(piece: readonly number[], most: number): Generator<readonly number[]> {
    const size = most * 2;
    for (let from = 0; from < piece.length; ) {
      if (this.#looked_up > this.most_looked_up) {
        this.#passing ??= new Set(this.all());
        const { length } = piece;
        const batch: number[] = [];
        for (; from < length && batch.length < size; from++)
          if (this.#passing.has(piece[from]!)) batch.push(piece[from]!);
        if (batch.length > 0) yield batch;
        continue;
      }
      const batch = piece.slice(from, from + size);
      from += batch.length;
      this.#looked_up += batch.length;
      yield batch;
    }
  }
}
