import type { SegmentDictionary } from "./dictionary.ts";
import type { Ask } from "./evaluate.ts";
import type { Condition, Query, Words } from "./query.ts";
import { isStopWord } from "./stop-words.ts";
import { formsOf } from "./terms/forms.ts";

/** What a query asks of the index, apart from what only rows of the database tell. */
export interface Plan {
  plain: Leaf[];
  /** Not every word need occur. */
  isQuestion: boolean;
  /** Null: the index has nothing to test. */
  test: Test | null;
}

/** A plain word of a query. */
export interface Leaf {
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
const MOST_REPEATS = 2;
/** Of a query of function words alone, so many are looked for: each is in nearly every message. */
const MOST_FUNCTION_WORDS = 8;

export function planOf({ plain }: Pick<Query, "plain">, test: Condition[], dictionary: SegmentDictionary): Plan {
  const telling = plain.filter((words) => !isFunctionWord(words));
  const isQuestion = plain.length >= QUESTION_WORDS && telling.length >= 2;
  const wanted = isQuestion ? telling : plain.slice(0, telling.length === 0 ? MOST_FUNCTION_WORDS : plain.length);
  const leaves = new Map<string, Leaf>();
  for (const words of wanted) {
    const key = JSON.stringify(words.tokens);
    const known = leaves.get(key);
    if (known) known.times = Math.min(MOST_REPEATS, known.times + 1);
    else {
      const optional = telling.length > 0 && isFunctionWord(words);
      leaves.set(key, { ask: askOf(words, dictionary), optional, times: 1 });
    }
  }
  const tests = test.map((condition) => testOf(condition, dictionary)).filter((one) => one !== null);
  return {
    plain: [...leaves.values()],
    isQuestion,
    test: tests.length === 0 ? null : { kind: "all", of: tests },
  };
}

const isFunctionWord = ({ tokens, exact }: Words) => !exact && isStopWord(tokens[0]!);

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
      return { kind: "ask", ask: { kind: "terms", terms: [{ term: tagTerm(condition.name), weight: 1 }], fields: null } };
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
