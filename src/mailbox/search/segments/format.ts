/*
 * A segment consists of four streams of blocks:
 *
 *   dictionary   blocks that can be read separately: the terms in order (UTF-16 code units), front coded; then long
 *                words reversed, which have no postings
 *   postings     for each term, in the same order: for each document that has it, in which fields and how often
 *   positions    for each term and document: the positions; only phrases read them
 *   documents    the documents, and the first term of each dictionary block
 *
 * Every block is sealed and has the same size, and their number is blurred, so the table shows only roughly how much
 * text there is.
 */

/** Bytes of a block before it is sealed. */
export const BLOCK_BYTES = 16_384;

export const STREAMS = ["dictionary", "postings", "positions", "documents"] as const;
export type Stream = (typeof STREAMS)[number];

/** The head of a segment, which is read before its blocks. Lengths in bytes, without padding. */
export interface SegmentHead {
  documents: number;
  terms: number;
  /** Number of words in all documents. */
  words: number;
  lengths: Record<Stream, number>;
  /** Offset in the documents stream at which the first terms of the dictionary blocks start. */
  first_terms: number;
}

const BLOCKS_OF_STREAM = 2 ** 21;
const BLOCKS_OF_SEGMENT = BLOCKS_OF_STREAM * STREAMS.length;

/** Returns the id of a block's row. */
export function blockId(segment: number, stream: Stream, block: number): number {
  return segment * BLOCKS_OF_SEGMENT + STREAMS.indexOf(stream) * BLOCKS_OF_STREAM + block;
}

/** Returns the segment of a block by the id of its row. */
export function segmentOf(id: number): number {
  return Math.floor(id / BLOCKS_OF_SEGMENT);
}

/** Returns the range of row ids of a segment: the first one, and the first one after it. */
export function blockRange(segment: number): [from: number, to: number] {
  return [segment * BLOCKS_OF_SEGMENT, (segment + 1) * BLOCKS_OF_SEGMENT];
}

/** Reads the blocks of one segment. */
export interface BlockSource {
  /**
   * @returns `BLOCK_BYTES` bytes
   * @throws SealBroken when a block is missing, damaged or moved from elsewhere
   */
  read(stream: Stream, block: number): Uint8Array;
}

/** Returns the bytes of a stream from one offset to another: a view if they are in one block, else a copy. */
export function readRange(source: BlockSource, stream: Stream, from: number, to: number): Uint8Array {
  // There may be no block after the last byte.
  if (from === to) return new Uint8Array(0);
  const first = Math.floor(from / BLOCK_BYTES);
  const start = first * BLOCK_BYTES;
  if (to <= start + BLOCK_BYTES) return source.read(stream, first).subarray(from - start, to - start);
  const out = new Uint8Array(to - from);
  for (let block = first; block * BLOCK_BYTES < to; block++) {
    const at = block * BLOCK_BYTES;
    const bytes = source.read(stream, block);
    const [begin, end] = [Math.max(from, at), Math.min(to, at + BLOCK_BYTES)];
    out.set(bytes.subarray(begin - at, end - at), begin - from);
  }
  return out;
}

/** Reads ranges of a stream that mostly follow one another, without creating a copy or a view of each. */
export class StreamCursor {
  /** Contains the range of the last `seek`, from index `from` to `to`, until the next `seek`. */
  bytes: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  #current: { block: number; bytes: Uint8Array } | null = null;

  constructor(
    private readonly source: BlockSource,
    private readonly stream: Stream,
  ) {}

  seek(at: number, length: number): void {
    const block = Math.floor(at / BLOCK_BYTES);
    const from = at - block * BLOCK_BYTES;
    if (length === 0 || from + length > BLOCK_BYTES) {
      this.bytes = readRange(this.source, this.stream, at, at + length);
      this.from = 0;
    } else {
      if (this.#current?.block !== block) this.#current = { block, bytes: this.source.read(this.stream, block) };
      this.bytes = this.#current.bytes;
      this.from = from;
    }
    this.to = this.from + length;
  }
}

/** Accepts full blocks. The last block of a stream is padded, and an empty one may follow it. */
export interface BlockSink {
  write(stream: Stream, block: number, bytes: Uint8Array): void;
}

const FEW_BYTES = 64;

/**
 * Returns a random integer from 0 up to but not including `limit`, from a generator whose output cannot be predicted.
 */
export function randomBelow(limit: number): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! % limit;
}

/** Cuts a stream into blocks as it is written. */
export class StreamWriter {
  #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #blocks = 0;

  constructor(
    private readonly sink: BlockSink,
    private readonly stream: Stream,
  ) {}

  /** Returns the number of bytes written. */
  get length(): number {
    return this.#blocks * BLOCK_BYTES + this.#filled;
  }

  /**
   * @param length how many of the bytes to write; most calls write only a few, for which a view would take longer than
   * copying
   */
  write(bytes: Uint8Array, length = bytes.length): void {
    for (let at = 0; at < length; ) {
      const count = Math.min(length - at, BLOCK_BYTES - this.#filled);
      if (count > FEW_BYTES) this.#block.set(bytes.subarray(at, at + count), this.#filled);
      else for (let i = 0; i < count; i++) this.#block[this.#filled + i] = bytes[at + i]!;
      this.#filled += count;
      at += count;
      if (this.#filled === BLOCK_BYTES) this.#flush();
    }
  }

  /**
   * Ends the stream: pads the current block and adds an empty one at random, with a probability that grows with how
   * full the last block is. Otherwise, someone who fills a segment with their own text up to the end of a block could
   * see from the number of blocks whether the other text has one word more.
   * @param filled bytes in the last block
   * @param capacity bytes that the last block can hold
   */
  end(filled = this.#filled, capacity = BLOCK_BYTES): void {
    const blocks = Math.ceil((filled + randomBelow(capacity)) / capacity);
    if (this.#filled > 0) this.#flush();
    if (blocks > Math.ceil(filled / capacity)) this.#flush();
  }

  #flush(): void {
    this.#block.fill(0, this.#filled);
    this.sink.write(this.stream, this.#blocks++, this.#block);
    this.#block = new Uint8Array(BLOCK_BYTES);
    this.#filled = 0;
  }
}
