import { ownSentences } from "../../ml/extract/findings.ts";
import type { Span } from "../../ml/extract/sentences.ts";
import { startsInContext } from "./rank.ts";

/** Words that stand for something named before: "Can you send it?", "Schaffst du das bis dahin?" */
const REFERS =
  /(?<![\p{L}'])(?:it|its|that|this|them|those|these|they|one|ones|yours|mine|both|either|the same|das|dies|dieser?s?|davon|dafür|darüber|damit|daran|dazu|dahin|ihn|cela|ça|celui|celle|ceux|lequel|laquelle|eso|esto|ese|esa|cuál|questo|quello|quella|quale|quali|isso|isto|esse|essa|qual|quais|dat|dit|deze|daarvan|ervan|ermee|hem|welke)(?![\p{L}'])|(?<!\p{L})(?:l'|le |la |les |en |y |lo |los |las )(?=\p{L}+(?:er|ez|ir|re|ar|es|as|e|o|a)(?!\p{L}))|[それこあ][れの]|どちら/iu;
/** A sentence with more words usually names what it is about. */
const FEW_WORDS = 12;
const MIN_WORDS_BEFORE = 4;
const LONGEST_CHARS = 320;

/**
 * Returns the range of a sentence in a message, with the sentence before it in the same paragraph where that says what
 * the sentence is about.
 */
export function quoteOf(message: { body_text: string; new_text: string }, sentence: Span & { text: string }): Span {
  const { start, end, text } = sentence;
  const words = text.trim().split(/\s+/).length;
  if (!startsInContext(text) && !(words <= FEW_WORDS && REFERS.test(text))) return { start, end };
  const before = ownSentences(message).findLast((one) => one.end <= start);
  if (!before || end - before.start > LONGEST_CHARS) return { start, end };
  const gap = message.body_text.slice(before.end, start);
  const says = before.text.split(/\s+/).length >= MIN_WORDS_BEFORE || /[\u3040-\u9fff]/.test(before.text);
  return says && !/\n\s*\n|\n\s*[-*•]/.test(gap) ? { start: before.start, end } : { start, end };
}
