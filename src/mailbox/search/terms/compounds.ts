import type { Dictionary, WeightedTerm } from "./dictionary.ts";
import { formsOf } from "./forms.ts";
import { type Language, languagesOf } from "./languages.ts";

/** Number of compounds of a word that are kept, the most frequent ones. */
export const MAX_COMPOUNDS = 32;
/** Maximum number of terms visited for one word, and of terms counted, at about 10 µs each. */
export const MAX_VISITED = 10_000;
export const MAX_COUNTED = 300;
/** Compounds whose other part is looked up. */
const MAX_CHECKED = 96;

const OUTER = 0.5;
const INNER = 0.4;
const SURE_FORM = 0.9;
/** Weight in a mailbox without mail in a language that forms compounds freely. */
const IN_ENGLISH = 0.3;

const LONGEST_WORD = 40;
const SHORTEST_BEGINNING = 4;
const SHORTEST_ENDING = 5;
/** Number of words and compounds whose longer terms are searched for by their ending. */
const MAX_ENDINGS = 4;
const SHORTEST_PART = 3;
const SHORTEST_SPLIT = 6;

/** Minimum length of a word that is in no message and for which longer terms are used. */
const SHORTEST_UNKNOWN = 6;
const SHORTEST_AFTER_LETTER = 4;
/** Linking elements between the parts of a compound in German, Dutch and Swedish. */
const LINKS = ["s", "es", "n", "en", "er", "e", "ens", "ns"];
const COMPOUNDING: Language[] = ["de", "nl", "sv", "da", "fi", "hu"];
/** A linking element is accepted only next to a part of at least this length, so only between long parts. */
const SHORTEST_LINKED = 5;
/** English words can end in these: checkup, login. */
const PARTICLES = new Set(["up", "in", "on", "off", "out", "down", "over", "back"]);
/**
 * By length: a short part must be in at least one of this many messages. Short terms are often fragments or codes, not
 * words.
 */
const SHARES: Record<number, number> = { 3: 100, 4: 500, 5: 2_000, 6: 5_000 };
const LETTERS = /^\p{L}+$/u;
const ASCII = /^[a-z]+$/;

/** Words that are mostly a prefix or a suffix of others, not a part of a compound. */
const AFFIXES = new Set(
  (
    "able age ance ant ate ation com con dis ence ent ers est ful hood ies ing ings ion ions ish ism ist ity less like ling " +
    "logy ment ments mis ness non nes out per pre pro que ral res sub sup tic tion tive ture uni ure ward wise " +
    "bar bare baren haft heit ieren ische ischen keit lich liche lichen los lose losen sam schaft ung ungen tum wesen " +
    "ver ent zer her hin ein aus auf vor bei mit los weg der die das den des dem und lijk baar loos heid inter over under " +
    "anti semi multi"
  ).split(" "),
);

/**
 * Returns terms that contain a folded word, the most frequent first: at the start (Rechnung, Rechnungsnummer), at the
 * end in any of its forms (Stromrechnungen), or in the middle of a term that ends in one of the former
 * (Krankenversicherungsbeitrag, where Versicherungsbeitrag is a term). The rest of a term must be a word of the
 * dictionary: "light" is not part of "flight".
 * @param forms of the word
 */
export function longerWith(
  word: string,
  dictionary: Dictionary,
  forms: readonly WeightedTerm[] = formsOf(word, dictionary),
): WeightedTerm[] {
  if (word.length < SHORTEST_BEGINNING || word.length > LONGEST_WORD || !LETTERS.test(word)) return [];
  return new CompoundSearch(word, dictionary, forms).compounds();
}

/**
 * Returns the two or three words that a long word consists of (Stromrechnung: strom, rechnung), without linking
 * elements, or null if there is no likely way to split it. For words without matches.
 */
export function partsOf(word: string, dictionary: Dictionary): string[] | null {
  if (word.length < SHORTEST_SPLIT || word.length > LONGEST_WORD || !LETTERS.test(word)) return null;
  const parts = new Parts(dictionary);
  return (
    parts.split(word, 2)?.words ?? (word.length >= SHORTEST_SPLIT * 2 ? (parts.split(word, 3)?.words ?? null) : null)
  );
}

/**
 * Returns the terms that two neighboring words of a query form together (note book: notebook), also with a linking
 * element between them (versicherung beitrag: versicherungsbeitrag).
 */
