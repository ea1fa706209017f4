import type { Usearch, UsearchGraph } from "../../platform/native/usearch.ts";
import { quantize, type VectorMatrix } from "./matrix.ts";

/** A graph is built from this many rows on. Exact search of more rows would take more than about 12 ms. */
export const GRAPH_FROM_ROWS = 120_000;
/** Rows added per step, which takes about 10 ms, so that a query does not wait long. */
const STEP_ROWS = 64;
/** The graph is approximate, so this many times the requested results are fetched and scored exactly. */
const EXPANSION = 3;

/**
 * A navigable graph (HNSW) over the rows of a matrix, for mailboxes in which checking every row takes too long. It is
 * built in memory from the matrix, step by step, and never written, because usearch does not survive a damaged file.
 */
export class VectorGraph {
  readonly #index: UsearchGraph;
  /** Number of matrix rows that have been checked. */
  #done = 0;
  readonly #added = new Set<number>();

  constructor(
    usearch: Usearch,
    private readonly matrix: VectorMatrix,
  ) {
    this.#index = usearch.graph({
      dimensions: matrix.dimensions,
      connectivity: 16,
      expansion_add: 96,
      expansion_search: 192,
    });
  }

  /** True if the graph contains every row. */
  get complete(): boolean {
    return this.#done >= this.matrix.size;
  }

  /** Adds the next STEP_ROWS rows. */
  grow(): void {
    const { numbers, rows, dimensions, size } = this.matrix;
    const to = Math.min(size, this.#done + STEP_ROWS);
    for (; this.#done < to; this.#done++) {
      const n = numbers[this.#done]!;
      if (this.#added.has(n)) continue;
      this.#index.add(n, rows.subarray(this.#done * dimensions, (this.#done + 1) * dimensions));
      this.#added.add(n);
    }
  }

  /**
   * Handles a row that was added, changed or deleted. Deleting a row moves others, so all rows are checked again, which
   * is quick.
   */
  touch(n: number): void {
    if (this.#added.delete(n)) this.#index.remove(n);
    this.#done = 0;
  }

  /** Returns the numbers of the messages that are probably nearest: EXPANSION times as many as requested. */
  near(query: Float32Array, limit: number): number[] {
    return this.#index.search(quantize(query), Math.min(this.#added.size, limit * EXPANSION));
  }
}
