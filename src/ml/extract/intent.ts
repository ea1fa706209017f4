import { CUES, plain } from "./cues.ts";
import { BIAS, CUE_WEIGHTS, TERM_WEIGHTS } from "./intent-weights.ts";
import { ATTACHED, formsFor, WISHES } from "./promises.ts";

export interface Ask {
  /** Log-odds that the sentence asks something of its reader. */
  score: number;
  /** Null if the sentence asks nothing of its reader. */
  kind: "question" | "request" | null;
}

/** At this score, precision and recall on the labeled set are equal (figures in docs/ai.md). */
export const THRESHOLD = -0.15;

/** Cues with a smaller weight are skipped: they cost time and change almost no result. */
const MIN_WEIGHT = 0.1;
const WEIGHED = CUES.map(({ pattern }, i) => ({ pattern, weight: CUE_WEIGHTS[i]! })).filter(
  ({ weight }) => Math.abs(weight) >= MIN_WEIGHT,
);

/** Weights by the first word of a term, then by the second, which is "" for a single word. */
const TERMS = new Map<string, Map<string, number>>();
for (const line of TERM_WEIGHTS.trim().split(/;\n?/).filter(Boolean)) {
  const at = line.lastIndexOf(" ");
  const [word, next = ""] = line.slice(0, at).split(" ") as [string, string?];
  const followed = TERMS.get(word) ?? new Map<string, number>();
  TERMS.set(word, followed.set(next, Number(line.slice(at + 1))));
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}']+|\?/gu) ?? [];

/** Returns the features of a sentence: words, pairs of adjacent words, and the first word ("^ please"). */
export function termsOf(text: string): Set<string> {
  const words = wordsOf(text);
  const terms = new Set<string>();
  if (words[0]) terms.add(`^ ${words[0]}`);
  for (let i = 0; i < words.length; i++) {
    terms.add(words[i]!);
    if (i + 1 < words.length) terms.add(`${words[i]} ${words[i + 1]}`);
  }
  return terms;
}

/** Returns the sum of the weights of `termsOf`, without building the terms that have no weight. */
function weightOfTerms(text: string): number {
  const words = wordsOf(text);
  const counted = new Set<string>();
  let sum = 0;
  const add = (word: string, next: string) => {
    const weight = TERMS.get(word)?.get(next);
    if (weight === undefined || counted.has(`${word} ${next}`)) return;
    counted.add(`${word} ${next}`);
    sum += weight;
  };
  if (words[0]) add("^", words[0]);
  for (let i = 0; i < words.length; i++) {
    add(words[i]!, "");
    if (i + 1 < words.length) add(words[i]!, words[i + 1]!);
  }
  return sum;
}

/** Classifies what a sentence asks of its reader. A linear model: every matching cue and term adds its weight. */
export function askOf(sentence: string): Ask {
  const text = plain(sentence);
  let score = BIAS;
  for (const { pattern, weight } of WEIGHED) if (pattern.test(text)) score += weight;
  score += weightOfTerms(text);
  if (score <= THRESHOLD) return { score, kind: null };
  return { score, kind: ENDS_ASKING.test(text) ? "question" : "request" };
}

const ENDS_ASKING = /[?？]["')\s]*$/;
const ASKS_OTHERS =
  /\b(?:please(?! (?:expect|find))|pls|let me know|(?:can|could|would|will) you|bitte|por favor|per favore|s'il (?:vous|te) plaît|if you (?:can|could|would|send|give|tell|let))\b/;
/** Negations by language: "ich schicke es nicht", "je ne vous envoie pas". */
const NOT: Record<string, RegExp> = {
  de: /(?<![\p{L}])(?:nicht|kein\p{L}{0,2}|leider)(?![\p{L}])/u,
  fr: /(?<![\p{L}])(?:ne|n'\p{L}+|pas)(?![\p{L}])/u,
  es: /(?<![\p{L}])(?:no|nunca|tampoco)(?![\p{L}])/u,
  it: /(?<![\p{L}])(?:non|mai)(?![\p{L}])/u,
  pt: /(?<![\p{L}])(?:não|nunca|infelizmente)(?![\p{L}])/u,
  nl: /(?<![\p{L}])(?:niet|geen|helaas)(?![\p{L}])/u,
};
const EITHER_CLAUSE = /[,;:()–—]| (?:und|aber|et|mais|y|pero|e|ma|mas|en|maar) /u;

/** Returns whether a sentence has a request to its reader beside what else it says. */
export const asksToo = (sentence: string): boolean => {
  const text = plain(sentence);
  return ENDS_ASKING.test(text) || ASKS_OTHERS.test(text);
};

/**
 * Returns whether a sentence promises something. Judged by its form only, because the labeled sentences behind the
 * weights do not cover promises.
 */
export function hasPromise(sentence: string): boolean {
  const text = plain(sentence);
  for (const { language, hint, forms } of formsFor(text)) {
    if (!hint.test(text)) continue;
    const match = forms.map((form) => form.exec(text)).find((found) => found !== null);
    if (!match) continue;
    if (language === "en") return true;
    if (ATTACHED.test(text) || WISHES.test(text)) continue;
    if (!NOT[language]?.test(clauseAround(text, match.index, match[0].length))) return true;
  }
  return false;
}

/** Returns the part of a sentence between marks and conjunctions that contains a match. */
function clauseAround(text: string, index: number, length: number): string {
  const before = text.slice(0, index).split(EITHER_CLAUSE).at(-1)!;
  const after = text.slice(index + length).split(EITHER_CLAUSE)[0]!;
  return before + text.slice(index, index + length) + after;
}

/** Returns whether a sentence promises something and asks nothing. */
export const isPromise = (sentence: string): boolean => !asksToo(sentence) && hasPromise(sentence);
