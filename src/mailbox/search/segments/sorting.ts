import type { Steps } from "../../../kernel/steps.ts";

/** A sort key consists of the ranks of the first letters and the index of the text. Together they fit into 53 bits. */
const LETTERS = 6;
const RANKS = 40;
const MAX_TEXTS = 2 ** 20;
/**
 * The rank of each ASCII character. Digits and lower-case letters have one each; the others share one. 0: end of the
 * text.
 */
const RANK = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code < 48) return 1;
  if (code < 58) return code - 46;
  if (code < 97) return 12;
  return code < 123 ? code - 84 : 39;
});
const isShared = (rank: number): boolean => rank === 1 || rank === 12 || rank === 39;

/** Texts that one step of sorting orders. */
const TEXTS_PER_STEP = 1_024;

/**
 * Returns texts in the order of their UTF-16 code units. Sorts by the first letters as one number, which takes a tenth
 * of the time of comparing strings, and then compares texts whose first letters are equal.
 */
export function* sortedByText<T extends { text: string }>(items: readonly T[]): Steps<T[]> {
  if (items.length > MAX_TEXTS) return items.toSorted(byText);
  const keys = Float64Array.from(items, ({ text }, i) => firstLetters(text) * MAX_TEXTS + i);
  yield;
  keys.sort();
  yield;
  const sorted: T[] = [];
  for (let at = 0; at < keys.length; ) {
    const begun = Math.floor(keys[at]! / MAX_TEXTS);
    const alike: T[] = [];
    for (; at < keys.length && Math.floor(keys[at]! / MAX_TEXTS) === begun; at++) {
      alike.push(items[keys[at]! % MAX_TEXTS]!);
    }
    if (alike.length > 1) alike.sort(byText);
    for (const item of alike) sorted.push(item);
    if (sorted.length % TEXTS_PER_STEP < alike.length) yield;
  }
  return sorted;
}

function byText(a: { text: string }, b: { text: string }): number {
  if (a.text === b.text) return 0;
  return a.text < b.text ? -1 : 1;
}

/**
 * Returns the ranks of the first letters as one number. After a shared rank everything is 0, so such texts are compared
 * in full.
 */
function firstLetters(text: string): number {
  let letters = 0;
  let isAlike = false;
  for (let i = 0; i < LETTERS; i++) {
    let rank = 0;
    if (i < text.length && !isAlike) {
      const code = text.charCodeAt(i);
      rank = code < 128 ? RANK[code]! : RANKS - 1;
      isAlike = isShared(rank);
    }
    letters = letters * RANKS + rank;
  }
  return letters;
}
