/** The lines of a message with what can be seen of each by itself. */
import type { Cue } from "./html.ts";

export interface SourceLine {
  /** As it is given back, quote marks included. */
  text: string;
  /** What the HTML says about it; null for plain text. */
  cue: Cue | null;
  /** The rest of the line before it, of which it is a part with a meaning of its own. */
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
/** A quoted line this long was probably wrapped by a program on its way, and the rest lost its mark. */
const WRAPPED_FROM = 60;
const MAX_REST = 40;
/** No program wraps a line earlier. */
const WRAP_WIDTH = 72;
/** A short line that starts like this between quoted lines answers them. */
const ANSWER =
  /^(?:yes|no|yep|nope|yeah|ok|okay|sure|done|agreed|right|true|maybe|thanks|i|we|ja|nein|klar|gern|oui|non|sí|si|no|não|sim|da|да|нет|так|ні|tak|nie|ano|ne|hai|joo|ei|nej|evet|hayır)(?!\p{L})/iu;

/** `text` with a blank for each invisible character and each blank of another kind: of the same length. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, " ").replace(SPACES, " ");
}

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

/** True where `line` is what a program cut off a quoted line; own words between quoted lines must not be taken for it. */
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
