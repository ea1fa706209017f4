import { isStopWord } from "../stop-words.ts";
import type { Dictionary, WeightedTerm } from "./dictionary.ts";
import { dutchForms } from "./dutch.ts";
import { paradigmsOf } from "./endings.ts";
import {
  areInflections,
  areUnrelatedEnglish,
  basesOfThreeLetters,
  derivedWords,
  differInE,
  englishStem,
  irregularForms,
  isSpecificStem,
  isUninflected,
  shortEnglishForms,
  stemPrefix,
} from "./english.ts";
import { germanVerbForms, umlautSpellings } from "./german.ts";
import { type Language, type Languages, languagesOf } from "./languages.ts";

/** Weights of a form: another number, case or tense; another kind of word; a form by a rule that may err. */
const INFLECTED = 0.9;
const DERIVED = 0.7;
const GUESSED = 0.6;
/** Number of forms of one word that are kept, the most frequent ones. */
export const MAX_FORMS = 64;
/** Maximum number of terms visited for one word in all ranges together, and of terms counted. */
export const MAX_VISITED = 20_000;
const MAX_COUNTED = 200;
const LONGEST_WORD = 40;
/** A Latin word of at most this length can have a plural but no other forms. */
const SHORT_WORD = 3;
/** Minimum stem length that two words must share if the mailbox has little mail in their language, or none. */
const STEM_OF_SOME = 5;
const STEM_OF_NONE = 6;
/** Maximum number of letters that a form can have beyond the shortest stem of the word. */
const LONGEST_ENDING = 12;

const NO_LANGUAGES: Languages = { common: new Set(), some: new Set() };
const LETTERS = /^\p{L}+$/u;
const ENGLISH = /^[a-z]+$/;
/** Plural endings of words of three letters. */
const SHORT_PLURALS: Partial<Record<Language, string[]>> = {
  sv: ["en", "et", "ar", "er", "arna", "erna"],
  da: ["en", "et", "er", "erne"],
  es: ["es"],
  pt: ["es"],
  nl: ["en"],
};
/** Languages with so many endings that many words seem to have one: used only if common. */
const JOINING = new Set<string>(["hu", "tr", "fi", "pl"] satisfies Language[]);
/** Endings of longer words that have the stem of an English word; other words are not stemmed. */
const ENGLISH_ENDING =
  /(?:s|e|y|d|ing|er|or|al|ly|ion|ment|ness|able|ible|ant|ent|ful|ist|ism|ity|ive|ic|ous|ance|ence|ate|ize)$/;

/**
 * Returns the terms of the dictionary that are forms of a folded word: the word itself first (weight 1, even if the
 * dictionary does not have it), then the most frequent, at most `MAX_FORMS`. English uses Porter's stem. Other
 * languages use the endings of their paradigms, with short stems only if the mailbox has mail in that language.
 */
export function formsOf(word: string, dictionary: Dictionary): WeightedTerm[] {
  const search = new FormSearch(word, dictionary);
  return search.forms();
}

interface Form {
  count: number;
  weight: number;
}

/** A stem of the word, and the endings that make forms of it. */
interface Stem {
  stem: string;
  endings: ReadonlySet<string>;
  weight: number;
  /** The ending of the word. */
  ending: string;
  /** See `Paradigm.certain`. */
  certain: boolean;
}

class FormSearch {
  readonly #found = new Map<string, Form>();
  #visits = MAX_VISITED;
  #counts = MAX_COUNTED;
  /** The complete result of the last range, which usually includes the next one. */
  #lastRange: { prefix: string; terms: [term: string, count: number][] } | null = null;

  constructor(
    private readonly word: string,
    private readonly dictionary: Dictionary,
  ) {}

