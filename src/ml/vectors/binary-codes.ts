import { lazy } from "../../kernel/lazy.ts";

/** The nearest codes are estimated more precisely: at least this many, and this many times the requested number. */
const LEAST_COMPARED = 2_000;
const COMPARED = 4;

const FIRST_ROWS = 1_024;
const GROWTH = 1.5;
const WORD_BITS = 32;
const BYTE_BITS = 8;
const BYTES_A_WORD = WORD_BITS / BYTE_BITS;
const BYTE_VALUES = 256;
const HALF_BITS = 16;
const HALF_MASK = 0xffff;

/** The number of bits set in each 16-bit value. JavaScript has no instruction for it, and this is the fastest way. */
const bitsSet = lazy(() => {
  const bits = new Uint8Array(HALF_MASK + 1);
  for (let value = 1; value <= HALF_MASK; value++) bits[value] = bits[value >>> 1]! + (value & 1);
  return bits;
});

/**
 * Vectors of messages with one bit per dimension, the sign (binary quantization): an eighth of the memory of vectors
 * with eight bits, for a shortlist whose vectors are then compared exactly.
 */
export class BinaryCodes {
  /** 32-bit words of a code. */
  readonly #words: number;
  #codes: Int32Array;
  #numbers: Int32Array;
  #size = 0;
  /** Rows by message number; null until it is needed, because building it takes longer than a search. */
  #rows: Map<number, number> | null = null;

  constructor(readonly dimensions: number) {
    this.#words = wordsOf(dimensions);
    this.#codes = new Int32Array(FIRST_ROWS * this.#words);
    this.#numbers = new Int32Array(FIRST_ROWS);
  }

