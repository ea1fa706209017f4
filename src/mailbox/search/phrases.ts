import { FIELD_COUNT } from "./fields.ts";
import type { Entry } from "./segments/dictionary-block.ts";
import { PositionsReader, PostingsReader } from "./segments/postings.ts";
import type { Segment } from "./segments/segment.ts";

/**
 * A location is a position, with its field in the bits above these. So words of different fields are never side by
 * side.
 */
const FIELD_SHIFT = 20;

/** Receives a document that has the phrase, and its weighted count. */
type Found = (document: number, count: number) => void;

/** A reusable list of numbers. */
class Numbers {
  values = new Int32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Int32Array(this.length * 2);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = value;
  }
}

/** Reads the occurrences of a term, document by document. */
class Occurrences {
  /** Locations in the current document, in order, after `read`. */
  readonly locations = new Numbers();
  readonly #postings: PostingsReader;
  #positions: PositionsReader | null = null;
  /** Positions that were read or skipped. */
  #seen = 0;
  readonly #inField: number[] = [];

  constructor(
    private readonly segment: Segment,
    private readonly entry: Entry,
  ) {
    this.#postings = new PostingsReader(segment.postings(entry));
  }

  get document(): number {
    return this.#postings.document;
  }

  get mask(): number {
    return this.#postings.mask;
  }

  next(): boolean {
    return this.#postings.next();
  }

  /** Advances to this document or the first one after it. */
  seek(document: number): boolean {
    const postings = this.#postings;
    while (postings.document < document) if (!postings.next()) return false;
    return true;
  }

  /** Reads the locations in the fields of a mask. */
  read(fields: number): void {
    const { mask, counts, before, occurrences } = this.#postings;
    const { locations } = this;
    // The phrase repeats this word, and its locations were read already.
    if (this.#seen > before) return;
    this.#positions ??= new PositionsReader(this.segment.positions(this.entry));
    this.#positions.skip(before - this.#seen);
    this.#seen = before + occurrences;
    locations.length = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      if ((mask & (1 << field)) === 0) continue;
      if ((fields & (1 << field)) === 0) {
        this.#positions.skip(counts[field]!);
        continue;
      }
      this.#positions.read(counts[field]!, this.#inField);
      for (const position of this.#inField) locations.push((field << FIELD_SHIFT) | position);
    }
  }
}

/** Finds a phrase in one segment. */
export class PhraseFinder {
  /** The words of the phrase and their offsets from its start, rarest first. */
  readonly #words: { occurrences: Occurrences; offset: number }[];
  /** Without duplicates. */
  readonly #cursors: Occurrences[];
  readonly #length: number;
  readonly #fields: number;
  /** Where the phrase starts in the current document. */
  readonly #starts = new Numbers();

  /**
   * @param entries of the words, in the order of the phrase
   * @param weights by field; 0: not searched
   */
  constructor(
    private readonly segment: Segment,
    entries: readonly Entry[],
    private readonly weights: Float32Array,
  ) {
    const cursors = new Map<string, Occurrences>();
    const inOrder = entries.map((entry, offset) => ({ entry, offset })).sort((a, b) => a.entry.count - b.entry.count);
    this.#words = inOrder.map(({ entry, offset }) => {
      const occurrences = cursors.get(entry.term) ?? new Occurrences(segment, entry);
      cursors.set(entry.term, occurrences);
      return { occurrences, offset };
    });
    this.#cursors = [...cursors.values()];
    this.#length = entries.length;
    this.#fields = weights.reduce((mask, weight, field) => (weight > 0 ? mask | (1 << field) : mask), 0);
  }

  find(found: Found): void {
    this.#each((document) => found(document, this.#weightOf(this.#starts)));
  }

  /** Finds the phrase followed by one of these words. */
  findBefore(lasts: readonly Entry[], found: Found): void {
    const documents = new Numbers();
    const starts = new Numbers();
    /** Where the starts of each document begin, and where the last ones end. */
    const bounds = new Numbers();
    this.#each((document) => {
      documents.push(document);
      bounds.push(starts.length);
      for (let i = 0; i < this.#starts.length; i++) starts.push(this.#starts.values[i]!);
    });
    bounds.push(starts.length);
    for (const last of lasts) {
      const occurrences = new Occurrences(this.segment, last);
      for (let i = 0; i < documents.length; i++) {
        const document = documents.values[i]!;
        if (!occurrences.seek(document)) break;
        if (occurrences.document !== document || (occurrences.mask & this.#fields) === 0) continue;
        occurrences.read(this.#fields);
        const own = this.#starts;
        own.length = 0;
        for (let at = bounds.values[i]!; at < bounds.values[i + 1]!; at++) own.push(starts.values[at]!);
        keepFollowed(own, occurrences.locations, this.#length);
        if (own.length > 0) found(document, this.#weightOf(own));
      }
    }
  }

  /** Visits the documents that have the phrase, in order, with its starts in `#starts`. */
  #each(visit: (document: number) => void): void {
    const [rarest] = this.#cursors;
    if (!rarest?.next()) return;
    for (let document = rarest.document; ; ) {
      const furthest = this.#seek(document);
      if (furthest === null) return;
      if (furthest > document) {
        document = furthest;
        continue;
      }
      if (this.#findStarts()) visit(document);
      if (!rarest.next()) return;
      document = rarest.document;
    }
  }

  /**
   * Advances all words. @returns this document if it has all words, else the next candidate; null: there are no more
   */
  #seek(document: number): number | null {
    for (const cursor of this.#cursors) {
      if (!cursor.seek(document)) return null;
      if (cursor.document > document) return cursor.document;
    }
    return document;
  }

  #findStarts(): boolean {
    let fields = this.#fields;
    for (const { mask } of this.#cursors) fields &= mask;
    if (fields === 0) return false;
    const starts = this.#starts;
    starts.length = 0;
    for (const [i, { occurrences, offset }] of this.#words.entries()) {
      occurrences.read(fields);
      const { locations } = occurrences;
      if (i === 0) for (let at = 0; at < locations.length; at++) starts.push(locations.values[at]! - offset);
      else keepFollowed(starts, locations, offset);
      if (starts.length === 0) return false;
    }
    return true;
  }

  #weightOf(starts: Numbers): number {
    let sum = 0;
    for (let i = 0; i < starts.length; i++) sum += this.weights[starts.values[i]! >>> FIELD_SHIFT]!;
    return sum;
  }
}

/** Keeps the starts that have a location at this offset after them. Both lists are in order. */
function keepFollowed(starts: Numbers, locations: Numbers, offset: number): void {
  let kept = 0;
  let at = 0;
  for (let i = 0; i < starts.length; i++) {
    const wanted = starts.values[i]! + offset;
    while (at < locations.length && locations.values[at]! < wanted) at++;
    if (locations.values[at] === wanted && at < locations.length) starts.values[kept++] = starts.values[i]!;
  }
  starts.length = kept;
}
