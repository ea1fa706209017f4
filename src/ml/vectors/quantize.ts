/** Rounds a vector to eight bits per number, where 127 is the largest. Only its direction counts. */
export function quantize(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest > 0 ? 127 / largest : 0;
  const out = new Int8Array(vector.length);
  for (let i = 0; i < vector.length; i++) out[i] = Math.round(vector[i]! * scale);
  return out;
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
