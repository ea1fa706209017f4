import { type Ask, Evaluator, type Hits } from "./evaluate.ts";
import { type Plan, positiveAsks, type Test } from "./plan.ts";
import type { Segment } from "./segments/segment.ts";
import { TopList } from "./top-list.ts";

/**
 * Okapi BM25 (Robertson, Zaragoza 2009): how soon a word said again counts no more, and how much a long text counts less.
 * Fitted on five test collections and on mail (docs/benchmarks.md).
 */
const K1 = 1.5;
const B = 0.7;
/** What a word that the query says more often counts: its times to this power. */
const REPEATED = 0.6;
/** What a message with all words counts more, as a share of its score. */
const ALL_WORDS_BONUS = 0.25;
const WORDS_WITH_SPARE = 3;
const FEW = 10;

/** What was found in one segment. */
interface Scored {
  segment: Segment;
  /** By document; 0: not found. */
  scores: Float32Array;
  /** How many plain words that must occur a document has. */
  matched: Uint8Array;
  /** By document: 1 where the conditions of the index hold; null: everywhere. */
  allowed: Uint8Array | null;
}

/** Everything that a plan finds, scored. */
export class Ranking {
  readonly #scored: Scored[] = [];
  readonly #required: number;
  readonly #hasWords: boolean;
  readonly #ranks: boolean;
  /** How many of the words that must occur a hit needs. */
  #fewest: number;

  /** @param strict every word must occur, also in a question and where nothing has all of them */
  constructor(segments: readonly Segment[], plan: Plan, { strict = false } = {}) {
    const required = plan.plain.filter(({ optional }) => !optional);
    this.#required = required.length;
    this.#hasWords = plan.plain.length > 0;
    const asks = plan.test === null ? [] : positiveAsks(plan.test);
    this.#ranks = this.#hasWords || asks.length > 0;
    const found = segments.map((segment) => {
      const evaluator = new Evaluator(segment);
      const known = new Map<Ask, Hits>();
      const find = (ask: Ask): Hits => {
        let hits = known.get(ask);
        if (!hits) {
          hits = evaluator.find(ask);
          known.set(ask, hits);
        }
        return hits;
      };
      for (const { ask } of plan.plain) find(ask);
      const allowed = plan.test === null ? null : maskOf(plan.test, segment, find);
      return { segment, known, allowed };
    });
    const total = segments.reduce((sum, { documents, deadCount }) => sum + documents - deadCount, 0);
    const words = segments.reduce((sum, { head }) => sum + head.words, 0);
    const average = Math.max(
      1,
      words /
        Math.max(
          1,
          segments.reduce((sum, { documents }) => sum + documents, 0),
        ),
    );
    const idf = (ask: Ask) => {
      const count = found.reduce((sum, { known }) => sum + (known.get(ask)?.documents.length ?? 0), 0);
      return Math.log(1 + (total - count + 0.5) / (count + 0.5));
    };
    const weights = [
      ...plan.plain.map(({ ask, times, optional }) => ({
        ask,
        weight: idf(ask) * times ** REPEATED,
        counts: !optional,
      })),
      ...asks.map((ask) => ({ ask, weight: idf(ask), counts: false })),
    ];
    for (const { segment, known, allowed } of found) {
      const scores = new Float32Array(segment.documents);
      const matched = new Uint8Array(segment.documents);
      for (const { ask, weight, counts } of weights) {
        const hits = known.get(ask);
        if (hits) addScores(scores, matched, hits, { weight, counts }, segment.lengths, average);
      }
      this.#scored.push({ segment, scores, matched, allowed });
    }
    this.#fewest = plan.isQuestion && !strict ? Math.min(1, this.#required) : this.#required;
    if (strict) return;
    // Where few messages have all of three words and more, those that lack one follow.
    if (this.#fewest >= WORDS_WITH_SPARE && this.count() < FEW) this.#fewest--;
    if (this.#fewest > 1 && this.count() === 0) this.#fewest = 1;
  }

  /** True where hits have scores; otherwise the newest are the best. */
  get ranks(): boolean {
    return this.#ranks;
  }

  /** True when some message has one of the words that must occur, or none is asked for. */
  get isKnown(): boolean {
    return this.#required === 0 || this.#scored.some(({ matched }) => matched.some((count) => count > 0));
  }

  count(): number {
    let count = 0;
    this.#each(() => count++);
    return count;
  }

  /** The best hits, best first; of equally good ones the newest. @param keep null: all that were found */
  best(most: number, keep: ((n: number) => boolean) | null = null): { n: number; score: number }[] {
    const top = new TopList(most);
    this.#each((segment, document, score) => {
      if (score < top.least) return;
      const n = segment.n[document]!;
      if (keep === null || keep(n)) top.add(score, segment.dates[document]!, n);
    });
    return top.take();
  }

  /** Numbers of all hits. */
  numbers(): number[] {
    const numbers: number[] = [];
    this.#each((segment, document) => numbers.push(segment.n[document]!));
    return numbers;
  }

  /** Of these messages, those that were found. */
  among(numbers: readonly number[]): Set<number> {
    const found = new Set<number>();
    for (const scored of this.#scored) {
      for (const n of numbers) {
        for (const document of scored.segment.documentsOf(n)) if (this.#isHit(scored, document)) found.add(n);
      }
    }
    return found;
  }

  #isHit({ segment, matched, scores, allowed }: Scored, document: number): boolean {
    if (segment.dead !== null && segment.dead[document] === 1) return false;
    if (allowed !== null && allowed[document] === 0) return false;
    if (!this.#hasWords) return true;
    // A query of function words alone wants one of them.
    return this.#required === 0 ? scores[document]! > 0 : matched[document]! >= this.#fewest;
  }

  #each(visit: (segment: Segment, document: number, score: number) => void): void {
    const bonus = this.#required > 1 ? 1 + ALL_WORDS_BONUS : 1;
    for (const scored of this.#scored) {
      const { segment, scores, matched } = scored;
      for (let document = 0; document < segment.documents; document++) {
        if (!this.#isHit(scored, document)) continue;
        const hasAll = matched[document] === this.#required;
        visit(segment, document, hasAll ? scores[document]! * bonus : scores[document]!);
      }
    }
  }
}

function addScores(
  scores: Float32Array,
  matched: Uint8Array,
  { documents, counts }: Hits,
  leaf: { weight: number; counts: boolean },
  lengths: Uint16Array,
  average: number,
): void {
  const weight = leaf.weight * (K1 + 1);
  const one = leaf.counts ? 1 : 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!;
    const count = counts[i]!;
    scores[document]! += (weight * count) / (count + K1 * (1 - B + (B * lengths[document]!) / average));
    matched[document]! += one;
  }
}

function maskOf(test: Test, segment: Segment, find: (ask: Ask) => Hits): Uint8Array {
  const mask = new Uint8Array(segment.documents);
  switch (test.kind) {
    case "ask": {
      const { documents } = find(test.ask);
      for (let i = 0; i < documents.length; i++) mask[documents[i]!] = 1;
      return mask;
    }
    case "not": {
      const of = maskOf(test.of, segment, find);
      for (let i = 0; i < mask.length; i++) mask[i] = 1 - of[i]!;
      return mask;
    }
    case "any":
      for (const one of test.of) {
        const of = maskOf(one, segment, find);
        for (let i = 0; i < mask.length; i++) mask[i]! |= of[i]!;
      }
      return mask;
    case "all":
      mask.fill(1);
      for (const one of test.of) {
        const of = maskOf(one, segment, find);
        for (let i = 0; i < mask.length; i++) mask[i]! &= of[i]!;
      }
      return mask;
  }
}
