import { between } from "../faults/campaign.ts";

const HEADER = 32;
const FRAME_HEADER = 24;

/** A write-ahead log of SQLite with random content, written from the description of the format. */
export class SyntheticLog {
  bytes: Buffer;
  readonly salt1: number;
  readonly bigEndian: boolean;
  readonly #pageSize: number;
  readonly #random: () => number;

  /** @param from a log to continue */
  constructor(
    pageSize: number,
    bigEndian: boolean,
    random: () => number,
    from: { bytes: Buffer } | null = null,
    salt1 = between(random, 0, 2 ** 31),
  ) {
    this.#pageSize = pageSize;
    this.#random = random;
    this.bigEndian = bigEndian;
    if (from) {
      this.bytes = Buffer.from(from.bytes);
    } else {
      this.bytes = Buffer.alloc(HEADER);
      const fields = [bigEndian ? 0x377f0683 : 0x377f0682, 3_007_000, pageSize, 0, salt1, between(random, 0, 2 ** 31)];
      for (const [i, field] of fields.entries()) this.bytes.writeUInt32BE(field, i * 4);
      this.#writeChecksum(this.bytes, 24, this.#sum([0, 0], this.bytes.subarray(0, 24)));
    }
    this.salt1 = this.bytes.readUInt32BE(16);
  }

  /** Appends a transaction. @param pageCount 0: without its end */
  append(pages: readonly number[], pageCount: number): void {
    const frames = [this.bytes];
    const last = this.bytes.length === HEADER ? 24 : this.bytes.length - this.#pageSize - 8;
    let sum: [number, number] = [this.bytes.readUInt32BE(last), this.bytes.readUInt32BE(last + 4)];
    for (const [i, page] of pages.entries()) {
      const frame = Buffer.alloc(FRAME_HEADER + this.#pageSize);
      frame.writeUInt32BE(page, 0);
      frame.writeUInt32BE(i === pages.length - 1 ? pageCount : 0, 4);
      this.bytes.copy(frame, 8, 16, 24);
      for (let at = FRAME_HEADER; at < frame.length; at += 4)
        frame.writeUInt32BE(between(this.#random, 0, 2 ** 32), at);
      sum = this.#sum(sum, frame.subarray(0, 8));
      sum = this.#sum(sum, frame.subarray(FRAME_HEADER));
      this.#writeChecksum(frame, 16, sum);
      frames.push(frame);
    }
    this.bytes = Buffer.concat(frames);
  }

  /** Returns the content of each page after this number of frames. */
  contentAt(frames: number): Map<number, Buffer> {
    const found = new Map<number, Buffer>();
    for (let i = 0; i < frames; i++) {
      const at = HEADER + i * (FRAME_HEADER + this.#pageSize);
      found.set(
        this.bytes.readUInt32BE(at),
        this.bytes.subarray(at + FRAME_HEADER, at + FRAME_HEADER + this.#pageSize),
      );
    }
    return found;
  }

  #sum([first, second]: readonly [number, number], bytes: Buffer): [number, number] {
    let [a, b] = [first, second];
    const word = (at: number) => (this.bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
    for (let at = 0; at < bytes.length; at += 8) {
      a = (a + word(at) + b) % 2 ** 32;
      b = (b + word(at + 4) + a) % 2 ** 32;
    }
    return [a, b];
  }

  #writeChecksum(target: Buffer, at: number, [a, b]: readonly [number, number]): void {
    target.writeUInt32BE(a, at);
    target.writeUInt32BE(b, at + 4);
  }
}
