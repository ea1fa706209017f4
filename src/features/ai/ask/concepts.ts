import { fold } from "../../../mailbox/search/fold.ts";
import source from "./concepts.txt" with { type: "text" };
import { stemOf, type Word } from "./words.ts";

/** The number of a line of concepts.txt. */
export type Concept = number;

interface Lexicon {
  byForm: Map<string, Concept[]>;
  byStem: Map<string, Concept[]>;
  /** Phrases by their first word: the folded words, and the concept. */
  phrases: Map<string, { words: string[]; concept: Concept }[]>;
  /** Words of Japanese, which are found anywhere in a text. */
  unspaced: { text: string; concept: Concept }[];
  /** All words of a concept as written. */
  words: string[][];
  /** Concepts that often stand for another one in the same matter. */
  related: Map<Concept, Set<Concept>>;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** Parts of compounds are at least this long: "Zahnarzttermin" has "zahnarzt" and "termin". */
const SHORTEST_PART = 4;
const SHORTEST_SURE_STEM = 6;
/** Forms of address, which are no landlords. */
const TITLES = new Set("senhora senhor senora senor signora signore".split(" "));
const SHORTEST_COMPOUND = 8;
const MAX_CACHED = 50_000;

let loaded: Lexicon | null = null;
const cached = new Map<string, readonly Concept[]>();

/** Reads the lexicon at the first call. */
function lexicon(): Lexicon {
  if (loaded) return loaded;
  const read: Lexicon = {
    byForm: new Map(),
    byStem: new Map(),
    phrases: new Map(),
    unspaced: [],
    words: [],
    related: new Map(),
  };
  const push = (map: Map<string, Concept[]>, key: string, concept: Concept) => {
    const list = map.get(key) ?? [];
    if (!list.includes(concept)) list.push(concept);
    map.set(key, list);
  };
  for (const line of source.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, head, others] = /^~ (\S+): (.+)$/.exec(line) ?? [];
    if (head !== undefined && others !== undefined) {
      const concepts = others.split(" ").flatMap((word) => read.byForm.get(fold(word)) ?? []);
      for (const concept of read.byForm.get(fold(head)) ?? []) {
        read.related.set(concept, new Set([...(read.related.get(concept) ?? []), ...concepts]));
      }
      continue;
    }
    const concept = read.words.length;
    const words = line.trim().split(/\s+/);
    read.words.push(words);
    for (const word of words) {
      if (UNSPACED.test(word)) read.unspaced.push({ text: fold(word), concept });
      else if (word.includes("+")) {
        const parts = word.split("+").map(fold);
        const list = read.phrases.get(parts[0]!) ?? [];
        list.push({ words: parts, concept });
        read.phrases.set(parts[0]!, list);
      } else {
        push(read.byForm, fold(word), concept);
        push(read.byStem, stemOf(fold(word)), concept);
      }
    }
  }
  loaded = read;
  return read;
}

/** Returns the concepts of a word, by its form, else its stem, else the parts of a compound. */
export function conceptsOfWord({ form, stem }: Pick<Word, "form" | "stem">): readonly Concept[] {
  const known = cached.get(form);
  if (known) return known;
  const { byForm, byStem } = lexicon();
  // A short stem is often that of another word: mars, marier.
  const least = byForm.has(form) ? SHORTEST_SURE_STEM : SHORTEST_PART;
  const byEnding =
    form.length >= least && stem.length >= least - 1 && !TITLES.has(form) ? (byStem.get(stem) ?? []) : [];
  const whole = [...new Set([...(byForm.get(form) ?? []), ...byEnding])];
  const compound = whole.length > 0 ? null : compoundOf({ form });
  const found = compound ? [...compound.head, ...compound.modifier] : whole;
  if (cached.size >= MAX_CACHED) cached.clear();
  cached.set(form, found);
  return found;
}

/** The parts of a compound that the lexicon knows. */
export interface Compound {
  /** The first part as written, without the letters that join it. */
  front: string;
  modifier: readonly Concept[];
  head: readonly Concept[];
}

