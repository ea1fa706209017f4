import { BODY, FIELD_COUNT } from "../fields.ts";
import { ByteReader, type ByteWriter } from "./bytes.ts";

/*
 * Layout of the postings of a term: for each document a varint of the distance to the previous one, shifted left by
 * two. The two low bits say how often the body has the term, if only the body has it and at most three times. If they
 * are 0, a mask of the fields follows, and a count for each of them. Positions are in the order of the postings and
 * fields, starting again for each field.
 */
const ONLY_BODY = 1 << BODY;
export const MAX_SHORT = 3;

/** The number of times that each field of a document has a term. */
interface Posting {
  document: number;
  mask: number;
  /** By field; only those of the mask are valid. */
  counts: Int32Array;
}

/** Shared by all terms: a reader for each would be most of the garbage of a merge. */
const reader = new ByteReader(new Uint8Array(0));

/** Writes the postings of one term after another. */
export class PostingsWriter {
  #last = -1;

  constructor(private readonly out: ByteWriter) {}

  /** Starts a term: the next posting is its first one. */
  begin(): void {
    this.#last = -1;
  }

  add(document: number, mask: number, counts: Int32Array): void {
    const gap = (document - this.#last) * 4;
    this.#last = document;
    const inBody = counts[BODY]!;
    if (mask === ONLY_BODY && inBody <= MAX_SHORT) {
      this.out.varint(gap + inBody);
      return;
    }
    this.out.varint(gap);
    this.out.varint(mask);
    for (let field = 0; field < FIELD_COUNT; field++) if (mask & (1 << field)) this.out.varint(counts[field]!);
  }

  /** @param count in the body, and in no other field: 1 to `MAX_SHORT` */
  addInBody(document: number, count: number): void {
    this.out.varint((document - this.#last) * 4 + count);
    this.#last = document;
  }

  /**
   * Appends the postings from one index of `bytes` to another unchanged, except for the number of their first document.
   * @param base added to the numbers of their documents, which then follow those written before
   * @param isLast true for the last postings of a term, whose last document need not be found
   */
  append(bytes: Uint8Array, from: number, to: number, base: number, isLast: boolean): void {
    reader.use(bytes, from);
    const head = reader.varint();
    const document = base + (head >>> 2) - 1;
    this.out.varint((document - this.#last) * 4 + (head & 3));
    this.out.bytes(bytes, reader.at, to);
    if (!isLast) this.#last = base + lastDocument(bytes, from, to);
  }
}

/** Returns the last document of the postings from one index of `bytes` to another. */
function lastDocument(bytes: Uint8Array, from: number, to: number): number {
  let document = -1;
  for (let at = from; at < to; ) {
    let head = bytes[at++]!;
    if (head > 127) {
      head &= 127;
      for (let shift = 7; ; shift += 7) {
        const byte = bytes[at++]!;
        head |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    document += head >>> 2;
    if ((head & 3) !== 0) continue;
    let mask = bytes[at++]!;
    if (mask > 127) mask = (mask & 127) | (bytes[at++]! << 7);
    for (; mask !== 0; mask &= mask - 1) while (bytes[at++]! > 127);
  }
  return document;
}

/** Reads the postings of one term. */
export class PostingsReader implements Posting {
  document = -1;
  mask = 0;
  readonly counts = new Int32Array(FIELD_COUNT);
  /** Number of positions of the current posting, and of all postings before it. */
  occurrences = 0;
  before = 0;
  #at = 0;

  constructor(private bytes: Uint8Array) {}

  /** Reads other postings from now on. */
  use(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.document = -1;
    this.occurrences = 0;
    this.before = 0;
    this.#at = 0;
  }

  /** Advances to the next posting. @returns false when there is none */
  next(): boolean {
    if (this.#at >= this.bytes.length) return false;
    const head = this.#varint();
    this.document += head >>> 2;
    this.before += this.occurrences;
    const short = head & 3;
    if (short > 0) {
      this.mask = ONLY_BODY;
      this.counts[BODY] = short;
      this.occurrences = short;
      return true;
    }
    this.mask = this.#varint();
    this.occurrences = 0;
    for (let field = 0, mask = this.mask; mask !== 0; field++, mask >>>= 1) {
      if ((mask & 1) === 0) continue;
      const count = this.#varint();
      this.counts[field] = count;
      this.occurrences += count;
    }
    return true;
  }

  #varint(): number {
    let byte = this.bytes[this.#at++]!;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = this.bytes[this.#at++]!;
      value |= (byte & 127) << shift;
    }
    return value >>> 0;
  }
}

/**
 * Adds the weighted counts of a term to those of the documents that have it. Ranking spends most of its time in this
 * loop, so numbers are decoded inline: calls took longer.
 * @param counts by document
 * @param touched documents that had no count before are written here, starting at `filled`
 * @returns how many documents `touched` has now
 */
export function addPostings(
  bytes: Uint8Array,
  fieldWeights: Float32Array,
  weight: number,
  counts: Float32Array,
  touched: Int32Array,
  filled: number,
): number {
  const inBody = fieldWeights[BODY]! * weight;
  const { length } = bytes;
  let document = -1;
  let end = filled;
  for (let at = 0; at < length; ) {
    let head = bytes[at++]!;
    if (head > 127) {
      head &= 127;
      for (let shift = 7; ; shift += 7) {
        const byte = bytes[at++]!;
        head |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    document += head >>> 2;
    let count = (head & 3) * inBody;
    if ((head & 3) === 0) {
      let mask = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!;
        mask |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      for (let field = 0; mask !== 0; field++, mask >>>= 1) {
        if ((mask & 1) === 0) continue;
        let value = 0;
        for (let shift = 0; ; shift += 7) {
          const byte = bytes[at++]!;
          value |= (byte & 127) << shift;
          if (byte < 128) break;
        }
        count += value * fieldWeights[field]! * weight;
      }
    }
    if (count === 0) continue;
    if (counts[document] === 0) touched[end++] = document;
    counts[document]! += count;
  }
  return end;
}

/** Reads the positions of a term, document by document and field by field. */
export class PositionsReader {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Skips this many positions. */
  skip(count: number): void {
    for (let left = count; left > 0; this.#at++) if (this.bytes[this.#at]! < 128) left--;
  }

  /** Reads this many positions of one field into `into`, replacing its content. */
  read(count: number, into: number[]): void {
    into.length = 0;
    let last = 0;
    for (let i = 0; i < count; i++) {
      let byte = this.bytes[this.#at++]!;
      let gap = byte & 127;
      for (let shift = 7; byte >= 128; shift += 7) {
        byte = this.bytes[this.#at++]!;
        gap |= (byte & 127) << shift;
      }
      last += gap;
      into.push(last);
    }
  }

  get offset(): number {
    return this.#at;
  }

  slice(from: number): Uint8Array {
    return this.bytes.subarray(from, this.#at);
  }
}
