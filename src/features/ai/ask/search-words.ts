import { type Concept, relatedTo, wordsFor } from "./concepts.ts";
import type { Question } from "./question.ts";

/** Words that are searched for in place of one word of a question. */
const MAX_SYNONYMS = 40;
const MAX_WORDS = 90;
const MAX_RELATED = 12;
const MAX_RELATED_WORDS = 40;
/** A query has at most three beginnings, docs/search.md. */
const MAX_BEGINNINGS = 3;
const SHORTEST_BEGINNING = 5;

/** Words to search mail for: those of the question, and words of the same meaning in all languages. */
export interface SearchWords {
  own: string[];
  synonyms: string[];
  /** Beginnings of words, for compounds: of "Bremsen", "brems" finds "Bremsbeläge". */
  beginnings: string[];
}

/** Returns the words by which to find mail about a question. Words about the kind of answer are left out. */
export function searchWords({ terms, dates }: Question): SearchWords {
  const subjects = terms.filter(({ role }) => role === "essential");
  const chosen = subjects.length > 0 ? subjects : terms.filter(({ role }) => role === "kind");
  const own = [...chosen.flatMap(({ form }) => form.split(" ")), ...dates.map(({ text }) => text)];
  const synonyms = chosen.flatMap(({ concepts }) =>
    [...concepts].flatMap((concept: Concept) => wordsFor(concept)).slice(0, MAX_SYNONYMS),
  );
  // What someone does or owns stands for them: mail about a boiler is from the plumber.
  const related = chosen
    .filter(({ isName }) => !isName)
    .flatMap(({ concepts }) => [...concepts].flatMap((concept) => [...relatedTo(concept)]))
    .flatMap((concept) => wordsFor(concept).slice(0, MAX_RELATED));
  const beginnings = chosen.filter(
    ({ form, stem, isName }) => !isName && /^[a-z]+$/.test(form) && stem.length >= SHORTEST_BEGINNING,
  );
  return {
    own: unique(own),
    synonyms: unique([...synonyms.slice(0, MAX_WORDS), ...related.slice(0, MAX_RELATED_WORDS)]),
    beginnings: unique(beginnings.map(({ stem }) => stem)).slice(0, MAX_BEGINNINGS),
  };
}

const unique = (words: readonly string[]): string[] => [...new Set(words)];