/** Returns the parts of a compound of German or Dutch: "Zahnarzttermin". Null for a word that the lexicon has as a whole. */
export function compoundOf({ form }: Pick<Word, "form">): Compound | null {
  const { byForm, byStem } = lexicon();
  if (form.length < SHORTEST_COMPOUND || !/^[a-z]+$/.test(form) || byForm.has(form)) return null;
  if (byStem.has(stemOf(form)) && stemOf(form).length >= SHORTEST_SURE_STEM - 1) return null;
  const of = (part: string) => byForm.get(part) ?? (part.length > SHORTEST_PART ? byStem.get(stemOf(part)) : undefined);
  for (let at = SHORTEST_PART - 1; at <= form.length - SHORTEST_PART; at++) {
    const head = of(form.slice(at));
    const front = form.slice(0, at);
    if (!head || (at < SHORTEST_PART && !byForm.has(front))) continue;
    const bare = front.replace(/(?:s|en|n|es|er)$/, "");
    const modifier = of(front) ?? of(bare);
    return { front: of(front) || bare.length < SHORTEST_PART ? front : bare, modifier: modifier ?? [], head };
  }
  return null;
}

/** Returns all concepts that a text names. @param words of the text */
export function conceptsOf(text: string, words: readonly Word[]): Set<Concept> {
  const { phrases, unspaced } = lexicon();
  const found = new Set<Concept>();
  for (const [i, word] of words.entries()) {
    for (const concept of conceptsOfWord(word)) found.add(concept);
    for (const phrase of phrases.get(word.form) ?? phrases.get(word.stem) ?? []) {
      if (placesOf(words, i, phrase.words) !== null) found.add(phrase.concept);
    }
  }
  if (UNSPACED.test(text)) {
    const folded = fold(text);
    for (const { text: own, concept } of unspaced) if (folded.includes(own)) found.add(concept);
  }
  return found;
}

/** Returns the positions of a phrase that begins at a word: "picks you up" has one word between. Null if it is not there. */
function placesOf(words: readonly Word[], from: number, phrase: readonly string[]): number[] | null {
  const isAt = (at: number, part: string) => words[at]?.form === part || (part.length > 3 && words[at]?.stem === part);
  if (phrase.slice(1).every((part, k) => isAt(from + k + 1, part))) return phrase.map((_, k) => from + k);
  return phrase.length === 2 && isAt(from + 2, phrase[1]!) ? [from, from + 2] : null;
}

/** Returns the phrases of the lexicon in a text: the positions of their words, and the concept. */
export function phrasesIn(words: readonly Word[]): { places: number[]; concept: Concept }[] {
  const { phrases } = lexicon();
  return words.flatMap(({ form, stem }, i) =>
    (phrases.get(form) ?? phrases.get(stem) ?? []).flatMap((phrase) => {
      const places = placesOf(words, i, phrase.words);
      return places === null ? [] : [{ places, concept: phrase.concept }];
    }),
  );
}

/** Returns where words of Japanese in the lexicon are in a text, the longest at each place. */
export function unspacedIn(text: string): { start: number; end: number; concept: Concept }[] {
  const found: { start: number; end: number; concept: Concept }[] = [];
  const longest = lexicon().unspaced.toSorted((one, other) => other.text.length - one.text.length);
  for (const { text: own, concept } of longest) {
    for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + own.length)) {
      const end = at + own.length;
      if (!found.some((other) => at < other.end && other.start < end)) found.push({ start: at, end, concept });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Returns the words of a concept in all languages, as written; phrases are left out. */
export function wordsFor(concept: Concept): string[] {
  return lexicon().words[concept]!.filter((word) => !word.includes("+"));
}

/** Returns the concepts that often stand for this one in the same matter. */
export const relatedTo = (concept: Concept): ReadonlySet<Concept> => lexicon().related.get(concept) ?? NONE;
const NONE: ReadonlySet<Concept> = new Set();

/** Returns the concepts that a word of the lexicon stands for. */
export function conceptsNamed(...names: string[]): Set<Concept> {
  return new Set(names.flatMap((name) => lexicon().byForm.get(fold(name)) ?? []));
}
