import { FIELD_COUNT } from "./fields.ts";
import type { Entry } from "./segments/dictionary-block.ts";
import { PositionsReader, PostingsReader } from "./segments/postings.ts";
import type { Segment } from "./segments/segment.ts";

/** A place is a position, and its field above these bits: words of different fields are never side by side. */
const FIELD_SHIFT = 20;

/** Receives a document that has the phrase, and how often, weighted. */
type Found = (document: number, count: number) => void;

/** A list of numbers that is used again. */
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

/** The occurrences of a term, document by document. */
class Occurrences {
  /** Places in the current document, in order, after `read`. */
  readonly places = new Numbers();
  readonly #postings: PostingsReader;
  #positions: PositionsReader | null = null;
  /** Positions that were read or passed over. */
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

  /** Goes to this document or the first one behind it. */
  goTo(document: number): boolean {
    const postings = this.#postings;
    while (postings.document < document) if (!postings.next()) return false;
    return true;
  }

  /** Reads the places in the fields of a mask. */
  read(fields: number): void {
    const { mask, counts, before, occurrences } = this.#postings;
    const { places } = this;
    // The phrase has this word twice.
    if (this.#seen > before) return;
    this.#positions ??= new PositionsReader(this.segment.positions(this.entry));
    this.#positions.skip(before - this.#seen);
    this.#seen = before + occurrences;
    places.length = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      if ((mask & (1 << field)) === 0) continue;
      if ((fields & (1 << field)) === 0) {
        this.#positions.skip(counts[field]!);
        continue;
      }
      this.#positions.read(counts[field]!, this.#inField);
      for (const position of this.#inField) places.push((field << FIELD_SHIFT) | position);
    }
  }
}

/** Finds a phrase in one segment. */
export class PhraseFinder {
  /** The words of the phrase and how far behind its beginning each is, rarest first. */
  readonly #words: { occurrences: Occurrences; offset: number }[];
  /** Each once. */
  readonly #cursors: Occurrences[];
  readonly #length: number;
  readonly #fields: number;
  /** Where the phrase begins in the document in hand. */
  readonly #starts = new Numbers();

  /** @param entries of the words, in the order of the phrase @param weights by field; 0: not there */
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

  /** The phrase with one of these words behind it. */
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
        if (!occurrences.goTo(document)) break;
        if (occurrences.document !== document || (occurrences.mask & this.#fields) === 0) continue;
        occurrences.read(this.#fields);
        const own = this.#starts;
        own.length = 0;
        for (let at = bounds.values[i]!; at < bounds.values[i + 1]!; at++) own.push(starts.values[at]!);
        keepFollowed(own, occurrences.places, this.#length);
        if (own.length > 0) found(document, this.#weightOf(own));
      }
    }
  }

  /** Visits the documents that have the phrase, in order, with its beginnings in `#starts`. */
  #each(visit: (document: number) => void): void {
    const [rarest] = this.#cursors;
    if (!rarest?.next()) return;
    for (let document = rarest.document; ; ) {
      const furthest = this.#goTo(document);
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

  /** @returns the first later document that a word is in, or this one where all words are; null: there are no more */
  #goTo(document: number): number | null {
    for (const cursor of this.#cursors) {
      if (!cursor.goTo(document)) return null;
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
      const { places } = occurrences;
      if (i === 0) for (let at = 0; at < places.length; at++) starts.push(places.values[at]! - offset);
      else keepFollowed(starts, places, offset);
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

/** Keeps the starts that have a place so far behind them. Both are in order. */
function keepFollowed(starts: Numbers, places: Numbers, offset: number): void {
  let kept = 0;
  let at = 0;
  for (let i = 0; i < starts.length; i++) {
    const wanted = starts.values[i]! + offset;
    while (at < places.length && places.values[at]! < wanted) at++;
    if (places.values[at] === wanted && at < places.length) starts.values[kept++] = starts.values[i]!;
  }
  starts.length = kept;
}
