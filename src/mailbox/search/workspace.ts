/** Documents of a segment that are looked through in order instead of sorting those that were touched: from this share on. */
const SCANNED_SHARE = 1 / 16;

/**
 * Memory that one thread looks for words with, by document of the segment in hand. It is used again for each query: new arrays
 * of this size would take longer to clear than most words take to look up. Whoever uses it leaves it cleared.
 */
export class Workspace {
  /** 0: the document was not touched. */
  values = new Float32Array(0);
  /** Documents with values, in any order. */
  touched = new Int32Array(0);
  /** Cleared where `values` are. */
  matched = new Uint8Array(0);

  reserve(documents: number): void {
    if (documents <= this.values.length) return;
    this.values = new Float32Array(documents);
    this.touched = new Int32Array(documents);
    this.matched = new Uint8Array(documents);
  }

  /** After an error in the middle of work: nothing in it is to be relied on. */
  discard(): void {
    this.values = new Float32Array(0);
    this.touched = new Int32Array(0);
    this.matched = new Uint8Array(0);
  }
}

/** The touched documents in order. @param total documents of the segment */
export function inOrder(touched: Int32Array, filled: number, values: Float32Array, total: number): Int32Array {
  if (filled <= total * SCANNED_SHARE) return touched.slice(0, filled).sort();
  const documents = new Int32Array(filled);
  let end = 0;
  for (let document = 0; document < total && end < filled; document++) {
    if (values[document]! > 0) documents[end++] = document;
  }
  return documents;
}
