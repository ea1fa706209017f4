import { FIELD_COUNT, FIELDS, type Field } from "./fields.ts";
import type { Entry } from "./segments/dictionary-block.ts";
import { addPostings, PositionsReader, PostingsReader } from "./segments/postings.ts";
import type { Segment } from "./segments/segment.ts";
import type { WeightedTerm } from "./terms/dictionary.ts";
import { inOrder, type Workspace } from "./workspace.ts";

/**
 * What a hit in a field counts beside one in the body. Only the weight of the subject was fitted on test collections, where
 * a title counts one and a half times as much as its text.
 */
const WEIGHTS: Record<Field, number> = {
  subject: 1.5,
  sender: 1.5,
  recipients: 0.7,
  cc: 0.5,
  body: 1,
  files: 1,
  file_text: 0.6,
  bcc: 0.5,
  list: 0.5,
  delivered_to: 0.3,
  date: 0.5,
};
/** Fields that are searched unless an operator names others. */
const ANYWHERE: readonly Field[] = FIELDS.filter((field) => field !== "list" && field !== "delivered_to");

/** What a query asks of the index. `fields` null: all but `list` and `delivered_to`. */
export type Ask =
  /** Any of these terms, counted as one. */
  | { kind: "terms"; terms: readonly WeightedTerm[]; fields: readonly Field[] | null }
  /** These words side by side; of the last one the beginning, if `prefix`. Absent `weight`: 1. */
  | { kind: "phrase"; words: readonly string[]; prefix: boolean; fields: readonly Field[] | null; weight?: number }
  /** Words that begin so. */
  | { kind: "prefix"; prefix: string; fields: readonly Field[] | null }
  /** Any of these, counted as one. */
  | { kind: "either"; of: readonly Ask[] };

/** Documents of one segment in order, and how often each has what was asked, by field weights. */
export interface Hits {
  documents: Int32Array;
  counts: Float32Array;
}

/** Bytes of postings that a prefix may read in one segment. Words that come later in the alphabet are left out. */
const MOST_PREFIX_BYTES = 32 * 1024 * 1024;

/** Finds in one segment what a query asks for. */
export class Evaluator {
  readonly #counts: Float32Array;
  readonly #touched: Int32Array;

  constructor(
    private readonly segment: Segment,
    private readonly workspace: Workspace,
  ) {
    workspace.reserve(segment.documents);
    this.#counts = workspace.values;
    this.#touched = workspace.touched;
  }

  find(ask: Ask): Hits {
    try {
      return this.#hits(this.#add(ask, 0));
    } catch (error) {
      this.workspace.discard();
      throw error;
    }
  }

  /** Adds the counts of what is asked to the workspace. @returns how many documents are touched now */
  #add(ask: Ask, filled: number): number {
    switch (ask.kind) {
      case "terms": {
        const weights = fieldWeights(ask.fields);
        let end = filled;
        for (const { term, weight } of ask.terms) {
          const entry = this.segment.find(term);
          if (entry) end = this.#addEntry(entry, weights, weight, end);
        }
        return end;
      }
      case "prefix": {
        const weights = fieldWeights(ask.fields);
        let end = filled;
        for (const entry of this.#entriesFrom(ask.prefix)) end = this.#addEntry(entry, weights, 1, end);
        return end;
      }
      case "phrase":
        return this.#addPhrase(ask, filled);
      case "either":
        return ask.of.reduce((end, one) => this.#add(one, end), filled);
    }
  }

  #addEntry(entry: Entry, weights: Float32Array, weight: number, filled: number): number {
    return addPostings(this.segment.postings(entry), weights, weight, this.#counts, this.#touched, filled);
  }

  #entriesFrom(prefix: string): Entry[] {
    const entries: Entry[] = [];
    let bytes = 0;
    this.segment.visit(prefix, (entry) => {
      if (!entry.term.startsWith(prefix) || bytes > MOST_PREFIX_BYTES) return false;
      bytes += entry.postingsLength;
      entries.push(entry);
    });
    return entries;
  }

