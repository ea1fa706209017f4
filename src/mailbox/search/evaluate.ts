import { FIELDS, type Field, OPERATOR_ONLY_FIELDS } from "./fields.ts";
import { PhraseFinder } from "./phrases.ts";
import type { Entry } from "./segments/dictionary-block.ts";
import { addPostings } from "./segments/postings.ts";
import type { Segment } from "./segments/segment.ts";
import type { WeightedTerm } from "./terms/dictionary.ts";
import { inOrder, type Workspace } from "./workspace.ts";

/**
 * Weights of a hit in a field, relative to a hit in the body. Only the weight of the subject was fitted on test
 * collections, where a title counts one and a half times as much as its text.
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
const ANYWHERE: readonly Field[] = FIELDS.filter((field) => !OPERATOR_ONLY_FIELDS.includes(field));

/** A lookup in the index. `fields` null: all but OPERATOR_ONLY_FIELDS. */
export type Lookup =
  /** Any of these terms, counted as one. */
  | { kind: "terms"; terms: readonly WeightedTerm[]; fields: readonly Field[] | null }
  /** These words side by side; with `prefix`, the last one is only the beginning of a word. `weight` defaults to 1. */
  | { kind: "phrase"; words: readonly string[]; prefix: boolean; fields: readonly Field[] | null; weight?: number }
  /** Words with this prefix. */
  | { kind: "prefix"; prefix: string; fields: readonly Field[] | null }
  /** Any of these, counted as one. */
  | { kind: "either"; of: readonly Lookup[] };

/** Documents of one segment in order, and how often each matches, weighted by field. */
export interface Hits {
  documents: Int32Array;
  counts: Float32Array;
}

/** Bytes of postings that a prefix may read in one segment. Words later in the alphabet are left out. */
const MAX_PREFIX_BYTES = 32 * 1024 * 1024;

/** Evaluates lookups in one segment. */
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

  find(ask: Lookup): Hits {
    try {
      return this.#hits(this.#add(ask, 0));
    } catch (error) {
      this.workspace.discard();
      throw error;
    }
  }

  /** Adds the counts of a lookup to the workspace. @returns how many documents are touched now */
  #add(ask: Lookup, filled: number): number {
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
      if (!entry.term.startsWith(prefix) || bytes > MAX_PREFIX_BYTES) return false;
      bytes += entry.postingsLength;
      entries.push(entry);
    });
    return entries;
  }

  #addPhrase({ words, prefix, fields, weight = 1 }: Lookup & { kind: "phrase" }, filled: number): number {
    const whole = prefix ? words.slice(0, -1) : words;
    const entries = whole.map((word) => this.segment.find(word));
    if (entries.some((entry) => entry === null)) return filled;
    const lasts = prefix ? this.#entriesFrom(words.at(-1)!) : [];
    if (prefix && lasts.length === 0) return filled;
    const weights = fieldWeights(fields).map((of) => of * weight);
    const phrase = new PhraseFinder(this.segment, entries as Entry[], weights);
    let end = filled;
    const add = (document: number, count: number) => {
      if (this.#counts[document] === 0) this.#touched[end++] = document;
      this.#counts[document]! += count;
    };
    if (prefix) phrase.findBefore(lasts, add);
    else phrase.find(add);
    return end;
  }

  /** Takes the touched documents and clears them for the next lookup. */
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

const known = new Map<readonly Field[] | null, Float32Array>();

/**
 * Returns the weights of these fields, and 0 for all others. @param fields null: those that are searched by default
 */
function fieldWeights(fields: readonly Field[] | null): Float32Array {
  const cached = known.get(fields);
  if (cached) return cached;
  const wanted = fields ?? ANYWHERE;
  const weights = Float32Array.from(FIELDS, (field) => (wanted.includes(field) ? WEIGHTS[field] : 0));
  if (fields === null) known.set(fields, weights);
  return weights;
}
