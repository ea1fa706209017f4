import { isStopWord } from "../../../mailbox/search/stop-words.ts";
import { type Concept, conceptsOfWord } from "./concepts.ts";
import { isSameWord, type Word } from "./words.ts";

/** A noun with its label, as in "stage A", "gate 4" or "room 12". */
interface Labeled {
  form: string;
  stem: string;
  concepts: ReadonlySet<Concept>;
  /** The letter or number behind the noun, folded; null: the noun has none. */
  label: string | null;
}

/** Words between a noun and its label: "room no. 12". */
const NUMBER_WORD = "(?:(?:no|nr|n)\\.? ?[º°]? ?|number |nummer |numéro |número |numero )?";
/** A capital letter, which is no pronoun, a short number, or both. */
const LABEL = "[A-HJ-Z]|\\d{1,2}[A-Za-z]?";
const AFTER = new RegExp(`^[ \\u00a0]${NUMBER_WORD}(${LABEL})(?![\\p{L}\\p{N}%]|[.,:/]\\d| ?[€£$%])`, "u");
const SHORTEST_NOUN = 4;
/** Nouns before a number that is no name: days, months, and what is counted. */
const NO_NOUN =
  /^(?:\p{L}*(?:about|only|from|until|till|over|under|than|after|before|with|least|most|circa|ungefähr|etwa|rund|environ|unos|cerca|ongeveer|days?|hours?|weeks?|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december))$/u;

/** Returns the letter or number that is part of the name of a thing: of "stage A", "a". Null if there is none. */
export function labelAfter(text: string, { form, end }: Word): string | null {
  if (form.length < SHORTEST_NOUN || /\d/.test(form) || isStopWord(form) || NO_NOUN.test(form)) return null;
  const label = AFTER.exec(text.slice(end, end + 20))?.[1];
  return label === undefined ? null : label.toLowerCase();
}

/** Returns whether a text names a thing with its label, only another one of its kind, or none. */
export function labelIn(
  { text, words }: { text: string; words: readonly Word[] },
  labeled: Labeled,
): "same" | "other" | null {
  let found: "other" | null = null;
  for (const word of words) {
    if (!isSameWord(word, labeled) && !conceptsOfWord(word).some((concept) => labeled.concepts.has(concept))) continue;
    const label = labelAfter(text, word);
    if (label === labeled.label && label !== null) return "same";
    if (label !== null) found = "other";
  }
  return found;
}
