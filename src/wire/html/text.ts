/** Converts HTML mail to plain text. */
import { type HtmlLine, htmlToLines } from "./text-lines.ts";

/**
 * Readable plain text of an HTML body: paragraphs and lists keep their shape, tables are laid out row by row, quotes
 * carry "> ", links show their address where it says more than their text, and images only their description.
 * Styles, scripts and what readers do not see (preview text, letters of no size or of their background's colour) are left out. Never throws; linear time. Lines end in "\n".
 */
export function htmlToText(html: string): string {
  return htmlToLines(html).map(quotedLine).join("\n");
}

/** Returns one line with the "> " prefixes of its quote depth. */
export function quotedLine(line: HtmlLine): string {
  if (line.depth === 0) return line.text;
  return `${"> ".repeat(line.depth)}${line.text}`.trimEnd();
}
