/** A set of documents of a segment: a list, or all except a list. */
export interface DocumentSet {
  /** In order, without duplicates. */
  documents: Int32Array;
  /** True: all but these. */
  excluded: boolean;
}

/** Returns the set of all documents that are not in this set. */
export function complement({ documents, excluded }: DocumentSet): DocumentSet {
  return { documents, excluded: !excluded };
}

/** Returns the documents that are in all of these sets; all documents if there are no sets. */
export function allOf(sets: readonly DocumentSet[]): DocumentSet {
  const excluded = complement(unionOf(sets.filter((set) => set.excluded)));
  const [shortest, ...others] = sets
    .filter((set) => !set.excluded)
    .sort((a, b) => a.documents.length - b.documents.length);
  if (!shortest) return excluded;
  const documents = [...others, excluded].reduce((kept, set) => narrowed(kept, set), shortest.documents);
  return { documents, excluded: false };
}

/** Returns the documents that are in any of these sets; none if there are no sets. */
export function anyOf(sets: readonly DocumentSet[]): DocumentSet {
  return complement(allOf(sets.map(complement)));
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

/** Returns all documents of these lists. Marking them is faster than merging the lists, of which there may be many. */
function unionOf(lists: readonly { documents: Int32Array }[]): DocumentSet {
  const filled = lists.filter(({ documents }) => documents.length > 0);
  if (filled.length < 2) return { documents: filled[0]?.documents ?? new Int32Array(0), excluded: false };
  const marked = new Uint8Array(Math.max(...filled.map(({ documents }) => documents.at(-1)!)) + 1);
  for (const { documents } of filled) for (let i = 0; i < documents.length; i++) marked[documents[i]!] = 1;
  const union = new Int32Array(marked.length);
  let end = 0;
  for (let document = 0; document < marked.length; document++) if (marked[document] === 1) union[end++] = document;
  return { documents: union.subarray(0, end), excluded: false };
}

/**
 * Returns the documents of a set in order.
 * @param total number of documents in the segment
 * @param dead by document, 1: deleted; null: none. Only tested for `excluded` sets, because lists have only live
 * documents
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
