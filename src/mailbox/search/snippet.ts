import type { Field } from "./fields.ts";
import { isAscii } from "./fold.ts";
import type { Condition, Query, Words } from "./query.ts";
import { foldForTokens, isWordCode, tokenize, tokenSpans } from "./tokens.ts";

/** What of a query is marked in a text. */
export interface Highlights {
  /** Folded words. */
  words: ReadonlySet<string>;
  prefixes: readonly string[];
  /** What every form of one of them begins with: a word that begins otherwise need not be stemmed, a text without them not be read. */
  roots: readonly string[];
  /** Words that were looked at before, and whether they are marked. */
  judged: Map<string, boolean>;
}

const SNIPPET_CHARS = 200;
/** The text is looked through this far; a hit beyond it has a snippet from the beginning. */
const LOOK_CHARS = 30_000;
/** Mostly this is far enough, and a page has many texts. */
/** Read at once, and how much of it again with the next. */
const STRETCH_CHARS = 2_000;
const OVERLAP_CHARS = 100;
const SPACE = 32;
const MORE = "…";
const PIECE_CHARS = 200;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const BLANKS = /\s+/g;
/** What nobody sees, and what turns the direction of all that follows, also outside of the snippet. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is left out for itself; with the flag u it takes thrice as long.
const UNSEEN = /[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;
const HALF_LETTER = /[\ud800-\udbff]$/;

/** Headers that nobody is shown: `list:dev` does not mark "dev" in a text. */
const UNSHOWN: readonly Field[] = ["list", "delivered_to"];

/**
 * What to mark for a query: its words, those of alternatives and fields too, but not what it excludes.
 * @param terms what the words of the query were searched for by, folded: their forms, corrections, compounds
 */
export function highlightsOf(query: Query, terms: readonly string[] = []): Highlights {
  const words = new Set<string>(terms);
  const prefixes: string[] = [];
  const add = ({ tokens, prefix }: Words) => {
    for (const [i, token] of tokens.entries()) {
      if (prefix && i === tokens.length - 1) prefixes.push(token);
      else words.add(token);
    }
  };
  const walk = (condition: Condition): void => {
    if (condition.kind === "words" && isShown(condition)) add(condition);
    else if (condition.kind === "all" || condition.kind === "any") condition.of.forEach(walk);
  };
  [...query.plain, ...query.conditions].forEach(walk);
  return { words, prefixes, roots: rootsOf([...words, ...prefixes]), judged: new Map() };
}

/** Whether what was asked for can stand in a text that is shown. */
export const isShown = ({ fields }: { fields: readonly Field[] | null }): boolean =>
  fields === null || fields.some((field) => !UNSHOWN.includes(field));
/** Of these, those that begin with no other. */
function rootsOf(words: readonly string[]): string[] {
  const roots: string[] = [];
  for (const word of [...words].sort()) {
    const last = roots.at(-1);
    if (last === undefined || !word.startsWith(last)) roots.push(word);
  }
  return roots;
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
  for (const { stretch, isFirst, isLast } of stretchesOf(text.slice(0, LOOK_CHARS))) {
    if (!holdsRoot(foldForTokens(stretch), highlights)) continue;
    const line = stretch.replace(HALF_LETTER, "").replace(UNSEEN, "").replace(BLANKS, " ").trim().toWellFormed();
    const marks = marksIn(line, highlights);
    if (marks.length === 0) continue;
    const html = cutOut(line, marks, bestStart(marks));
    const [before, after] = [isFirst || html.startsWith(MORE), isLast || html.endsWith(MORE)];
    return `${before ? "" : MORE}${html}${after ? "" : MORE}`;
  }
  return null;
}

/** A text in stretches that begin and end between words, where there are blanks. */
function* stretchesOf(text: string): Generator<{ stretch: string; isFirst: boolean; isLast: boolean }> {
  for (let from = 0; ; ) {
    const to = from + STRETCH_CHARS >= text.length ? text.length : blankBefore(text, from + STRETCH_CHARS);
    const isLast = to === text.length;
    yield { stretch: text.slice(from, to), isFirst: from === 0, isLast };
    if (isLast) return;
    from = blankBefore(text, to - OVERLAP_CHARS);
  }
}

