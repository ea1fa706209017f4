import { asBuffer, ByteReader, textAt } from "./bytes.ts";
import { DictionaryBlock, type Entry } from "./dictionary-block.ts";
import { type BlockSource, readRange, type SegmentHead, StreamCursor } from "./format.ts";
import { unzigzag } from "./segment-writer.ts";

/** Parsed blocks, kept as long as the cache keeps their bytes. */
const openedBlocks = new WeakMap<Uint8Array, DictionaryBlock>();

/** An opened segment. Its list of documents is in memory; everything else is read when needed. */
export class Segment {
  /** By document: messages.n, id of the text, time of receipt in s, length in words. */
  readonly n: Int32Array;
  readonly ids: Float64Array;
  readonly dates: Float64Array;
  readonly lengths: Uint16Array;
  /** By document, 1: deleted; null: none. */
  dead: Uint8Array | null = null;
  deadCount = 0;
  readonly #firstTerms: string[] = [];
  /** Documents sorted by messages.n, if they are not in that order already. */
  #byN: Int32Array | null = null;
  readonly #isInOrder: boolean;

  constructor(
    readonly head: SegmentHead,
    private readonly source: BlockSource,
  ) {
    const { documents } = head;
    this.n = new Int32Array(documents);
    this.ids = new Float64Array(documents);
    this.dates = new Float64Array(documents);
    this.lengths = new Uint16Array(documents);
    const bytes = readRange(source, "documents", 0, head.lengths.documents);
    const reader = new ByteReader(bytes);
    let [n, id, isInOrder] = [0, 0, true];
    for (let document = 0; document < documents; document++) {
      const before = n;
      n += unzigzag(reader.varint());
      id += unzigzag(reader.varint());
      isInOrder &&= n > before;
      this.n[document] = n;
      this.ids[document] = id;
      this.dates[document] = reader.varint();
      this.lengths[document] = reader.varint();
    }
    this.#isInOrder = isInOrder;
    const buffer = asBuffer(bytes);
    while (!reader.done) {
      const length = reader.varint();
      this.#firstTerms.push(textAt(buffer, reader.at, length));
      reader.skip(length);
    }
  }

  get documents(): number {
    return this.head.documents;
  }

  /** Returns the documents of a message, including deleted ones; usually one. */
  documentsOf(n: number): number[] {
    const order = this.#order();
    let low = 0;
    let high = this.documents;
    const at = (i: number) => this.n[order === null ? i : order[i]!]!;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(middle) < n) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (; low < this.documents && at(low) === n; low++) found.push(order === null ? low : order[low]!);
    return found;
  }

  /** Marks the documents of a message with an id up to `upTo` as deleted. @returns how many were not deleted before */
  leaveOut(n: number, upTo: number): number {
    let count = 0;
    for (const document of this.documentsOf(n)) {
      if (this.ids[document]! > upTo) continue;
      this.dead ??= new Uint8Array(this.documents);
      if (this.dead[document] === 1) continue;
      this.dead[document] = 1;
      this.deadCount++;
      count++;
    }
    return count;
  }

  find(term: string): Entry | null {
    const block = this.#blockOf(term);
    return block < 0 ? null : this.#open(block).find(term);
  }

  /** Visits terms in order, starting at the first one that is not before `from`; `visit` returns false to stop. */
  visit(from: string, visit: (entry: Entry) => unknown): void {
    for (let block = Math.max(0, this.#blockOf(from)); block < this.#firstTerms.length; block++) {
      if (!this.#open(block).visit(from, visit)) return;
    }
  }

  /** Visits all terms in order, except in blocks that `mayHold` rejects. Reversed words (`REVERSED`) follow them. */
  scan(mayHold: (first: string, next: string | null) => boolean, visit: (entry: Entry) => unknown): void {
    for (let block = 0; block < this.#firstTerms.length; block++) {
      if (!mayHold(this.#firstTerms[block]!, this.#firstTerms[block + 1] ?? null)) continue;
      if (!this.#open(block).visit("", visit)) return;
    }
  }

  /** Returns a cursor over the postings or the positions of successive terms. */
  cursor(stream: "postings" | "positions"): StreamCursor {
    return new StreamCursor(this.source, stream);
  }

  postings({ postings, postingsLength }: Entry): Uint8Array {
    return readRange(this.source, "postings", postings, postings + postingsLength);
  }

  positions({ positions, positionsLength }: Entry): Uint8Array {
    return readRange(this.source, "positions", positions, positions + positionsLength);
  }

  /** Returns the block that contains a term, if the segment has it; -1: before the first block. */
  #blockOf(term: string): number {
    let low = -1;
    let high = this.#firstTerms.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#firstTerms[middle]! <= term) low = middle;
      else high = middle;
    }
    return low;
  }

  #open(block: number): DictionaryBlock {
    const bytes = this.source.read("dictionary", block);
    let opened = openedBlocks.get(bytes);
    if (!opened) {
      opened = new DictionaryBlock(bytes);
      openedBlocks.set(bytes, opened);
    }
    return opened;
  }

  #order(): Int32Array | null {
    if (this.#isInOrder) return null;
    this.#byN ??= Int32Array.from(this.n.keys()).sort((a, b) => this.n[a]! - this.n[b]! || a - b);
    return this.#byN;
  }
}
