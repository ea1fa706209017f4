import type { SegmentDictionary } from "./dictionary.ts";
import type { Lookup } from "./evaluate.ts";
import type { Condition, Query, TextCondition } from "./query.ts";
import { isShown } from "./snippet.ts";
import { stopWordsOf } from "./stop-words.ts";
import type { WeightedTerm } from "./terms/dictionary.ts";
import { formsOf } from "./terms/forms.ts";
import { languagesOf } from "./terms/languages.ts";
import { tokenize } from "./tokens.ts";
import type { Unit } from "./units/unit.ts";
import { unitsOfQuery } from "./units/units.ts";
import { type Correction, QueryTerms } from "./word-terms.ts";

/** The lookups that a query makes in the index. Conditions on rows of the database are not included. */
export interface Plan {
  plain: Leaf[];
  /** True for a question, which any of its words can match. */
  isQuestion: boolean;
  /** Conditions; null: none. */
  test: Test | null;
  /** Plain words that were searched for in another spelling. */
  corrections: Correction[];
}

/** A plain word of a query. */
interface Leaf {
  ask: Lookup;
  /** True for a function word: messages without it are found as well. */
  optional: boolean;
  /** Number of times that the query contains it. */
  times: number;
}

/** A condition that the index can test. */
export type Test = { kind: "ask"; ask: Lookup } | { kind: "all" | "any"; of: Test[] } | { kind: "not"; of: Test };

/** From this number of plain words on, a query is a question. */
const QUESTION_WORDS = 4;
/** Further repetitions of a word do not count. */
const MAX_REPEATS = 3;
/** Words that count in a query of only function words. Each is in nearly every message. */
const MAX_FUNCTION_WORDS = 8;
/**
 * Weight of a less exact form of an amount or a date, relative to the most exact one: the month relative to the day.
 */
const LESS_EXACT_UNIT = 0.5;
/**
 * Weight of the words of an amount or a date, relative to the amount or date: "575" without the pounds, the name of the
 * month.
 */
