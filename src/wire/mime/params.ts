/** Parses Content-Type and Content-Disposition values (RFC 2045 §5.1, RFC 2183) with the parameters of RFC 2231. */
import { decodeText } from "../charset/charset.ts";
import { decodeWords } from "./encoded-words.ts";

export interface StructuredValue {
  /** In lower case, without blanks and comments: "text/plain", "attachment"; "" when there is none. */
  value: string;
  /** By name in lower case, decoded; of equal names the first counts. */
  params: Map<string, string>;
}

/** Longer values are hostile; real ones stay far below. */
const MAX_LENGTH = 32 * 1024;
/** Parameters kept per value. */
const MAX_PARAMS = 500;

/** Parses an unfolded value. Never throws; runs in linear time. */
export function parseStructured(text: string): StructuredValue {
  const pieces = splitPieces(withoutComments(text.slice(0, MAX_LENGTH)));
  const value = (pieces.shift() ?? "").replace(/["\s]+/g, "").toLowerCase();
  const found = new Map<string, string>();
  for (const piece of pieces.slice(0, MAX_PARAMS)) {
    const equals = piece.indexOf("=");
    const name = (equals < 0 ? piece : piece.slice(0, equals)).replace(/\s+/g, "").toLowerCase();
    if (name !== "" && equals >= 0 && !found.has(name)) found.set(name, unquote(piece.slice(equals + 1)));
  }
  return { value, params: joinContinuations(found) };
}

/**
 * Removes comments, which may nest (RFC 5322 §3.2.2). A parenthesis inside a token, as in `Invoice(1).pdf`, is text,
 * and so is one that is never closed.
 */
function withoutComments(text: string): string {
  if (!text.includes("(")) return text;
  let out = "";
  let quoted = false;
  let depth = 0;
  let opened = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    if (letter === "\\" && (quoted || depth > 0)) {
      if (depth === 0) out += letter + (text[i + 1] ?? "");
      i++;
    } else if (depth > 0) {
      if (letter === "(") depth++;
      else if (letter === ")") depth--;
    } else if (letter === "(" && !quoted && isComment(text, i)) {
      depth = 1;
      opened = i;
    } else {
      if (letter === '"') quoted = !quoted;
      out += letter;
    }
  }
  return depth > 0 ? out + text.slice(opened) : out;
}

/** A longer comment is not searched for its end. */
const LOOKAHEAD_CHARS = 200;

/**
 * True for the start of a comment: not after a letter (`Invoice(1).pdf`), and in a parameter only at its end
 * (`name=File (1).pdf`).
 */
function isComment(text: string, open: number): boolean {
  if (/[\w.\-%]/.test(text[open - 1] ?? " ")) return false;
  const parameter = text.lastIndexOf("=", open) > text.lastIndexOf(";", open);
  return !parameter || !/^\([^()]*\)[ \t]*[^ \t;(]/.test(text.slice(open, open + LOOKAHEAD_CHARS));
}

/** Names that begin a parameter even when the ";" before them is missing. */
const KNOWN_NAME = /^(?:charset|name|filename|boundary|format|delsp|type|size|method|[\w-]{1,20}\*\d{0,3}\*?)[ \t]*=/i;

/** Splits at ";" outside quoted strings. A quote that never closes is ignored. */
function splitPieces(text: string, lastQuote = text.length): string[] {
  const pieces: string[] = [];
  let quoted = false;
  let start = 0;
  let opened = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    if (quoted && letter === "\\") i++;
    else if (letter === '"' && i < lastQuote) {
      quoted = !quoted;
      opened = i;
    } else if (quoted) continue;
    else if (letter === ";") {
      pieces.push(text.slice(start, i));
      start = i + 1;
    } else if (
      letter === " " &&
      i > start &&
      KNOWN_NAME.test(text.slice(i + 1, i + 24)) &&
      text.slice(start, i).trim()
    ) {
      pieces.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (quoted) return splitPieces(text, opened);
  pieces.push(text.slice(start));
  return pieces;
}

/** Returns the text of a quoted string, without any text after it. The closing quote may be missing. */
function unquote(text: string): string {
  const value = text.trim();
  if (value[0] !== '"') return value;
  let out = "";
  for (let i = 1; i < value.length; i++) {
    const letter = value[i]!;
    if (letter === '"') break;
    // Windows paths appear unescaped in quoted strings, so only quotes and backslashes count as escaped.
    if (letter === "\\" && (value[i + 1] === '"' || value[i + 1] === "\\")) out += value[++i];
    else out += letter;
  }
  return out;
}

interface Section {
  number: number;
  encoded: boolean;
  value: string;
}

/**
 * Joins the sections of RFC 2231 §3 and §4: `name*0*=utf-8''a%20; name*1=b` becomes `name`, and takes precedence over a
 * plain `name` in the same value.
 */
function joinContinuations(found: Map<string, string>): Map<string, string> {
  const params = new Map<string, string>();
  const sections = new Map<string, Section[]>();
  for (const [key, value] of found) {
    const match = /^([^*]+)\*(?:(\d{1,4})(\*)?)?$/.exec(key);
    if (!match) {
      if (!key.includes("*")) params.set(key, decodeWords(value));
      continue;
    }
    const encoded = match[2] === undefined || match[3] !== undefined;
    const list = sections.get(match[1]!) ?? [];
    list.push({ number: Number(match[2] ?? 0), encoded, value });
    sections.set(match[1]!, list);
  }
  for (const [name, list] of sections) params.set(name, textOf(list));
  return params;
}

function textOf(sections: Section[]): string {
  sections.sort((a, b) => a.number - b.number);
  let charset: string | null = null;
  const head = sections[0]!;
  const tagged = head.encoded ? /^([^']{0,80})'[^']{0,80}'/.exec(head.value) : null;
  if (tagged) {
    charset = tagged[1] || "utf-8";
    head.value = head.value.slice(tagged[0].length);
  }
  // A character may be split between sections, so their bytes are joined before decoding.
  const bytes = sections.map((section) =>
    section.encoded ? percentDecode(section.value) : Buffer.from(section.value),
  );
  if (sections.every((section) => section.encoded)) return decodeText(Buffer.concat(bytes), charset);
  const joined = sections.some((section) => section.encoded)
    ? decodeText(Buffer.concat(bytes), charset)
    : sections.map((section) => section.value).join("");
  return decodeWords(joined);
}

function percentDecode(value: string): Buffer {
  const raw = Buffer.from(value);
  const out = Buffer.alloc(raw.length);
  let length = 0;
  for (let i = 0; i < raw.length; i++) {
    const pair = raw[i] === 0x25 ? raw.toString("latin1", i + 1, i + 3) : "";
    if (/^[0-9a-fA-F]{2}$/.test(pair)) {
      out[length++] = Number.parseInt(pair, 16);
      i += 2;
    } else out[length++] = raw[i]!;
  }
  return out.subarray(0, length);
}
