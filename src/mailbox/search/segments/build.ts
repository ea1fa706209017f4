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

/** The inverted terms: documents by term instead of terms by document. */
interface Inverted {
  names: TermNames;
  entries: Entries;
  /** The terms of all documents in one array, because each term reads from many of them. */
  terms: Uint8Array;
  listed: ListedDocument[];
}

/** Builds a segment from documents. Memory grows with their number, so pass a few thousand at most. */
export function buildSegment(documents: readonly NewDocument[], sink: BlockSink): SegmentHead {
  const inverted = invert(documents);
  const writer = new SegmentWriter(sink);
  writeTerms(inverted, writer);
  return writer.finish(inverted.listed);
}

function invert(documents: readonly NewDocument[]): Inverted {
  const names = new TermNames();
  const listed: ListedDocument[] = [];
  const terms = new Uint8Array(documents.reduce((sum, document) => sum + document.terms.length, 0));
  const entries = new Entries(documents.reduce((sum, document) => sum + countOf(document.terms), 0));
  let begin = 0;
  const reader = new ByteReader(NOTHING);
  for (const [document, { terms: own, ...rest }] of documents.entries()) {
    terms.set(own, begin);
    reader.use(terms, begin);
    begin += own.length;
    listed.push({ ...rest, length: reader.varint() });
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
  return { names, entries, terms, listed };
}

/** Writes each term with its postings and positions, in dictionary order. */
function writeTerms({ names, entries, terms }: Inverted, writer: SegmentWriter): void {
  const { ends, document, postingRef } = entries.byTerm(names.count);
  const reader = new ByteReader(terms);
  const [postings, positions] = [new ByteWriter(), new ByteWriter()];
  const posting = new PostingsWriter(postings);
  for (const { text, term } of names.sorted()) {
    postings.clear();
    positions.clear();
    posting.begin();
    for (let i = ends[term]!; i < ends[term + 1]!; i++) {
      const at = postingRef[i]!;
      if (at < 0) {
        addPosting(document[i]!, reader, terms, ~at, posting, positions);
        continue;
      }
      posting.addInBody(document[i]!, at & 3);
      positions.few((at >>> 2) & 3, at >>> 4);
    }
    writer.add(text, ends[term + 1]! - ends[term]!, postings, positions);
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

  /**
   * Returns the entries grouped by term, in the order of the documents. `ends[term]` is where the entries of a term
   * start, and `ends[term + 1]` where they end.
   */
  byTerm(terms: number): { ends: Int32Array; document: Int32Array; postingRef: Int32Array } {
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
  sorted(): { text: string; term: number }[] {
    const bytes = asBuffer(this.#bytes);
    const terms = Array.from({ length: this.count }, (_, term) => ({
      text: textAt(bytes, this.#starts[term]!, this.#starts[term + 1]! - this.#starts[term]!),
      term,
    }));
    return sortedByText(terms);
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
