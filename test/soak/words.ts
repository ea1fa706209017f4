const CONSONANTS = [..."bdfgklmnprstvz"];
const VOWELS = [..."aeiou"];
const SYLLABLES = CONSONANTS.flatMap((consonant) => VOWELS.map((vowel) => consonant + vowel));
/** Vocabulary of a mailbox of ten years: some tens of thousands. */
const COUNT = 20_000;
/** In every language, about this many words make up half of any text, and no one searches for them. */
const FUNCTION_WORDS = 100;

/** Returns the word of a rank, 0 for the most frequent: three syllables and an ending, different for each rank. */
export function wordOf(rank: number): string {
  const n = SYLLABLES.length;
  const at = (place: number) => SYLLABLES[Math.floor(rank / n ** place) % n]!;
  return `${at(0)}${at(1)}${at(2)}x`;
}

/**
 * Returns a word with the frequency of text, by Zipf's law: the word of rank r is about as frequent as 1/r. @param
 * random 0 to 1, below 1
 */
export const writtenWord = (random: number): string => wordOf(rankFrom(1, random));

/**
 * Returns a word with the frequency of searches: as often as it is written, without function words. @param random 0 to
 * 1, below 1
 */
export const searchedWord = (random: number): string => wordOf(rankFrom(FUNCTION_WORDS + 1, random));

/**
 * Returns one of the ranks from `first` on, counted from 1, each with a probability of one divided by its number.
 * @returns counted from 0
 */
const rankFrom = (first: number, random: number): number =>
  Math.min(COUNT, Math.floor(first * ((COUNT + 1) / first) ** random)) - 1;