  /** Creates an index over existing codes, one per message number, without copying them. */
  static from(dimensions: number, numbers: Int32Array, codes: Int32Array): BinaryCodes {
    const all = new BinaryCodes(dimensions);
    if (codes.length !== numbers.length * all.#words) throw new Error("there is not one code for each number");
    all.#codes = codes;
    all.#numbers = numbers;
    all.#size = numbers.length;
    return all;
  }

  get size(): number {
    return this.#size;
  }

  /** Message numbers and codes, row by row. These views are valid until the next change. */
  get numbers(): Int32Array {
    return this.#numbers.subarray(0, this.#size);
  }
  get codes(): Int32Array {
    return this.#codes.subarray(0, this.#size * this.#words);
  }

  has(number: number): boolean {
    return this.#byNumber().has(number);
  }

  /** Adds or replaces a row. @throws if the vector has another number of dimensions */
  set(number: number, vector: Int8Array): void {
    if (vector.length !== this.dimensions) throw new Error("a vector with another number of dimensions");
    const rows = this.#byNumber();
    let row = rows.get(number);
    if (row === undefined) {
      row = this.#size++;
      if (row >= this.#numbers.length) this.#grow();
      this.#numbers[row] = number;
      rows.set(number, row);
    }
    this.#codes.set(signsOf(vector), row * this.#words);
  }

  /** Deletes a row. The last row replaces it. */
  delete(number: number): void {
    const rows = this.#byNumber();
    const row = rows.get(number);
    if (row === undefined) return;
    const last = --this.#size;
    const moved = this.#numbers[last]!;
    this.#codes.copyWithin(row * this.#words, last * this.#words, (last + 1) * this.#words);
    this.#numbers[row] = moved;
    rows.set(moved, row);
    rows.delete(number);
  }

  /**
   * Returns the numbers of the `count` messages that are probably nearest, best first. First all codes are compared by
   * their Hamming distance, then the best of them by the product of their signs and the unrounded query.
   * @param within search only these messages; null for all
   */
  nearest(query: Float32Array, count: number, within: Iterable<number> | null): number[] {
    const rows = within === null ? null : this.#rowsOf(within);
    const compared = this.#leastDistant(signsOf(query), Math.max(LEAST_COMPARED, count * COMPARED), rows);
    const sums = sumsOf(query);
    return compared
      .map((row) => ({ row, score: this.#product(row, sums) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, count)
      .map(({ row }) => this.#numbers[row]!);
  }

  /** Returns some `count` rows with the least Hamming distance. Which of the equally distant ones is undefined. */
  #leastDistant(code: Int32Array, count: number, rows: Int32Array | null): number[] {
    const size = rows?.length ?? this.#size;
    if (size <= count) return Array.from(rows ?? this.#numbers.subarray(0, size).keys());
    const distances = distancesTo(code, rows === null ? this.#codes : this.#codesOf(rows), size);
    const having = new Int32Array(this.#words * WORD_BITS + 1);
    for (let i = 0; i < size; i++) having[distances[i]!]!++;
    let most = 0;
    for (let sum = having[0]!; sum < count; sum += having[most]!) most++;
    const found: number[] = [];
    for (let i = 0; i < size; i++) if (distances[i]! < most) found.push(i);
    for (let i = 0; i < size && found.length < count; i++) if (distances[i] === most) found.push(i);
    return rows === null ? found : found.map((i) => rows[i]!);
  }

  #codesOf(rows: Int32Array): Int32Array {
    const words = this.#words;
    const codes = new Int32Array(rows.length * words);
    for (const [i, row] of rows.entries()) codes.set(this.#codes.subarray(row * words, (row + 1) * words), i * words);
    return codes;
  }

  /** Returns the product of the signs of a row and a vector, of which `sums` has the partial sums. */
  #product(row: number, sums: Float32Array): number {
    let product = 0;
    let from = 0;
    for (let at = row * this.#words; at < (row + 1) * this.#words; at++) {
      const word = this.#codes[at]!;
      for (let shift = 0; shift < WORD_BITS; shift += BYTE_BITS) {
        product += sums[from + ((word >>> shift) & (BYTE_VALUES - 1))]!;
        from += BYTE_VALUES;
      }
    }
    return product;
  }

  #rowsOf(numbers: Iterable<number>): Int32Array {
    const rows = this.#byNumber();
    const found: number[] = [];
    for (const number of numbers) {
      const row = rows.get(number);
      if (row !== undefined) found.push(row);
    }
    return Int32Array.from(found);
  }

  #byNumber(): Map<number, number> {
    if (!this.#rows) {
      this.#rows = new Map();
      for (let row = 0; row < this.#size; row++) this.#rows.set(this.#numbers[row]!, row);
    }
    return this.#rows;
  }

  #grow(): void {
    const capacity = Math.ceil(this.#numbers.length * GROWTH) + FIRST_ROWS;
    const codes = new Int32Array(capacity * this.#words);
    codes.set(this.#codes);
    const numbers = new Int32Array(capacity);
    numbers.set(this.#numbers);
    this.#codes = codes;
    this.#numbers = numbers;
  }
}

/** Returns the number of 32-bit words of a code. */
export function wordsOf(dimensions: number): number {
  return Math.ceil(dimensions / WORD_BITS);
}

/** Returns the Hamming distances of the first `size` codes of a sequence to a code. */
function distancesTo(code: Int32Array, codes: Int32Array, size: number): Uint16Array {
  const bits = bitsSet();
  const distances = new Uint16Array(size);
  for (let i = 0, at = 0; i < size; i++) {
    let distance = 0;
    for (let word = 0; word < code.length; word++) {
      const differing = codes[at++]! ^ code[word]!;
      distance += bits[differing & HALF_MASK]! + bits[differing >>> HALF_BITS]!;
    }
    distances[i] = distance;
  }
  return distances;
}

/** Returns the signs of a vector: bit `d % 32` of word `d / 32` is set if dimension `d` is not negative. */
function signsOf(vector: Int8Array | Float32Array): Int32Array {
  const code = new Int32Array(wordsOf(vector.length));
  for (let d = 0; d < vector.length; d++) {
    if (vector[d]! >= 0) code[Math.floor(d / WORD_BITS)]! |= 1 << (d % WORD_BITS);
  }
  return code;
}

/**
 * Returns the products of a vector with each possible byte of a code: for byte `b` of a code with the value `v`, the
 * product is at `256 b + v`.
 */
function sumsOf(vector: Float32Array): Float32Array {
  const bytes = wordsOf(vector.length) * BYTES_A_WORD;
  const sums = new Float32Array(bytes * BYTE_VALUES);
  for (let byte = 0; byte < bytes; byte++) {
    const from = byte * BYTE_VALUES;
    const numbers = Array.from({ length: BYTE_BITS }, (_, bit) => vector[byte * BYTE_BITS + bit] ?? 0);
    sums[from] = -numbers.reduce((sum, number) => sum + number, 0);
    for (const [bit, number] of numbers.entries()) {
      const set = 1 << bit;
      for (let value = 0; value < set; value++) sums[from + set + value] = sums[from + value]! + 2 * number;
    }
  }
  return sums;
}
