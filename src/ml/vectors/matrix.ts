/** Rounds a vector to eight bits per number, where 127 is the largest. Only its direction counts. */
export function quantize(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest > 0 ? 127 / largest : 0;
  const out = new Int8Array(vector.length);
  for (let i = 0; i < vector.length; i++) out[i] = Math.round(vector[i]! * scale);
  return out;
}

const FIRST_ROWS = 1_024;
const GROWTH = 1.5;

/** The vectors of messages, contiguous in memory, with an index by message number. */
export class VectorMatrix {
  #rows: Int8Array;
  #numbers: Int32Array;
  #size = 0;
  readonly #indexes = new Map<number, number>();

  constructor(readonly dimensions: number) {
    this.#rows = new Int8Array(FIRST_ROWS * dimensions);
    this.#numbers = new Int32Array(FIRST_ROWS);
  }

  /** Creates a matrix over existing contiguous rows, without copying them. */
  static from(dimensions: number, numbers: Int32Array, rows: Int8Array): VectorMatrix {
    const matrix = new VectorMatrix(dimensions);
    matrix.#rows = rows;
    matrix.#numbers = numbers;
    matrix.#size = numbers.length;
    for (let i = 0; i < numbers.length; i++) matrix.#indexes.set(numbers[i]!, i);
    return matrix;
  }

  get size(): number {
    return this.#size;
  }

  /** Message numbers and vectors, row by row. These views are valid until the next change. */
  get numbers(): Int32Array {
    return this.#numbers.subarray(0, this.#size);
  }
  get rows(): Int8Array {
    return this.#rows.subarray(0, this.#size * this.dimensions);
  }

  has(number: number): boolean {
    return this.#indexes.has(number);
  }

  set(number: number, vector: Int8Array): void {
    let index = this.#indexes.get(number);
    if (index === undefined) {
      index = this.#size++;
      if (index >= this.#numbers.length) this.#grow();
      this.#numbers[index] = number;
      this.#indexes.set(number, index);
    }
    this.#rows.set(vector, index * this.dimensions);
  }

  /** Deletes a row. The last row replaces it. */
  delete(number: number): void {
    const index = this.#indexes.get(number);
    if (index === undefined) return;
    const last = --this.#size;
    const moved = this.#numbers[last]!;
    this.#rows.copyWithin(index * this.dimensions, last * this.dimensions, (last + 1) * this.dimensions);
    this.#numbers[index] = moved;
    this.#indexes.set(moved, index);
    this.#indexes.delete(number);
  }

  /** Copies the rows of the given messages. Messages without a vector are left out. */
  gather(numbers: Iterable<number>): { numbers: Int32Array; rows: Int8Array } {
    const indexes: number[] = [];
    for (const number of numbers) {
      const index = this.#indexes.get(number);
      if (index !== undefined) indexes.push(index);
    }
    const rows = new Int8Array(indexes.length * this.dimensions);
    for (const [i, index] of indexes.entries()) {
      rows.set(this.#rows.subarray(index * this.dimensions, (index + 1) * this.dimensions), i * this.dimensions);
    }
    return { numbers: Int32Array.from(indexes, (index) => this.#numbers[index]!), rows };
  }

  /** Returns the cosine of a message's vector and `vector`; null if the message has no vector. */
  cosine(number: number, vector: Float32Array): number | null {
    const index = this.#indexes.get(number);
    if (index === undefined) return null;
    return cosineAt(this.#rows, index * this.dimensions, vector);
  }

  #grow(): void {
    const capacity = Math.ceil(this.#numbers.length * GROWTH) + FIRST_ROWS;
    const rows = new Int8Array(capacity * this.dimensions);
    rows.set(this.#rows);
    const numbers = new Int32Array(capacity);
    numbers.set(this.#numbers);
    this.#rows = rows;
    this.#numbers = numbers;
  }
}

/** Returns the cosine of the row at `at` and a vector of length one. */
export function cosineAt(rows: Int8Array, at: number, vector: Float32Array): number {
  let dot = 0;
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = rows[at + i]!;
    dot += value * vector[i]!;
    squares += value * value;
  }
  return squares === 0 ? 0 : dot / Math.sqrt(squares);
}
