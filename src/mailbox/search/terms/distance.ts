/** Letters that are one or two keys apart on Latin keyboards: QWERTY, QWERTZ and AZERTY. */
const KEYBOARDS = ["qwertyuiop asdfghjkl zxcvbnm", "qwertzuiop asdfghjkl yxcvbnm", "azertyuiop qsdfghjklm wxcvbn"];
/** Letters that are confused because they sound alike. */
const ALIKE = "ae ai ao au ei eo ie iy ou ck cs sz kq fv vw gj dt bp mn td";

const neighborPairs = new Set<string>();
for (const keyboard of KEYBOARDS) {
  const rows = keyboard.split(" ");
  for (const [y, row] of rows.entries()) {
    for (const [x, key] of [...row].entries()) {
      for (const near of [row[x + 1], rows[y + 1]?.[x], rows[y + 1]?.[x - 1]]) {
        if (near !== undefined) neighborPairs.add(key + near).add(near + key);
      }
    }
  }
}
const alike = new Set(ALIKE.split(" ").flatMap((pair) => [pair, pair[1]! + pair[0]!]));

const SWAPPED = 0.5;
const DOUBLED = 0.5;
const MISSING = 0.8;
const EXTRA = 0.9;
const EXTRA_NEAR = 0.7;
const NEAR = 0.6;
const SOUND = 0.6;
const OTHER = 1.1;
/** Extra cost of an error in the first letter, which people seldom mistype. */
const FIRST = 0.6;

/**
 * Returns how unlikely it is that someone who means `term` types `typed`: optimal string alignment in which a swap, a
 * doubled letter, a neighboring key and a letter with the same sound cost less than other errors. 0: the same.
 */
export function typingCost(typed: string, term: string): number {
  const rows = Array.from({ length: typed.length + 1 }, () => new Float64Array(term.length + 1));
  for (let i = 0; i <= typed.length; i++) {
    for (let j = 0; j <= term.length; j++) {
      if (i === 0 && j === 0) continue;
      let cost = Number.POSITIVE_INFINITY;
      const first = (at: number) => (at <= 1 ? FIRST : 0);
      if (i > 0) cost = Math.min(cost, rows[i - 1]![j]! + extra(typed, i - 1) + first(i));
      if (j > 0) cost = Math.min(cost, rows[i]![j - 1]! + missing(term, j - 1) + first(j));
      if (i > 0 && j > 0) {
        const same = typed[i - 1] === term[j - 1];
        cost = Math.min(cost, rows[i - 1]![j - 1]! + (same ? 0 : other(typed[i - 1]!, term[j - 1]!) + first(i)));
        if (i > 1 && j > 1 && !same && typed[i - 1] === term[j - 2] && typed[i - 2] === term[j - 1]) {
          cost = Math.min(cost, rows[i - 2]![j - 2]! + SWAPPED);
        }
      }
      rows[i]![j] = cost;
    }
  }
  return rows[typed.length]![term.length]!;
}

function extra(typed: string, at: number): number {
  const letter = typed[at]!;
  const [before, after] = [typed[at - 1], typed[at + 1]];
  if (letter === before || letter === after) return DOUBLED;
  return neighborPairs.has(letter + before) || neighborPairs.has(letter + after) ? EXTRA_NEAR : EXTRA;
}

function missing(term: string, at: number): number {
  return term[at] === term[at - 1] || term[at] === term[at + 1] ? DOUBLED : MISSING;
}

function other(typed: string, meant: string): number {
  const pair = typed + meant;
  if (neighborPairs.has(pair)) return NEAR;
  return alike.has(pair) ? SOUND : OTHER;
}

/** Stands for any letter that is not in the word. */
const OTHER_LETTER = -1;

/**
 * Finds the words within a distance of one word in a sorted list, by Damerau-Levenshtein (optimal string alignment).
 * Rows for a prefix that neighbors in the list share are computed once. The first letter must be right or swapped with
 * the second, and at most one error may be in the first three letters.
 */
export class NearWords {
  /** The result of `distance` for a term that is too far. */
  readonly far: number;
  readonly #codes: Int32Array;
  readonly #letters: number[];
  /** `#rows[i]`: distances of the first i letters of a term to each prefix of the word. */
  readonly #rows: Uint8Array[];
  /**
   * The term that the rows belong to, the number of valid rows, and the length of its prefix that no near word has (0:
   * none).
   */
  #last = "";
  #valid = 0;
  #dead = 0;

