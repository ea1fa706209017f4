/** First pass over a message: finds quotes, attributions, header blocks and forwards. */
import { attributionEndingAt, introducesQuote } from "./attribution.ts";
import { type HeaderBlock, headerBlocks, notesBlockAt } from "./headers.ts";
import { type Line, readLines, type SourceLine } from "./lines.ts";
import { markerOf } from "./markers.ts";
import { isRule } from "./signature.ts";
import { FORWARD_NOTE } from "./words.ts";

/**
 * - own: the writer's text; signature: the part of it that is a signature
 * - quote: a quoted line; attribution: the line that introduces quoted or earlier mail
 * - history: earlier mail; forward: a forwarded message, forward-header the marker and header lines above it
 */
export type Role = "own" | "blank" | "quote" | "attribution" | "history" | "forward" | "forward-header" | "signature";

export interface Scan {
  readonly lines: readonly Line[];
  readonly roles: Role[];
  /** Lines of quoted blocks that an attribution, or the HTML, marks as someone's mail. */
  readonly attributed: boolean[];
  readonly forwarded: boolean;
  /** Returns the header block that starts at a line, or null. */
  readonly blockAt: (start: number) => HeaderBlock | null;
  /** Every line before this index is not the writer's own. */
  firstOwn: number;
  attributionSeen: boolean;
  /** The message opens with an attribution above unmarked text: the authors cannot be determined. */
  ambiguous: boolean;
}

