const CONSONANTS = [..."bdfgklmnprstvz"];
const VOWELS = [..."aeiou"];
const SYLLABLES = CONSONANTS.flatMap((consonant) => VOWELS.map((vowel) => consonant + vowel));
/** A mailbox of ten years knows some tens of thousands. */
const COUNT = 20_000;
/** Of every language, about so many words are half of any text, and nobody searches for them. */
const FUNCTION_WORDS = 100;

/** The word of a rank, 0 for the most frequent: three syllables and an ending, another one for each. */
export function wordOf(rank: number): string {
  const n = SYLLABLES.length;
  const at = (place: number) => SYLLABLES[Math.floor(rank / n ** place) % n]!;
  return `${at(0)}${at(1)}${at(2)}x`;
}

/** A word as text has them, by Zipf's law: the word of rank r is about as frequent as 1/r. @param random 0 to 1, below 1 */
export const writtenWord = (random: number): string => wordOf(rankFrom(1, random));

/** A word as people search for them: as often as it is written, function words aside. @param random 0 to 1, below 1 */
export const searchedWord = (random: number): string => wordOf(rankFrom(FUNCTION_WORDS + 1, random));

/** One of the ranks from `first` on, counted from 1, each as likely as one by its number. @returns counted from 0 */
const rankFrom = (first: number, random: number): number =>
  Math.min(COUNT, Math.floor(first * ((COUNT + 1) / first) ** random)) - 1;
