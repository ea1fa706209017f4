type Package = typeof import("usearch");
type Vectors = Float32Array | Int8Array;

/** Exact search and graphs by cosine similarity. Vectors may be views at any offset of a buffer. */
export interface Usearch {
  /**
   * Finds the rows nearest to a query by exact search.
   * @param rows vectors in sequence
   * @param query one vector
   * @param count at most as many as there are rows
   * @returns indexes of rows, nearest first
   */
  nearestRows(rows: Vectors, query: Vectors, dimensions: number, count: number, threads: number): number[];
  /** Creates an empty graph that stores eight bits per dimension. */
  graph(shape: GraphShape): UsearchGraph;
}

/** Parameters of a graph (https://unum-cloud.github.io/usearch). */
interface GraphShape {
  dimensions: number;
  connectivity: number;
  expansion_add: number;
  expansion_search: number;
}

/** A graph of vectors with numeric keys. */
export interface UsearchGraph {
  /** Adds a vector. @throws if the key is in the graph */
  add(key: number, vector: Vectors): void;
  remove(key: number): void;
  /** Returns the keys of approximately the nearest vectors, nearest first. */
  search(query: Vectors, count: number): number[];
}

/**
 * Returns the functions of usearch that Postroom uses, safe to call with any view.
 *
 * `exactSearch` ignores a view's `byteOffset` and reads from the start of its buffer, so it returns near-random rows
 * and no error (usearch 2.26.2). Every vector therefore passes `atBufferStart` before the call, even if the installed
 * version reads views correctly. This is the only file that calls the package; `test/tidy.test.ts` enforces this.
 */
export function wrapUsearch({ Index, MetricKind, ScalarKind, exactSearch }: Package): Usearch {
  return {
    nearestRows(rows, query, dimensions, count, threads) {
      const [all, one] = [atBufferStart(rows), atBufferStart(query)];
      const { keys } = exactSearch(all, one, dimensions, count, MetricKind.Cos, threads) as { keys: BigUint64Array };
      return Array.from(keys, Number);
    },
    graph(shape) {
      const index = new Index({ ...shape, metric: MetricKind.Cos, quantization: ScalarKind.I8, multi: false });
      return {
        add: (key, vector) => index.add(BigInt(key), atBufferStart(vector), 1),
        remove: (key) => void index.remove(BigInt(key)),
        search: (query, count) => Array.from(index.search(atBufferStart(query), count, 1).keys, Number),
      };
    },
  };
}

/** Returns the view itself if it starts at the beginning of its buffer, otherwise a copy. */
function atBufferStart<T extends Vectors>(view: T): T {
  return (view.byteOffset === 0 ? view : view.slice()) as T;
}