export function joined(first: string, second: string, dictionary: Dictionary): WeightedTerm[] {
  if (first.length < 2 || second.length < 2 || first.length + second.length < SHORTEST_SPLIT) return [];
  if (!LETTERS.test(first) || !LETTERS.test(second)) return [];
  const links = languagesOfCompounds(dictionary) ? ["", "s", "n", "en", "es"] : [""];
  return links
    .map((link) => first + link + second)
    .filter((term) => dictionary.count(term) > 0)
    .map((term) => ({ term, weight: OUTER }));
}

/**
 * Returns the most frequent terms that begin with a word that is in no message. If the mailbox has a language that
 * forms compounds freely, also those that end with it. The rest of a term need not be a word of the dictionary.
 */
export function compoundsWithUnknown(word: string, dictionary: Dictionary): WeightedTerm[] {
  if (word.length < SHORTEST_UNKNOWN || word.length > LONGEST_WORD || !LETTERS.test(word)) return [];
  const found: { term: string; count: number }[] = [];
  let visited = MAX_VISITED;
  const take = (term: string, count: number) => {
    if (LETTERS.test(term) && term.length <= LONGEST_WORD) found.push({ term, count });
    return --visited > 0;
  };
  dictionary.range(word, take);
  if (languagesOfCompounds(dictionary)) {
    dictionary.ending(word, (term, count) => {
      const rest = term.slice(0, -word.length);
      return rest.length < SHORTEST_PART || AFFIXES.has(rest) ? --visited > 0 : take(term, count);
    });
  }
  found.sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1));
  return found.slice(0, MAX_COMPOUNDS).map(({ term }) => ({ term, weight: OUTER }));
}

/** Returns the letter and the word that a word without matches may consist of, "e ticket" for "eticket", or null. */
export function splitAfterLetter(word: string, dictionary: Dictionary): string[] | null {
  const [letter, rest] = [word.slice(0, 1), word.slice(1)];
  if (rest.length < SHORTEST_AFTER_LETTER || !ASCII.test(word)) return null;
  return dictionary.count(rest) > 0 && dictionary.count(letter) > 0 ? [letter, rest] : null;
}

function languagesOfCompounds(dictionary: Dictionary): boolean {
  const { common, some } = languagesOf(dictionary);
  return COMPOUNDING.some((language) => common.has(language) || some.has(language));
}

interface Candidate {
  term: string;
  count: number;
  /** The term without the word. */
  rest: string;
  side: "front" | "back";
  weight: number;
}

class CompoundSearch {
  readonly #parts: Parts;
  /** The word and its forms, then all compounds found. */
  readonly #known: Set<string>;
  #visits = MAX_VISITED;

  constructor(
    private readonly word: string,
    private readonly dictionary: Dictionary,
    private readonly forms: readonly WeightedTerm[],
  ) {
    this.#parts = new Parts(dictionary);
    this.#known = new Set(forms.map(({ term }) => term));
  }

  compounds(): WeightedTerm[] {
    const weight = this.#parts.compounding ? OUTER : IN_ENGLISH;
    const found = this.#plausible([...this.#beginning(weight), ...this.#endingIn(this.#endings(), weight)]);
    const inner = found.filter(({ side }) => side === "back").map(({ term }) => term);
    const middle = this.#parts.compounding ? this.#plausible(this.#endingIn(inner.slice(0, MAX_ENDINGS), INNER)) : [];
    return [...found, ...middle].slice(0, MAX_COMPOUNDS).map(({ term, weight }) => ({ term, weight }));
  }

