/** Builds the text of a message from its text parts. */
import { decodeText } from "../charset/charset.ts";
import { skimHtml } from "../html/skim.ts";
import { htmlToText } from "../html/text.ts";
import { unflow } from "./flowed.ts";
import { decodePart } from "./transfer.ts";

/** One text part with its bytes as they are in the message. */
export interface TextPart {
  mime: string;
  charset: string | null;
  encoding: string;
  flowed: boolean;
  delSp: boolean;
  /** Parts of one group are alternatives of each other. */
  group: number;
  bytes: Uint8Array;
  /** The bytes are only the beginning of the part. */
  cut: boolean;
}

export interface JoinedText {
  text: string;
  html: string | null;
  /** Part of the content is left out. */
  cut: boolean;
}

/** HTML longer than this, in UTF-16 units, is reduced to its visible content, within LIMITS. */
const LONG_HTML = 8_000_000;
const LIMITS = { text: 6_000_000, data: 11_000_000 };

function kept(html: string): { text: string; cut: boolean } {
  return html.length <= LONG_HTML ? { text: html, cut: false } : skimHtml(html, LIMITS);
}

/**
 * Joins the text parts of a message. `text` has each group's plain text, or its HTML as text when it has no other.
 * `html` is null when no part is HTML; else it has each group's HTML, or its plain text as HTML. Neither loses a part
 * that only the other has.
 */
export function joinText(parts: TextPart[]): JoinedText {
  let cut = false;
  const groups = new Map<number, { plain: string[]; html: string[] }>();
  for (const part of parts) {
    const group = groups.get(part.group) ?? { plain: [], html: [] };
    groups.set(part.group, group);
    const read = part.mime === "text/html" ? kept(textOfPart(part)) : { text: textOfPart(part), cut: false };
    cut ||= read.cut || part.cut;
    (part.mime === "text/html" ? group.html : group.plain).push(read.text);
  }
  const list = [...groups.values()];
  const text = list.map(({ plain, html }) => joinLines(plain.some(hasText) ? plain : html.map(htmlToText)));
  if (list.every((group) => group.html.length === 0)) return { text: joinLines(text), html: null, cut };
  const html = list.map(({ plain, html }) => joinLines(html.length > 0 ? html : plain.filter(hasText).map(asHtml)));
  return { text: joinLines(text), html: joinLines(html), cut };
}

/** Returns the decoded text of a part, with LF line ends. */
function textOfPart(part: TextPart): string {
  const encoding = encodingOf(part);
  const encoded = part.cut && /quoted/.test(encoding) ? withoutCutEscape(part.bytes) : part.bytes;
  let text = decodeText(decodePart(encoded, encoding), part.charset ?? declaredInside(part), part.cut);
  if (text.includes("\r")) text = withPlainLineEnds(text);
  if (text.includes("\0")) text = text.replace(/\0+/g, "");
  if (part.mime === "text/html") return part.cut ? withoutCutTag(text) : text;
  const whole = withoutLostBoundary(text);
  return part.flowed ? unflow(whole, part.delSp) : whole;
}

/** The closing line of a multipart that list software took apart: a long word between dashes that no one writes. */
const LOST_BOUNDARY =
  /(?:^|\n)--(?!-*$)(?=[^\n]*\d)(?:[-=_.]*(?:=_|_?NextPart|Boundary|Part_|Apple-Mail|Mark)[\w'()+,./:=?-]{6,70}|[\w=]{20,70})--\s*$/i;

function withoutLostBoundary(text: string): string {
  let end = text.length;
  for (let lines = 0; lines < MAX_LOST_BOUNDARIES; lines++) {
    const start = Math.max(0, end - TAIL_CHARS);
    const found = LOST_BOUNDARY.exec(text.slice(start, end));
    if (!found) break;
    end = start + found.index;
  }
  return end === text.length ? text : `${text.slice(0, end)}\n`;
}

const TAIL_CHARS = 200;
const MAX_LOST_BOUNDARIES = 10;

/** Returns the actual encoding of the bytes, which may differ from the declared one. */
export function encodingOf({ encoding, bytes }: Pick<TextPart, "encoding" | "bytes">): string {
  return /base64/.test(encoding) && !looksBase64(bytes) ? "" : encoding;
}

/** Tries plain replacements first: a pattern takes several times as long and seldom has anything left to do. */
function withPlainLineEnds(text: string): string {
  const single = (text.includes("\r\r\n") ? text.replaceAll("\r\r\n", "\n") : text).replaceAll("\r\n", "\n");
  return single.includes("\r") ? single.replaceAll("\r", "\n") : single;
}

/** Returns the charset that HTML declares itself, for parts without a charset in the header. */
export function declaredInside(part: Pick<TextPart, "mime" | "bytes" | "encoding">): string | null {
  if (part.mime !== "text/html") return null;
  const head = Buffer.from(decodePart(part.bytes.subarray(0, 4096), part.encoding)).toString("latin1", 0, 2048);
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{2,40})/i.exec(head)?.[1] ?? null;
}

/**
 * True for base64. Text that is only labeled base64 begins with a line that has blanks inside, or letters outside the
 * alphabet.
 */
function looksBase64(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString("latin1", 0, 2048).trim();
  const firstLine = head.slice(0, head.search(/\r?\n|$/));
  if (/^[A-Za-z0-9+/]{2,}={1,2}(?:\s|$)/.test(firstLine)) return true;
  return !/[^A-Za-z0-9+/=\s_-]|\S[ \t]+\S/.test(firstLine);
}

function withoutCutEscape(bytes: Uint8Array): Uint8Array {
  const tail = Buffer.from(bytes.subarray(-2)).toString("latin1");
  const at = tail.indexOf("=");
  return at < 0 ? bytes : bytes.subarray(0, bytes.length - tail.length + at);
}

/** Removes an unfinished tag or character reference at the end of cut HTML, which would show as text. */
function withoutCutTag(html: string): string {
  const open = html.lastIndexOf("<");
  const whole = open > html.lastIndexOf(">") ? html.slice(0, open) : html;
  const reference = whole.lastIndexOf("&");
  return reference >= whole.length - 12 && /^&#?\w*$/.test(whole.slice(reference)) ? whole.slice(0, reference) : whole;
}

function hasText(text: string): boolean {
  return /\S/.test(text);
}

function joinLines(pieces: string[]): string {
  let out = "";
  for (const piece of pieces) {
    if (piece === "") continue;
    out += out === "" || out.endsWith("\n") ? piece : `\n${piece}`;
  }
  return out;
}

function asHtml(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<div style="white-space: pre-wrap">${escaped}</div>`;
}
