import { ByteReader, ByteWriter, textAt } from "./bytes.ts";
import { BLOCK_BYTES } from "./format.ts";

/** A term of a segment, and where its postings and positions are. Bytes. */
export interface Entry {
  term: string;
  /** Documents that have it. */
  count: number;
  postings: number;
  postingsLength: number;
  positions: number;
  positionsLength: number;
}

/** So many terms share their beginnings; the next one is written in full, so that a term is found without reading all. */
const RUN = 16;
/** Number of terms and of runs, and a place for each run. */
const HEADER_BYTES = 4;
const PLACE_BYTES = 2;
const LONGEST_ENTRY_BYTES = 64 * 3 + 6 * 8;

const encoder = new TextEncoder();

/** Collects the terms of one block, in order. */
export class DictionaryBlockWriter {
  readonly #body = new ByteWriter(BLOCK_BYTES);
  readonly #runs: number[] = [];
  #count = 0;
  #last = "";
  first = "";

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get isFull(): boolean {
    const header = HEADER_BYTES + (this.#runs.length + 1) * PLACE_BYTES;
    return header + this.#body.length + LONGEST_ENTRY_BYTES > BLOCK_BYTES;
  }

  add({ term, count, postings, postingsLength, positions, positionsLength }: Entry): void {
    const body = this.#body;
    const begins = this.#count % RUN === 0;
    let shared = 0;
    if (begins) {
      this.#runs.push(body.length);
      body.varint(postings);
      body.varint(positions);
    } else {
      const most = Math.min(term.length, this.#last.length);
      while (shared < most && term.charCodeAt(shared) === this.#last.charCodeAt(shared)) shared++;
      // Half of a surrogate pair has no UTF-8.
      const code = shared > 0 ? term.charCodeAt(shared - 1) : 0;
      if (code >= 0xd800 && code <= 0xdbff) shared--;
      body.varint(shared);
    }
    if (this.#count === 0) this.first = term;
    const rest = encoder.encode(shared === 0 ? term : term.slice(shared));
    body.varint(rest.length);
    body.bytes(rest);
    body.varint(count);
    body.varint(postingsLength);
    body.varint(positionsLength);
    this.#last = term;
    this.#count++;
  }

  /** The block, `BLOCK_BYTES` long; the writer begins again. */
  take(): Uint8Array {
    const block = new Uint8Array(BLOCK_BYTES);
    const view = new DataView(block.buffer);
    view.setUint16(0, this.#count);
    view.setUint16(2, this.#runs.length);
    const base = HEADER_BYTES + this.#runs.length * PLACE_BYTES;
    for (const [i, run] of this.#runs.entries()) view.setUint16(HEADER_BYTES + i * PLACE_BYTES, base + run);
    block.set(this.#body.view(), base);
    this.#body.clear();
    this.#runs.length = 0;
    this.#count = 0;
    this.#last = "";
    return block;
  }
}

/** One dictionary block, opened. */
export class DictionaryBlock {
  readonly #view: DataView;
  readonly count: number;
  readonly #runs: number;

  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.count = this.#view.getUint16(0);
    this.#runs = this.#view.getUint16(2);
  }

  /** Visits terms in order from the first that is not before `from`; `visit` answers false to stop. @returns whether it went to the end */
  visit(from: string, visit: (entry: Entry) => boolean | void): boolean {
    for (let run = this.#runOf(from); run < this.#runs; run++) {
      const reader = new ByteReader(this.bytes, this.#place(run));
      let postings = reader.varint();
      let positions = reader.varint();
      let term = "";
      const terms = Math.min(RUN, this.count - run * RUN);
      for (let i = 0; i < terms; i++) {
        const shared = i === 0 ? 0 : reader.varint();
        const length = reader.varint();
        const rest = textAt(this.bytes, reader.at, length);
        reader.skip(length);
        term = shared === 0 ? rest : term.slice(0, shared) + rest;
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

  /** The run in which a term is, if it is here. */
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
    const reader = new ByteReader(this.bytes, this.#place(run));
    reader.varint();
    reader.varint();
    const length = reader.varint();
    return textAt(this.bytes, reader.at, length);
  }

  #place(run: number): number {
    return this.#view.getUint16(HEADER_BYTES + run * PLACE_BYTES);
  }
}