  forms(): WeightedTerm[] {
    const { word, dictionary } = this;
    const own = { term: word, weight: 1 };
    if (word.length > LONGEST_WORD || !LETTERS.test(word) || isStopWord(word)) return [own];
    const english = ENGLISH.test(word);
    const languages = english ? languagesOf(dictionary) : NO_LANGUAGES;
    if (!english) this.#byEndings(languages);
    else if (word.length <= SHORT_WORD) this.#short(languages);
    else {
      this.#byEndings(languages);
      this.#byStem(word, INFLECTED, DERIVED);
      this.#byLanguage(languages);
    }
    if (english) this.#irregular();
    this.#found.delete(word);
    const others = [...this.#found].sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1));
    return [own, ...others.slice(0, MAX_FORMS - 1).map(([term, { weight }]) => ({ term, weight }))];
  }

  /** Adds forms that no ending makes, and those of short stems. */
  #byLanguage(languages: Languages): void {
    const { word } = this;
    if (languages.common.has("de") || languages.some.has("de")) this.#german();
    const short = languages.common.has("de") ? /^(.{3})en?$/.exec(word)?.[1] : undefined;
    if (short !== undefined) this.#shortGerman(short);
    if (languages.common.has("nl")) for (const form of dutchForms(word)) this.#list(form, INFLECTED);
    if (languages.common.has("es") && /^..ces$/.test(word)) this.#list(`${word.slice(0, 2)}z`, INFLECTED);
    for (const base of basesOfThreeLetters(word)) this.#list(base, INFLECTED);
  }

  /** Adds the forms of a word of three letters: its plural, and the tenses of an English one. */
  #short(languages: Languages): void {
    const { word } = this;
    if (word.length < SHORT_WORD) return;
    for (const form of shortEnglishForms(word)) this.#list(form, INFLECTED);
    for (const language of languages.common) {
      for (const ending of SHORT_PLURALS[language] ?? []) this.#list(word + ending, INFLECTED);
    }
    if (languages.common.has("es") && word.endsWith("z")) this.#list(`${word.slice(0, -1)}ces`, INFLECTED);
    if (languages.common.has("nl")) for (const plural of dutchForms(word)) this.#list(plural, INFLECTED);
    if (languages.common.has("de")) this.#shortGerman(word);
  }

  /**
   * Adds the forms of a German noun of three letters: Tag, Tage, Tagen. A single one of these plurals may be another
   * word: not, note.
   */
  #shortGerman(noun: string): void {
    const forms = [noun, `${noun}e`, `${noun}en`];
    if (forms.every((form) => this.#count(form) > 0)) for (const form of forms) this.#list(form, INFLECTED);
  }

  #irregular(): void {
    const [base, ...others] = irregularForms(this.word);
    if (base !== undefined) {
      this.#list(base, INFLECTED);
      this.#byStem(base, INFLECTED, DERIVED);
    }
    for (const form of others) this.#list(form, INFLECTED);
    for (const other of derivedWords(this.word)) {
      this.#list(other, DERIVED);
      this.#byStem(other, DERIVED, 0);
    }
  }

  #german(): void {
    const noun = this.#count(pluralOf(this.word)) > 0;
    for (const form of germanVerbForms(this.word, !noun)) this.#list(form, DERIVED);
    for (const spelling of umlautSpellings(this.word)) this.#list(spelling, INFLECTED);
  }

  /** Adds terms with the English stem of a word. */
  #byStem(word: string, inflected: number, derived: number): void {
    const stem = englishStem(word);
    const prefix = stemPrefix(stem);
    if (prefix.length < SHORT_WORD || isStopWord(word)) return;
    const kinds = derived > 0 && isSpecificStem(stem);
    this.#range(prefix, (term, count) => {
      if (term.length > prefix.length + LONGEST_ENDING || !ENGLISH.test(term)) return;
      if (term.length > stem.length && !ENGLISH_ENDING.test(term)) return;
      if (isUninflected(term) || isUninflected(word) || englishStem(term) !== stem) return;
      if (term.endsWith("i")) return;
      if (areInflections(word, term)) this.#add(term, count, inflected);
      else if (kinds && !differInE(word, term)) this.#add(term, count, derived);
    });
  }

  /** Adds terms that share a stem with the word, each with an ending of one paradigm. */
  #byEndings(languages: Languages): void {
    const { word } = this;
    const latin = ENGLISH.test(word);
    const stems = stemsOf(word, languages);
    if (stems.length === 0) return;
    const shortest = stems.reduce((least, { stem }) => (stem.length < least.length ? stem : least), word);
    this.#range(shortest, (term, count) => {
      if (term.length > shortest.length + LONGEST_ENDING) return;
      let weight = 0;
      let certainly = 0;
      for (const { stem, endings, ending, ...of } of stems) {
        if (of.weight <= weight && (!of.certain || of.weight <= certainly)) continue;
        if (!term.startsWith(stem) || !endings.has(term.slice(stem.length))) continue;
        // Sharing three letters, with one other letter, is weak evidence: caro, care.
        if (!of.certain && stem.length <= SHORT_WORD && Math.max(ending.length, term.length - stem.length) < 2)
          continue;
        const found = latin && areGenders(ending, term.slice(stem.length)) ? GUESSED : of.weight;
        weight = Math.max(weight, found);
        if (of.certain) certainly = Math.max(certainly, found);
      }
      if (weight === 0 || (latin && areUnrelatedEnglish(word, term))) return;
      if (weight > certainly && this.#areEnglishNouns(term)) weight = certainly;
      if (weight > 0) this.#add(term, count, weight);
    });
  }

  /**
   * Returns whether one word begins with the other (except for a last e) and both have an English plural. Then they are
   * two English words rather than forms in another language: plan, plane and planet.
   */
  #areEnglishNouns(term: string): boolean {
    const [short, long] = term.length < this.word.length ? [term, this.word] : [this.word, term];
    if (!long.startsWith(short.replace(/e$/, "")) || long === `${short}s`) return false;
    return this.#count(pluralOf(short)) > 0 && this.#count(pluralOf(long)) > 0;
  }

  #range(prefix: string, visit: (term: string, count: number) => void): void {
    if (this.#lastRange && prefix.startsWith(this.#lastRange.prefix)) {
      for (const [term, count] of this.#lastRange.terms) if (term.startsWith(prefix)) visit(term, count);
      return;
    }
    if (this.#visits <= 0) return;
    const terms: [string, number][] = [];
    this.dictionary.range(prefix, (term, count) => {
      terms.push([term, count]);
      visit(term, count);
      return --this.#visits > 0;
    });
    this.#lastRange = this.#visits > 0 ? { prefix, terms } : null;
  }

  /** Adds a form if the dictionary has it. */
  #list(term: string, weight: number): void {
    const count = this.#count(term);
    if (count > 0) this.#add(term, count, weight);
  }

  #count(term: string): number {
    return this.#counts-- > 0 ? this.dictionary.count(term) : 0;
  }

  #add(term: string, count: number, weight: number): void {
    const known = this.#found.get(term);
    if (known === undefined || known.weight < weight) this.#found.set(term, { count, weight });
  }
}

