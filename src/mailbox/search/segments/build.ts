import type { DocumentTerms } from "../documents.ts";
import { BODY, FIELD_COUNT } from "../fields.ts";
import { asBuffer, ByteReader, ByteWriter, textAt } from "./bytes.ts";
import type { BlockSink, SegmentHead } from "./format.ts";
import { PostingsWriter } from "./postings.ts";
import { type ListedDocument, SegmentWriter } from "./segment-writer.ts";
import { sortedByText } from "./sorting.ts";

/** A document that is to be in a segment. */
export interface NewDocument extends Omit<ListedDocument, "length"> {
  terms: DocumentTerms;
}

const NOTHING = new Uint8Array(0);
const ONLY_BODY = 1 << BODY;

/** Makes a segment of documents: their terms turned round, from words of a document to documents of a word. */
export function buildSegment(documents: readonly NewDocument[], sink: BlockSink): SegmentHead {
  const names = new TermNames();
  const listed: ListedDocument[] = [];
  // In one piece: each term reads places in many documents.
  const terms = new Uint8Array(documents.reduce((sum, document) => sum + document.terms.length, 0));
  // One entry for each term of each document: the term, the document, and where its mask begins.
  const total = documents.reduce((sum, document) => sum + countOf(document.terms), 0);
  const entryTerm = new Int32Array(total);
  const entryDocument = new Int32Array(total);
  const entryAt = new Int32Array(total);
  let entries = 0;
  let begin = 0;
  const reader = new ByteReader(NOTHING);
  for (const [document, { terms: own, ...rest }] of documents.entries()) {
    terms.set(own, begin);
    reader.use(terms, begin);
    begin += own.length;
    listed.push({ ...rest, length: reader.varint() });
    let left = reader.varint();
    // Numbers are read in place here, and below: calls would take as long as all the rest.
    for (let at = reader.at; left > 0; left--) {
      let length = terms[at++]!;
      if (length > 127) length = (length & 127) | (terms[at++]! << 7);
      entryTerm[entries] = names.number(terms, at, length);
      at += length;
      entryDocument[entries] = document;
      entryAt[entries++] = at;
      let mask = terms[at++]!;
      if (mask > 127) mask = (mask & 127) | (terms[at++]! << 7);
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
      at += positions;
    }
  }
  const ends = new Int32Array(names.count + 1);
  for (let i = 0; i < total; i++) ends[entryTerm[i]! + 1]!++;
  for (let term = 0; term < names.count; term++) ends[term + 1]! += ends[term]!;
  const order = new Int32Array(total);
  const next = ends.slice();
  for (let i = 0; i < total; i++) order[next[entryTerm[i]!]!++] = i;

  const writer = new SegmentWriter(sink);
  const postings = new ByteWriter();
  const positions = new ByteWriter();
  const posting = new PostingsWriter(postings);
  const counts = new Int32Array(FIELD_COUNT);
  for (const { text, term } of names.sorted()) {
    postings.clear();
    positions.clear();
    posting.begin();
    for (let i = ends[term]!; i < ends[term + 1]!; i++) {
      const entry = order[i]!;
      const document = entryDocument[entry]!;
      let at = entryAt[entry]!;
      let mask = terms[at++]!;
      if (mask > 127) mask = (mask & 127) | (terms[at++]! << 7);
      if (mask === ONLY_BODY && terms[at]! < 128) counts[BODY] = terms[at++]!;
      else {
        reader.use(terms, at);
        for (let field = 0; field < FIELD_COUNT; field++) if (mask & (1 << field)) counts[field] = reader.varint();
        at = reader.at;
      }
      posting.add(document, mask, counts);
      let length = terms[at++]!;
      if (length > 127) {
        reader.use(terms, at - 1);
        length = reader.varint();
        at = reader.at;
      }
      positions.bytes(terms, at, at + length);
    }
    writer.add(text, ends[term + 1]! - ends[term]!, postings, positions);
  }
  return writer.finish(listed);
}

function countOf(terms: DocumentTerms): number {
  const reader = new ByteReader(terms);
  reader.varint();
  return reader.varint();
}

/** Numbers terms by their bytes, without making a string of each occurrence. */
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

  /** The terms in the order of a dictionary, with their numbers. */
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
