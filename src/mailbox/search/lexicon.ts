import { type Blinding, TOKEN_CHARS } from "./blinding.ts";
import { languagesOfWord } from "./language.ts";
import { englishStem, neutralStem } from "./stems.ts";

/** A token and the blank behind it. */
export const STRIDE = TOKEN_CHARS + 1;
const BLANK = 32;
/** Words kept; beyond it everything is forgotten and begun anew. Some 15 MB. */
const MOST_WORDS = 1 << 18;
const BUCKETS = MOST_WORDS * 2;
const FIRST_LETTERS = 1 << 20;
const UNKNOWN = -2;
const NONE = -1;

/**
 * The words that mail is made of, each blinded and stemmed once. Words are looked up by their place in a text, for cutting
 * them out costs more than all the rest; and they are kept as letters, for a word cut out of a text would keep all of it.
 */
export class Lexicon {
  /** Pairs: the hash of a word, and its number + 1; 0 where none is. */
  readonly #buckets = new Int32Array(BUCKETS * 2);
  /** Where the letters of a word begin; they end where those of the next do. */
  readonly #starts = new Int32Array(MOST_WORDS + 1);
  readonly #english = new Int32Array(MOST_WORDS);
  readonly #neutral = new Int32Array(MOST_WORDS);
  readonly #languages = new Uint16Array(MOST_WORDS);
  readonly #tokens = new Uint8Array(MOST_WORDS * STRIDE);
  #letters = new Uint16Array(FIRST_LETTERS);
  #count = 0;

  constructor(private readonly blinding: Blinding) {}

  /** Makes room when it is nearly full. Numbers of words given before are void afterwards. */
  tidy(): void {
    if (this.#count < MOST_WORDS * 0.75) return;
    this.#count = 0;
    this.#buckets.fill(0);
  }

  /** True when no more words fit before the next `tidy`. */
  get full(): boolean {
    return this.#count >= MOST_WORDS - 2;
  }

  /** The number of the word that stands at this place of a folded text. */
  number(text: string, start: number, end: number): number {
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    const buckets = this.#buckets;
    let bucket = (hash ^ (hash >>> 13)) & (BUCKETS - 1);
    for (;;) {
      const found = buckets[bucket * 2 + 1]!;
      if (found === 0) break;
      if (buckets[bucket * 2] === hash && this.#isAt(found - 1, text, start, end)) return found - 1;
      bucket = (bucket + 1) & (BUCKETS - 1);
    }
    buckets[bucket * 2] = hash;
    buckets[bucket * 2 + 1] = this.#count + 1;
    return this.#add(text.slice(start, end));
  }

  /** The languages in which it is a function word, as a set of bits (see language.ts). */
  languages(number: number): number {
    return this.#languages[number]!;
  }

  /** The number of a word's English stem; -1 where it has none that differs. */
  english(number: number): number {
    let stem = this.#english[number]!;
    if (stem === UNKNOWN) {
      stem = this.#numberOf(englishStem(this.#word(number)));
      this.#english[number] = stem;
    }
    return stem;
  }

  /** The number of a word's neutral stem; -1 where it has none. */
  neutral(number: number): number {
    let stem = this.#neutral[number]!;
    if (stem === UNKNOWN) {
      stem = this.#numberOf(neutralStem(this.#word(number)));
      this.#neutral[number] = stem;
    }
    return stem;
  }

  /** Writes a word's token and a blank. @returns where the next one goes */
  write(number: number, into: Uint8Array, at: number): number {
    const tokens = this.#tokens;
    const from = number * STRIDE;
    for (let i = 0; i < STRIDE; i++) into[at + i] = tokens[from + i]!;
    return at + STRIDE;
  }

  #add(word: string): number {
    const number = this.#count++;
    const start = number === 0 ? 0 : this.#starts[number]!;
    const end = start + word.length;
    if (end > this.#letters.length) {
      const larger = new Uint16Array(Math.max(end, this.#letters.length * 2));
      larger.set(this.#letters);
      this.#letters = larger;
    }
    for (let i = 0; i < word.length; i++) this.#letters[start + i] = word.charCodeAt(i);
    this.#starts[number] = start;
    this.#starts[number + 1] = end;
    this.#english[number] = UNKNOWN;
    this.#neutral[number] = UNKNOWN;
    this.#languages[number] = languagesOfWord(word);
    const token = this.blinding.word(word);
    const at = number * STRIDE;
    for (let i = 0; i < TOKEN_CHARS; i++) this.#tokens[at + i] = token.charCodeAt(i);
    this.#tokens[at + TOKEN_CHARS] = BLANK;
    return number;
  }

  #word(number: number): string {
    return String.fromCharCode(...this.#letters.subarray(this.#starts[number]!, this.#starts[number + 1]!));
  }

  #isAt(number: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[number]!;
    const length = end - start;
    if (this.#starts[number + 1]! - from !== length) return false;
    const letters = this.#letters;
    for (let i = 0; i < length; i++) if (letters[from + i] !== text.charCodeAt(start + i)) return false;
    return true;
  }

  #numberOf(stem: string | null): number {
    return stem === null || this.full ? NONE : this.number(stem, 0, stem.length);
  }
}
