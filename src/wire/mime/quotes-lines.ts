/** The lines of a message with what can be seen of each by itself. */
import type { Cue } from "./quotes-html.ts";

export interface SourceLine {
  /** As it is given back, quote marks included. */
  text: string;
  /** What the HTML says about it; null for plain text. */
  cue: Cue | null;
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

export function readLines(source: readonly SourceLine[]): Line[] {
  const lines = source.map(readLine);
  for (let i = 1; i < lines.length - 1; i += 1) {
    const before = lines[i - 1]!;
    const line = lines[i]!;
    if (line.depth > 0 || line.bare === "" || before.depth === 0 || lines[i + 1]!.depth === 0) continue;
    const address = /^<?https?:\/\/\S+>?$/.test(line.bare);
    const rest = before.bare.length >= WRAPPED_FROM && line.bare.length <= MAX_REST && /^\p{Ll}|^\d/u.test(line.bare);
    if (address || rest) line.depth = before.depth;
  }
  return lines;
}

function readLine({ text, cue }: SourceLine): Line {
  const bare = PLAIN.test(text) ? text.trim() : text.replace(INVISIBLE, "").replace(SPACES, " ").trim();
  let at = 0;
  let depth = 0;
  while (at < bare.length && depth < MAX_MARKS && (bare[at] === ">" || bare[at] === " ")) {
    if (bare[at] === ">") depth += 1;
    at += 1;
  }
  // ">From" at the start of a line is the mbox escape, not a quote.
  if (depth === 1 && /^>From \S/.test(bare)) return { text, cue, bare, inner: bare.slice(1), depth: 0 };
  return { text, cue, bare, inner: depth === 0 ? bare : bare.slice(at), depth };
}
