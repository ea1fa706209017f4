/**
 * Checks three letters of a line before an expensive pattern is applied to all of it. The check excludes nearly every
 * line of mail at the cost of reading three numbers; a line that passes may still not match.
 */

/** The lower five bits of an ASCII letter are the same in both cases. */
const BITS = 5;
const MASK = (1 << BITS) - 1;

/** Returns whether one of the phrases may begin or end with `a`, `b`, `c` (UTF-16 units) as its three letters. */
export type ThreeLetters = (a: number, b: number, c: number) => boolean;

/** @param letters three letters of each phrase, in any case; non-ASCII ones can be left out */
export function threeLetters(letters: Iterable<string>): ThreeLetters {
  const seen = new Uint8Array(1 << (3 * BITS));
  const slot = (a: number, b: number, c: number) => ((a & MASK) << (2 * BITS)) | ((b & MASK) << BITS) | (c & MASK);
  for (const three of letters) seen[slot(three.charCodeAt(0), three.charCodeAt(1), three.charCodeAt(2))] = 1;
  // Some letters outside ASCII equal an ASCII one without case ("ſ", "K"): only the pattern can decide.
  return (a, b, c) => (a | b | c) > 0x7f || seen[slot(a, b, c)] === 1;
}

/** Checks the three letters at `at`; false for a line that ends before them. */
export function beginsLike(line: string, at: number, like: ThreeLetters): boolean {
  return at + 3 <= line.length && like(line.charCodeAt(at), line.charCodeAt(at + 1), line.charCodeAt(at + 2));
}
