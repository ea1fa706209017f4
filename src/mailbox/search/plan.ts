import type { SegmentDictionary } from "./dictionary.ts";
import type { Ask } from "./evaluate.ts";
import type { Condition, Query, Words } from "./query.ts";
import { isShown } from "./snippet.ts";
import { isStopWord } from "./stop-words.ts";
import { formsOf } from "./terms/forms.ts";
import { tokenize } from "./tokens.ts";
import type { Unit } from "./units/unit.ts";
import { unitsOfQuery } from "./units/units.ts";
import { type Correction, QueryTerms } from "./word-terms.ts";

/** What a query asks of the index, apart from what only rows of the database tell. */
export interface Plan {
  plain: Leaf[];
  /** Not every word need occur. */
  isQuestion: boolean;
  /** Null: the index has nothing to test. */
  test: Test | null;
  /** Plain words that were searched for in another spelling. */
  corrections: Correction[];
}

/** A plain word of a query. */
interface Leaf {
  ask: Ask;
  /** Function words say little: a message without them is found all the same. */
  optional: boolean;
  /** How often the query says it. */
  times: number;
}

/** A condition that the index can tell. */
export type Test = { kind: "ask"; ask: Ask } | { kind: "all" | "any"; of: Test[] } | { kind: "not"; of: Test };

