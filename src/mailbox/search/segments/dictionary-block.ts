import { LONGEST_TOKEN } from "../tokens.ts";
import { asBuffer, ByteReader, ByteWriter, textAt, writeText } from "./bytes.ts";
import { BLOCK_BYTES } from "./format.ts";

/** A term of a segment, and where its postings and positions are stored, in bytes. */
export interface Entry {
  term: string;
  /** Number of documents that have it. */
  count: number;
  postings: number;
  postingsLength: number;
  positions: number;
  positionsLength: number;
}

/**
 * Number of terms that share prefixes in one run. The next term is written in full, so that a term is found without
 * reading all terms.
 */
const RUN = 16;
/** Number of terms and of runs; an offset for each run follows. */
const HEADER_BYTES = 4;
const OFFSET_BYTES = 2;
/** The longest term: a reversed word with its mark. */
const LONGEST_TERM_BYTES = (LONGEST_TOKEN + 1) * 3;
const LONGEST_ENTRY_BYTES = LONGEST_TERM_BYTES + 7 * 8;

/** Bytes of terms from which a block counts as full, so that the next term always fits. */
export const DICTIONARY_SPACE = BLOCK_BYTES - LONGEST_ENTRY_BYTES;

const encoder = new TextEncoder();

/** Collects the terms of one block, in order. */
export class DictionaryBlockWriter {
  readonly #body = new ByteWriter(BLOCK_BYTES);
  readonly #runs: number[] = [];
  #count = 0;
  #last = new Uint8Array(LONGEST_TERM_BYTES);
  #current = new Uint8Array(LONGEST_TERM_BYTES);
  #lastLength = 0;
  first = "";

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get isFull(): boolean {
    return this.length > DICTIONARY_SPACE;
  }

  /** Returns the length in bytes, including the offset of one more run. */
  get length(): number {
    return HEADER_BYTES + (this.#runs.length + 1) * OFFSET_BYTES + this.#body.length;
  }

  add({ term, count, postings, postingsLength, positions, positionsLength }: Entry): void {
    const body = this.#body;
    const begins = this.#count % RUN === 0;
    const bytes = this.#current;
    const length = writeText(term, bytes);
    let shared = 0;
    if (begins) {
      this.#runs.push(body.length);
      body.varint(postings);
      body.varint(positions);
    } else {
      const most = Math.min(length, this.#lastLength);
      while (shared < most && bytes[shared] === this.#last[shared]) shared++;
      body.varint(shared);
    }
    if (this.#count === 0) this.first = term;
    body.varint(length - shared);
    body.bytes(bytes, shared, length);
    body.varint(count);
    body.varint(postingsLength);
    body.varint(positionsLength);
    [this.#last, this.#current] = [bytes, this.#last];
    this.#lastLength = length;
    this.#count++;
  }

  /** Returns the block, `BLOCK_BYTES` long, and resets the writer. */
  take(): Uint8Array {
    const block = new Uint8Array(BLOCK_BYTES);
    const view = new DataView(block.buffer);
    view.setUint16(0, this.#count);
    view.setUint16(2, this.#runs.length);
    const base = HEADER_BYTES + this.#runs.length * OFFSET_BYTES;
    for (const [i, run] of this.#runs.entries()) view.setUint16(HEADER_BYTES + i * OFFSET_BYTES, base + run);
    block.set(this.#body.view(), base);
    this.#body.clear();
    this.#runs.length = 0;
    this.#count = 0;
    this.#lastLength = 0;
    return block;
  }
}

/** An opened dictionary block. */
export class DictionaryBlock {
  readonly #buffer: Buffer;
  readonly count: number;
  readonly #runs: number;
  /** The first terms of the runs that were accessed. */
  readonly #firsts: string[] = [];

  constructor(private readonly bytes: Uint8Array) {
    this.#buffer = asBuffer(bytes);
    this.count = this.#buffer.readUInt16BE(0);
    this.#runs = this.#buffer.readUInt16BE(2);
  }

  find(term: string): Entry | null {
    const wanted = encoder.encode(term);
    const run = this.#runOf(term);
    const { bytes } = this;
    const reader = new ByteReader(bytes, this.#offsetOf(run));
    let postings = reader.varint();
    let positions = reader.varint();
    /** Number of leading bytes that the previous term shares with the wanted one. */
    let matched = 0;
    const terms = Math.min(RUN, this.count - run * RUN);
    for (let i = 0; i < terms; i++) {
      const shared = i === 0 ? 0 : reader.varint();
      const length = reader.varint();
      const rest = reader.at;
      reader.skip(length);
      const count = reader.varint();
      const postingsLength = reader.varint();
      const positionsLength = reader.varint();
      // Terms are in order: once fewer bytes match, no later term can match.
      if (shared < matched) return null;
      if (shared === matched) {
        while (
          matched < wanted.length &&
          matched - shared < length &&
          bytes[rest + matched - shared] === wanted[matched]
        ) {
          matched++;
        }
        if (matched === wanted.length && matched === shared + length) {
          return { term, count, postings, postingsLength, positions, positionsLength };
        }
      }
      postings += postingsLength;
      positions += positionsLength;
    }
    return null;
  }

  /**
   * Visits terms in order, starting at the first one that is not before `from`; `visit` returns false to stop.
   * @returns whether all terms were visited
   */
  visit(from: string, visit: (entry: Entry) => unknown): boolean {
    const current = Buffer.alloc(LONGEST_TERM_BYTES);
    for (let run = this.#runOf(from); run < this.#runs; run++) {
      const reader = new ByteReader(this.bytes, this.#offsetOf(run));
      let postings = reader.varint();
      let positions = reader.varint();
      const terms = Math.min(RUN, this.count - run * RUN);
      for (let i = 0; i < terms; i++) {
        const shared = i === 0 ? 0 : reader.varint();
        const length = reader.varint();
        for (let j = 0; j < length; j++) current[shared + j] = this.bytes[reader.at + j]!;
        reader.skip(length);
        const term = textAt(current, 0, shared + length);
        const count = reader.varint();
        const postingsLength = reader.varint();
        const positionsLength = reader.varint();
        if (term >= from && visit({ term, count, postings, postingsLength, positions, positionsLength }) === false) {
          return false;
        }
        postings += postingsLength;
        positions += positionsLength;
      }
    }
    return true;
  }

  /** Returns the run that contains a term, if the block has it. */
  #runOf(term: string): number {
    let low = 0;
    let high = this.#runs;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#firstOf(middle) <= term) low = middle;
      else high = middle;
    }
    return low;
  }

  #firstOf(run: number): string {
    let first = this.#firsts[run];
    if (first === undefined) {
      const reader = new ByteReader(this.bytes, this.#offsetOf(run));
      reader.varint();
      reader.varint();
      const length = reader.varint();
      first = textAt(this.#buffer, reader.at, length);
      this.#firsts[run] = first;
    }
    return first;
  }

  #offsetOf(run: number): number {
    return this.#buffer.readUInt16BE(HEADER_BYTES + run * OFFSET_BYTES);
  }
}
