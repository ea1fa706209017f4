/** Decodes encoded words in headers (RFC 2047, with the language tags of RFC 2231 §5). */
import { decodeText } from "../charset/charset.ts";
import { decodePart } from "./transfer.ts";

interface EncodedWord {
  start: number;
  end: number;
  charset: string;
  encoding: "B" | "Q";
  content: string;
}

/** Maximum length of a charset name; also bounds the search for the "?" that ends it. */
const LONGEST_NAME = 80;

/**
 * Returns `text` with its encoded words decoded. Neighboring words of one charset are joined as bytes first, because
 * senders split them inside a character against §5; the blanks between words are removed. Accepts common violations:
 * words next to other text or in quoted strings, blanks or "?" inside a word, missing base64 padding. Runs in linear
 * time.
 */
export function decodeWords(text: string): string {
  return replaceRuns(text, (decoded) => decoded);
}

/**
 * Returns the text with each run of encoded words written as one base64 word in UTF-8. This is for a parser that must
 * not see the commas and brackets of a decoded name, and that supports fewer charsets.
 */
export function recodeWords(text: string): string {
  return replaceRuns(text, (decoded) => `=?utf-8?B?${Buffer.from(decoded).toString("base64")}?=`);
}

function replaceRuns(text: string, write: (decoded: string) => string): string {
  if (!text.includes("=?")) return text;
  const out: string[] = [];
  let done = 0;
  let run: EncodedWord[] = [];
  const flush = () => {
    if (run.length > 0) out.push(write(textOf(run)));
    run = [];
  };
  for (const word of wordsOf(text)) {
    const between = text.slice(done, word.start);
    if (run.length === 0 || /[^ \t\r\n]/.test(between)) {
      flush();
      out.push(between);
    }
    run.push(word);
    done = word.end;
  }
  flush();
  out.push(text.slice(done));
  return out.join("");
}

function textOf(run: EncodedWord[]): string {
  let text = "";
  for (let i = 0; i < run.length; ) {
    let last = i + 1;
    while (last < run.length && run[last]!.charset === run[i]!.charset) last++;
    const group = run.slice(i, last);
    const joined = decodeText(bytesOf(group, true), run[i]!.charset);
    // Some senders leave padding out, others cut base64 anywhere; only the bytes show which.
    text += joined.includes("\ufffd") ? decodeText(bytesOf(group, false), run[i]!.charset) : joined;
    i = last;
  }
  return text;
}

/** Returns the bytes of words. With `joined`, the base64 of neighbors without padding is one text. */
function bytesOf(group: EncodedWord[], joined: boolean): Uint8Array {
  if (group.length === 1) return bytesOfWord(group[0]!);
  const pieces: Uint8Array[] = [];
  for (let i = 0; i < group.length; i++) {
    const word = { ...group[i]! };
    const contents = [word.content];
    while (joined && isOpenBase64(group[i]!) && group[i + 1]?.encoding === "B") contents.push(group[++i]!.content);
    pieces.push(bytesOfWord({ ...word, content: contents.join("") }));
  }
  return Buffer.concat(pieces);
}

function isOpenBase64(word: EncodedWord): boolean {
  return word.encoding === "B" && !word.content.endsWith("=");
}

function bytesOfWord(word: EncodedWord): Uint8Array {
  return word.encoding === "Q" ? fromQ(word.content) : decodePart(Buffer.from(word.content), "base64");
}

/**
 * Yields the words in order. Each search for a closing "?=" starts after the last word, and stops for good once there
 * is none.
 */
function* wordsOf(text: string): Generator<EncodedWord> {
  let from = 0;
  while (true) {
    const start = text.indexOf("=?", from);
    if (start < 0) return;
    const word = wordAt(text, start);
    if (word === "none left") return;
    if (word) yield word;
    from = word ? word.end : start + 2;
  }
}

function wordAt(text: string, start: number): EncodedWord | null | "none left" {
  const head = /^=\?([^?\s=]+)\?([QqBb])\?/.exec(text.slice(start, start + LONGEST_NAME));
  if (!head) return null;
  const body = start + head[0].length;
  const quoted = head[2]!.toUpperCase() === "Q";
  let close = text.indexOf("?=", body);
  if (close < 0) return "none left";
  // A raw "?" before an escape ("What?=20now?=") is not the end.
  while (quoted && /^[0-9A-F]{2}/.test(text.slice(close + 2, close + 4))) {
    const later = text.indexOf("?=", close + 2);
    if (later < 0 || later - close > LONGEST_NAME) break;
    close = later;
  }
  const content = text.slice(body, close);
  if (content.includes("=?")) return null;
  const charset = head[1]!.replace(/\*.*$/, "").toLowerCase();
  return { start, end: close + 2, charset, encoding: quoted ? "Q" : "B", content };
}

/** Decodes Q encoding (RFC 2047 §4.2): "_" is a space, "=XX" a byte. A folded word loses its fold. */
function fromQ(content: string): Uint8Array {
  const raw = Buffer.from(content.replace(/\s+_?/g, " ").replaceAll("_", " "));
  const out = new Uint8Array(raw.length);
  let length = 0;
  for (let i = 0; i < raw.length; i++) {
    const pair = raw[i] === 0x3d ? raw.toString("latin1", i + 1, i + 3) : "";
    if (/^[0-9a-fA-F]{2}$/.test(pair)) {
      out[length++] = Number.parseInt(pair, 16);
      i += 2;
    } else out[length++] = raw[i]!;
  }
  return out.subarray(0, length);
}