const NOTE = new RegExp(`(?<![\\p{L}])(?:${FORWARD_NOTE})(?![\\p{L}])`, "iu");
const MAX_NOTE_LINES = 6;
const MAX_NOTE_CHARS = 300;
/** Maximum number of lines of a mail that is quoted as an example. */
const MAX_EXAMPLE_LINES = 200;
/** Supercite and similar: "Bob> text", "| text", "--] text"; read as quotes only below an attribution. */
const NAMED_QUOTE = /^(?:[\p{L}\d_-]{1,14}>|\||-{1,2}\]|\](?= )|[:}%](?= ))/u;
/** The wrapped end of "<address> wrote:", which looks like a quoted line. */
const CLOSING_BRACKET = /^> ?(?:[^<>]{0,40}[:：])?$/;
/** Number of lines at the start of a quoted block that are searched for its attribution. */
const HEAD_LINES = 8;
/** Maximum distance of an interleaved quote below its attribution. */
const NEAR_LINES = 6;
/** A passage that the writer quotes by hand. */
const OPENS_SPEECH = /^["'“”„«»‚‘「『]/;
/** A prompt such as ">>> print(1)", not three levels of quoting. */
const PROMPT_DEPTH = 3;

/**
 * Returns the roles of all lines, before signatures are marked. `forwarded`: the subject marks a forward. Runs in
 * linear time.
 */
export function scanLines(source: readonly SourceLine[], forwarded: boolean): Scan {
  const lines = readLines(source);
  const roles = lines.map((line): Role => (line.bare === "" ? "blank" : line.depth > 0 ? "quote" : "own"));
  const attributed = new Array<boolean>(lines.length).fill(false);
  const scan: Scan = {
    lines,
    roles,
    attributed,
    forwarded,
    blockAt: headerBlocks(lines),
    firstOwn: 0,
    attributionSeen: false,
    ambiguous: false,
  };
  for (let i = 0; i < lines.length; ) i = step(scan, i);
  return scan;
}

/** Reads the element that begins at line `i`; returns the index at which to continue. */
function step(scan: Scan, i: number): number {
  const { lines, roles } = scan;
  const line = lines[i]!;
  if (line.bare === "") return i + 1;
  if (line.cue === "forward") return forwardFrom(scan, i, runOfCue(lines, i));
  if (line.cue === "history") return historyContainer(scan, i);
  if (line.cue === "attribution" && line.depth === 0) return cuedAttribution(scan, i);
  if (line.depth > 0) {
    const bracket = CLOSING_BRACKET.test(line.bare) ? findAttribution(scan, i) : null;
    return bracket === null ? quotedBlock(scan, i, false) : takeAttribution(scan, bracket, i);
  }
  const marker = markerOf(line.bare);
  if (marker === "forward") return forwardFrom(scan, i, lines.length);
  if (marker === "original") return earlierMail(scan, i, i + 1);
  const attribution = findAttribution(scan, i);
  if (attribution !== null) return takeAttribution(scan, attribution, i);
  const block = scan.blockAt(i);
  const cut = line.cue === "cut" && /[:：]/.test(line.bare);
  if (cut) return earlierMail(scan, i, Math.max(runOfCue(lines, i), block?.end ?? 0));
  if (block !== null && (block.certain || ruledOff(scan, i)) && !isExample(scan, i, block.end))
    return earlierMail(scan, i, block.end);
  const notes = notesBlockAt(lines, i);
  if (notes !== null) return earlierMail(scan, i, notes);
  if (scan.attributionSeen && isNamedQuote(lines, i)) return namedBlock(scan, i);
  roles[i] = "own";
  return i + 1;
}

/** Returns the start of the attribution that ends at line `end`, or null. A weak one needs quoted lines below it. */
function findAttribution(scan: Scan, end: number): number | null {
  const { lines, roles } = scan;
  const found = attributionEndingAt((k) => (k === end || roles[k] === "own" ? lines[k]!.bare : ""), end);
  if (found === null) return null;
  if (found.strength === "strong") return found.start;
  const next = nextText(lines, end + 1);
  if (found.strength === "likely" && next < lines.length && !OPENS_SPEECH.test(lines[next]!.bare)) return found.start;
  const quoted = next < lines.length && next - end <= 4 && (lines[next]!.depth > 0 || isNamedQuote(lines, next));
  return quoted ? found.start : null;
}

function takeAttribution(scan: Scan, start: number, end: number): number {
  const { lines, roles } = scan;
  for (let k = start; k <= end; k += 1) if (roles[k] !== "blank") roles[k] = "attribution";
  scan.attributionSeen = true;
  const next = nextText(lines, end + 1);
  if (next >= lines.length) return next;
  if (lines[next]!.depth > 0) return quotedBlock(scan, next, true);
  if (isNamedQuote(lines, next)) return namedBlock(scan, next);
  // Earlier mail without marks extends to the end. With nothing above it, it is the whole text and is kept. "[…]" or a
  // greeting may be between the attribution and the first quoted line of an interleaved answer.
  if (quotesSoon(scan, next)) return end + 1;
  if (hasOwnBefore(scan, start)) return mark(scan, "history", start, lines.length);
  scan.ambiguous = true;
  return end + 1;
}

/** True when quoted lines begin within a few lines of `from`, and no further mail is announced before them. */
function quotesSoon({ lines }: Scan, from: number): boolean {
  const at = (k: number): string => (k >= from ? (lines[k]?.bare ?? "") : "");
  for (let k = from; k < Math.min(from + NEAR_LINES, lines.length); k += 1) {
    if (lines[k]!.depth > 0 || isNamedQuote(lines, k)) return true;
    if (markerOf(lines[k]!.bare) !== null || attributionEndingAt(at, k) !== null) return false;
  }
  return false;
}

/**
 * Reads the attribution element of Gmail and Thunderbird, which also introduces forwards. Other text typed into it is
 * the writer's own. When no attribution is recognized, the whole element is one, in an unknown language.
 */
function cuedAttribution(scan: Scan, i: number): number {
  const { lines, roles } = scan;
  const end = runOfCue(lines, i);
  for (let k = i; k < end; k += 1)
    if (markerOf(lines[k]!.inner) === "forward") return forwardFrom(scan, i, lines.length);
  const known = attributionAmong(lines, i, end);
  for (let k = i; k < end; k += 1) {
    if (roles[k] !== "blank") roles[k] = known && (k < known.start || k > known.end) ? "own" : "attribution";
  }
  scan.attributionSeen = true;
  const next = nextText(lines, end);
  if (next < lines.length && lines[next]!.depth > 0) return quotedBlock(scan, next, true);
  return end;
}

function attributionAmong(lines: readonly Line[], from: number, to: number): { start: number; end: number } | null {
  const at = (k: number): string => (k >= from && k < to ? lines[k]!.bare : "");
  for (let end = from; end < to; end += 1) {
    const found = attributionEndingAt(at, end);
    if (found !== null && found.strength !== "weak") return { start: found.start, end };
  }
  return null;
}

/** Reads quoted lines from `i` to the next line without marks. */
function quotedBlock(scan: Scan, i: number, attributed: boolean): number {
  const { lines, roles } = scan;
  let end = i;
  let shallow = Number.POSITIVE_INFINITY;
  for (let k = i; k < lines.length; k += 1) {
    const line = lines[k]!;
    if (line.bare === "") continue;
    if (line.depth === 0 || line.cue === "history" || line.cue === "forward") break;
    if (k > i && lines[k - 1]!.depth === 0 && line.bare.length > 1 && CLOSING_BRACKET.test(line.bare)) break;
    shallow = Math.min(shallow, line.depth);
    end = k + 1;
  }
  let first = i;
  while (first < end && lines[first]!.inner === "") first += 1;
  if (first >= end) return end;
  if (!attributed && markerOf(lines[first]!.inner) === "forward") return forwardFrom(scan, first, end);
  if (!attributed && shallow >= PROMPT_DEPTH && lines[i]!.cue === null && scan.firstOwn < i) {
    return mark(scan, "own", i, end);
  }
  const inside = attributionInside(scan, first, end);
  if (inside > first) for (let k = first; k < inside; k += 1) if (roles[k] === "quote") roles[k] = "attribution";
  const isMail =
    attributed ||
    inside > first ||
    isIntroduced(scan, i) ||
    lines[first]!.cue === "cite" ||
    scan.blockAt(first)?.certain === true;
  if (isMail) {
    scan.attributionSeen = true;
    for (let k = i; k < end; k += 1) scan.attributed[k] = true;
  }
  return end;
}

/** True when the writer's own sentence above introduces the quoted lines at `i`; that sentence is kept. */
function isIntroduced({ lines, roles }: Scan, i: number): boolean {
  const above = roles[i - 1] === "blank" ? i - 2 : i - 1;
  if (roles[above] !== "own") return false;
  const line = lines[above]!.bare;
  return introducesQuote(line) || (roles[above - 1] === "own" && introducesQuote(`${lines[above - 1]!.bare} ${line}`));
}

/**
 * Returns the index after the attribution that opens a quoted block (Apple Mail and others quote it, too); `first` if
 * there is none.
 */
function attributionInside(scan: Scan, first: number, end: number): number {
  const { lines } = scan;
  if (markerOf(lines[first]!.inner) === "original") return first + 1;
  const at = (k: number): string => (k >= first && k < end ? lines[k]!.inner : "");
  for (let k = first; k < Math.min(first + HEAD_LINES, end); k += 1) {
    const found = attributionEndingAt(at, k);
    if (found === null || found.start !== first) continue;
    const deeper = (lines[nextText(lines, k + 1)]?.depth ?? 0) > lines[k]!.depth;
    // Supercite: the attribution is quoted, and the text below it is marked with initials.
    const below = nextText(lines, k + 1);
    const named = below >= end && below < lines.length && isNamedQuote(lines, below);
    if (found.strength === "strong" || deeper || named) return k + 1;
  }
  return first;
}

const isNamedQuote = (lines: readonly Line[], i: number): boolean => NAMED_QUOTE.test(lines[i]!.bare);

function namedBlock(scan: Scan, i: number): number {
  const { lines, roles } = scan;
  const name = NAMED_QUOTE.exec(lines[i]!.bare)![0];
  let k = i;
  for (; k < lines.length && (lines[k]!.bare.startsWith(name) || lines[k]!.bare === ""); k += 1) {
    if (roles[k] === "blank") continue;
    roles[k] = "quote";
    scan.attributed[k] = true;
  }
  return k;
}

/** Reads a container that holds only earlier mail (Yahoo, Outlook mobile), or a forwarded message. */
function historyContainer(scan: Scan, i: number): number {
  const { lines } = scan;
  const end = runOfCue(lines, i);
  const forward = markerOf(lines[i]!.inner) === "forward";
  const block = scan.blockAt(i);
  if (forward || ((scan.forwarded || isNote(scan, i)) && block !== null)) return forwardFrom(scan, i, end);
  return mark(scan, "history", i, end);
}

/**
 * Reads earlier mail below a marker or a header block (`start` to `content`). Outlook writes the same block above a
 * reply's history and above a forward. A forward is recognized by its subject, by a note such as "FYI", or because
 * nothing is above it.
 */
function earlierMail(scan: Scan, start: number, content: number): number {
  const { lines, roles } = scan;
  const next = nextText(lines, content);
  if (markerOf(lines[start]!.bare) === "original" && next < lines.length && lines[next]!.depth > 0) {
    roles[start] = "attribution";
    return quotedBlock(scan, next, true);
  }
  if (scan.forwarded || !hasOwnBefore(scan, start) || isNote(scan, start))
    return forwardFrom(scan, start, lines.length);
  // Headers above a marked quote: text after the quote may be an answer to it.
  const text = next < lines.length ? nextText(lines, scan.blockAt(next)?.end ?? next) : next;
  if (text < lines.length && lines[text]!.depth > 0) {
    mark(scan, "attribution", rulesAbove(scan, start), text);
    return quotedBlock(scan, text, true);
  }
  return mark(scan, "history", rulesAbove(scan, start), lines.length);
}

/** Marks a forwarded message from its marker or header block at `start` up to `end`. */
function forwardFrom(scan: Scan, start: number, end: number): number {
  const { lines } = scan;
  mark(scan, "forward-header", rulesAbove(scan, start), start);
  mark(scan, "forward", start, end);
  let content = start;
  if (markerOf(lines[start]!.inner) !== null) content = nextText(lines, start + 1);
  if (lines[start]!.cue === "attribution") content = Math.max(content, runOfCue(lines, start));
  if (content < end) content = scan.blockAt(content)?.end ?? content;
  if (lines[start]!.cue === "cut") content = Math.max(content, runOfCue(lines, start));
  mark(scan, "forward-header", start, Math.min(content, end));
  return end;
}

/** True for a short note such as "FYI" above an Outlook header block. */
function isNote(scan: Scan, before: number): boolean {
  if (before > MAX_NOTE_LINES * 3) return false;
  const own = scan.lines.slice(0, before).filter((_, k) => scan.roles[k] === "own");
  const text = own.map((line) => line.bare).join(" ");
  return own.length <= MAX_NOTE_LINES && text.length <= MAX_NOTE_CHARS && NOTE.test(text);
}

function hasOwnBefore(scan: Scan, end: number): boolean {
  while (scan.firstOwn < end) {
    if (scan.roles[scan.firstOwn] === "own" && !isRule(scan.lines[scan.firstOwn]!.bare)) return true;
    scan.firstOwn += 1;
  }
  return false;
}

/** Returns the start of the drawn line above `i`, which belongs to the text below it; `i` when there is none. */
function rulesAbove(scan: Scan, i: number): number {
  let start = i;
  for (let k = i - 1; k >= 0 && k >= i - 3; k -= 1) {
    if (scan.roles[k] === "blank") continue;
    if (scan.roles[k] !== "own" || !isRule(scan.lines[k]!.bare)) break;
    start = k;
  }
  return start;
}

/**
 * True for header lines that the writer indented below their own sentence ending in a colon, with more of their text
 * below.
 */
function isExample({ lines, roles }: Scan, start: number, end: number): boolean {
  let above = start - 1;
  while (above >= 0 && roles[above] === "blank") above -= 1;
  if (above < 0 || roles[above] !== "own" || !/[\p{L}\p{N})][:：]$/u.test(lines[above]!.bare)) return false;
  const isIndented = (k: number): boolean => /^(?: {2,}|\t)/.test(lines[k]!.text);
  for (let k = start; k < end; k += 1) if (lines[k]!.bare !== "" && !isIndented(k)) return false;
  return (
    !isIndented(above) &&
    lines.slice(end, end + MAX_EXAMPLE_LINES).some(({ bare, text }) => bare !== "" && /^\S/.test(text))
  );
}

const ruledOff = (scan: Scan, i: number): boolean => rulesAbove(scan, i) < i;

function runOfCue(lines: readonly Line[], i: number): number {
  const cue = lines[i]!.cue;
  let end = i + 1;
  for (let k = i + 1; k < lines.length; k += 1) {
    if (lines[k]!.cue === cue) end = k + 1;
    else if (lines[k]!.bare !== "") break;
  }
  return end;
}

function nextText(lines: readonly Line[], i: number): number {
  let k = i;
  while (k < lines.length && lines[k]!.bare === "") k += 1;
  return k;
}

function mark(scan: Scan, role: Role, start: number, end: number): number {
  for (let k = start; k < end; k += 1) if (scan.roles[k] !== "blank" || role !== "own") scan.roles[k] = role;
  return end;
}