/** From so many plain words on, a query is a question. */
const QUESTION_WORDS = 4;
/** What a question says more often counts no more. */
const MOST_REPEATS = 3;
/** Of a query of function words alone, so many are looked for: each is in nearly every message. */
const MOST_FUNCTION_WORDS = 8;
/** What a less exact form of an amount or a date counts beside the most exact one: the month beside the day. */
const LESS_EXACT_UNIT = 0.5;
/** What the words of an amount or a date count beside it: "575" without the pounds, the name of the month. */
const WORD_OF_UNIT = 0.3;
/** Begins terms that stand for amounts, dates and properties. */
const NO_WORD = /^[$@#]/;

/**
 * @param test conditions of the index (`isOfIndex`)
 * @param corrects whether plain words without matches are looked for in another spelling
 */
export function planOf(
  { plain, text }: Pick<Query, "plain" | "text">,
  test: readonly Condition[],
  dictionary: SegmentDictionary,
  corrects = true,
): Plan {
  const groups = withUnits(plain, text);
  const telling = groups.filter((group) => !isFunctionWord(group));
  const isQuestion = plain.length >= QUESTION_WORDS && telling.length >= 2;
  const wanted = isQuestion ? telling : groups.slice(0, telling.length === 0 ? MOST_FUNCTION_WORDS : groups.length);
  const terms = new QueryTerms(dictionary, corrects);
  const leaves = new Map<string, Leaf>();
  const corrections: Correction[] = [];
  const add = (key: string, ask: () => Ask, optional: boolean) => {
    const known = leaves.get(key);
    if (known) known.times = Math.min(MOST_REPEATS, known.times + 1);
    else leaves.set(key, { ask: ask(), optional, times: 1 });
  };
  for (const [i, group] of wanted.entries()) {
    const optional = telling.length > 0 && isFunctionWord(group);
    const word = plainWord(group);
    const key = JSON.stringify(group.words.map(({ tokens }) => tokens));
    if (word === null || optional || leaves.has(key)) {
      add(key, () => groupAsk(group, dictionary), optional);
      continue;
    }
    const found = terms.of(word);
    if (found.correction) corrections.push(found.correction);
    if (found.parts) {
      for (const part of found.parts) add(JSON.stringify([[part]]), () => formsAsk(part, dictionary), false);
      continue;
    }
    const neighbours = [wanted[i - 1], wanted[i + 1]].map((other) => other && plainWord(other));
    const [before, behind] = neighbours;
    const joined = [...(before ? terms.joined(before, word) : []), ...(behind ? terms.joined(word, behind) : [])];
    add(key, () => ({ kind: "terms", terms: [...found.terms, ...joined], fields: null }), false);
  }
  const tests = test.map((condition) => testOf(condition, dictionary));
  return {
    plain: [...leaves.values()],
    isQuestion,
    test: tests.length === 0 ? null : { kind: "all", of: tests },
    corrections,
  };
}

/** A word that is searched for in all of its forms; null for anything else. */
function plainWord({ words, unit }: WordGroup): string | null {
  const { exact, tokens } = words[0]!;
  return unit !== null || exact || tokens.length > 1 ? null : tokens[0]!;
}

function formsAsk(word: string, dictionary: SegmentDictionary): Ask {
  return { kind: "terms", terms: formsOf(word, dictionary), fields: null };
}

/** Plain words that are one thing: a word, or an amount or a date. */
interface WordGroup {
  words: Words[];
  unit: Unit | null;
}

/** Joins the words of amounts and dates. */
function withUnits(plain: readonly Words[], text: string): WordGroup[] {
  const groups: WordGroup[] = [];
  const units = unitsOfQuery(text).map((unit) => ({ unit, tokens: tokenize(text.slice(unit.start, unit.end)) }));
  let next = 0;
  for (let at = 0; at < plain.length; ) {
    const covered = units[next] && wordsCovered(plain, at, units[next]!.tokens);
    if (covered) {
      groups.push({ words: plain.slice(at, at + covered), unit: units[next]!.unit });
      at += covered;
      next++;
    } else groups.push({ words: [plain[at++]!], unit: null });
  }
  return groups;
}

/** How many words from this place on have exactly these tokens; 0: none. */
function wordsCovered(plain: readonly Words[], from: number, tokens: readonly string[]): number {
  let seen = 0;
  for (let at = from; at < plain.length && seen < tokens.length; at++) {
    for (const token of plain[at]!.tokens) if (token !== tokens[seen++]) return 0;
    if (seen === tokens.length) return at - from + 1;
  }
  return 0;
}

function groupAsk({ words, unit }: WordGroup, dictionary: SegmentDictionary): Ask {
  if (unit === null) return askOf(words[0]!, dictionary);
  const terms = unit.terms.map((term, i) => ({ term, weight: i === 0 ? 1 : LESS_EXACT_UNIT }));
  const asks: Ask[] = [{ kind: "terms", terms, fields: null }];
  for (const token of words.flatMap(({ tokens }) => tokens)) {
    const isNumber = /\p{N}/u.test(token);
    if (isNumber && !unit.terms[0]!.startsWith("$")) continue;
    const weight = words.length === 1 && !isNumber ? 1 : WORD_OF_UNIT;
    const forms = isNumber ? [{ term: token, weight: 1 }] : formsOf(token, dictionary);
    asks.push({ kind: "terms", terms: forms.map((form) => ({ ...form, weight: form.weight * weight })), fields: null });
    if (isNumber) break;
  }
  return { kind: "either", of: asks };
}

function isFunctionWord({ words, unit }: WordGroup): boolean {
  const { exact, tokens } = words[0]!;
  return unit === null && !exact && isStopWord(tokens[0]!);
}

/** True where the index alone can tell a condition. */
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

export function testOf(condition: Condition, dictionary: SegmentDictionary): Test {
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

/** The term of a property of messages. */
export const tagTerm = (name: string): string => `#${name}`;

function askOf({ tokens, prefix, exact, fields }: Words, dictionary: SegmentDictionary): Ask {
  if (tokens.length > 1) return { kind: "phrase", words: tokens, prefix, fields };
  const word = tokens[0]!;
  if (prefix) return { kind: "prefix", prefix: word, fields };
  return { kind: "terms", terms: exact ? [{ term: word, weight: 1 }] : formsOf(word, dictionary), fields };
}

/** The words that a plan looks for, without what stands for amounts, dates and properties. */
export function termsOf({ plain, test }: Plan): string[] {
  const terms = new Set<string>();
  const collect = (ask: Ask): void => {
    if (ask.kind === "either") ask.of.forEach(collect);
    else if (ask.kind === "terms" && isShown(ask)) {
      for (const { term } of ask.terms) if (!NO_WORD.test(term)) terms.add(term);
    }
  };
  for (const { ask } of plain) collect(ask);
  if (test !== null) for (const ask of positiveAsks(test)) collect(ask);
  return [...terms];
}

/** What is asked and not excluded: it ranks. */
export function positiveAsks(test: Test): Ask[] {
  if (test.kind === "ask") return [test.ask];
  return test.kind === "not" ? [] : test.of.flatMap(positiveAsks);
}
