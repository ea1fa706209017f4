import { WHOLE_MONTH } from "./spans/calendar-words.ts";

/** A range in a text: UTF-16 code units, as `slice` counts. */
export interface Span {
  start: number;
  end: number;
}

export interface Sentence extends Span {
  text: string;
}

/** Longer text is a table, a log or an attack. */
export const LONGEST_SENTENCE_CHARS = 1_000;
/** A text with more sentences is a table or a log. */
const MAX_SENTENCES = 200;
/** A line of at least this length may have been wrapped. A shorter line ends where its writer ended it. */
const WRAPPED_CHARS = 55;
/** Abbreviations, whose full stop does not end a sentence. */
const SHORT_FORMS =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|no|nr|inc|ltd|corp|co|jr|sr|e\.g|i\.e|etc|approx|dept|est|fig|p|pp|z\.b|u\.a|d\.h|bzw|ca|usw|str|evtl|ggf|inkl|exkl|zzgl|abzgl|bspw|vgl|max|min|tel|mme|mlle|m|sra?|dott|sig|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|\p{L})\.$/iu;
/**
 * A number before a full stop, and words after it with which it is an ordinal: "am 17. März", "der 3. Stock". Months that
 * are also words begin sentences ("We need 12. May I …"), except the German one.
 */
const NUMBERED = /(?<!\d)\d{1,2}\.$/;
const COUNTED = new RegExp(
  `^ (?:(?:${WHOLE_MONTH}|mai)(?!\\p{L})|may(?! \\p{L})|(?:bis|und|oder) \\d|\\d{1,2}\\.|(?:klasse|stock|etage|geburtstag)(?!\\p{L}))`,
  "iu",
);
/** Matches only at the start of a run of marks. Matching at every mark of a run would take quadratic time. */
const TERMINATOR = /(?<![.!?…؟۔।])[.!?…؟۔।]+["'”’)\]]*(?=\s|$)|[。！？]+["'”’」』）]*/gu;
const ITEM = /^\s*(?:[-*•·–—]|\d{1,3}[.)]|\(?[a-z]\))\s+/i;

/**
 * Returns the sentences of a text with their positions, in order. Wrapped lines are joined. List items and short lines,
 * such as a greeting, are separate sentences. Quoted lines ("> …") are left out.
 */
export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (const block of blocksOf(text)) {
    for (const sentence of split(text, block)) {
      found.push(sentence);
      if (found.length >= MAX_SENTENCES) return found;
    }
  }
  return found;
}

/** Yields runs of lines that may contain one sentence. */
function* blocksOf(text: string): Generator<Span> {
  let open: Span | null = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    const bare = line.trim();
    if (bare === "" || bare.startsWith(">") || /^[-=_*~]{3,}$/.test(bare)) {
      if (open) yield open;
      open = null;
      continue;
    }
    if (open && !ITEM.test(line)) open = { start: open.start, end };
    else {
      if (open) yield open;
      open = { start, end };
    }
    if (line.trimEnd().length >= WRAPPED_CHARS && !/[.!?:;,]$/.test(bare)) continue;
    // A long line that ends with a comma continues; a short one is a greeting.
    if (line.trimEnd().length >= WRAPPED_CHARS && bare.endsWith(",")) continue;
    yield open;
    open = null;
  }
  if (open) yield open;
}

function* split(text: string, block: Span): Generator<Sentence> {
  const part = text.slice(block.start, block.end);
  let from = 0;
  for (const match of part.matchAll(TERMINATOR)) {
    const to = match.index + match[0].length;
    if (match[0] === "." && SHORT_FORMS.test(part.slice(Math.max(0, to - 12), to))) continue;
    if (
      match[0] === "." &&
      NUMBERED.test(part.slice(Math.max(0, to - 4), to)) &&
      COUNTED.test(part.slice(to, to + 16))
    ) {
      continue;
    }
    if (match[0].startsWith(".") && isQuoted(part, from, to)) continue;
    // "…at 5 p.m. on Friday": a sentence does not begin with a small letter.
    if (match[0].startsWith(".") && /^\s+\p{Ll}/u.test(part.slice(to, to + 4))) continue;
    const sentence = trimmed(text, block.start + from, block.start + to);
    if (sentence) yield sentence;
    from = to;
  }
  const rest = trimmed(text, block.start + from, block.end);
  if (rest) yield rest;
}

/** Longest quotation in a sentence, before and after the full stop. */
const QUOTED_CHARS = 80;

/** Returns whether a full stop is inside straight quotation marks, where it need not end the sentence. */
function isQuoted(part: string, from: number, to: number): boolean {
  const before = part.slice(Math.max(from, to - QUOTED_CHARS), to).match(/"/g)?.length ?? 0;
  return before % 2 === 1 && /^[^"\n]*\p{L}[^"\n]*"/u.test(part.slice(to, to + QUOTED_CHARS));
}

function trimmed(text: string, start: number, end: number): Sentence | null {
  const part = text.slice(start, end);
  const bare = part.trim();
  if (!/[\p{L}\p{N}]/u.test(bare)) return null;
  const from = start + part.indexOf(bare);
  return { text: bare, start: from, end: from + bare.length };
}
