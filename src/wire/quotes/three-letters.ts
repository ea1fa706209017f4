/**
 * Looks at three letters of a line before a costly pattern is tried on all of it. Nearly every line of mail is told by
 * them at the price of reading three numbers; what passes may still be no match.
 */

/** The lower five bits of a letter of ASCII are the same in both cases. */
const BITS = 5;
const MASK = (1 << BITS) - 1;

/** Answers whether one of the phrases may stand where `a`, `b`, `c` (UTF-16 units) are its three letters. */
export type ThreeLetters = (a: number, b: number, c: number) => boolean;

/** @param letters three of each phrase, in any case; those that hold other than ASCII need not be given */
export function threeLetters(letters: Iterable<string>): ThreeLetters {
  const seen = new Uint8Array(1 << (3 * BITS));
  const slot = (a: number, b: number, c: number) => ((a & MASK) << (2 * BITS)) | ((b & MASK) << BITS) | (c & MASK);
  for (const three of letters) seen[slot(three.charCodeAt(0), three.charCodeAt(1), three.charCodeAt(2))] = 1;
  // Beyond ASCII there are letters that equal one of it without case ("ſ", "K"): only the pattern knows.
  return (a, b, c) => (a | b | c) > 0x7f || seen[slot(a, b, c)] === 1;
}

/** The same for the beginning of a line at `at`; a line that ends before has none. */
export function beginsLike(line: string, at: number, like: ThreeLetters): boolean {
  return at + 3 <= line.length && like(line.charCodeAt(at), line.charCodeAt(at + 1), line.charCodeAt(at + 2));
}
