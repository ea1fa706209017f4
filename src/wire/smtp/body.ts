/** Turns what people write into the two forms that a message carries: HTML and plain text. */
import { htmlToText } from "../html/text.ts";
import { cleanOutgoingHtml } from "./outgoing-html.ts";

export interface BodyForms {
  text: string;
  /** A fragment without a surrounding document; null when the body is empty. */
  html: string | null;
}

const TAG =
  /<(\/?)(a|b|blockquote|body|br|code|div|em|font|h[1-6]|hr|html|i|img|li|ol|p|pre|s|span|strong|style|table|u|ul)(?:[\s/][^<>]*)?>/gi;
const VOID_ELEMENT = /^(?:br|hr|img)$/i;

/**
 * Distinguishes simple HTML from plain text. A body is HTML when it begins with an HTML tag (or a doctype), or when it
 * contains a complete HTML element: `<br>`, `<hr>`, `<img …>`, or an opening tag followed by its closing tag. "Use <b>
 * for bold" and "a < b > c" are text.
 */
export function bodyKind(body: string): "html" | "text" {
  const start = body.trimStart();
  if (/^<!doctype html\b/i.test(start)) return "html";
  const open = new Set<string>();
  for (const match of body.matchAll(TAG)) {
    const name = match[2]!.toLowerCase();
    const closing = match[1] !== "";
    if (!closing && match.index === body.length - start.length) return "html";
    if (VOID_ELEMENT.test(name) || (closing && open.has(name))) return "html";
    if (!closing) open.add(name);
  }
  return "text";
}

/**
 * Returns both forms of a body. HTML is cleaned to what mail needs; plain text becomes paragraphs, quotes and links.
 */
export function bodyForms(body: string): BodyForms {
  if (body.trim() === "") return { text: "", html: null };
  if (bodyKind(body) === "text") return { text: body, html: textToHtml(body) };
  const html = cleanOutgoingHtml(body);
  return { text: htmlToText(html), html: html.trim() === "" ? null : html };
}

/**
 * Returns plain text as HTML that looks the same: one element per line, quotes as blockquotes, web addresses as links.
 */
export function textToHtml(text: string): string {
  const out: string[] = [];
  let depth = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { level, content } = quoted(line);
    for (; depth < level; depth++) out.push(`<blockquote style="${QUOTE_STYLE}">`);
    for (; depth > level; depth--) out.push("</blockquote>");
    out.push(content.trim() === "" ? "<div><br></div>" : `<div>${linked(content)}</div>`);
  }
  out.push("</blockquote>".repeat(depth));
  return out.join("\n").trimEnd();
}

const QUOTE_STYLE = "margin:0 0 0 0.8ex;border-left:1px solid #ccc;padding-left:1ex";
/** Deeper quotes are shown at this depth. */
const MAX_DEPTH = 20;

function quoted(line: string): { level: number; content: string } {
  const marks = /^(?:> ?)+/.exec(line)?.[0] ?? "";
  return { level: Math.min(marks.replaceAll(" ", "").length, MAX_DEPTH), content: line.slice(marks.length) };
}

function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/)
    .map((piece, index) =>
      index % 2 === 1 ? `<a href="${escaped(piece)}">${escaped(piece)}</a>` : spaced(escaped(piece)),
    )
    .join("");
}

/** Keeps blanks that HTML would collapse: the indentation of a line and runs inside it. */
function spaced(html: string): string {
  return html.replace(/\t/g, "    ").replace(/^ | (?= )/g, "&nbsp;");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
