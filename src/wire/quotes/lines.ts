/** The lines of a message with the properties of each single line. */
import type { Cue } from "./html.ts";

export interface SourceLine {
  /** The line as it is returned, quote marks included. */
  text: string;
  /** The cue from the HTML; null for plain text. */
  cue: Cue | null;
  /** True for a part of the previous line that has its own role. */
  joined?: boolean;
}

export interface Line extends SourceLine {
  /** Trimmed, invisible characters removed, quote marks included. */
  bare: string;
  /** `bare` without the quote marks. */
  inner: string;
  /** Number of ">" marks at the start. */
  depth: number;
}

const INVISIBLE = /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u1427]/g;
const SPACES = /[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
/** Only printable ASCII: nothing to replace. */
const PLAIN = /^[\x20-\x7e]*$/;
const MAX_MARKS = 200;
/** A quoted line this long was probably wrapped in transit, and its remainder lost the mark. */
const WRAPPED_FROM = 60;
const MAX_REST = 40;
/** Minimum width at which programs wrap lines. */
const WRAP_WIDTH = 72;
/** A short line that starts like this between quoted lines is an answer to them. */
const ANSWER =
  /^(?:yes|no|yep|nope|yeah|ok|okay|sure|done|agreed|right|true|maybe|thanks|i|we|ja|nein|klar|gern|oui|non|sí|si|no|não|sim|da|да|нет|так|ні|tak|nie|ano|ne|hai|joo|ei|nej|evet|hayır)(?!\p{L})/iu;

/**
 * Returns `text` with a plain blank for each invisible character and each other kind of blank; its length is unchanged.
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, " ").replace(SPACES, " ");
}

/**
 * Returns the lines of a text with their depth of quoting. The remainder of a wrapped quoted line gets the depth of the
 * line before it, and so does a URL between quoted lines.
 */
export function readLines(source: readonly SourceLine[]): Line[] {
  const lines = source.map(readLine);
  for (let i = 1; i < lines.length - 1; i += 1) {
    const before = lines[i - 1]!;
    const line = lines[i]!;
    if (line.depth > 0 || line.bare === "" || before.depth === 0 || lines[i + 1]!.depth === 0) continue;
    const address = /^<?https?:\/\/\S+>?$/.test(line.bare);
    if (address || isRestOf(before.bare, line.bare)) line.depth = before.depth;
  }
  return lines;
}

/**
 * True when `line` is the remainder of a quoted line that a program wrapped. Own words between quoted lines must not
 * match.
 */
function isRestOf(quoted: string, line: string): boolean {
  if (quoted.length < WRAPPED_FROM || line.length > MAX_REST || !/^\p{Ll}|^\d/u.test(line)) return false;
  if (/[.?!:;…]["')]*$/.test(quoted) || ANSWER.test(line)) return false;
  return quoted.length + 1 + line.split(" ", 1)[0]!.length >= WRAP_WIDTH;
}

function readLine({ text, cue, joined }: SourceLine): Line {
  const bare = PLAIN.test(text) ? text.trim() : text.replace(INVISIBLE, "").replace(SPACES, " ").trim();
  let at = 0;
  let depth = 0;
  while (at < bare.length && depth < MAX_MARKS && (bare[at] === ">" || bare[at] === " ")) {
    if (bare[at] === ">") depth += 1;
    at += 1;
  }
  // ">From" at the start of a line is the mbox escape, not a quote.
  if (depth === 1 && /^>From \S/.test(bare)) return { text, cue, joined, bare, inner: bare.slice(1), depth: 0 };
  return {
    text,
    cue,
    joined,
    bare,
    inner: depth === 0 ? bare : bare.slice(at),
    depth,
  };
}
