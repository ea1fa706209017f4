import type { Segment } from "./segments/segment.ts";
import { REVERSED, reversed } from "./segments/segment-writer.ts";
import type { Dictionary } from "./terms/dictionary.ts";

/** Terms of one range that are examined in each segment. */
const MAX_IN_RANGE = 20_000;
/** The cost of looking up a term, as a number of terms visited in sequence: about 0.1 µs each. */
const LOOKED_UP = 50;
/** Number of counts that are kept while the segments stay the same. */
const MAX_COUNTS = 10_000;

/** The terms of all segments of an index. */
export class SegmentDictionary implements Dictionary {
  /** Number of all messages. */
  size = 0;
  #segments: readonly Segment[] = [];
  /** Counts of terms that were looked up in these segments. */
  readonly #counts = new Map<string, number>();
  /** Terms that may still be visited. */
  #left = Number.POSITIVE_INFINITY;

  constructor(segments: readonly Segment[] = []) {
    this.use(segments);
  }

  /** Replaces the segments. Cached properties of the whole mailbox, such as its languages, are kept. */
  use(segments: readonly Segment[]): void {
    const isSame = segments.length === this.#segments.length && segments.every((one, i) => one === this.#segments[i]);
    if (!isSame || this.#counts.size > MAX_COUNTS) this.#counts.clear();
    this.#segments = segments;
    this.size = segments.reduce((sum, { documents, deadCount }) => sum + documents - deadCount, 0);
  }

  /**
   * Limits how many terms may be visited from now on; beyond the limit no term is found. The same calls find the same
   * terms, regardless of what is cached.
   */
  allow(visits: number): void {
    this.#left = visits;
  }

  /**
   * Returns how many messages have exactly this term. Deleted messages that are still in their segments are counted.
   */
  count(term: string): number {
    this.#left -= LOOKED_UP;
    if (this.#left < 0) return 0;
    const known = this.#counts.get(term);
    if (known !== undefined) return known;
    let count = 0;
    for (const segment of this.#segments) count += segment.find(term)?.count ?? 0;
    this.#counts.set(term, count);
    return count;
  }

  /**
   * Visits the terms with a prefix, in order (UTF-16 code units), with their counts; `visit` returns false to stop.
   */
  range(prefix: string, visit: (term: string, count: number) => unknown): void {
    for (const [term, count] of this.#joined(prefix)) if (visit(term, count) === false) return;
  }

  /** Visits words of at least eight letters with a suffix, with their counts. */
  ending(suffix: string, visit: (term: string, count: number) => unknown): void {
    for (const [term, count] of this.#joined(REVERSED + reversed(suffix))) {
      if (visit(reversed(term.slice(REVERSED.length)), count) === false) return;
    }
  }

  /**
   * Visits all terms, segment by segment, so a term is visited once for each segment that has it, with its count there.
   * `mayHold` receives the first term of each block and that of the next block; blocks that it rejects are skipped.
   */
  scan(
    mayHold: (first: string, next: string | null) => boolean,
    visit: (term: string, count: number) => unknown,
  ): void {
    let continues = true;
    for (const segment of this.#segments) {
      segment.scan(mayHold, ({ term, count }) => {
        if (term.startsWith(REVERSED)) return false;
        continues = --this.#left >= 0 && visit(term, count) !== false;
        return continues;
      });
      if (!continues) return;
    }
  }

  #joined(prefix: string): [string, number][] {
    const counts = new Map<string, number>();
    this.#left -= LOOKED_UP;
    for (const segment of this.#segments) {
      let seen = 0;
      segment.visit(prefix, ({ term, count }) => {
        if (!term.startsWith(prefix) || seen++ >= MAX_IN_RANGE || --this.#left < 0) return false;
        counts.set(term, (counts.get(term) ?? 0) + count);
      });
    }
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
