const BITS = 32;
const INITIAL_WORDS = 1024;

/** A set of page numbers (1 or greater), as a bitmap: 32 KiB for each gigabyte of a database of 4 KiB pages. */
export class PageSet {
  #words = new Uint32Array(INITIAL_WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(page: number): boolean {
    return ((this.#words[page >>> 5] ?? 0) & (1 << (page & 31))) !== 0;
  }

  add(page: number): void {
    const index = page >>> 5;
    if (index >= this.#words.length) this.#grow(index + 1);
    const word = this.#words[index]!;
    const changed = word | (1 << (page & 31));
    if (changed >>> 0 === word) return;
    this.#words[index] = changed;
    this.#size++;
  }

  /** Adds all pages from `first` to `last`, both included. */
  addRange(first: number, last: number): void {
    for (let page = first; page <= last; page++) this.add(page);
  }

  delete(page: number): void {
    if (!this.has(page)) return;
    this.#words[page >>> 5]! &= ~(1 << (page & 31));
    this.#size--;
  }

  /** Removes all pages after `last`. */
  deleteAfter(last: number): void {
    for (const page of this.#from(last + 1)) this.delete(page);
  }

  clear(): void {
    this.#words.fill(0);
    this.#size = 0;
  }

  /** Adds all pages of another set. */
  union(other: PageSet): void {
    for (const page of other) this.add(page);
  }

  /** Removes the `limit` lowest pages. @returns them, in ascending order */
  take(limit = Number.POSITIVE_INFINITY): number[] {
    const taken: number[] = [];
    for (const page of this) {
      if (taken.length >= limit) break;
      taken.push(page);
    }
    for (const page of taken) this.delete(page);
    return taken;
  }

  /** Iterates in ascending order. */
  [Symbol.iterator](): IterableIterator<number> {
    return this.#from(0);
  }

  *#from(first: number): Generator<number> {
    let mask = -1 << (first & 31);
    for (let index = first >>> 5; index < this.#words.length; index++) {
      // A page that is deleted during the iteration is still returned if its word was reached.
      let word = this.#words[index]! & mask;
      mask = -1;
      while (word !== 0) {
        yield index * BITS + (31 - Math.clz32(word & -word));
        word &= word - 1;
      }
    }
  }

  #grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.#words.length * 2));
    grown.set(this.#words);
    this.#words = grown;
  }
}
