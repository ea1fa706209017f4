/** Classes of characters in unfolded text. NaN, which `charCodeAt` returns outside of the text, is in no class. */

export const DOT = 0x2e;
export const COMMA = 0x2c;
export const HYPHEN = 0x2d;
export const SLASH = 0x2f;
export const SPACE = 0x20;
const CAPITAL_BIT = 0x20;

/** Returns true for an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns true for a letter of a script with spaces (Latin, Greek, Cyrillic) or a combining accent. */
export function isLetter(code: number): boolean {
  const lower = code | CAPITAL_BIT;
  if (lower >= 97 && lower <= 122) return true;
  return code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7;
}

/** Returns true for an ASCII capital. */
export function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/**
 * Returns true for a space within a line. Tabs and line breaks separate the columns and rows of tables, so they do not
 * count.
 */
export function isSpace(code: number): boolean {
  return code === SPACE || code === 0xa0 || code === 0x202f || code === 0x2009;
}

/** Returns true for a straight or typographic apostrophe. */
export function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019;
}

/** Returns true for a hyphen, an en dash, an em dash or a minus sign. */
export function isDash(code: number): boolean {
  return code === HYPHEN || code === 0x2013 || code === 0x2014 || code === 0x2212;
}

/** Returns the index after at most two spaces. */
export function skipSpaces(text: string, at: number): number {
  if (!isSpace(text.charCodeAt(at))) return at;
  return isSpace(text.charCodeAt(at + 1)) ? at + 2 : at + 1;
}

/** Returns the index before at most two spaces, at least `floor`. */
export function skipSpacesBack(text: string, at: number, floor: number): number {
  if (at <= floor || !isSpace(text.charCodeAt(at - 1))) return at;
  return at - 1 > floor && isSpace(text.charCodeAt(at - 2)) ? at - 2 : at - 1;
}

/** The length of the longest word in the lexicon. */
const LONGEST_WORD = 14;

/**
 * Returns where the word that starts at `at` ends; `at` itself if no word starts there or it is longer than
 * `LONGEST_WORD`.
 */
export function wordEnd(text: string, at: number): number {
  let end = at;
  while (isLetter(text.charCodeAt(end))) if (++end - at > LONGEST_WORD) return at;
  return end;
}

/**
 * Returns where the word that ends at `at` starts; `at` itself if no word ends there or it is longer than
 * `LONGEST_WORD`.
 */
export function wordStart(text: string, at: number, floor: number): number {
  let start = at;
  while (start > floor && isLetter(text.charCodeAt(start - 1))) if (at - --start > LONGEST_WORD) return at;
  return start;
}
