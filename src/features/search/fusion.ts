/** A found message, by its number, with its ranking signals. */
export interface Candidate {
  n: number;
  thread_id: string;
  /** When it was received, ms. */
  internal_date: number;
  /** BM25; null: not found by full-text search. */
  words: number | null;
  /** Cosine; null: it has no vector. */
  semantic: number | null;
  /** Found by semantic search, not only scored by it. */
  near: boolean;
  /** The user has written to its sender. */
  correspondent: boolean;
}

export interface Scored extends Candidate {
  /** 0 to 1. */
  score: number;
}

/**
 * Weight of the semantic score relative to the square root of the full-text score. Fitted on five test collections and
 * on mail (docs/benchmarks.md); rank fusion was worse than full-text search alone
 * (docs/decisions/0013-search-by-meaning.md).
 */
const SEMANTIC_WEIGHT = 0.6;
/**
 * The weights of recency and of known senders are small, so that they only decide between messages that match equally
 * well.
 */
const RECENCY_WEIGHT = 0.03;
const RECENCY_HALF_LIFE_MS = 180 * 86_400_000;
const CORRESPONDENT_WEIGHT = 0.02;
const MAX_SCORE = 1 + SEMANTIC_WEIGHT + RECENCY_WEIGHT + CORRESPONDENT_WEIGHT;

/** Scores and sorts candidates, best first. Keyword and semantic modes use only their own signal. */
export function score(
  candidates: readonly Candidate[],
  mode: "keyword" | "semantic" | "hybrid",
  nowMs: number,
): Scored[] {
  const best = Math.max(0, ...candidates.map(({ words }) => words ?? 0));
  return candidates
    .map((candidate) => ({ ...candidate, score: scoreOf(candidate, mode, best, nowMs) }))
    .sort((a, b) => b.score - a.score || b.internal_date - a.internal_date || b.n - a.n);
}

function scoreOf(candidate: Candidate, mode: "keyword" | "semantic" | "hybrid", best: number, nowMs: number): number {
  const words = best > 0 ? Math.max(0, candidate.words ?? 0) / best : 0;
  const semantic = Math.min(1, Math.max(0, candidate.semantic ?? 0));
  if (mode === "keyword") return words;
  if (mode === "semantic") return semantic;
  const ageMs = Math.max(0, nowMs - candidate.internal_date);
  const recency = RECENCY_WEIGHT * 2 ** (-ageMs / RECENCY_HALF_LIFE_MS);
  const known = candidate.correspondent ? CORRESPONDENT_WEIGHT : 0;
  return (Math.sqrt(words) + SEMANTIC_WEIGHT * semantic + recency + known) / MAX_SCORE;
}

/** Semantic hits without matching words and below this similarity are noise. */
const FLOOR = 0.3;
/** The same if messages have less than half of the words of the query, which then rarely has a semantic match. */
const FLOOR_OF_UNKNOWN = 0.5;

/**
 * Removes semantic hits that are not similar enough.
 * @param isKnown whether messages have half of the words of the query
 */
export function aboveThreshold(candidates: readonly Candidate[], isKnown: boolean): Candidate[] {
  const floor = isKnown ? FLOOR : FLOOR_OF_UNKNOWN;
  return candidates.filter(({ words, semantic }) => words !== null || (semantic ?? 0) >= floor);
}

/** Returns one row for each thread: its best message, and the number of other matches. */
export function byThread<T extends { thread_id: string }>(sorted: readonly T[]): (T & { other_matches: number })[] {
  const rows = new Map<string, T & { other_matches: number }>();
  for (const item of sorted) {
    const row = rows.get(item.thread_id);
    if (row) row.other_matches++;
    else rows.set(item.thread_id, { ...item, other_matches: 0 });
  }
  return [...rows.values()];
}
