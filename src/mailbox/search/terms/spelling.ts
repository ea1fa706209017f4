import { isStopWord } from "../stop-words.ts";
import type { Dictionary, WeightedTerm } from "./dictionary.ts";
import { NearWords, typingCost } from "./distance.ts";
import { formsOf } from "./forms.ts";

export interface Correction {
  term: string;
  /** Number of messages with the term. */
  count: number;
  /**
   * `replace`: the word is in no message, so the term is searched for instead. `also`: the word is in a few messages,
   * and the term is searched for as well.
   */
  kind: "replace" | "also";
}

const SHORTEST_WORD = 4;
const LONGEST_WORD = 24;
/** Words up to this length may have one error; longer ones two. */
const ONE_ERROR = 7;
/** Words up to this length have too many neighbors to allow an error in the first letter. */
const FIRST_HOLDS = 5;
/** For a longer word, variants are not generated letter by letter; a scan finds its neighbors. */
const LONGEST_VARIED = 16;
/** Maximum number of terms visited for a word with two errors. */
export const MAX_VISITED = 200_000;
/** Maximum number of candidates counted for a word with one error. */
export const MAX_COUNTED = 1_000;

/** A word in at most this many messages may be an error, if a neighbor is more frequent by the factor below. */
const RARE = 2;
const FAR_MORE_FREQUENT = 100;
/** Minimum weight of the forms of a word that are not guesses. */
const SURE_FORM = 0.7;

/** How much more frequent a term must be for each unit of typing cost: 2 to the power of this. */
const COST_BITS = 5;
/**
 * The minimum score of a correction, by length of the word: log2 of its count minus the bits of its typing cost. The
 * shorter a word is, the more neighbors it has by chance. Fitted on typing errors and on words left out of two
 * vocabularies.
 */
const MIN_SCORE: Record<number, number> = { 4: 0.5, 5: -1, 6: -3, 7: -4, 8: -4.2, 9: -4.5, 10: -5.5 };
const MIN_SCORE_LONG = -6.5;

const ALPHABETS: [RegExp, string][] = [
  [/^[a-z]+$/, "abcdefghijklmnopqrstuvwxyz"],
  [/^\p{sc=Cyrillic}+$/u, "абвгдежзиклмнопрстуфхцчшщъыьэюяієґђјљњћџ"],
  [/^\p{sc=Greek}+$/u, "αβγδεζηθικλμνξοπρστυφχψω"],
  [/^\p{sc=Hebrew}+$/u, "אבגדהוזחטיךכלםמןנסעףפץצקרשת"],
  [/^\p{sc=Arabic}+$/u, "ءابتثجحخدذرزسشصضطظعغفقكلمنهوىيةپچژگک"],
];

/**
 * Returns the term that someone who typed this folded word most likely meant. Returns null if the word (or a form of
 * it) has matches, is not made of letters, or has no likely neighbor. One error is allowed in words of up to seven
 * letters, two in longer ones. Counts at most `MAX_COUNTED` terms, and visits at most `MAX_VISITED`.
 * @param forms of the word
 */
export function correctionOf(
  word: string,
  dictionary: Dictionary,
  forms: readonly WeightedTerm[] = formsOf(word, dictionary),
): Correction | null {
  const { length } = word;
  if (length < SHORTEST_WORD || length > LONGEST_WORD) return null;
  const alphabet = ALPHABETS.find(([script]) => script.test(word))?.[1];
  if (alphabet === undefined) return null;
  const own = matchesOf(forms, dictionary);
  if (own > RARE) return null;
  const fewest = own === 0 ? 1 : Math.max(1, own) * FAR_MORE_FREQUENT;
  const best = new Best(word, fewest);
  if (length <= LONGEST_VARIED) {
    for (const term of variantsOf(word, alphabet)) best.offer(term, dictionary.count(term));
  }
  if (best.term === null && length > ONE_ERROR) scan(word, dictionary, best);
  // A word that is in no message is not replaced by a function word, which would find nearly everything.
  if (best.term === null || (own === 0 && isStopWord(best.term))) return null;
  return { term: best.term, count: best.count, kind: own === 0 ? "replace" : "also" };
}

/** Returns the number of messages with the word, which is the first of its forms, or with a certain form of it. */
function matchesOf(forms: readonly WeightedTerm[], dictionary: Dictionary): number {
  let matches = 0;
  for (const { term, weight } of forms) {
    if (weight >= SURE_FORM) matches += dictionary.count(term);
    if (matches > RARE) break;
  }
  return matches;
}

/** Keeps the likeliest of the offered terms. */
class Best {
  term: string | null = null;
  count = 0;
  #score: number;

  constructor(
    private readonly word: string,
    private readonly fewest: number,
  ) {
    this.#score = MIN_SCORE[word.length] ?? MIN_SCORE_LONG;
  }

  offer(term: string, count: number): void {
    if (count < this.fewest) return;
    const score = Math.log2(count) - COST_BITS * typingCost(this.word, term);
    if (score <= this.#score) return;
    this.term = term;
    this.count = count;
    this.#score = score;
  }
}

/** Returns every word at distance one, in order. */
function variantsOf(word: string, alphabet: string): string[] {
  const { length } = word;
  const variants = new Set<string>();
  const start = length <= FIRST_HOLDS ? 1 : 0;
  for (let at = start; at <= length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of alphabet) {
      variants.add(before + letter + after);
      if (at < length) variants.add(before + letter + after.slice(1));
    }
    if (at < length) variants.add(before + after.slice(1));
  }
  for (let at = 0; at + 1 < length; at++) {
    variants.add(word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2));
  }
  variants.delete(word);
  return [...variants].sort().slice(0, MAX_COUNTED);
}

/**
 * Offers terms within two errors. The first letter must be right or swapped, and at most one error may be in the first
 * three letters.
 */
function scan(word: string, dictionary: Dictionary, best: Best): void {
  const near = new NearWords(word, 2);
  let visits = MAX_VISITED;
  dictionary.scan(
    (first, next) => visits > 0 && near.mayHold(first, next),
    (term, count) => {
      if (near.distance(term) < near.far && term !== word && !/\p{N}/u.test(term)) best.offer(term, count);
      return --visits > 0;
    },
  );
}
