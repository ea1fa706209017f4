/**
 * If at least this share of documents is touched, a segment is scanned in order. Below it, the touched documents are
 * sorted.
 */
const SCANNED_SHARE = 1 / 16;

/**
 * Memory for the scores of one segment's documents. Each thread has one and reuses it for every query, because
 * allocating and clearing such arrays takes longer than looking up most words. Callers leave it cleared.
 */
export class Workspace {
  /** Counts or scores by document; 0: not touched. */
  values = new Float32Array(0);
  /** Documents with a value, in any order. */
  touched = new Int32Array(0);
  /** By document, how many of the required words it has. */
  matched = new Uint8Array(0);

  /** Grows the memory to at least this many documents. */
  reserve(documents: number): void {
    if (documents <= this.values.length) return;
    this.values = new Float32Array(documents);
    this.touched = new Int32Array(documents);
    this.matched = new Uint8Array(documents);
  }

  /** Replaces the memory after an error, which leaves it uncleared. */
  discard(): void {
    this.values = new Float32Array(0);
    this.touched = new Int32Array(0);
    this.matched = new Uint8Array(0);
  }
}

/** Returns the touched documents in order. @param filled how many there are @param total documents of the segment */
export function inOrder(touched: Int32Array, filled: number, values: Float32Array, total: number): Int32Array {
  if (filled <= total * SCANNED_SHARE) return touched.slice(0, filled).sort();
  const documents = new Int32Array(filled);
  let end = 0;
  for (let document = 0; document < total && end < filled; document++) {
    if (values[document]! > 0) documents[end++] = document;
  }
  return documents;
}