const WORD_OF_UNIT = 0.3;
/** Start of terms for amounts, dates and properties. */
const NO_WORD = /^[$@#]/;
const HAS_DIGIT = /\p{N}/u;

/**
 * Plans a query.
 * @param test conditions of the index (`isOfIndex`)
 * @param corrects whether plain words without matches are tried in another spelling
 */
export function planOf(
  { plain, text }: Pick<Query, "plain" | "text">,
  test: readonly Condition[],
  dictionary: SegmentDictionary,
  corrects = true,
): Plan {
  const groups = withUnits(plain, text);
  const stopWords = stopWordsOf(
    plain.flatMap(({ tokens }) => tokens),
    languagesOf(dictionary),
  );
  const isFunctionWord = ({ words: [word], unit }: WordGroup) =>
    unit === null && !word!.exact && stopWords.has(word!.tokens[0]!);
  const contentGroups = groups.filter((group) => !isFunctionWord(group));
  const isQuestion = plain.length >= QUESTION_WORDS && contentGroups.length >= 2;
  const wanted = isQuestion
    ? contentGroups
    : groups.slice(0, contentGroups.length === 0 ? MAX_FUNCTION_WORDS : groups.length);
  const leaves = new Leaves(dictionary, corrects);
  for (const [i, group] of wanted.entries()) {
    const optional = contentGroups.length > 0 && isFunctionWord(group);
    leaves.add(group, { optional, before: wanted[i - 1], after: wanted[i + 1] });
  }
  // The function word in "check-in" counts where it is beside the other word.
  for (const { compound } of plain) if (compound?.some((token) => stopWords.has(token))) leaves.addCompound(compound);
  const tests = test.map((condition) => testOf(condition, dictionary));
  return {
    plain: leaves.all,
    isQuestion,
    test: tests.length === 0 ? null : { kind: "all", of: tests },
    corrections: leaves.corrections,
  };
}

/** Collects the plain words of a query without duplicates. */
class Leaves {
  readonly corrections: Correction[] = [];
  readonly #leaves = new Map<string, Leaf>();
  readonly #terms: QueryTerms;

  constructor(
    private readonly dictionary: SegmentDictionary,
    corrects: boolean,
  ) {
    this.#terms = new QueryTerms(dictionary, corrects);
  }

  get all(): Leaf[] {
    return [...this.#leaves.values()];
  }

  /** Adds a group. Its neighbors in the query may be other parts of the same word. */
  add(
    group: WordGroup,
    { optional, before, after }: { optional: boolean; before?: WordGroup | undefined; after?: WordGroup | undefined },
  ): void {
    const word = plainWord(group);
    const key = JSON.stringify(group.words.map(({ tokens }) => tokens));
    if (word === null || optional || this.#leaves.has(key)) {
      this.#put(key, () => groupAsk(group, this.dictionary), optional);
      return;
    }
    const found = this.#terms.of(word);
    if (found.correction) this.corrections.push(found.correction);
    if (found.parts) {
      for (const part of found.parts) this.#put(JSON.stringify([[part]]), () => formsAsk(part, this.dictionary), false);
      return;
    }
    const joined = [...this.#joined(before, group), ...this.#joined(group, after)];
    const ask: Lookup = { kind: "terms", terms: [...found.terms, ...joined], fields: null };
    const { phrase } = found;
    this.#put(key, () => (phrase ? { kind: "either", of: [ask, phraseAsk(phrase, 1)] } : ask), false);
  }

  /** Adds words that rank where they are side by side, but are not required. */
  addCompound(words: readonly string[]): void {
    this.#put(JSON.stringify({ words }), () => phraseAsk(words, 1), true);
  }

  #put(key: string, ask: () => Lookup, optional: boolean): void {
    const known = this.#leaves.get(key);
    if (known) known.times = Math.min(MAX_REPEATS, known.times + 1);
    else this.#leaves.set(key, { ask: ask(), optional, times: 1 });
  }

  /** Returns the terms for two neighboring words that are written as one. */
  #joined(first: WordGroup | undefined, second: WordGroup | undefined): WeightedTerm[] {
    const [a, b] = [first && plainWord(first), second && plainWord(second)];
    return a && b ? this.#terms.joined(a, b) : [];
  }
}

/** Returns the word of a group that is searched for in all of its forms; null for any other group. */
function plainWord({ words, unit }: WordGroup): string | null {
  const { exact, tokens } = words[0]!;
  return unit !== null || exact || tokens.length > 1 ? null : tokens[0]!;
}

function formsAsk(word: string, dictionary: SegmentDictionary): Lookup {
  return { kind: "terms", terms: formsOf(word, dictionary), fields: null };
}

/** Plain words that form one unit of meaning: a word, or an amount or a date. */
interface WordGroup {
  words: TextCondition[];
  unit: Unit | null;
}

/** Groups the words of amounts and dates. */
function withUnits(plain: readonly TextCondition[], text: string): WordGroup[] {
  const groups: WordGroup[] = [];
  const units = unitsOfQuery(text).map((unit) => ({ unit, tokens: tokenize(text.slice(unit.start, unit.end)) }));
  let next = 0;
  for (let at = 0; at < plain.length; ) {
    const i = units.findIndex(({ tokens }, i) => i >= next && wordsCovered(plain, at, tokens) > 0);
    if (i < 0) groups.push({ words: [plain[at++]!], unit: null });
    else {
      const { unit, tokens } = units[i]!;
      const covered = wordsCovered(plain, at, tokens);
      groups.push({ words: plain.slice(at, at + covered), unit });
      at += covered;
      next = i + 1;
    }
  }
  return groups;
}

/** Returns how many words from this index on have exactly these tokens; 0: none. */
function wordsCovered(plain: readonly TextCondition[], from: number, tokens: readonly string[]): number {
  let seen = 0;
  for (let at = from; at < plain.length && seen < tokens.length; at++) {
    for (const token of plain[at]!.tokens) if (token !== tokens[seen++]) return 0;
    if (seen === tokens.length) return at - from + 1;
  }
  return 0;
}

function groupAsk({ words, unit }: WordGroup, dictionary: SegmentDictionary): Lookup {
  if (unit === null) return askOf(words[0]!, dictionary);
  const terms = unit.terms.map((term, i) => ({ term, weight: i === 0 ? 1 : LESS_EXACT_UNIT }));
  const asks: Lookup[] = [{ kind: "terms", terms, fields: null }];
  const tokens = words.flatMap(({ tokens }) => tokens);
  if (/^\d/.test(unit.terms[0]!)) {
    const exact = unit.terms.map((term) => ({ term, weight: 1 }));
    return {
      kind: "either",
      of: [{ kind: "terms", terms: exact, fields: null }, ...(tokens.length > 1 ? [phraseAsk(tokens, 1)] : [])],
    };
  }
  if (unit.terms[0]!.startsWith("$")) {
    const number = numberIn(tokens);
    // The "1.5" of "1.5 million" is a different number.
    const isWhole = number.length > 0 && !HAS_DIGIT.test(unit.terms[0]!.charAt(number[0]!.length + 1));
    return { kind: "either", of: isWhole ? [...asks, phraseAsk(number, WORD_OF_UNIT)] : asks };
  }
  for (const token of tokens) {
    if (HAS_DIGIT.test(token)) continue;
    const weight = words.length === 1 ? 1 : WORD_OF_UNIT;
    const forms = formsOf(token, dictionary).map((form) => ({ ...form, weight: form.weight * weight }));
    asks.push({ kind: "terms", terms: forms, fields: null });
  }
  return { kind: "either", of: asks };
}

/** Returns the number of an amount, whose decimals may be separate words; decimals that are all zeros are left out. */
function numberIn(tokens: readonly string[]): string[] {
  const first = tokens.findIndex((token) => HAS_DIGIT.test(token));
  if (first < 0) return [];
  const end = tokens.findIndex((token, i) => i > first && (!HAS_DIGIT.test(token) || /^0+$/.test(token)));
  return tokens.slice(first, end < 0 ? tokens.length : end);
}

function phraseAsk(words: readonly string[], weight: number): Lookup {
  if (words.length === 1) return { kind: "terms", terms: [{ term: words[0]!, weight }], fields: null };
  return { kind: "phrase", words, prefix: false, fields: null, weight };
}

/** Returns whether the index can test a condition without the database. */
export function isOfIndex(condition: Condition): boolean {
  switch (condition.kind) {
    case "words":
    case "tag":
      return true;
    case "all":
    case "any":
      return condition.of.every(isOfIndex);
    case "not":
      return isOfIndex(condition.of);
    default:
      return false;
  }
}

function testOf(condition: Condition, dictionary: SegmentDictionary): Test {
  switch (condition.kind) {
    case "words":
      return { kind: "ask", ask: askOf(condition, dictionary) };
    case "tag":
      return {
        kind: "ask",
        ask: { kind: "terms", terms: [{ term: tagTerm(condition.name), weight: 1 }], fields: null },
      };
    case "all":
    case "any":
      return { kind: condition.kind, of: condition.of.map((one) => testOf(one, dictionary)) };
    case "not":
      return { kind: "not", of: testOf(condition.of, dictionary) };
    default:
      throw new Error("The index does not know this condition.");
  }
}

/** Returns the term for a property of messages. */
export const tagTerm = (name: string): string => `#${name}`;

function askOf({ tokens, prefix, exact, fields }: TextCondition, dictionary: SegmentDictionary): Lookup {
  if (tokens.length > 1) return { kind: "phrase", words: tokens, prefix, fields };
  const word = tokens[0]!;
  if (prefix) return { kind: "prefix", prefix: word, fields };
  return { kind: "terms", terms: exact ? [{ term: word, weight: 1 }] : formsOf(word, dictionary), fields };
}

/** Returns the words that a plan searches for, without terms for amounts, dates and properties. */
export function termsOf({ plain, test }: Plan): string[] {
  const terms = new Set<string>();
  const collect = (ask: Lookup): void => {
    if (ask.kind === "either") ask.of.forEach(collect);
    else if (ask.kind === "terms" && isShown(ask)) {
      for (const { term } of ask.terms) if (!NO_WORD.test(term)) terms.add(term);
    }
  };
  for (const { ask } of plain) collect(ask);
  if (test !== null) for (const ask of positiveLookups(test)) collect(ask);
  return [...terms];
}

/** Returns the parts of a condition that are not negated; these rank. */
export function positiveLookups(test: Test): Lookup[] {
  if (test.kind === "ask") return [test.ask];
  return test.kind === "not" ? [] : test.of.flatMap(positiveLookups);
}
