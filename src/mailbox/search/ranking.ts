import { allOf, anyOf, complement, type DocumentSet, listed } from "./document-set.ts";
import { Evaluator, type Hits, type Lookup } from "./evaluate.ts";
import { type Plan, positiveLookups, type Test } from "./plan.ts";
import type { Segment } from "./segments/segment.ts";
import { TopList } from "./top-list.ts";
import { inOrder, Workspace } from "./workspace.ts";

/**
 * Okapi BM25 (Robertson, Zaragoza 2009). K1: how much a further occurrence of a word adds. B: how much less a long text
 * counts. Fitted on five test collections and on mail (docs/benchmarks.md).
 */
const K1 = 1.5;
const B = 0.7;
/** A word that occurs n times in the query counts n to this power. */
const REPEATED = 0.6;
/** Bonus of a message with all words, as a share of its score. */
const ALL_WORDS_BONUS = 0.25;
const ALL: DocumentSet = { documents: new Int32Array(0), excluded: true };
/** A query with at least this many words also finds messages that lack one, where fewer than `FEW` have all. */
const WORDS_WITH_SPARE = 3;
const FEW = 10;

/** Times of receipt, s, both bounds included; null: no limit. */
export interface Span {
  from: number | null;
  to: number | null;
}

interface RankingOptions {
  /** Every word must occur, even in a question and where no message has all of them. */
  strict?: boolean;
  /** Number of the words that a hit may lack where few messages have all; absent: all but one. */
  lacking?: number;
  /** Only messages received in this span are found. */
  span?: Span;
  workspace?: Workspace;
}

/** The contribution of one segment to a plan. */
interface LookedUp {
  segment: Segment;
  hits: Map<Lookup, Hits>;
  /** Documents that meet the index conditions. */
  allowed: DocumentSet;
}

/** A part of a plan, and its weight. */
interface Weighted {
  ask: Lookup;
  weight: number;
  /** True for a word that must occur. */
  required: boolean;
}

/** Hits of one segment. The arrays have one entry for each hit. */
interface Scored {
  segment: Segment;
  /** Documents of the segment, in order. */
  documents: Int32Array;
  scores: Float32Array;
  /** Number of the required words that each hit has. */
  matched: Uint8Array;
}

/** All hits of a plan, scored by BM25. */
export class Ranking {
  /** False when less than half of the required words occur in any message. */
  readonly isKnown: boolean;
  readonly #scored: Scored[];
  /** Number of required words, before `#fewest` relaxes it. */
  readonly #required: number;
  readonly #hasWords: boolean;
  readonly #span: Span;
  /** Number of the required words that a hit needs. */
  #fewest: number;

  constructor(segments: readonly Segment[], plan: Plan, options: RankingOptions = {}) {
    const { strict = false, lacking = Number.POSITIVE_INFINITY, workspace = new Workspace() } = options;
    const { span = { from: null, to: null } } = options;
    const required = plan.plain.filter(({ optional }) => !optional);
    this.#required = required.length;
    this.#hasWords = plan.plain.length > 0;
    this.#span = span;
    const lookups = segments.map((segment) => lookUp(segment, plan, workspace));
    const countOf = (ask: Lookup) => lookups.reduce((sum, { hits }) => sum + (hits.get(ask)?.documents.length ?? 0), 0);
    this.isKnown = required.filter(({ ask }) => countOf(ask) > 0).length * 2 >= required.length;
    const weights = weightsOf(segments, plan, countOf);
    const average = averageLength(segments);
    this.#scored = lookups.map((one) => this.#score(one, weights, average, workspace));
    this.#fewest = plan.isQuestion && !strict ? Math.min(1, this.#required) : this.#required;
    if (strict) return;
    // Where few messages have all of three or more words, those that lack some follow.
    const most = this.#fewest < WORDS_WITH_SPARE ? 0 : lacking;
    for (let lacks = 0; lacks < most && this.#fewest > 1 && this.count() < FEW; lacks++) this.#fewest--;
    if (this.#fewest > 1 && this.count() === 0) this.#fewest = 1;
  }

  count(): number {
    let count = 0;
    this.#each(() => count++);
    return count;
  }

  /** Returns at most `most` hits, best first; of equal ones the newest first. @param keep null: all hits */
  best(most: number, keep: ((n: number) => boolean) | null = null): { n: number; score: number }[] {
    const top = new TopList(most);
    this.#each(({ segment, documents, scores }, i) => {
      const score = scores[i]!;
      if (score < top.least) return;
      const document = documents[i]!;
      const n = segment.n[document]!;
      if (keep === null || keep(n)) top.add(score, segment.dates[document]!, n);
    });
    return top.take();
  }

  /** Returns the message numbers of all hits. */
  numbers(): number[] {
    const numbers: number[] = [];
    this.#each(({ segment, documents }, i) => numbers.push(segment.n[documents[i]!]!));
    return numbers;
  }

