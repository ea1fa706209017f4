/** A message that was found, by its number, with what speaks for it. */
export interface Candidate {
  n: number;
  thread_id: string;
  /** When it was received, ms. */
  internal_date: number;
  /** BM25; null: not found by its words. */
  words: number | null;
  /** Cosine; null: it has no vector. */
  semantic: number | null;
  /** Found by its meaning, not only scored by it. */
  near: boolean;
  /** The user has written to its sender. */
  correspondent: boolean;
}

export interface Scored extends Candidate {
  /** 0 to 1. */
  score: number;
}

/**
 * What the meaning counts beside the root of the words' share. Fitted on five test collections and on mail
 * (docs/benchmarks.md); fusion by rank was worse than words alone (docs/decisions/0013-search-by-meaning.md).
 */
const SEMANTIC_WEIGHT = 0.6;
/** Of two that are equally good, the newer one, and the one from somebody whom the user writes to. No more than that. */
const RECENCY_WEIGHT = 0.03;
const RECENCY_HALF_LIFE_MS = 180 * 86_400_000;
const CORRESPONDENT_WEIGHT = 0.02;
const MOST = 1 + SEMANTIC_WEIGHT + RECENCY_WEIGHT + CORRESPONDENT_WEIGHT;

/** Scores and sorts, best first. @param blend null: by the one signal alone, and no prior */
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
  return (Math.sqrt(words) + SEMANTIC_WEIGHT * semantic + recency + known) / MOST;
}

/** What was found by its meaning alone and is no nearer than this is noise. */
const FLOOR = 0.3;
/** The same where messages have less than half of the words of the query: then hardly anything is meant. */
const FLOOR_OF_UNKNOWN = 0.5;

/** Leaves out what is not near enough to be meant. @param isKnown whether messages have half of the words of the query */
export function aboveFloor(candidates: readonly Candidate[], isKnown: boolean): Candidate[] {
  const floor = isKnown ? FLOOR : FLOOR_OF_UNKNOWN;
  return candidates.filter(({ words, semantic }) => words !== null || (semantic ?? 0) >= floor);
}

/** One row for each thread: its best message, the others counted. */
export function byThread<T extends { thread_id: string }>(sorted: readonly T[]): (T & { other_matches: number })[] {
  const rows = new Map<string, T & { other_matches: number }>();
  for (const item of sorted) {
    const row = rows.get(item.thread_id);
    if (row) row.other_matches++;
    else rows.set(item.thread_id, { ...item, other_matches: 0 });
  }
  return [...rows.values()];
}
