import { isStopWord } from "../stop-words.ts";
import type { Dictionary, WeightedTerm } from "./dictionary.ts";
import { NearWords, typingCost } from "./distance.ts";
import { formsOf } from "./forms.ts";

export interface Correction {
  term: string;
  /** Messages with the term. */
  count: number;
  /** The word is in no message: search for the term in its place. Or it is in a few, and the term is searched beside it. */
  kind: "replace" | "also";
}

const SHORTEST_WORD = 4;
const LONGEST_WORD = 24;
/** Words of so many letters have one error; longer ones may have two. */
const ONE_ERROR = 7;
/** Words of so many letters have too many neighbours for an error in the first one. */
const FIRST_HOLDS = 5;
/** A longer word is not varied letter by letter; the scan finds its neighbours. */
const LONGEST_VARIED = 16;
/** Terms visited for a word of two errors. */
export const MOST_VISITED = 200_000;
/** Candidates counted for a word of one error. */
export const MOST_COUNTED = 1_000;

/** A word in so few messages may be an error, if a neighbour is so many times as frequent. */
const RARE = 2;
const FAR_MORE_FREQUENT = 100;
/** Forms of the word weigh at least so much where they are no guess. */
const SURE_FORM = 0.7;

/** How much more frequent a term has to be for each unit of typing cost: a factor of 2 to this. */
const COST_BITS = 5;
/**
 * The score that a correction needs: log2 of its count less the bits of its typing cost. The shorter a word, the more
 * neighbours has it by chance. Fitted on typing errors and on words left out of two vocabularies.
 */
const LEAST_SCORE: Record<number, number> = { 4: 0.5, 5: -1, 6: -3, 7: -4, 8: -4.2, 9: -4.5, 10: -5.5 };
const LEAST_SCORE_LONG = -6.5;

const ALPHABETS: [RegExp, string][] = [
  [/^[a-z]+$/, "abcdefghijklmnopqrstuvwxyz"],
  [/^\p{sc=Cyrillic}+$/u, "абвгдежзиклмнопрстуфхцчшщъыьэюяієґђјљњћџ"],
  [/^\p{sc=Greek}+$/u, "αβγδεζηθικλμνξοπρστυφχψω"],
  [/^\p{sc=Hebrew}+$/u, "אבגדהוזחטיךכלםמןנסעףפץצקרשת"],
  [/^\p{sc=Arabic}+$/u, "ءابتثجحخدذرزسشصضطظعغفقكلمنهوىيةپچژگک"],
];

/**
 * Returns the term that someone who typed this folded word most likely meant, or null where the word (or a form of it) has
 * matches, is no word of letters, or has no likely neighbour. One error is allowed up to seven letters, two beyond.
 * Looks up at most `MOST_COUNTED` terms, and visits `MOST_VISITED`.
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
  // A word that is in no message was not meant for one that says nothing.
  if (best.term === null || (own === 0 && isStopWord(best.term))) return null;
  return { term: best.term, count: best.count, kind: own === 0 ? "replace" : "also" };
}

/** Messages with the word, which is the first of its forms, or a sure form of it. */
function matchesOf(forms: readonly WeightedTerm[], dictionary: Dictionary): number {
  let matches = 0;
  for (const { term, weight } of forms) {
    if (weight >= SURE_FORM) matches += dictionary.count(term);
    if (matches > RARE) break;
  }
  return matches;
}

/** The likeliest of the terms offered. */
class Best {
  term: string | null = null;
  count = 0;
  #score: number;

  constructor(
    private readonly word: string,
    private readonly fewest: number,
  ) {
    this.#score = LEAST_SCORE[word.length] ?? LEAST_SCORE_LONG;
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

/** Every word at distance one, in order. */
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
  return [...variants].sort().slice(0, MOST_COUNTED);
}

/** Terms within two errors: the first letter holds or is swapped, and one error at most is in the first three. */
function scan(word: string, dictionary: Dictionary, best: Best): void {
  const near = new NearWords(word, 2);
  let visits = MOST_VISITED;
  dictionary.scan(
    (first, next) => visits > 0 && near.mayHold(first, next),
    (term, count) => {
      if (near.distance(term) < near.far && term !== word && !/\p{N}/u.test(term)) best.offer(term, count);
      return --visits > 0;
    },
  );
}
