/** Letters that are one or two keys apart where people write Latin: QWERTY, QWERTZ and AZERTY. */
const KEYBOARDS = ["qwertyuiop asdfghjkl zxcvbnm", "qwertzuiop asdfghjkl yxcvbnm", "azertyuiop qsdfghjklm wxcvbn"];
/** Letters that are taken for each other by their sound. */
const ALIKE = "ae ai ao au ei eo ie iy ou ck cs sz kq fv vw gj dt bp mn td";

const neighbours = new Set<string>();
for (const keyboard of KEYBOARDS) {
  const rows = keyboard.split(" ");
  for (const [y, row] of rows.entries()) {
    for (const [x, key] of [...row].entries()) {
      for (const near of [row[x + 1], rows[y + 1]?.[x], rows[y + 1]?.[x - 1]]) {
        if (near !== undefined) neighbours.add(key + near).add(near + key);
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
/** A person seldom mistypes the first letter. */
const FIRST = 0.6;

/**
 * Returns how unlikely it is that someone who means `term` types `typed`: optimal string alignment in which a swap, a doubled
 * letter, the next key and a letter of the same sound cost less than others. 0: the same.
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
  return neighbours.has(letter + before) || neighbours.has(letter + after) ? EXTRA_NEAR : EXTRA;
}

function missing(term: string, at: number): number {
  return term[at] === term[at - 1] || term[at] === term[at + 1] ? DOUBLED : MISSING;
}

function other(typed: string, meant: string): number {
  const pair = typed + meant;
  if (neighbours.has(pair)) return NEAR;
  return alike.has(pair) ? SOUND : OTHER;
}

/**
 * Finds the words within a distance of one word in a sorted list: Damerau-Levenshtein (optimal string alignment), with the
 * rows of the beginning that neighbours of the list share computed once.
 */
export class NearWords {
  readonly #rows: Uint8Array[];
  readonly #letters: string[];
  /** Rows beyond the first that belong to `#last`. */
  #valid = 0;
  #last = "";

  /**
   * @param most largest distance
   * @param mostAtFirst largest distance of the first three letters
   */
  constructor(
    private readonly word: string,
    private readonly most: number,
    private readonly mostAtFirst = most,
  ) {
    this.#rows = Array.from({ length: word.length + most + 2 }, () => new Uint8Array(word.length + 1));
    for (let j = 0; j <= word.length; j++) this.#rows[0]![j] = j;
    this.#letters = [...new Set(word)];
  }

  /** The distance to a term; one more than the largest where it is farther. Terms may come in any order. */
  distance(term: string): number {
    const { length } = this.word;
    if (Math.abs(term.length - length) > this.most) return this.most + 1;
    return this.#follow(term) < term.length ? this.most + 1 : Math.min(this.most + 1, this.#rows[term.length]![length]!);
  }

  /** False where no term from `first` (included) up to `next` (excluded; null: the end) can be within the distance. */
  mayHold(first: string, next: string | null): boolean {
    const end = next ?? "";
    let shared = 0;
    if (next !== null) while (shared < first.length && first[shared] === end[shared]) shared++;
    const top = next === null ? null : (end[shared] ?? "");
    const reached = this.#follow(first);
    if (reached < shared) return false;
    if (this.#branches(first, shared, first[shared] ?? "", top)) return true;
    for (let at = shared + 1; at <= reached; at++) if (this.#branches(first, at, first[at] ?? "", null)) return true;
    if (reached === first.length) return true;
    const along = this.#follow(end);
    for (let at = shared + 1; at <= Math.min(along, end.length - 1); at++) {
      if (this.#rows[at]![this.word.length]! <= this.most || this.#branches(end, at, "", end[at]!)) return true;
    }
    return false;
  }

  /** True where a term may follow that goes on, behind `at` letters of `text`, with a letter between the two. */
  #branches(text: string, at: number, above: string, below: string | null): boolean {
    if (at + 1 >= this.#rows.length) return false;
    const row = this.#rows[at + 1]!;
    this.#valid = Math.min(this.#valid, at);
    for (const letter of ["", ...this.#letters]) {
      if (letter !== "" && (letter <= above || (below !== null && letter >= below))) continue;
      if (this.#fill(row, text, at, letter) <= this.#bound(at + 1)) return true;
    }
    return false;
  }

  /** Computes rows along a term as far as it can be within the distance. @returns letters of it that can */
  #follow(term: string): number {
    let at = 0;
    const known = Math.min(this.#valid, term.length);
    while (at < known && term[at] === this.#last[at]) at++;
    this.#last = term;
    for (; at < term.length; at++) {
      if (at + 1 >= this.#rows.length || this.#fill(this.#rows[at + 1]!, term, at, term[at]!) > this.#bound(at + 1)) break;
    }
    this.#valid = at;
    return at;
  }

  #bound(letters: number): number {
    return letters <= 3 ? this.mostAtFirst : this.most;
  }

  /** Fills the row of `text` up to `at` and one letter more ("": one that is not in the word). @returns its least value */
  #fill(row: Uint8Array, text: string, at: number, letter: string): number {
    const { word } = this;
    const above = this.#rows[at]!;
    const before = at > 0 ? text[at - 1] : undefined;
    row[0] = at + 1;
    let least = at + 1;
    for (let j = 1; j <= word.length; j++) {
      const own = word[j - 1];
      let value = Math.min(above[j]!, row[j - 1]!) + 1;
      const replaced = above[j - 1]! + (own === letter ? 0 : 1);
      if (replaced < value) value = replaced;
      if (j > 1 && at > 0 && own === before && word[j - 2] === letter) {
        const swapped = this.#rows[at - 1]![j - 2]! + 1;
        if (swapped < value) value = swapped;
      }
      row[j] = value;
      if (value < least) least = value;
    }
    return least;
  }
}
