import { fold } from "./fold.ts";

/** A longer run of letters and digits is no word; its beginning stands for it. */
export const LONGEST_TOKEN = 64;
/** Of one text; the rest is not indexed. */
const MOST_TOKENS = 50_000;

/** Scripts written without spaces, whose words a dictionary finds (UAX #29). */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
/** 1,299,000 and 1.299.000,50: the separators of thousands are no part of the number. */
const GROUPED = /(?<![\d.,])\d{1,3}(?:(?:,\d{3})+(?![\d,])|(?:\.\d{3})+(?=,\d))/g;
const MAY_BE_GROUPED = /\d[.,]\d{3}/;
/** More places than these where letters meet digits are not a unit ("10kg") or a prefix ("inv2024"), but a key. */
const MOST_SEAMS = 2;

const LETTER = 1;
const DIGIT = 2;
const FOREIGN = 3;
/** What each character of folded ASCII text is; 0: nothing that belongs to a word. */
const KIND = new Uint8Array(128);
for (let code = 97; code <= 122; code++) KIND[code] = LETTER;
for (let code = 48; code <= 57; code++) KIND[code] = DIGIT;

/** True for a character of folded text that may belong to a word: a letter, a digit, or any beyond ASCII. */
export function isWordCode(code: number): boolean {
  return code >= 128 || KIND[code] !== 0;
}

let segmenter: Intl.Segmenter | null = null;

/** Text as `tokenSpans` reads it: folded, and numbers without the separators of thousands. */
export function foldForTokens(text: string): string {
  const folded = fold(text);
  return MAY_BE_GROUPED.test(folded) ? folded.replace(GROUPED, (number) => number.replace(/[.,]/g, "")) : folded;
}

/**
 * The words of a text as the index knows them, in order: case and accents folded; addresses, links, file names and order
 * numbers in their parts, which therefore stand side by side and are found whole by a phrase.
 */
export function tokenize(text: string): string[] {
  const folded = foldForTokens(text);
  const spans = tokenSpans(folded);
  const tokens: string[] = [];
  for (let i = 0; i < spans.length; i += 2) tokens.push(folded.slice(spans[i], spans[i + 1]));
  return tokens;
}

/** Spans of the text that is being read: a list that grows would take as long as finding the words. */
const found = new Int32Array(MOST_TOKENS * 2);
let filled = 0;

/** Where the words of a folded text begin and end, in pairs. */
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
    else if (seams === 0 || seams > MOST_SEAMS) add(start, at);
    else addParts(folded, start, at);
  }
  return found.slice(0, filled);
}

/** Letters and digits apart. */
function addParts(folded: string, start: number, end: number): void {
  let from = start;
  for (let at = start + 1; at < end; at++) {
    if (KIND[folded.charCodeAt(at)] === KIND[folded.charCodeAt(at - 1)]) continue;
    add(from, at);
    from = at;
  }
  add(from, end);
}

/** A run in which not all is ASCII: punctuation beyond it may be in between, and words without spaces. */
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

/** A word that is too long is not cut within a pair of surrogates: half of one has no UTF-8. */
function addWhole(word: string, start: number): void {
  const isCut = word.length > LONGEST_TOKEN && word.codePointAt(LONGEST_TOKEN - 1)! > 0xffff;
  add(start, start + (isCut ? LONGEST_TOKEN - 1 : word.length));
}

function add(start: number, end: number): void {
  if (filled >= found.length) return;
  found[filled++] = start;
  found[filled++] = Math.min(end, start + LONGEST_TOKEN);
}

/** True where the words of a run are found by a dictionary, so that a run without spaces is several words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}
