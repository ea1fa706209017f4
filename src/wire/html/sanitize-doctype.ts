/** Chooses how browsers lay out a mail: as its own document type asks for (HTML §13.2.6.4.1). */

/** The document types of pages, by layout. */
export const DOCTYPES = {
  standards: "<!doctype html>",
  /** As "standards", but a picture in a table cell leaves no gap below it. */
  limited:
    '<!doctype html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
  /** As browsers of 1998, for mail without a document type. */
  quirks: '<!doctype html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
};

/** Blanks, comments and XML declarations may come before the document type. */
const BEFORE = /(?:\s|\ufeff)+|<!--[\s\S]*?-->|<\?[^>]*>/y;
const DOCTYPE = /<!doctype\s+([^>]{1,300})>/iy;
const MAX_HEAD_CHARS = 4_096;
const PUBLIC = /^html\s+public\s*(?:"([^"]*)"|'([^']*)')\s*(["'])?/i;
const QUIRKS_ID =
  /^(?:-\/\/w3c\/\/dtd (?:html (?:3|4\.0 (?:frameset|transitional)\/\/|experimental)|w3 html)|-\/\/(?:w3o|ietf|netscape|microsoft)|(?:-\/w3c\/dtd html 4\.0 transitional\/en|html)$)/i;
/** These lay out with quirks without an address. */
const LOOSE_ID = /^-\/\/w3c\/\/dtd html 4\.01 (?:frameset|transitional)\/\//i;
const LIMITED_ID = /^-\/\/w3c\/\/dtd xhtml 1\.0 (?:frameset|transitional)\/\//i;

/** Returns the layout that browsers use for a mail. */
export function layoutOf(html: string): keyof typeof DOCTYPES {
  const head = html.slice(0, MAX_HEAD_CHARS);
  let start = 0;
  BEFORE.lastIndex = 0;
  while (BEFORE.test(head)) start = BEFORE.lastIndex;
  DOCTYPE.lastIndex = start;
  const text = DOCTYPE.exec(head)?.[1]?.trim();
  if (text === undefined || !/^html(?:\s|$)/i.test(text)) return "quirks";
  const [, double, single, system] = PUBLIC.exec(text) ?? [];
  const id = double ?? single ?? "";
  if (QUIRKS_ID.test(id)) return "quirks";
  if (LOOSE_ID.test(id)) return system === undefined ? "quirks" : "limited";
  return LIMITED_ID.test(id) ? "limited" : "standards";
}

/** Returns one of three fixed document types. */
export function doctypeFor(html: string): string {
  return DOCTYPES[layoutOf(html)];
}
