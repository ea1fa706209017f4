import { plain } from "./cues.ts";
import { LONGEST_SENTENCE_CHARS, type Sentence } from "./sentences.ts";

/** A sentence of a conversation that may be part of its summary. */
export interface Candidate extends Sentence {
  message_id: string;
  /** 0 for the oldest message, 1 for the newest. */
  recency: number;
  /** True for a question, request, promise or decision. */
  matters: boolean;
}

/** Vectors of unit length, one per text. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** Limit on compared sentences, because the work grows with the square. The newest ones are used. */
const MAX_CANDIDATES = 160;
const MIN_WORDS = 4;
/** A sentence with a higher similarity to a chosen one is skipped as a duplicate. */
const SAME = 0.8;
/** Weights of centrality, of being a question or decision, and of recency in the score. */
const WEIGHTS = { central: 1, matters: 0.35, recency: 0.25 };

/**
 * Returns the most informative sentences of a conversation, in their original order. A sentence scores by its average
 * similarity to the others (degree centrality, as in LexRank), by recency, and by being a question, promise or
 * decision. Near-duplicates are skipped.
 * @param embed if absent, similarity is computed from common words
 */
export async function topSentences(
  candidates: readonly Candidate[],
  most: number,
  embed?: Embed,
): Promise<Candidate[]> {
  const short = candidates.filter(({ text }) => text.length <= LONGEST_SENTENCE_CHARS);
  const pool = short.filter(({ text }) => text.split(/\s+/).length >= MIN_WORDS).slice(-MAX_CANDIDATES);
  if (pool.length === 0) return short.slice(-1);
  const texts = pool.map(({ text }) => text);
  const likeness = embed ? dense(await embed(texts)) : byWords(texts);
  const scores = pool.map(({ matters, recency }, i) => {
    const central = pool.reduce((sum, _, j) => sum + (i === j ? 0 : likeness(i, j)), 0) / Math.max(1, pool.length - 1);
    return WEIGHTS.central * central + (matters ? WEIGHTS.matters : 0) + WEIGHTS.recency * recency;
  });
  const order = pool.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const taken: number[] = [];
  for (const i of order) {
    if (taken.length >= most) break;
    if (!taken.some((j) => likeness(i, j) > SAME)) taken.push(i);
  }
  return taken.sort((a, b) => a - b).map((i) => pool[i]!);
}

type Likeness = (i: number, j: number) => number;

function dense(vectors: readonly Float32Array[]): Likeness {
  return (i, j) => {
    const [a, b] = [vectors[i]!, vectors[j]!];
    let sum = 0;
    for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
    return sum;
  };
}

/** Cosine similarity of word counts, weighted by rarity. */
function byWords(texts: readonly string[]): Likeness {
  const bags = texts.map((text) => new Set(contentWords(text)));
  const spread = new Map<string, number>();
  for (const bag of bags) for (const word of bag) spread.set(word, (spread.get(word) ?? 0) + 1);
  const weight = (word: string) => Math.log(1 + texts.length / (spread.get(word) ?? 1));
  const norms = bags.map((bag) => Math.sqrt([...bag].reduce((sum, word) => sum + weight(word) ** 2, 0)) || 1);
  return (i, j) => {
    let sum = 0;
    for (const word of bags[i]!) if (bags[j]!.has(word)) sum += weight(word) ** 2;
    return sum / (norms[i]! * norms[j]!);
  };
}

const STOP = new Set(
  "the and for are but not you all any can had her was one our out has his how its may new now old see two way who did get let put say she too use that with have this will your from they know want been good much some time very when come here just like long make many more only over such take than them well were what would there their about which could other into then these also der die das und ist nicht ich sie mit für auf eine einen les des est une que vous pour dans pas los las una por con para che per non una".split(
    " ",
  ),
);

/** Returns the words of a text without stop words, in lower case. */
export function contentWords(text: string): string[] {
  return (plain(text).match(/[\p{L}\p{N}][\p{L}\p{N}'-]{2,}/gu) ?? []).filter((word) => !STOP.has(word));
}