function pluralOf(noun: string): string {
  return /(?:[sxz]|[cs]h)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/**
 * Returns whether two endings are the two genders of Romance languages, which also distinguish unrelated words: cuenta,
 * cuento.
 */
function areGenders(a: string, b: string): boolean {
  return /^[oa]s?$/.test(a) && /^[oa]s?$/.test(b) && a[0] !== b[0];
}

/** Returns each way to split a word into stem and ending. */
function stemsOf(word: string, languages: Languages): Stem[] {
  const stems: Stem[] = [];
  for (const { language, endings, derived, shortest, certain, guessed } of paradigmsOf(word)) {
    const common = language.length > 2 || languages.common.has(language as Language);
    const some = languages.some.has(language as Language);
    if (!common && JOINING.has(language)) continue;
    const least = Math.max(shortest, common ? 0 : some ? STEM_OF_SOME : STEM_OF_NONE);
    for (let length = Math.max(least, word.length - LONGEST_ENDING); length <= word.length; length++) {
      const ending = word.slice(length);
      const stem = word.slice(0, length);
      const add = (endings: ReadonlySet<string>, weight: number) =>
        stems.push({ stem, endings, ending, weight: common && !guessed ? weight : GUESSED, certain });
      if (endings.has(ending)) {
        add(endings, INFLECTED);
        if (derived.size > 0) add(derived, DERIVED);
      } else if (derived.has(ending)) {
        add(endings, DERIVED);
        add(derived, DERIVED);
      }
    }
  }
  return stems;
}
