import { runSteps, type Steps } from "../../../kernel/steps.ts";
import type { DocumentTerms } from "../documents.ts";
import { BODY, FIELD_COUNT } from "../fields.ts";
import { asBuffer, ByteReader, ByteWriter, textAt } from "./bytes.ts";
import type { BlockSink, SegmentHead } from "./format.ts";
import { MAX_SHORT, PostingsWriter } from "./postings.ts";
import { type ListedDocument, SegmentWriter } from "./segment-writer.ts";
import { sortedByText } from "./sorting.ts";

/** A document that a segment is built from. */
export interface NewDocument extends Omit<ListedDocument, "length"> {
  terms: DocumentTerms;
}

const NOTHING = new Uint8Array(0);
const ONLY_BODY = 1 << BODY;
/** Bytes of positions that fit into an entry (see `packed`). */
const MAX_PACKED = 3;

/** Terms that are written in one step. */
const TERMS_PER_STEP = 32;
const NAMES_PER_STEP = 1_024;

/** Builds a segment from documents. Memory grows with their number, so pass a few thousand at most. */
export function buildSegment(documents: readonly NewDocument[], sink: BlockSink): SegmentHead {
  return runSteps(segmentSteps(documents, sink));
}

/** Builds a segment in steps, most of which take less than a millisecond. */
export function* segmentSteps(documents: readonly NewDocument[], sink: BlockSink): Steps<SegmentHead> {
  const inverted = new InvertedTerms(documents);
  for (const document of documents) {
    inverted.add(document);
    yield;
  }
  const entries = inverted.byTerm();
  yield;
  const sorted = yield* inverted.sortedTerms();
  const writer = new SegmentWriter(sink);
  const termWriter = new TermWriter(inverted.terms, entries, writer);
  for (let from = 0; from < sorted.length; from += TERMS_PER_STEP) {
    termWriter.write(sorted, from, Math.min(from + TERMS_PER_STEP, sorted.length));
    yield;
  }
  return yield* writer.finish(inverted.listed);
}

/** Documents by term instead of terms by document. */
class InvertedTerms {
  /** The terms of all documents in one array, because each term reads from many of them. */
  readonly terms: Uint8Array;
  readonly listed: ListedDocument[] = [];
  readonly #names = new TermNames();
  readonly #entries: Entries;
  readonly #reader = new ByteReader(NOTHING);
  #begin = 0;

  constructor(documents: readonly NewDocument[]) {
    this.terms = new Uint8Array(documents.reduce((sum, document) => sum + document.terms.length, 0));
    this.#entries = new Entries(documents.reduce((sum, document) => sum + countOf(document.terms), 0));
  }

