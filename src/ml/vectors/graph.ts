import type { Usearch, UsearchGraph } from "../../platform/native/usearch.ts";
import { quantize, type VectorMatrix } from "./matrix.ts";

/** From this many rows a graph is kept beside the matrix. Exact search of all rows would take more than about 12 ms. */
export const GRAPH_FROM_ROWS = 120_000;
/** Rows added at a time, some 10 ms: a question may be waiting. */
const STEP_ROWS = 64;
/** The graph is approximate, so this many times the requested results are taken and scored exactly. */
const EXPANSION = 3;

/**
 * A navigable graph (HNSW) over the rows of a matrix, for mailboxes in which checking every row takes too long. It is
 * built in memory from the matrix, step by step, and never written, because usearch does not survive a damaged file.
 */
export class VectorGraph {
  readonly #index: UsearchGraph;
  /** Places of the matrix that have been looked at. */
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

  /** True when every row is in it. */
  get complete(): boolean {
    return this.#done >= this.matrix.size;
  }

  /** Adds the next rows. */
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

  /** Numbers of messages that are probably the nearest, more than asked for. */
  near(query: Float32Array, limit: number): number[] {
    return this.#index.search(quantize(query), Math.min(this.#added.size, limit * EXPANSION));
  }
}
