/*
 * A segment is four streams of blocks:
 *
 *   dictionary   blocks that can be read each by itself: the terms in order (UTF-16 code units), front coded; then long words
 *                reversed, which have no postings
 *   postings     for each term, in the same order: for each document that has it, in which fields and how often
 *   positions    for each term and document: where; only phrases read them
 *   documents    the documents, and the first term of each dictionary block
 *
 * Every block is sealed and has the same size, and their number is blurred: the table shows about how much text there is.
 */

/** Bytes of a block before it is sealed. */
export const BLOCK_BYTES = 16_384;

export const STREAMS = ["dictionary", "postings", "positions", "documents"] as const;
export type Stream = (typeof STREAMS)[number];

/** What is known of a segment before its blocks are read. Lengths in bytes, without padding. */
export interface SegmentHead {
  documents: number;
  terms: number;
  /** Words of all documents together. */
  words: number;
  lengths: Record<Stream, number>;
  /** Where the first terms of dictionary blocks begin in the documents stream. */
  firstTerms: number;
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

/** Returns the range of row ids of a segment: the first one, and the first one behind it. */
export function blockRange(segment: number): [from: number, to: number] {
  return [segment * BLOCKS_OF_SEGMENT, (segment + 1) * BLOCKS_OF_SEGMENT];
}

/** Where blocks of one segment are read from. */
export interface BlockSource {
  /** @returns `BLOCK_BYTES` bytes @throws SealBroken when a block is missing, damaged or not of this place */
  read(stream: Stream, block: number): Uint8Array;
}

/** Returns the bytes of a stream from one offset to another: a view where they are in one block, else a copy. */
export function readRange(source: BlockSource, stream: Stream, from: number, to: number): Uint8Array {
  // Behind the last byte there need not be a block.
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

/** Reads ranges of a stream that mostly follow one another, without a copy or a view of each. */
export class StreamCursor {
  /** Has the range of the last `seek`, from index `from` to `to`, until the next one. */
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

/** Takes blocks that are full; the last one of a stream is padded, and an empty one may follow it. */
export interface BlockSink {
  write(stream: Stream, block: number, bytes: Uint8Array): void;
}

const FEW_BYTES = 64;

/** A random whole number from 0, not from a generator whose next numbers can be computed. */
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

  /** Bytes written. */
  get length(): number {
    return this.#blocks * BLOCK_BYTES + this.#filled;
  }

  /** @param length how many of the bytes; most calls are for a few, where a view would take longer than copying them */
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
   * Ends the stream: pads the block that has begun, and adds an empty one at random, the more likely the fuller the last one is.
   * Otherwise someone who fills a segment with text of their own, up to the end of a block, would see in the number of blocks
   * whether the other text has one word more.
   * @param filled of the last block, and `room` that it has at most: bytes
   */
  end(filled = this.#filled, room = BLOCK_BYTES): void {
    const blocks = Math.ceil((filled + randomBelow(room)) / room);
    if (this.#filled > 0) this.#flush();
    if (blocks > Math.ceil(filled / room)) this.#flush();
  }

  #flush(): void {
    this.#block.fill(0, this.#filled);
    this.sink.write(this.stream, this.#blocks++, this.#block);
    this.#block = new Uint8Array(BLOCK_BYTES);
    this.#filled = 0;
  }
}
