import { plain } from "./cues.ts";
import { LONGEST_SENTENCE_CHARS, type Sentence } from "./sentences.ts";

/** One sentence of a conversation that may stand for it. */
export interface Candidate extends Sentence {
  message_id: string;
  /** 0 for the oldest message, 1 for the newest. */
  recency: number;
  /** It asks, promises or decides. */
  matters: boolean;
}

/** Vectors of unit length, one per text. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** More are not compared: the work grows with the square. The newest stay. */
const MOST_CANDIDATES = 160;
const FEWEST_WORDS = 4;
/** A sentence that is this close to one that was taken already adds nothing. */
const SAME = 0.8;
/** How much centrality, what it says of the future, and its age count. */
const WEIGHTS = { central: 1, matters: 0.35, recency: 0.25 };

/**
 * The sentences that say most of the conversation, in their own order: central by their likeness to all others (LexRank's
 * degree), rather new than old, rather a question or a decision than neither, and each unlike those before it.
 * @param embed absent: likeness is by words in common
 */
export async function topSentences(
  candidates: readonly Candidate[],
  most: number,
  embed?: Embed,
): Promise<Candidate[]> {
  const short = candidates.filter(({ text }) => text.length <= LONGEST_SENTENCE_CHARS);
  const pool = short.filter(({ text }) => text.split(/\s+/).length >= FEWEST_WORDS).slice(-MOST_CANDIDATES);
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

/** Cosine of word counts, rare words counting more. */
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

/** Words that carry meaning, lower case. */
export function contentWords(text: string): string[] {
  return (plain(text).match(/[\p{L}\p{N}][\p{L}\p{N}'-]{2,}/gu) ?? []).filter((word) => !STOP.has(word));
}
