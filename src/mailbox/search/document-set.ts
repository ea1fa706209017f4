/** Documents of a segment: those of a list, or all but those. */
export interface DocumentSet {
  /** In order, each once. */
  documents: Int32Array;
  /** True: all but these. */
  excluded: boolean;
}

export function complement({ documents, excluded }: DocumentSet): DocumentSet {
  return { documents, excluded: !excluded };
}

/** Returns the documents that are in both sets. */
export function both(a: DocumentSet, b: DocumentSet): DocumentSet {
  if (a.excluded && b.excluded) return { documents: union(a.documents, b.documents), excluded: true };
  const [listed, other] = a.excluded ? [b, a] : [a, b];
  return { documents: narrowed(listed.documents, other), excluded: false };
}

/** Returns the documents that are in either set. */
export function either(a: DocumentSet, b: DocumentSet): DocumentSet {
  return complement(both(complement(a), complement(b)));
}

/** Returns those of these documents, which are in order, that are in a set. */
function narrowed(documents: Int32Array, { documents: listed, excluded }: DocumentSet): Int32Array {
  const kept = new Int32Array(documents.length);
  let end = 0;
  let at = 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!;
    while (at < listed.length && listed[at]! < document) at++;
    const isListed = at < listed.length && listed[at] === document;
    if (isListed !== excluded) kept[end++] = document;
  }
  return kept.subarray(0, end);
}

function union(a: Int32Array, b: Int32Array): Int32Array {
  const merged = new Int32Array(a.length + b.length);
  let [i, j, end] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const [x, y] = [i < a.length ? a[i]! : Number.POSITIVE_INFINITY, j < b.length ? b[j]! : Number.POSITIVE_INFINITY];
    if (x <= y) i++;
    if (y <= x) j++;
    merged[end++] = Math.min(x, y);
  }
  return merged.subarray(0, end);
}

/**
 * Returns the documents of a set in order.
 * @param total documents of the segment
 * @param dead by document, 1: deleted; null: none is. Only tested for `excluded` sets: lists are of living documents
 */
export function listed({ documents, excluded }: DocumentSet, total: number, dead: Uint8Array | null): Int32Array {
  if (!excluded) return documents;
  const kept = new Int32Array(total);
  let end = 0;
  let at = 0;
  for (let document = 0; document < total; document++) {
    if (at < documents.length && documents[at] === document) at++;
    else if (dead === null || dead[document] === 0) kept[end++] = document;
  }
  return kept.subarray(0, end);
}
