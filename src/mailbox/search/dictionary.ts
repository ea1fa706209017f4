import type { Segment } from "./segments/segment.ts";
import { REVERSED, reversed } from "./segments/segment-writer.ts";
import type { Dictionary } from "./terms/dictionary.ts";

/** Terms of one range that are looked at in each segment. */
const MOST_IN_RANGE = 20_000;
/** What a term that is looked up takes, in terms that are visited one after another: each about 0.1 µs. */
const LOOKED_UP = 50;
/** Counts that are kept while the segments stay the same. */
const MOST_COUNTS = 10_000;

/** The terms of all segments of an index. */
export class SegmentDictionary implements Dictionary {
  /** All messages. */
  size = 0;
  #segments: readonly Segment[] = [];
  /** Counts of terms that were asked for, of these segments. */
  readonly #counts = new Map<string, number>();
  /** Terms that may still be visited. */
  #left = Number.POSITIVE_INFINITY;

  constructor(segments: readonly Segment[] = []) {
    this.use(segments);
  }

  /** The segments from now on. What is known of the whole, such as its languages, is kept. */
  use(segments: readonly Segment[]): void {
    const isSame = segments.length === this.#segments.length && segments.every((one, i) => one === this.#segments[i]);
    if (!isSame || this.#counts.size > MOST_COUNTS) this.#counts.clear();
    this.#segments = segments;
    this.size = segments.reduce((sum, { documents, deadCount }) => sum + documents - deadCount, 0);
  }

  /**
   * Bounds what is read from now on, in visited terms: beyond it no term is found. The same calls find the same terms,
   * whatever is known already.
   */
  allow(visits: number): void {
    this.#left = visits;
  }

  /** Messages that have exactly this term; deleted ones that are still in their segments are counted. */
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

  /** Terms that begin so, in order (UTF-16 code units), with their counts; `visit` answers false to stop. */
  range(prefix: string, visit: (term: string, count: number) => unknown): void {
    for (const [term, count] of this.#joined(prefix)) if (visit(term, count) === false) return;
  }

  /** Words of at least eight letters that end so, with their counts. */
  ending(suffix: string, visit: (term: string, count: number) => unknown): void {
    for (const [term, count] of this.#joined(REVERSED + reversed(suffix))) {
      if (visit(reversed(term.slice(REVERSED.length)), count) === false) return;
    }
  }

  /**
   * All terms, segment by segment, so that a term comes as often as there are segments that have it, with its count there.
   * `mayHold` is asked for each block with its first term and that of the next; blocks it does not want are left out.
   */
  scan(
    mayHold: (first: string, next: string | null) => boolean,
    visit: (term: string, count: number) => unknown,
  ): void {
    let goesOn = true;
    for (const segment of this.#segments) {
      segment.scan(mayHold, ({ term, count }) => {
        if (term.startsWith(REVERSED)) return false;
        goesOn = --this.#left >= 0 && visit(term, count) !== false;
        return goesOn;
      });
      if (!goesOn) return;
    }
  }

  #joined(prefix: string): [string, number][] {
    const counts = new Map<string, number>();
    this.#left -= LOOKED_UP;
    for (const segment of this.#segments) {
      let seen = 0;
      segment.visit(prefix, ({ term, count }) => {
        if (!term.startsWith(prefix) || seen++ >= MOST_IN_RANGE || --this.#left < 0) return false;
        counts.set(term, (counts.get(term) ?? 0) + count);
      });
    }
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
