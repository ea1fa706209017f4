import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const HASH_BYTES = 8;
/** "PRPM" and version 1. */
const MAGIC = 0x5052_504d_0000_0001n;
/** Magic, page size, page count and checksum, 64 bits each. */
const HEADER_WORDS = 4;
const INITIAL_PAGES = 1024;
/** Page content that is read at once from a file. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Seeds of the two halves of the state hash. */
const SEEDS = [0x706f_7374n, 0x726f_6f6dn] as const;
/** A page without content. */
const NONE = 0n;

/** Returns the hash of the content of a page; never 0, which stands for a page without content. */
export function hashPage(content: Uint8Array): bigint {
  return Bun.hash.xxHash64(content) || 1n;
}

/**
 * The content of each page of a database file at some state, as 64-bit hashes: 2 MiB for each gigabyte of a database of
 * 4 KiB pages. It says which pages differ from another state, and names a state by one value. The hashes find changes;
 * they do not prove where content is from.
 */
export class PageMap {
  readonly pageSize: number;
  #hashes = new BigUint64Array(INITIAL_PAGES);
  #count = 0;
  #sums: [bigint, bigint] = [0n, 0n];
  /** Number and hash of the page whose share of the state is computed. */
  readonly #mixed = new BigUint64Array(2);
  readonly #mixedBytes = new Uint8Array(this.#mixed.buffer);

  constructor(pageSize: number) {
    this.pageSize = pageSize;
  }

  /** Reads what `bytes` returned. @returns null if the bytes are damaged or of an unknown version */
  static from(bytes: Uint8Array): PageMap | null {
    if (bytes.length % HASH_BYTES !== 0) return null;
    // A copy, because the view needs an aligned buffer.
    const words = new BigUint64Array(bytes.slice().buffer);
    const [magic, pageSize, count, checksum] = words;
    if (magic !== MAGIC || count !== BigInt(words.length - HEADER_WORDS)) return null;
    words[3] = 0n;
    if (Bun.hash.xxHash64(words) !== checksum) return null;
    const map = new PageMap(Number(pageSize));
    map.resize(Number(count));
    for (let page = 1; page <= map.#count; page++) map.#put(page, words[HEADER_WORDS + page - 1]!);
    return map;
  }

  /**
   * Reads a whole file of pages. Never call it for a database that this process has open: it closes a descriptor of the
   * file (see `database-file.ts`).
   * @param rest awaited after each 4 MiB
   * @throws Error if the file does not end at the end of a page
   */
  static async ofFile(path: string, pageSize: number, rest: () => Promise<void>): Promise<PageMap> {
    const map = new PageMap(pageSize);
    const fd = openSync(path, "r");
    try {
      const { size } = fstatSync(fd);
      if (size % pageSize !== 0) throw new Error(`The size of ${path} is not a multiple of ${pageSize} bytes.`);
      map.resize(size / pageSize);
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (let start = 0; start < size; start += CHUNK_BYTES) {
        const length = Math.min(CHUNK_BYTES, size - start);
        let got = 0;
        while (got < length) {
          const read = readSync(fd, chunk, got, length - got, start + got);
          if (read === 0) throw new Error(`${path} became shorter while it was read.`);
          got += read;
        }
        for (let at = 0; at < length; at += pageSize)
          map.update((start + at) / pageSize + 1, chunk.subarray(at, at + pageSize));
        await rest();
      }
    } finally {
      closeSync(fd);
    }
    return map;
  }

  get pageCount(): number {
    return this.#count;
  }

  /** Names the state: 32 hexadecimal digits that depend on the number and the content of each page. */
  get state(): string {
    return this.#sums.map((sum) => sum.toString(16).padStart(16, "0")).join("");
  }

  /** Returns the hash of a page, or 0 for one without content: never set, or beyond the end. */
  get(page: number): bigint {
    return page <= this.#count ? this.#hashes[page - 1]! : NONE;
  }

  /** Returns whether a page has this content. */
  matches(page: number, content: Uint8Array): boolean {
    return this.get(page) === hashPage(content);
  }

  /** Sets the content of a page. @throws RangeError for a page beyond the end; call `resize` first */
  update(page: number, content: Uint8Array): void {
    this.set(page, hashPage(content));
  }

  /** Sets the hash of a page (`hashPage`). @throws RangeError for a page beyond the end; call `resize` first */
  set(page: number, hash: bigint): void {
    if (page < 1 || page > this.#count) throw new RangeError(`Page ${page} is not among ${this.#count} pages.`);
    this.#put(page, hash);
  }

  /** Changes the number of pages. New ones have no content; pages beyond the new end are forgotten. */
  resize(count: number): void {
    for (let page = count + 1; page <= this.#count; page++) this.#put(page, NONE);
    if (count > this.#hashes.length) {
      const grown = new BigUint64Array(Math.max(count, this.#hashes.length * 2));
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    this.#count = count;
  }

  /** Returns the map for a file. It has a checksum, but no protection against deliberate changes. */
  bytes(): Uint8Array {
    const words = new BigUint64Array(HEADER_WORDS + this.#count);
    words.set([MAGIC, BigInt(this.pageSize), BigInt(this.#count), 0n]);
    words.set(this.#hashes.subarray(0, this.#count), HEADER_WORDS);
    words[3] = Bun.hash.xxHash64(words);
    return new Uint8Array(words.buffer);
  }

  #put(page: number, hash: bigint): void {
    const before = this.#hashes[page - 1]!;
    if (before === hash) return;
    this.#hashes[page - 1] = hash;
    const [removed, added] = [this.#share(page, before), this.#share(page, hash)];
    this.#sums = [
      BigInt.asUintN(64, this.#sums[0] - removed[0] + added[0]),
      BigInt.asUintN(64, this.#sums[1] - removed[1] + added[1]),
    ];
  }

  /** Returns what a page adds to the state hash. */
  #share(page: number, hash: bigint): [bigint, bigint] {
    if (hash === NONE) return [0n, 0n];
    this.#mixed[0] = BigInt(page);
    this.#mixed[1] = hash;
    return [Bun.hash.xxHash64(this.#mixedBytes, SEEDS[0]), Bun.hash.xxHash64(this.#mixedBytes, SEEDS[1])];
  }
}
