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

/** Vectors of messages in memory, one behind the other, each found by its message's number. */
export class VectorMatrix {
  #rows: Int8Array;
  #numbers: Int32Array;
  #size = 0;
  readonly #places = new Map<number, number>();

  constructor(readonly dimensions: number) {
    this.#rows = new Int8Array(FIRST_ROWS * dimensions);
    this.#numbers = new Int32Array(FIRST_ROWS);
  }

  /** Adopts rows that are contiguous in memory. */
  static from(dimensions: number, numbers: Int32Array, rows: Int8Array): VectorMatrix {
    const matrix = new VectorMatrix(dimensions);
    matrix.#rows = rows;
    matrix.#numbers = numbers;
    matrix.#size = numbers.length;
    for (let i = 0; i < numbers.length; i++) matrix.#places.set(numbers[i]!, i);
    return matrix;
  }

  get size(): number {
    return this.#size;
  }

  /** The numbers of the messages, and their vectors, row by row. Views: valid until the next change. */
  get numbers(): Int32Array {
    return this.#numbers.subarray(0, this.#size);
  }
  get rows(): Int8Array {
    return this.#rows.subarray(0, this.#size * this.dimensions);
  }

  has(number: number): boolean {
    return this.#places.has(number);
  }

  set(number: number, vector: Int8Array): void {
    let place = this.#places.get(number);
    if (place === undefined) {
      place = this.#size++;
      if (place >= this.#numbers.length) this.#grow();
      this.#numbers[place] = number;
      this.#places.set(number, place);
    }
    this.#rows.set(vector, place * this.dimensions);
  }

  /** Deletes a row. The last row takes its place. */
  delete(number: number): void {
    const place = this.#places.get(number);
    if (place === undefined) return;
    const last = --this.#size;
    const moved = this.#numbers[last]!;
    this.#rows.copyWithin(place * this.dimensions, last * this.dimensions, (last + 1) * this.dimensions);
    this.#numbers[place] = moved;
    this.#places.set(moved, place);
    this.#places.delete(number);
  }

  /** The rows of these messages, as far as they are here, gathered. */
  gather(numbers: Iterable<number>): { numbers: Int32Array; rows: Int8Array } {
    const places: number[] = [];
    for (const number of numbers) {
      const place = this.#places.get(number);
      if (place !== undefined) places.push(place);
    }
    const rows = new Int8Array(places.length * this.dimensions);
    for (const [i, place] of places.entries()) {
      rows.set(this.#rows.subarray(place * this.dimensions, (place + 1) * this.dimensions), i * this.dimensions);
    }
    return { numbers: Int32Array.from(places, (place) => this.#numbers[place]!), rows };
  }

  /** Cosine of a message's vector and another one; null where it has none. */
  cosine(number: number, vector: Float32Array): number | null {
    const place = this.#places.get(number);
    if (place === undefined) return null;
    return cosineAt(this.#rows, place * this.dimensions, vector);
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

/** Cosine of a row and a vector of length one. */
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