  constructor(
    word: string,
    private readonly most: number,
  ) {
    this.far = most + 1;
    this.#codes = Int32Array.from(word, (letter) => letter.charCodeAt(0));
    this.#letters = [OTHER_LETTER, ...new Set(this.#codes)];
    this.#rows = Array.from({ length: word.length + most + 2 }, () => new Uint8Array(word.length + 1));
    for (let j = 0; j <= word.length; j++) this.#rows[0]![j] = j;
  }

  /** Returns the distance to a term. Fastest if terms are passed in order. */
  distance(term: string): number {
    const { length } = this.#codes;
    if (this.#follow(term) < term.length) return this.far;
    return Math.min(this.far, this.#rows[term.length]![length]!);
  }

  /**
   * Returns false if no term from `first` (included) up to `next` (excluded; null: the end) can be within the distance.
   */
  mayHold(first: string, next: string | null): boolean {
    let shared = 0;
    if (next !== null) while (shared < first.length && first[shared] === next[shared]) shared++;
    const reached = this.#follow(first);
    if (reached < shared) return false;
    if (reached === first.length) return true;
    const code = (text: string, at: number) => (at < text.length ? text.charCodeAt(at) : OTHER_LETTER);
    const below = next === null ? Number.POSITIVE_INFINITY : code(next, shared);
    for (let at = shared; at <= reached; at++) {
      if (this.#branches(first, at, code(first, at), at === shared ? below : Number.POSITIVE_INFINITY)) return true;
    }
    if (next === null) return false;
    const along = Math.min(this.#follow(next), next.length - 1);
    for (let at = shared + 1; at <= along; at++) {
      if (this.#rows[at]![this.#codes.length]! <= this.most) return true;
      if (this.#branches(next, at, OTHER_LETTER, code(next, at))) return true;
    }
    return false;
  }

  /** Returns whether a near word may start with `at` letters of `text` and a letter between `above` and `below`. */
  #branches(text: string, at: number, above: number, below: number): boolean {
    const row = this.#rows[at + 1];
    if (row === undefined) return false;
    if (this.#valid > at) {
      this.#valid = at;
      this.#dead = 0;
    }
    for (const letter of this.#letters) {
      if (letter !== OTHER_LETTER && (letter <= above || letter >= below)) continue;
      if (this.#fill(row, text, at, letter)) return true;
    }
    return false;
  }

  /** Computes the rows along a term, as far as a near word may start like it. @returns the number of letters */
  #follow(term: string): number {
    const last = this.#last;
    const length = Math.min(term.length, last.length);
    let at = 0;
    while (at < length && term.charCodeAt(at) === last.charCodeAt(at)) at++;
    if (this.#dead > 0 && at >= this.#dead) return this.#valid;
    if (at > this.#valid) at = this.#valid;
    this.#last = term;
    this.#dead = 0;
    for (; at < term.length; at++) {
      const row = this.#rows[at + 1];
      if (row !== undefined && this.#fill(row, term, at, term.charCodeAt(at))) continue;
      this.#dead = at + 1;
      break;
    }
    this.#valid = at;
    return at;
  }

  /** Fills the row for `text` up to `at` plus one letter. @returns false if no near word starts like this */
  #fill(row: Uint8Array, text: string, at: number, letter: number): boolean {
    const codes = this.#codes;
    const above = this.#rows[at]!;
    const twoAbove = at > 0 ? this.#rows[at - 1]! : above;
    const before = at > 0 ? text.charCodeAt(at - 1) : OTHER_LETTER;
    if (at === 0 && letter !== codes[0] && letter !== codes[1]) return false;
    if (at === 1 && before !== codes[0] && letter !== codes[0]) return false;
    let left = at + 1;
    let least = left;
    row[0] = left;
    for (let j = 1; j <= codes.length; j++) {
      const own = codes[j - 1]!;
      let value = above[j - 1]! + (own === letter ? 0 : 1);
      const up = above[j]! + 1;
      if (up < value) value = up;
      if (left + 1 < value) value = left + 1;
      if (j > 1 && own === before && codes[j - 2] === letter && at > 0 && twoAbove[j - 2]! + 1 < value) {
        value = twoAbove[j - 2]! + 1;
      }
      row[j] = left = value;
      if (value < least) least = value;
    }
    return least <= (at < 3 ? Math.min(1, this.most) : this.most);
  }
}