  /** Returns those of these message numbers that are hits. */
  among(numbers: readonly number[]): Set<number> {
    const wanted = new Set(numbers);
    const found = new Set<number>();
    this.#each(({ segment, documents }, i) => {
      const n = segment.n[documents[i]!]!;
      if (wanted.has(n)) found.add(n);
    });
    return found;
  }

  #each(visit: (scored: Scored, i: number) => void): void {
    const fewest = this.#fewest;
    for (const scored of this.#scored) {
      const { matched } = scored;
      for (let i = 0; i < matched.length; i++) if (matched[i]! >= fewest) visit(scored, i);
    }
  }

  /** Scores the documents of a segment that the conditions allow. Leaves the workspace cleared. */
  #score(
    { segment, hits, allowed }: LookedUp,
    weights: readonly Weighted[],
    average: number,
    workspace: Workspace,
  ): Scored {
    workspace.reserve(segment.documents);
    const { values, matched, touched } = workspace;
    let filled = 0;
    for (const weighted of weights) {
      filled = addScores(workspace, filled, hits.get(weighted.ask)!, weighted, segment.lengths, average);
    }
    const touchedInOrder = { documents: inOrder(touched, filled, values, segment.documents), excluded: false };
    const found = this.#hasWords ? allOf([touchedInOrder, allowed]) : allowed;
    const documents = this.#received(segment, listed(found, segment.documents, segment.dead));
    const scores = new Float32Array(documents.length);
    const words = new Uint8Array(documents.length);
    const bonus = this.#required > 1 ? 1 + ALL_WORDS_BONUS : 1;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i]!;
      words[i] = matched[document]!;
      scores[i] = values[document]! * (words[i] === this.#required ? bonus : 1);
    }
    for (let i = 0; i < filled; i++) {
      values[touched[i]!] = 0;
      matched[touched[i]!] = 0;
    }
    return { segment, documents, scores, matched: words };
  }

  /** Returns those of these documents that were received in the span of the query. */
  #received({ dates }: Segment, documents: Int32Array): Int32Array {
    const { from, to } = this.#span;
    if (from === null && to === null) return documents;
    return documents.filter(
      (document) => (from === null || dates[document]! >= from) && (to === null || dates[document]! <= to),
    );
  }
}

/** Looks up every part of a plan in a segment, each once. */
function lookUp(segment: Segment, plan: Plan, workspace: Workspace): LookedUp {
  const evaluator = new Evaluator(segment, workspace);
  const hits = new Map<Lookup, Hits>();
  const find = (ask: Lookup): Hits => {
    let found = hits.get(ask);
    if (!found) {
      found = evaluator.find(ask);
      hits.set(ask, found);
    }
    return found;
  };
  for (const { ask } of plan.plain) find(ask);
  const allowed = plan.test === null ? ALL : documentsOf(plan.test, find);
  return { segment, hits, allowed };
}

/**
 * Returns the parts of a plan that rank, with their inverse document frequency.
 * @param countOf returns the number of messages that match a part
 */
function weightsOf(segments: readonly Segment[], plan: Plan, countOf: (ask: Lookup) => number): Weighted[] {
  const total = segments.reduce((sum, { documents, deadCount }) => sum + documents - deadCount, 0);
  const idf = (ask: Lookup) => {
    const count = countOf(ask);
    return Math.log(1 + (total - count + 0.5) / (count + 0.5));
  };
  const asks = plan.test === null ? [] : positiveLookups(plan.test);
  return [
    ...plan.plain.map(({ ask, times, optional }) => ({
      ask,
      weight: idf(ask) * times ** REPEATED,
      required: !optional,
    })),
    ...asks.map((ask) => ({ ask, weight: idf(ask), required: false })),
  ];
}

/** Returns the mean length of a message in words. */
function averageLength(segments: readonly Segment[]): number {
  const words = segments.reduce((sum, { head }) => sum + head.words, 0);
  const documents = segments.reduce((sum, segment) => sum + segment.documents, 0);
  return Math.max(1, words / Math.max(1, documents));
}

/** Adds the BM25 scores of one part of a plan. @returns how many documents are touched now */
function addScores(
  { values, matched, touched }: Workspace,
  filled: number,
  { documents, counts }: Hits,
  leaf: Weighted,
  lengths: Uint16Array,
  average: number,
): number {
  const weight = leaf.weight * (K1 + 1);
  const base = K1 * (1 - B);
  const slope = (K1 * B) / average;
  const one = leaf.required ? 1 : 0;
  let end = filled;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!;
    const count = counts[i]!;
    if (values[document] === 0) touched[end++] = document;
    values[document]! += (weight * count) / (count + base + slope * lengths[document]!);
    matched[document]! += one;
  }
  return end;
}

/** Returns the documents that meet the index conditions. */
function documentsOf(test: Test, find: (ask: Lookup) => Hits): DocumentSet {
  switch (test.kind) {
    case "ask":
      return { documents: find(test.ask).documents, excluded: false };
    case "not":
      return complement(documentsOf(test.of, find));
    case "any":
      return anyOf(test.of.map((one) => documentsOf(one, find)));
    case "all":
      return allOf(test.of.map((one) => documentsOf(one, find)));
  }
}
