/** Rows looked up one by one before all that may pass are found at once. */
export const MOST_LOOKED_UP = 2_000;

/**
 * Takes the first of a long walk that pass a filter. Looking a message up costs a microsecond: of a walk of which hardly anything
 * passes, so many would be looked up that finding all that may pass, wherever they are, is the shorter way.
 */
export class Sieve<T extends { n: number }> {
  #looked_up = 0;
  #may_pass: Set<number> | null = null;

  /**
   * @param look the rows, among these numbers, that pass
   * @param candidates the numbers of all that pass, and perhaps of others
   * @param most_looked_up before these are asked for
   */
  constructor(
    private readonly look: (numbers: readonly number[]) => T[],
    private readonly candidates: () => readonly number[],
    private readonly most_looked_up = MOST_LOOKED_UP,
  ) {}

  /** The first `most` that pass, in the order of the walk. */
  first(walk: Iterable<readonly number[]>, most: number): T[] {
    const passed: T[] = [];
    for (const numbers of this.#batches(walk, most * 2)) {
      const rows = new Map(this.look(numbers).map((row) => [row.n, row]));
      for (const n of numbers) {
        const row = rows.get(n);
        if (row) passed.push(row);
        if (passed.length === most) return passed;
      }
    }
    return passed;
  }

  /** What of a walk is worth looking up, so many at once. */
  *#batches(walk: Iterable<readonly number[]>, size: number): Generator<readonly number[]> {
    for (const piece of walk) {
      for (let from = 0; from < piece.length; from += size) {
        const batch = this.#worthwhile(piece.slice(from, from + size));
        this.#looked_up += batch.length;
        if (batch.length > 0) yield batch;
      }
    }
  }

  #worthwhile(numbers: readonly number[]): readonly number[] {
    if (this.#looked_up <= this.most_looked_up) return numbers;
    this.#may_pass ??= new Set(this.candidates());
    return numbers.filter((n) => this.#may_pass!.has(n));
  }
}