/** The last blank shortly before a place; the place itself where there is none. */
function blankBefore(text: string, place: number): number {
  let at = place;
  while (at > place - OVERLAP_CHARS && text.charCodeAt(at) > SPACE) at--;
  return at > place - OVERLAP_CHARS ? at : place;
}

function holdsRoot(folded: string, { roots }: Highlights): boolean {
  return roots.some((root) => folded.includes(root));
}

/** The whole of a short text, such as a subject, with its marks. */
export function marked(text: string, highlights: Highlights): string {
  return render(text, marksIn(text, highlights), 0, text.length);
}

function marksIn(line: string, highlights: Highlights): Mark[] {
  const folded = foldForTokens(line);
  if (!holdsRoot(folded, highlights)) return [];
  // Folding mostly leaves every letter in its place.
  if (folded.length !== line.length) return marksApart(line, highlights);
  const marks = marksInFolded(folded, highlights);
  // It may as well have made one letter two, and two others one.
  const isInPlace = ({ start, end, word }: Mark) => foldForTokens(line.slice(start, end)) === word;
  return isAscii(line) || marks.every(isInPlace) ? marks : marksApart(line, highlights);
}

/** Where folding moves letters, words are folded one by one. */
function marksApart(line: string, highlights: Highlights): Mark[] {
  if (line.length > PIECE_CHARS) return marksInPieces(line, highlights);
  return [...line.matchAll(RUN)].flatMap((run) => marksInRun(run, highlights));
}

function marksInFolded(folded: string, { words, prefixes, roots, judged }: Highlights): Mark[] {
  const marks: Mark[] = [];
  const next = rootFinder(folded, roots);
  for (let at = 0; ; ) {
    const hit = next(at);
    if (hit === null) return marks;
    let [start, end] = [hit, hit];
    while (start > at && isWordCode(folded.charCodeAt(start - 1))) start--;
    while (end < folded.length && isWordCode(folded.charCodeAt(end))) end++;
    const run = folded.slice(start, end);
    const spans = tokenSpans(run);
    for (let i = 0; i < spans.length; i += 2) {
      const word = run.slice(spans[i], spans[i + 1]);
      let wanted = judged.get(word);
      if (wanted === undefined) {
        wanted = isWanted(word, words, prefixes);
        judged.set(word, wanted);
      }
      if (wanted) marks.push({ start: start + spans[i]!, end: start + spans[i + 1]!, word });
    }
    at = end;
  }
}

/** Finds where the next of these is, from places that only grow. */
function rootFinder(folded: string, roots: readonly string[]): (from: number) => number | null {
  const next = roots.map((root) => folded.indexOf(root));
  return (from) => {
    let nearest = -1;
    for (let i = 0; i < next.length; i++) {
      if (next[i]! >= 0 && next[i]! < from) next[i] = folded.indexOf(roots[i]!, from);
      if (next[i]! >= 0 && (nearest < 0 || next[i]! < nearest)) nearest = next[i]!;
    }
    return nearest < 0 ? null : nearest;
  };
}

/** Piece by piece: in most of them folding leaves every letter in its place. */
function marksInPieces(line: string, highlights: Highlights): Mark[] {
  const marks: Mark[] = [];
  for (let from = 0; from < line.length; ) {
    const space = line.indexOf(" ", from + PIECE_CHARS / 2);
    const to = space < 0 || space >= from + PIECE_CHARS ? Math.min(line.length, from + PIECE_CHARS) : space;
    for (const { start, end, word } of marksIn(line.slice(from, to), highlights)) {
      marks.push({ start: start + from, end: end + from, word });
    }
    from = to;
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
  return words.has(word) || prefixes.some((prefix) => word.startsWith(prefix));
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
    else if (HALF_LETTER.test(line[to - 1]!)) to--;
  }
  return `${from > 0 ? MORE : ""}${render(line, marks, from, to)}${to < line.length ? MORE : ""}`;
}

function render(line: string, marks: readonly Mark[], from: number, to: number): string {
  let out = "";
  let at = from;
  const shown = marks.filter(({ start, end }) => start >= from && end <= to);
  for (const { start, end } of joinedMarks(line, shown)) {
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
