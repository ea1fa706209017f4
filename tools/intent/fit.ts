/**
 * Fits the weights of the cues and words of src/ml/extract, by logistic regression over a set of labeled sentences (the
 * Parakweet email intent set, Apache-2.0, which is not part of this repository), and writes
 * src/ml/extract/intent-weights.ts:
 *
 * bun tools/intent/fit.ts FILE.json
 *
 * Names and other words that are always capitalized are left out: they reveal who wrote the set, not what is requested.
 */
import { join } from "node:path";
import { CUES, plain } from "../../src/ml/extract/cues.ts";
import { THRESHOLD, termsOf } from "../../src/ml/extract/intent.ts";

export interface Labeled {
  label: "Yes" | "No";
  text: string;
}

interface Sentence {
  cues: string[];
  terms: string[];
  intends: number;
}

export interface Fitted {
  bias: number;
  /** By "#" and a cue's name, or by term. */
  weights: Map<string, number>;
}

export interface Figures {
  precision: number;
  recall: number;
  f1: number;
  accuracy: number;
}

const TERMS_KEPT = 400;
const MIN_SEEN = 4;
const L2 = 0.0015;
const ROUNDS = 250;
const STEP = 0.4;
const FOLDS = 5;

function sentencesOf(data: readonly Labeled[]): Sentence[] {
  const common = new Set(data.flatMap(({ text }) => text.replace(/^\W*\w+/, "").match(/\b\p{Ll}[\p{L}']*/gu) ?? []));
  return data.map(({ text, label }) => {
    const read = plain(text.replaceAll("&amp;", "&").replaceAll("&quot;", '"'));
    return {
      cues: CUES.filter(({ weight, pattern }) => weight === undefined && pattern.test(read)).map(
        ({ name }) => `#${name}`,
      ),
      terms: [...termsOf(read)].filter((term) =>
        term.split(" ").every((word) => word === "^" || word === "?" || common.has(word)),
      ),
      intends: label === "Yes" ? 1 : 0,
    };
  });
}

/** Runs Adagrad over the whole set in each round. The set is small enough, and the result is reproducible. */
function regress(rows: readonly Sentence[], names: readonly string[]): Fitted {
  const ids = new Map(names.map((name, i) => [name, i]));
  const features = rows.map(({ cues, terms }) => [...cues, ...terms].flatMap((name) => ids.get(name) ?? []));
  const weights = new Float64Array(names.length);
  const squares = new Float64Array(names.length).fill(1e-8);
  let bias = 0;
  let biasSquare = 1e-8;
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(names.length);
    let biasGradient = 0;
    for (const [row, mine] of features.entries()) {
      let sum = bias;
      for (const feature of mine) sum += weights[feature]!;
      const error = 1 / (1 + Math.exp(-sum)) - rows[row]!.intends;
      biasGradient += error;
      for (const feature of mine) gradient[feature]! += error;
    }
    for (let i = 0; i < weights.length; i++) {
      const slope = gradient[i]! / rows.length + L2 * weights[i]!;
      squares[i]! += slope * slope;
      weights[i]! -= (STEP * slope) / Math.sqrt(squares[i]!);
    }
    biasSquare += (biasGradient / rows.length) ** 2;
    bias -= (STEP * biasGradient) / rows.length / Math.sqrt(biasSquare);
  }
  return { bias, weights: new Map(names.map((name, i) => [name, weights[i]!])) };
}

/** Returns all cues, and the terms with the highest weights when all sufficiently frequent terms take part. */
function fitRows(rows: readonly Sentence[]): Fitted {
  const seen = new Map<string, number>();
  for (const { terms } of rows) for (const term of terms) seen.set(term, (seen.get(term) ?? 0) + 1);
  const cues = CUES.filter((cue) => cue.weight === undefined).map((cue) => `#${cue.name}`);
  const frequent = [...seen].filter(([, count]) => count >= MIN_SEEN).map(([term]) => term);
  const first = regress(rows, [...cues, ...frequent]).weights;
  const kept = frequent.sort((a, b) => Math.abs(first.get(b)!) - Math.abs(first.get(a)!)).slice(0, TERMS_KEPT);
  return regress(rows, [...cues, ...kept.sort()]);
}

/** Fits the weights to labeled sentences. */
export const fit = (data: readonly Labeled[]): Fitted => fitRows(sentencesOf(data));

/**
 * Estimates the accuracy on sentences that the weights were not fitted to: fits five times without a fifth, then tests
 * on it.
 */
export function crossValidate(data: readonly Labeled[]): Figures {
  const rows = sentencesOf(data);
  const fold = rows.map((_, i) => Number(Bun.hash(String(i)) % BigInt(FOLDS)));
  const answers: [said: boolean, intends: boolean][] = [];
  for (let k = 0; k < FOLDS; k++) {
    const { bias, weights } = fitRows(rows.filter((_, i) => fold[i] !== k));
    for (const { cues, terms, intends } of rows.filter((_, i) => fold[i] === k)) {
      const score = [...cues, ...terms].reduce((sum, name) => sum + (weights.get(name) ?? 0), bias);
      answers.push([score > THRESHOLD, intends === 1]);
    }
  }
  return figures(answers);
}

/** Computes accuracy figures from pairs of answer and truth. */
export function figures(answers: readonly (readonly [said: boolean, truth: boolean])[]): Figures {
  const count = (said: boolean, truth: boolean) => answers.filter((a) => a[0] === said && a[1] === truth).length;
  const [hits, false_alarms, misses] = [count(true, true), count(true, false), count(false, true)];
  const precision = hits / (hits + false_alarms);
  const recall = hits / (hits + misses);
  const f1 = (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1, accuracy: (hits + count(false, false)) / answers.length };
}

function moduleText({ bias, weights }: Fitted): string {
  const cues = CUES.map(({ name, weight }) => (weight ?? weights.get(`#${name}`)!).toFixed(2));
  const rows: string[] = [];
  for (let i = 0; i < cues.length; i += 16)
    rows.push(
      `  ${cues
        .slice(i, i + 16)
        .map(Number)
        .join(", ")},`,
    );
  const terms = [...weights].filter(([name]) => !name.startsWith("#"));
  return `/**
 * What each cue (in the order of cues.ts) and word or pair of words adds to the log-odds that a sentence asks for or
 * promises something. Written by tools/intent/fit.ts; not to be edited.
 */

export const BIAS = ${Number(bias.toFixed(3))};

// biome-ignore format: a table
export const CUE_WEIGHTS: readonly number[] = [
${rows.join("\n")}
];

/** Each a term, a blank and its weight, with ";" between them. "^" is the beginning of a sentence. */
export const TERM_WEIGHTS = \`
${wrapped(terms.map(([term, weight]) => `${term} ${Number(weight.toFixed(2))};`)).join("\n")}
\`;
`;
}

function wrapped(items: readonly string[]): string[] {
  const lines: string[] = [];
  for (const item of items) {
    if (lines.length === 0 || lines.at(-1)!.length + item.length >= 118) lines.push(item);
    else lines[lines.length - 1] += item;
  }
  return lines;
}

if (import.meta.main) {
  const data = (await Bun.file(Bun.argv[2] ?? "").json()) as Labeled[];
  await Bun.write(join(import.meta.dir, "../../src/ml/extract/intent-weights.ts"), moduleText(fit(data)));
  console.log("on other sentences, by five-fold cross-validation:", crossValidate(data));
}