  #addPhrase({ words, prefix, fields, weight = 1 }: Ask & { kind: "phrase" }, filled: number): number {
    const whole = prefix ? words.slice(0, -1) : words;
    const entries = whole.map((word) => this.segment.find(word));
    if (entries.some((entry) => entry === null)) return filled;
    const lasts = prefix ? this.#entriesFrom(words.at(-1)!) : [];
    if (prefix && lasts.length === 0) return filled;
    const weights = fieldWeights(fields).map((of) => of * weight);
    const wanted = prefix ? lasts.map((last) => [...entries, last]) : [entries];
    let end = filled;
    for (const list of wanted) end = this.#addSideBySide(list as Entry[], weights, end);
    return end;
  }

  /** Adds documents that have these terms side by side, in this order. */
  #addSideBySide(entries: readonly Entry[], weights: Float32Array, filled: number): number {
    const cursors = entries.map((entry) => new Occurrences(this.segment, entry));
    let end = filled;
    if (!cursors.every((cursor) => cursor.next())) return end;
    for (;;) {
      let furthest = 0;
      for (const { document } of cursors) if (document > furthest) furthest = document;
      for (const cursor of cursors) if (!cursor.goTo(furthest)) return end;
      if (cursors.every(({ document }) => document === furthest)) {
        const count = sideBySide(cursors, weights);
        if (count > 0) {
          if (this.#counts[furthest] === 0) this.#touched[end++] = furthest;
          this.#counts[furthest]! += count;
        }
        for (const cursor of cursors) if (!cursor.next()) return end;
      }
    }
  }

  /** Returns the touched documents, and clears the workspace for the next ask. */
  #hits(filled: number): Hits {
    const counts = this.#counts;
    const { dead, documents: total } = this.segment;
    const documents = inOrder(this.#touched, filled, counts, total);
    const values = new Float32Array(filled);
    let kept = 0;
    for (let i = 0; i < filled; i++) {
      const document = documents[i]!;
      const count = counts[document]!;
      counts[document] = 0;
      if (dead !== null && dead[document] === 1) continue;
      documents[kept] = document;
      values[kept++] = count;
    }
    return { documents: documents.subarray(0, kept), counts: values.subarray(0, kept) };
  }
}

/** The occurrences of a term, document by document. */
class Occurrences {
  readonly #postings: PostingsReader;
  readonly #positions: PositionsReader;
  #unread = 0;

  constructor(segment: Segment, entry: Entry) {
    this.#postings = new PostingsReader(segment.postings(entry));
    this.#positions = new PositionsReader(segment.positions(entry));
  }

  get document(): number {
    return this.#postings.document;
  }

  get mask(): number {
    return this.#postings.mask;
  }

  next(): boolean {
    this.#positions.skip(this.#unread);
    if (!this.#postings.next()) return false;
    this.#unread = this.#postings.occurrences;
    return true;
  }

  /** Moves to this document or the first one after it. */
  goTo(document: number): boolean {
    while (this.document < document) if (!this.next()) return false;
    return true;
  }

  /** Positions by field of the current document. */
  places(): number[][] {
    const places: number[][] = [];
    const { mask, counts } = this.#postings;
    for (let field = 0; field < FIELD_COUNT; field++) {
      const list: number[] = [];
      if (mask & (1 << field)) this.#positions.read(counts[field]!, list);
      places.push(list);
    }
    this.#unread = 0;
    return places;
  }
}

/** Returns how often the terms are side by side in one field, by field weights. */
function sideBySide(cursors: readonly Occurrences[], weights: Float32Array): number {
  let mask = 0;
  for (let field = 0; field < FIELD_COUNT; field++) if (weights[field]! > 0) mask |= 1 << field;
  for (const cursor of cursors) mask &= cursor.mask;
  if (mask === 0) return 0;
  const places = cursors.map((cursor) => cursor.places());
  let count = 0;
  for (let field = 0; field < FIELD_COUNT; field++) {
    if ((mask & (1 << field)) === 0) continue;
    let starts = places[0]![field]!;
    for (let i = 1; i < places.length && starts.length > 0; i++) {
      const followers = new Set(places[i]![field]!);
      starts = starts.filter((start) => followers.has(start + i));
    }
    count += starts.length * weights[field]!;
  }
  return count;
}

const known = new Map<readonly Field[] | null, Float32Array>();

/** Returns the weights of these fields, and 0 for all others. @param fields null: those that are searched by default */
function fieldWeights(fields: readonly Field[] | null): Float32Array {
  const cached = known.get(fields);
  if (cached) return cached;
  const wanted = fields ?? ANYWHERE;
  const weights = Float32Array.from(FIELDS, (field) => (wanted.includes(field) ? WEIGHTS[field] : 0));
  if (fields === null) known.set(fields, weights);
  return weights;
}
