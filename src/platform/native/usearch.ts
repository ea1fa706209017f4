type Package = typeof import("usearch");
type Vectors = Float32Array | Int8Array;

/** Exact search by cosine similarity. Vectors may be views at any offset of a buffer. */
export interface Usearch {
  /**
   * Finds the rows nearest to a query by exact search.
   * @param rows vectors in sequence
   * @param query one vector
   * @param count at most as many as there are rows
   * @returns indexes of rows, nearest first
   */
  nearestRows(rows: Vectors, query: Vectors, dimensions: number, count: number, threads: number): number[];
}

/**
 * Returns the functions of usearch that Postroom uses, safe to call with any view.
 *
 * `exactSearch` ignores a view's `byteOffset` and reads from the start of its buffer, so it returns near-random rows
 * and no error (usearch 2.26.2). Every vector therefore passes `atBufferStart` before the call, even if the installed
 * version reads views correctly. This is the only file that calls the package; `test/tidy.test.ts` enforces this.
 */
export function wrapUsearch({ MetricKind, exactSearch }: Package): Usearch {
  return {
    nearestRows(rows, query, dimensions, count, threads) {
      const [all, one] = [atBufferStart(rows), atBufferStart(query)];
      const { keys } = exactSearch(all, one, dimensions, count, MetricKind.Cos, threads) as { keys: BigUint64Array };
      return Array.from(keys, Number);
    },
  };
}

/** Returns the view itself if it starts at the beginning of its buffer, otherwise a copy. */
function atBufferStart<T extends Vectors>(view: T): T {
  return (view.byteOffset === 0 ? view : view.slice()) as T;
}