  add({ terms: own, ...rest }: NewDocument): void {
    const { terms } = this;
    const names = this.#names;
    const entries = this.#entries;
    const reader = this.#reader;
    const document = this.listed.length;
    terms.set(own, this.#begin);
    reader.use(terms, this.#begin);
    this.#begin += own.length;
    this.listed.push({ ...rest, length: reader.varint() });
    let left = reader.varint();
    // Numbers are decoded inline here and below: calls would take as long as everything else.
    for (let at = reader.at; left > 0; left--) {
      let length = terms[at++]!;
      if (length > 127) length = (length & 127) | (terms[at++]! << 7);
      const term = names.number(terms, at, length);
      at += length;
      const begun = at;
      let mask = terms[at++]!;
      if (mask > 127) mask = (mask & 127) | (terms[at++]! << 7);
      const inBody = mask === ONLY_BODY ? terms[at]! : 0;
      for (; mask !== 0; mask &= mask - 1) while (terms[at++]! > 127);
      let positions = terms[at++]!;
      if (positions > 127) {
        positions &= 127;
        for (let shift = 7; ; shift += 7) {
          const byte = terms[at++]!;
          positions |= (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      const isShort = inBody > 0 && inBody <= MAX_SHORT && positions <= MAX_PACKED;
      entries.add(term, document, isShort ? packed(inBody, terms, at, positions) : ~begun);
      at += positions;
    }
  }

  byTerm(): EntriesByTerm {
    return this.#entries.byTerm(this.#names.count);
  }

  /** Returns the terms in dictionary order, with their numbers. */
  sortedTerms(): Steps<TermName[]> {
    return this.#names.sorted();
  }
}

/** Writes terms with their postings and positions. */
class TermWriter {
  readonly #reader: ByteReader;
  readonly #postings = new ByteWriter();
  readonly #positions = new ByteWriter();
  readonly #posting = new PostingsWriter(this.#postings);

  constructor(
    private readonly terms: Uint8Array,
    private readonly entries: EntriesByTerm,
    private readonly writer: SegmentWriter,
  ) {
    this.#reader = new ByteReader(terms);
  }

  /** Writes the terms `from` to `to` of a list in dictionary order. */
  write(sorted: readonly TermName[], from: number, to: number): void {
    const { ends, document, postingRef } = this.entries;
    const [postings, positions, posting] = [this.#postings, this.#positions, this.#posting];
    for (let t = from; t < to; t++) {
      const { text, term } = sorted[t]!;
      postings.clear();
      positions.clear();
      posting.begin();
      for (let i = ends[term]!; i < ends[term + 1]!; i++) {
        const at = postingRef[i]!;
        if (at < 0) {
          addPosting(document[i]!, this.#reader, this.terms, ~at, posting, positions);
          continue;
        }
        posting.addInBody(document[i]!, at & 3);
        positions.few((at >>> 2) & 3, at >>> 4);
      }
      this.writer.add(text, ends[term + 1]! - ends[term]!, postings, positions);
    }
  }
}

/** Adds a posting that starts with its mask, in the form that `DocumentTerms` has. */
function addPosting(
  document: number,
  reader: ByteReader,
  terms: Uint8Array,
  from: number,
  posting: PostingsWriter,
  positions: ByteWriter,
): void {
  reader.use(terms, from);
  const mask = reader.varint();
  for (let field = 0; field < FIELD_COUNT; field++) if (mask & (1 << field)) counts[field] = reader.varint();
  posting.add(document, mask, counts);
  const length = reader.varint();
  positions.bytes(terms, reader.at, reader.at + length);
}

const counts = new Int32Array(FIELD_COUNT);

/**
 * Packs a posting of one to three occurrences in the body, and at most three bytes of positions, into 28 bits. Most
 * postings are like this.
 */
function packed(count: number, terms: Uint8Array, at: number, positions: number): number {
  let bytes = 0;
  for (let i = positions - 1; i >= 0; i--) bytes = (bytes << 8) | terms[at + i]!;
  return count | (positions << 2) | (bytes << 4);
}

/**
 * The entries grouped by term, in the order of the documents. `ends[term]` is where the entries of a term start, and
 * `ends[term + 1]` where they end.
 */
interface EntriesByTerm {
  ends: Int32Array;
  document: Int32Array;
  postingRef: Int32Array;
}

/** A term and its number. */
interface TermName {
  text: string;
  term: number;
}

/**
 * One entry for each term of each document: the term, the document, and the packed posting or, below 0, `~` of its
 * offset.
 */
class Entries {
  readonly #term: Int32Array;
  readonly #document: Int32Array;
  readonly #postingRef: Int32Array;
  #count = 0;

  constructor(total: number) {
    this.#term = new Int32Array(total);
    this.#document = new Int32Array(total);
    this.#postingRef = new Int32Array(total);
  }

  add(term: number, document: number, postingRef: number): void {
    this.#term[this.#count] = term;
    this.#document[this.#count] = document;
    this.#postingRef[this.#count++] = postingRef;
  }

  byTerm(terms: number): EntriesByTerm {
    const ends = new Int32Array(terms + 1);
    for (let i = 0; i < this.#count; i++) ends[this.#term[i]! + 1]!++;
    for (let term = 0; term < terms; term++) ends[term + 1]! += ends[term]!;
    const next = ends.slice();
    const [document, postingRef] = [new Int32Array(this.#count), new Int32Array(this.#count)];
    for (let i = 0; i < this.#count; i++) {
      const at = next[this.#term[i]!]!++;
      document[at] = this.#document[i]!;
      postingRef[at] = this.#postingRef[i]!;
    }
    return { ends, document, postingRef };
  }
}

function countOf(terms: DocumentTerms): number {
  const reader = new ByteReader(terms);
  reader.varint();
  return reader.varint();
}

/**
 * Numbers terms by their bytes (a hash table with open addressing), so that no string is created for each occurrence.
 */
class TermNames {
  #buckets = new Int32Array(1 << 14);
  #hashes = new Int32Array(1 << 13);
  #starts = new Int32Array((1 << 13) + 1);
  #bytes = new Uint8Array(1 << 16);
  count = 0;

  number(source: Uint8Array, at: number, length: number): number {
    let hash = length;
    for (let i = at; i < at + length; i++) hash = (Math.imul(hash, 31) + source[i]!) | 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 13;
    let bucket = hash & (this.#buckets.length - 1);
    for (;;) {
      const found = this.#buckets[bucket]!;
      if (found === 0) break;
      if (this.#hashes[found - 1] === hash && this.#is(found - 1, source, at, length)) return found - 1;
      bucket = (bucket + 1) & (this.#buckets.length - 1);
    }
    this.#buckets[bucket] = this.count + 1;
    return this.#add(hash, source, at, length);
  }

  /** Returns the terms in dictionary order, with their numbers. */
  *sorted(): Steps<TermName[]> {
    const bytes = asBuffer(this.#bytes);
    const terms: TermName[] = [];
    for (let term = 0; term < this.count; term++) {
      const text = textAt(bytes, this.#starts[term]!, this.#starts[term + 1]! - this.#starts[term]!);
      terms.push({ text, term });
      if (term % NAMES_PER_STEP === 0) yield;
    }
    return yield* sortedByText(terms);
  }

  #is(term: number, source: Uint8Array, at: number, length: number): boolean {
    const from = this.#starts[term]!;
    if (this.#starts[term + 1]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[from + i] !== source[at + i]) return false;
    return true;
  }

  #add(hash: number, source: Uint8Array, at: number, length: number): number {
    const term = this.count++;
    const from = this.#starts[term]!;
    if (from + length > this.#bytes.length) {
      const bytes = new Uint8Array(this.#bytes.length * 2 + length);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    for (let i = 0; i < length; i++) this.#bytes[from + i] = source[at + i]!;
    this.#hashes[term] = hash;
    this.#starts[term + 1] = from + length;
    if (this.count === this.#hashes.length) this.#double();
    return term;
  }

  #double(): void {
    const size = this.#hashes.length * 2;
    const [hashes, starts] = [new Int32Array(size), new Int32Array(size + 1)];
    hashes.set(this.#hashes);
    starts.set(this.#starts);
    [this.#hashes, this.#starts] = [hashes, starts];
    this.#buckets = new Int32Array(size * 2);
    for (let term = 0; term < this.count; term++) {
      let bucket = hashes[term]! & (this.#buckets.length - 1);
      while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) & (this.#buckets.length - 1);
      this.#buckets[bucket] = term + 1;
    }
  }
}
