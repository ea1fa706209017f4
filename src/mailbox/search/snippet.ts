import { type Field, OPERATOR_ONLY_FIELDS } from "./fields.ts";
import { isAscii } from "./fold.ts";
import type { Condition, Query, TextCondition } from "./query.ts";
import { foldForTokens, isWordCode, tokenize, tokenSpans } from "./tokens.ts";

/** The parts of a query that are marked in a text. */
export interface Highlights {
  /** Folded words. */
  words: ReadonlySet<string>;
  prefixes: readonly string[];
  /**
   * The common beginnings of all these words. A word that begins otherwise need not be checked, and a text without them
   * need not be read.
   */
  roots: readonly string[];
  /** Words that were checked before, and whether they are marked. */
  judged: Map<string, boolean>;
}

const SNIPPET_CHARS = 200;
/** Only this much of the text is searched. For a hit beyond it, the snippet is the beginning of the text. */
const SEARCHED_CHARS = 30_000;
/**
 * Characters that are read at a time, and how many of them are read again with the next chunk. One chunk is mostly
 * enough, and a page has many texts.
 */
const CHUNK_CHARS = 2_000;
const OVERLAP_CHARS = 100;
const SPACE = 32;
const MORE = "…";
const PIECE_CHARS = 200;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const BLANKS = /\s+/g;
/**
 * Invisible characters, and characters that change the direction of all following text, even outside of the snippet.
 */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is removed separately; the flag u would take three times as long.
const UNSEEN = /[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;
const HALF_LETTER = /[\ud800-\udbff]$/;

/**
 * Returns what to mark for a query: its words, including those of alternatives and fields, but not what it excludes.
 * @param terms the folded terms that the words of the query were searched by: their forms, corrections, compounds
 */
export function highlightsOf(query: Query, terms: readonly string[] = []): Highlights {
  const words = new Set<string>(terms);
  const prefixes: string[] = [];
  const add = ({ tokens, prefix }: TextCondition) => {
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

/** Returns whether the words can occur in a text that is shown. */
export const isShown = ({ fields }: { fields: readonly Field[] | null }): boolean =>
  fields === null || fields.some((field) => !OPERATOR_ONLY_FIELDS.includes(field));

/** Returns those words that have no other one as a prefix. */
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
 * Returns about 200 characters around the best matching words as HTML: matches between <mark> and </mark>, everything
 * else escaped. Null where nothing matches.
 */
export function snippetFor(text: string, highlights: Highlights): string | null {
  for (const { chunk, isFirst, isLast } of chunksOf(text.slice(0, SEARCHED_CHARS))) {
    if (!holdsRoot(foldForTokens(chunk), highlights)) continue;
    const line = chunk.replace(HALF_LETTER, "").replace(UNSEEN, "").replace(BLANKS, " ").trim().toWellFormed();
    const marks = marksIn(line, highlights);
    if (marks.length === 0) continue;
    const html = cutOut(line, marks, bestStart(marks));
    const [before, after] = [isFirst || html.startsWith(MORE), isLast || html.endsWith(MORE)];
    return `${before ? "" : MORE}${html}${after ? "" : MORE}`;
  }
  return null;
}

/** Yields a text in chunks that start and end between words, where there is white space. */
function* chunksOf(text: string): Generator<{ chunk: string; isFirst: boolean; isLast: boolean }> {
  for (let from = 0; ; ) {
    const to = from + CHUNK_CHARS >= text.length ? text.length : blankBefore(text, from + CHUNK_CHARS);
    const isLast = to === text.length;
    yield { chunk: text.slice(from, to), isFirst: from === 0, isLast };
    if (isLast) return;
    from = blankBefore(text, to - OVERLAP_CHARS);
  }
}

/** Returns the index of the last white space shortly before `index`; `index` itself where there is none. */
function blankBefore(text: string, index: number): number {
  let at = index;
  while (at > index - OVERLAP_CHARS && text.charCodeAt(at) > SPACE) at--;
  return at > index - OVERLAP_CHARS ? at : index;
}

function holdsRoot(folded: string, { roots }: Highlights): boolean {
  return roots.some((root) => folded.includes(root));
}

/** Returns the whole of a short text, such as a subject, with its marks. */
export function marked(text: string, highlights: Highlights): string {
  return render(text, marksIn(text, highlights), 0, text.length);
}

function marksIn(line: string, highlights: Highlights): Mark[] {
  const folded = foldForTokens(line);
  if (!holdsRoot(folded, highlights)) return [];
  // Folding usually keeps the position of every letter.
  if (folded.length !== line.length) return marksApart(line, highlights);
  const marks = marksInFolded(folded, highlights);
  // The lengths can also be equal because folding turned one letter into two, and two others into one.
  const isAtOffset = ({ start, end, word }: Mark) => foldForTokens(line.slice(start, end)) === word;
  return isAscii(line) || marks.every(isAtOffset) ? marks : marksApart(line, highlights);
}

/** Folds words one by one, where folding moves letters. */
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

/** Returns a function that finds the next occurrence of any root, for increasing positions. */
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

/** Works piece by piece, because in most pieces folding keeps the position of every letter. */
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

/** Marks a whole run of letters if any word in it is wanted. */
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

/** Returns the start of the window with the most different words; of several, the first. */
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

/** Joins marks that are separated only by characters that connect the parts of an address or a number. */
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

/** Escapes the characters that have a meaning in HTML text or attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}