  /** Returns the word and its inflected forms that begin like it. */
  #endings(): string[] {
    const alike = this.word.slice(0, -2);
    return this.forms
      .filter(({ term, weight }) => weight >= SURE_FORM && term.startsWith(alike))
      .map(({ term }) => term);
  }

  #beginning(weight: number): Candidate[] {
    const { word } = this;
    const found: Candidate[] = [];
    const shortest = this.#parts.shortestRest(word);
    this.dictionary.range(word, (term, count) => {
      const rest = term.slice(word.length);
      if (rest.length >= shortest) found.push({ term, count, rest, side: "back", weight });
      return --this.#visits > 0;
    });
    return found;
  }

  #endingIn(endings: string[], weight: number): Candidate[] {
    const found: Candidate[] = [];
    for (const ending of endings.slice(0, MAX_ENDINGS)) {
      if (ending.length < SHORTEST_ENDING || this.#visits <= 0) continue;
      this.dictionary.ending(ending, (term, count) => {
        const rest = term.slice(0, -ending.length);
        if (rest.length >= SHORTEST_PART) found.push({ term, count, rest, side: "front", weight });
        return --this.#visits > 0;
      });
    }
    return found;
  }

  /** Returns the most frequent candidates whose other part is a word. */
  #plausible(candidates: Candidate[]): Candidate[] {
    return candidates
      .filter(({ term, rest }) => !this.#known.has(term) && term.length <= LONGEST_WORD && LETTERS.test(rest))
      .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
      .slice(0, MAX_CHECKED)
      .filter(({ rest, side }) => (side === "front" ? this.#parts.front(rest) : this.#parts.back(rest)) !== null)
      .filter(({ term }) => !this.#known.has(term) && this.#known.add(term));
  }
}

interface Split {
  words: string[];
  score: number;
}

/** Looks up parts of words, each once. */
class Parts {
  readonly compounding: boolean;
  readonly #known = new Map<string, number>();
  #counts = MAX_COUNTED;

  constructor(private readonly dictionary: Dictionary) {
    this.compounding = languagesOfCompounds(dictionary);
  }

  shortestRest(word: string): number {
    return this.compounding && word.length > SHORTEST_BEGINNING ? SHORTEST_PART : SHORTEST_PART + 1;
  }

  /** Returns the word in front of a part, without linking element; null if it is not a word. */
  front(rest: string): string | null {
    if (this.#isPart(rest)) return rest;
    if (!this.compounding) return null;
    // As in Mietvertrag, from Miete.
    if (rest.length >= SHORTEST_PART + 1 && this.#isPart(`${rest}e`)) return `${rest}e`;
    for (const link of LINKS) {
      const word = rest.slice(0, -link.length);
      if (rest.endsWith(link) && word.length >= SHORTEST_LINKED && this.#isPart(word)) return word;
    }
    return null;
  }

  /** Returns the word after a part, without linking element; null if it is not a word. */
  back(rest: string): string | null {
    if (this.#isPart(rest)) return rest;
    if (!this.compounding) return null;
    for (const link of LINKS) {
      const word = rest.slice(link.length);
      if (rest.startsWith(link) && word.length >= SHORTEST_LINKED && this.#isPart(word)) return word;
    }
    return null;
  }

  /** Returns the likeliest split into this many words. */
  split(word: string, pieces: number): Split | null {
    let best: Split | null = null;
    for (let at = SHORTEST_PART; at <= word.length - 2; at++) {
      const first = this.front(word.slice(0, at));
      if (first === null) continue;
      const rest = word.slice(at);
      const others = pieces === 2 ? this.#last(rest) : this.split(rest, pieces - 1);
      if (others === null) continue;
      // Short words of three and four letters occur in many others by chance: dec, ide.
      if (first.length === SHORTEST_PART && others.words[0]!.length < SHORTEST_LINKED) continue;
      const score = Math.min(this.#score(first), others.score);
      if (best === null || score > best.score) best = { words: [first, ...others.words], score };
    }
    return best;
  }

  /**
   * Returns the last part of a word, possibly in another form: the dictionary may have only "rechnung" for
   * "stromrechnungen".
   */
  #last(rest: string): Split | null {
    if (PARTICLES.has(rest)) return this.#count(rest) > 0 ? { words: [rest], score: this.#score(rest) } : null;
    if (this.#isPart(rest)) return { words: [rest], score: this.#score(rest) };
    for (const ending of ["en", "n", "s", "e", "er", "es"]) {
      const word = rest.slice(0, -ending.length);
      if (rest.endsWith(ending) && word.length >= SHORTEST_LINKED && this.#isPart(word)) {
        return { words: [word], score: this.#score(word) };
      }
    }
    return null;
  }

  /** Returns how likely a word is a part: longer and more frequent words are likelier. */
  #score(word: string): number {
    return Math.log2(this.#count(word) + 1) + 3 * Math.min(word.length, 7);
  }

  #isPart(word: string): boolean {
    if (word.length < SHORTEST_PART || AFFIXES.has(word)) return false;
    if (ASCII.test(word) && !/[aeiouy]/.test(word)) return false;
    const share = SHARES[word.length];
    return this.#count(word) >= (share === undefined ? 1 : Math.max(1, this.dictionary.size / share));
  }

  #count(word: string): number {
    let count = this.#known.get(word);
    if (count === undefined) {
      count = this.#counts-- > 0 ? this.dictionary.count(word) : 0;
      this.#known.set(word, count);
    }
    return count;
  }
}
