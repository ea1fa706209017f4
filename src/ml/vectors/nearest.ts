import { availableParallelism } from "node:os";
import type { Usearch } from "../../platform/native/usearch.ts";
import { cosineAt, quantize } from "./quantize.ts";

/** A message and its similarity to the query: the cosine, −1 to 1. */
export interface Near {
  n: number;
  score: number;
}

/** Vectors of messages, in eight bits per dimension and in sequence. */
export interface Rows {
  numbers: readonly number[];
  rows: Int8Array;
}

/** So many times the requested messages are compared exactly, and at least this many. */
const SHORTLIST = 1.25;
const LEAST_SHORTLIST = 300;

/** Returns how many messages with the nearest codes to compare exactly, if `limit` are requested. */
export function shortlistOf(limit: number): number {
  return Math.max(LEAST_SHORTLIST, Math.ceil(limit * SHORTLIST));
}

/**
 * Rows searched beyond the requested number, because the query is rounded to eight bits for the search but not for the
 * score.
 */
const SPARE = 1.1;
const SPARE_ROWS = 16;
/** Threads of the exact search. One processor stays free for full-text search, which runs at the same time. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** For fewer rows, calling the library costs more than comparing all rows here. */
const FEW_ROWS = 256;

/** Returns the nearest rows by exact search, with exact scores. */
export function nearest(usearch: Usearch, { numbers, rows }: Rows, query: Float32Array, limit: number): Near[] {
  const count = numbers.length;
  if (count === 0 || limit <= 0) return [];
  const wanted = Math.min(count, Math.ceil(limit * SPARE) + SPARE_ROWS);
  const indexes =
    count <= Math.max(FEW_ROWS, wanted)
      ? numbers.keys()
      : usearch.nearestRows(rows, quantize(query), query.length, wanted, THREADS);
  return [...indexes]
    .map((index) => ({ n: numbers[index]!, score: cosineAt(rows, index * query.length, query) }))
    .sort((a, b) => b.score - a.score || b.n - a.n)
    .slice(0, limit);
}
