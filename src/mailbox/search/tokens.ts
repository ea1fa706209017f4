import { fold } from "./fold.ts";

/** A longer run of letters and digits is not a word; only its beginning is indexed. */
export const LONGEST_TOKEN = 64;
/** Tokens of one text that are indexed; further ones are left out. */
const MAX_TOKENS = 50_000;

/** Scripts written without spaces, whose words are found with a dictionary (UAX #29). */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** 1,299,000 and 1.299.000,50: thousands separators are not part of the number. */
const GROUPED = /(?<![\d.,])\d{1,3}(?:(?:,\d{3})+(?![\d,])|(?:\.\d{3})+(?=,\d))/g;
const MAY_BE_GROUPED = /\d[.,]\d{3}/;
/**
 * Text with more transitions between letters and digits than this is not a unit ("10kg") or a prefix ("inv2024"), but a
 * key.
 */
const MAX_SEAMS = 2;

const LETTER = 1;
const DIGIT = 2;
const FOREIGN = 3;
/** The class of each character of folded ASCII text; 0: not part of a word. */
const KIND = new Uint8Array(128);
for (let code = 97; code <= 122; code++) KIND[code] = LETTER;
for (let code = 48; code <= 57; code++) KIND[code] = DIGIT;

/**
 * Returns whether a character of folded text can be part of a word: a letter, a digit, or any character beyond ASCII.
 */
export function isWordCode(code: number): boolean {
  return code >= 128 || KIND[code] !== 0;
}

let segmenter: Intl.Segmenter | null = null;

/** Returns text in the form that `tokenSpans` reads: folded, and numbers without thousands separators. */
export function foldForTokens(text: string): string {
  const folded = fold(text);
  return MAY_BE_GROUPED.test(folded) ? folded.replace(GROUPED, (number) => number.replace(/[.,]/g, "")) : folded;
}

/**
 * Returns the words of a text as the index stores them, in order: case and accents folded; addresses, links, file names
 * and order numbers split into parts. The parts are side by side, so a phrase finds the whole.
 */
export function tokenize(text: string): string[] {
  const folded = foldForTokens(text);
  const spans = tokenSpans(folded);
  const tokens: string[] = [];
  for (let i = 0; i < spans.length; i += 2) tokens.push(folded.slice(spans[i], spans[i + 1]));
  return tokens;
}

/** Spans of the text that is being read. Preallocated: growing a list would take as long as finding the words. */
const found = new Int32Array(MAX_TOKENS * 2);
let filled = 0;

/** Returns where the words of a folded text start and end, in pairs. */
export function tokenSpans(folded: string): Int32Array {
  filled = 0;
  const { length } = folded;
  for (let at = 0; at < length && filled < found.length; ) {
    let code = folded.charCodeAt(at);
    let kind = code < 128 ? KIND[code]! : FOREIGN;
    if (kind === 0) {
      at++;
      continue;
    }
    const start = at;
    let seams = 0;
    let foreign = kind === FOREIGN;
    for (at++; at < length; at++) {
      code = folded.charCodeAt(at);
      const next = code < 128 ? KIND[code]! : FOREIGN;
      if (next === 0) break;
      if (next !== kind) {
        seams++;
        foreign ||= next === FOREIGN;
      }
      kind = next;
    }
    if (foreign) addForeign(folded.slice(start, at), start);
    else if (seams === 0 || seams > MAX_SEAMS) add(start, at);
    else addParts(folded, start, at);
  }
  return found.slice(0, filled);
}

/** Adds letters and digits as separate tokens. */
function addParts(folded: string, start: number, end: number): void {
  let from = start;
  for (let at = start + 1; at < end; at++) {
    if (KIND[folded.charCodeAt(at)] === KIND[folded.charCodeAt(at - 1)]) continue;
    add(from, at);
    from = at;
  }
  add(from, end);
}

/**
 * Adds the words of a run with characters beyond ASCII, which may contain punctuation and words without spaces between
 * them.
 */
function addForeign(run: string, start: number): void {
  for (const { 0: word, index } of run.matchAll(RUN)) {
    if (!UNSPACED.test(word)) {
      addWhole(word, start + index);
      continue;
    }
    segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
    for (const part of segmenter.segment(word)) {
      if (!part.isWordLike) continue;
      addWhole(part.segment, start + index + part.index);
    }
  }
}

/** Adds a word. A word that is too long is not cut inside a surrogate pair: half of a pair has no UTF-8 form. */
function addWhole(word: string, start: number): void {
  const isCut = word.length > LONGEST_TOKEN && word.codePointAt(LONGEST_TOKEN - 1)! > 0xffff;
  add(start, start + (isCut ? LONGEST_TOKEN - 1 : word.length));
}

function add(start: number, end: number): void {
  if (filled >= found.length) return;
  found[filled++] = start;
  found[filled++] = Math.min(end, start + LONGEST_TOKEN);
}

/** Returns whether words are found with a dictionary, so that a run without spaces can be several words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}
