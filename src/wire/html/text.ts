/** Converts HTML mail to plain text. */
import { type HtmlLine, htmlToLines } from "./text-lines.ts";

/**
 * Returns readable plain text of an HTML body. Paragraphs and lists keep their shape, tables are laid out row by row,
 * and quotes have "> ". Links show their address when it says more than their text, and images show only their
 * description. Styles, scripts and invisible content (preview text, letters of zero size or of their background's
 * color) are left out. Never throws; runs in linear time. Lines end in LF.
 */
export function htmlToText(html: string): string {
  return htmlToLines(html).map(quotedLine).join("\n");
}

/** Returns one line with the "> " prefixes of its quote depth. */
export function quotedLine(line: HtmlLine): string {
  if (line.depth === 0) return line.text;
  return `${"> ".repeat(line.depth)}${line.text}`.trimEnd();
}
