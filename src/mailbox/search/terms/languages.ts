import type { Dictionary } from "./dictionary.ts";

/** Words that are frequent in one language and rare in the others, folded. */
const FUNCTION_WORDS = {
  de: "und nicht ist oder wird auch eine sich",
  nl: "het een niet voor zijn ook wordt deze",
  sv: "och att inte som har till det kan",
  da: "og ikke jeg til det som kan har",
  fr: "les vous pour dans votre avec nous sont",
  es: "los para una usted gracias esta como pero",
  pt: "nao uma voce obrigado seu mais pelo muito",
  it: "della che sono gli grazie anche nel questo",
  pl: "nie sie jest dla przez oraz prosze jak",
  hu: "nem hogy egy vagy kerem koszonom csak meg",
  tr: "bir icin ile degil olarak daha cok tesekkurler",
  fi: "ja etta olen myos kun mutta kiitos tai",
};

export type Language = keyof typeof FUNCTION_WORDS;

/** Number of function words of a language that must occur often enough before it counts. */
const MIN_WORDS = 4;
/**
 * Each of these words must be in at least one of this many messages: for a common language, and for one with some mail.
 */
const COMMON = 1_000;
const SOME = 8_000;

const WORDS = Object.entries(FUNCTION_WORDS).map(
  ([language, words]) => [language as Language, words.split(" ")] as const,
);

/** The languages besides English in which mail is written. Languages in neither set are not used. */
export interface Languages {
  common: ReadonlySet<Language>;
  some: ReadonlySet<Language>;
}

/** The result is kept for as long as a dictionary is in use: languages do not change between two queries. */
const known = new WeakMap<Dictionary, Languages>();

/**
 * Returns the languages that some of the mail is written in, recognized by their function words. Makes about a hundred
 * calls of `count` the first time, and none later for the same dictionary.
 */
export function languagesOf(dictionary: Dictionary): Languages {
  let languages = known.get(dictionary);
  if (languages === undefined) {
    const common = new Set<Language>();
    const some = new Set<Language>();
    for (const [language, words] of WORDS) {
      const counts = words.map((word) => dictionary.count(word)).sort((a, b) => b - a);
      const least = counts[MIN_WORDS - 1]!;
      if (least >= Math.max(1, dictionary.size / COMMON)) common.add(language);
      else if (least >= Math.max(1, dictionary.size / SOME)) some.add(language);
    }
    languages = { common, some };
    known.set(dictionary, languages);
  }
  return languages;
}
