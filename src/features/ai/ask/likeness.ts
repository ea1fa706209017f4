import type { Embed } from "../../../ml/extract/rank.ts";
import type { Candidate } from "./candidates.ts";
import { type Concept, conceptsOfWord, unspacedIn, wordsFor } from "./concepts.ts";
import type { Question } from "./question.ts";
import { wordsOf } from "./words.ts";

/** Candidates whose sentences are compared with the question, and what likeness adds to their score. */
const MAX_COMPARED = 24;
const MEANING_BONUS = 0.2;
/** A sentence is clearly the likest with this likeness, and so much more than any other. */
const LIKE = 0.35;
const LIKER = 0.2;
/** The language that the embedding model knows. */
const KNOWN = "en";
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** Stands for a text without a known word. */
const NO_WORDS = "text";

/**
 * Compares the sentences of the best candidates with the question by the embedding model, and ranks them again. The model
 * knows English, so other languages are first translated word by word, as far as the lexicon goes.
 */
export async function rankedByMeaning(question: Question, candidates: Candidate[], embed: Embed): Promise<Candidate[]> {
  if (candidates.length < 2) return candidates;
  const best = candidates.slice(0, MAX_COMPARED);
  const glosses = best.map(({ passage, read }) =>
    glossOf(passage.text, passage.file ? KNOWN : (read.message.language() ?? KNOWN)),
  );
  const texts = [...new Set(glosses)];
  let vectors: readonly Float32Array[];
  try {
    vectors = await embed([glossOf(question.text, question.language ?? KNOWN), ...texts]);
  } catch {
    // Without the model, words alone decide.
    return candidates;
  }
  const [asked, ...said] = vectors;
  const likeness = new Map(texts.map((text, i) => [text, dot(asked!, said[i]!)]));
  // Word by word, a translation is too coarse to rank by.
  const bonus = question.language === KNOWN ? MEANING_BONUS : 0;
  const scored = best.map((one, i) => {
    const own = likeness.get(glosses[i]!)!;
    const isLikest =
      texts.length > 1 &&
      own >= LIKE &&
      texts.every((text) => text === glosses[i] || likeness.get(text)! <= own - LIKER);
    return { ...one, likeness: own, isLikest, score: one.score + bonus * own };
  });
  return [...scored.sort((a, b) => b.score - a.score), ...candidates.slice(MAX_COMPARED)];
}

/** Returns a text in English, word by word: the words of the lexicon, names and numbers. */
function glossOf(text: string, language: string): string {
  if (language === KNOWN) return text;
  const words = UNSPACED.test(text)
    ? unspacedIn(text).map(({ concept }) => englishFor(concept))
    : wordsOf(text).map((word) => {
        const [concept] = conceptsOfWord(word);
        if (concept !== undefined) return englishFor(concept);
        return word.capital || /\d/.test(word.form) ? text.slice(word.start, word.end) : "";
      });
  return words.filter(Boolean).join(" ") || NO_WORDS;
}

/** The first word of a line of the lexicon is English. */
function englishFor(concept: Concept): string {
  const words = wordsFor(concept);
  return words.find((word) => /^[a-z-]+$/i.test(word)) ?? words[0] ?? "";
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
