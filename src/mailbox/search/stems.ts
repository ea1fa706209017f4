import { stemmer } from "stemmer";

const ENGLISH_WORD = /^[a-z]{3,}$/;
const LETTERS = /^\p{L}{3,}$/u;
const HANGUL = /^\p{sc=Hangul}{3,}$/u;
/** Endings of number, case and gender that most European languages share; one of them is taken off. */
const ENDING = /(?:es|en|er|em|as|os|is|s|e|n|a|o|i)$/;
const CYRILLIC_ENDING = /[аеиоуыэюяьй]+[мхв]?и?$/;
const STEM_LETTERS = 6;
/** Particles follow a Korean noun, which mostly has two syllables. */
const HANGUL_SYLLABLES = 2;
const CACHE_WORDS = 20_000;

const english = new Map<string, string>();

/** The English stem of a folded word (Porter 1980), or null where it has none that differs. */
export function englishStem(word: string): string | null {
  if (!ENGLISH_WORD.test(word)) return null;
  let stem = english.get(word);
  if (stem === undefined) {
    stem = stemmer(word);
    if (english.size >= CACHE_WORDS) english.clear();
    english.set(word, stem);
  }
  return stem === word ? null : stem;
}

/**
 * What the forms of a word have in common in most other languages: without its ending, and its beginning only. Marked, so
 * that it is never taken for a word. Null for what is no word of letters.
 */
export function neutralStem(word: string): string | null {
  if (HANGUL.test(word)) return `~${word.slice(0, HANGUL_SYLLABLES)}`;
  if (!LETTERS.test(word)) return null;
  const bare = word.replace(/^\p{sc=Cyrillic}/u.test(word) ? CYRILLIC_ENDING : ENDING, "");
  return `~${(bare.length >= 3 ? bare : word).slice(0, STEM_LETTERS)}`;
}
