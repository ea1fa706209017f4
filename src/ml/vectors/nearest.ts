import { availableParallelism } from "node:os";
import type { Usearch } from "../../platform/native/usearch.ts";
import { cosineAt, quantize, type VectorMatrix } from "./matrix.ts";

/** A message and how near it is: the cosine, −1 to 1. */
export interface Near {
  n: number;
  score: number;
}

/**
 * Rows searched beyond the requested number, because the query is rounded to eight bits for the search but not for the
 * score.
 */
const SPARE = 1.5;
const SPARE_ROWS = 16;
/** Of the exact search. One processor is left for the words, which are looked up at the same time. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** For fewer rows, calling the library costs more than comparing all rows here. */
const FEW_ROWS = 256;

/**
 * The nearest rows by exact search, scored exactly.
 * @param within only among these messages; null: all
 */
export function nearest(
  usearch: Usearch,
  matrix: VectorMatrix,
  query: Float32Array,
  limit: number,
  within: Iterable<number> | null,
): Near[] {
  const { numbers, rows } = within === null ? matrix : matrix.gather(within);
  const count = numbers.length;
  if (count === 0 || limit <= 0) return [];
  const wanted = Math.min(count, Math.ceil(limit * SPARE) + SPARE_ROWS);
  const places =
    count <= Math.max(FEW_ROWS, wanted)
      ? numbers.keys()
      : usearch.nearestRows(rows, quantize(query), matrix.dimensions, wanted, THREADS);
  return [...places]
    .map((place) => ({ n: numbers[place]!, score: cosineAt(rows, place * matrix.dimensions, query) }))
    .sort((a, b) => b.score - a.score || b.n - a.n)
    .slice(0, limit);
}
