import type { Condition, Query, Words } from "./query.ts";
import { englishStem, neutralStem } from "./stems.ts";
import { foldForTokens, tokenize, tokenSpans } from "./tokens.ts";

/** What of a query is marked in a text. */
export interface Highlights {
  /** Folded words and their stems. */
  words: ReadonlySet<string>;
  prefixes: readonly string[];
  /** Words that were looked at before, and whether they are marked. */
  judged: Map<string, boolean>;
}

const SNIPPET_CHARS = 200;
/** The text is looked through this far; a hit beyond it has a snippet from the beginning. */
const LOOK_CHARS = 30_000;
/** Mostly this is far enough, and a page has many texts. */
const FIRST_LOOK_CHARS = 3_000;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const BLANKS = /(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f)+/gu;

export function highlightsOf(query: Query): Highlights {
  const words = new Set<string>();
  const prefixes: string[] = [];
  const add = ({ tokens, prefix, exact }: Words) => {
    for (const [i, token] of tokens.entries()) {
      if (prefix && i === tokens.length - 1) prefixes.push(token);
      else for (const form of exact ? [token] : formsOf(token)) words.add(form);
    }
  };
  const walk = (condition: Condition): void => {
    if (condition.kind === "words") add(condition);
    else if (condition.kind === "all" || condition.kind === "any") condition.of.forEach(walk);
  };
  [...query.plain, ...query.conditions].forEach(walk);
  return { words, prefixes, judged: new Map() };
}

function formsOf(word: string): string[] {
  return [word, englishStem(word), neutralStem(word)].filter((form) => form !== null);
}

/** A word of a text that is to be marked. */
interface Mark {
  start: number;
  end: number;
  word: string;
}

/**
 * About 200 characters around the most matching words, as HTML: these between <mark> and </mark>, everything else escaped.
 * Null where nothing matches.
 */
export function snippetFor(text: string, highlights: Highlights): string | null {
  for (const chars of [FIRST_LOOK_CHARS, LOOK_CHARS]) {
    const line = text.slice(0, chars).replace(BLANKS, " ").trim();
    const marks = marksIn(line, highlights);
    if (marks.length > 0) return cutOut(line, marks, bestStart(marks));
    if (text.length <= chars) break;
  }
  return null;
}

/** The whole of a short text, such as a subject, with its marks. */
export function marked(text: string, highlights: Highlights): string {
  return render(text, marksIn(text, highlights), 0, text.length);
}

function marksIn(line: string, highlights: Highlights): Mark[] {
  const { words, prefixes, judged } = highlights;
  if (words.size === 0 && prefixes.length === 0) return [];
  const folded = foldForTokens(line);
  // Folding mostly leaves every letter in its place. Where it does not, words are folded one by one.
  if (folded.length !== line.length) return [...line.matchAll(RUN)].flatMap((run) => marksInRun(run, highlights));
  const spans = tokenSpans(folded);
  const marks: Mark[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const [start, end] = [spans[i]!, spans[i + 1]!];
    const word = folded.slice(start, end);
    let wanted = judged.get(word);
    if (wanted === undefined) {
      wanted = isWanted(word, words, prefixes);
      judged.set(word, wanted);
    }
    if (wanted) marks.push({ start, end, word });
  }
  return marks;
}

/** All of a run of letters is marked, if a word in it is. */
function marksInRun({ 0: run, index }: RegExpExecArray, { words, prefixes, judged }: Highlights): Mark[] {
  let wanted = judged.get(run);
  if (wanted === undefined) {
    wanted = tokenize(run).some((token) => isWanted(token, words, prefixes));
    judged.set(run, wanted);
  }
  return wanted ? [{ start: index, end: index + run.length, word: run }] : [];
}

function isWanted(word: string, words: ReadonlySet<string>, prefixes: readonly string[]): boolean {
  if (words.has(word) || prefixes.some((prefix) => word.startsWith(prefix))) return true;
  const [english, neutral] = [englishStem(word), neutralStem(word)];
  return (english !== null && words.has(english)) || (neutral !== null && words.has(neutral));
}

/** Where a window begins that holds the most different words; of several the first. */
function bestStart(marks: readonly Mark[]): number {
  let best = 0;
  let most = 0;
  for (let i = 0; i < marks.length; i++) {
    const seen = new Set<string>();
    for (let j = i; j < marks.length && marks[j]!.end - marks[i]!.start <= SNIPPET_CHARS * 0.8; j++) {
      seen.add(marks[j]!.word);
    }
    if (seen.size > most) [best, most] = [i, seen.size];
  }
  return marks[best]!.start;
}

function cutOut(line: string, marks: readonly Mark[], first: number): string {
  if (line.length <= SNIPPET_CHARS) return render(line, marks, 0, line.length);
  let from = Math.max(0, Math.min(first - SNIPPET_CHARS / 5, line.length - SNIPPET_CHARS));
  if (from > 0) {
    const space = line.indexOf(" ", from);
    from = space >= 0 && space < first ? space + 1 : first;
  }
  let to = Math.min(line.length, from + SNIPPET_CHARS);
  if (to < line.length) {
    const space = line.lastIndexOf(" ", to);
    if (space > from + SNIPPET_CHARS * 0.6) to = space;
    else if (/[\ud800-\udbff]/.test(line[to - 1]!)) to--;
  }
  return `${from > 0 ? "…" : ""}${render(line, marks, from, to)}${to < line.length ? "…" : ""}`;
}

function render(line: string, marks: readonly Mark[], from: number, to: number): string {
  let out = "";
  let at = from;
  for (const { start, end } of joinedMarks(line, marks)) {
    if (start < at || end > to) continue;
    out += `${escapeHtml(line.slice(at, start))}<mark>${escapeHtml(line.slice(start, end))}</mark>`;
    at = end;
  }
  return out + escapeHtml(line.slice(at, to));
}

/** Marks between which there is only what joins the parts of an address or a number are one. */
function joinedMarks(line: string, marks: readonly Mark[]): { start: number; end: number }[] {
  const out: { start: number; end: number }[] = [];
  for (const { start, end } of marks) {
    const last = out.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else if (last && /^[-@._/:+&'’]{1,3}$/.test(line.slice(last.end, start))) last.end = end;
    else out.push({ start, end });
  }
  return out;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}
