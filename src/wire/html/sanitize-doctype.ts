/** Chooses how browsers lay out a mail: as its own document type asks for (HTML §13.2.6.4.1). */

const DOCTYPES = {
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
const WITHOUT_QUIRKS = /^html\s*(?:$|system\s+["']about:legacy-compat["'])/i;
const PUBLIC =
  /^html\s+public\s+["']\s*-\/\/w3c\/\/dtd (x?)html ([\d.]+)(?: (transitional|frameset|strict|final))?\/\/[^"']*["']\s*(["'])?/i;

/** Returns the layout of a mail. Document types that are not usual in mail are "quirks". */
export function layoutOf(html: string): keyof typeof DOCTYPES {
  const head = html.slice(0, MAX_HEAD_CHARS);
  let start = 0;
  BEFORE.lastIndex = 0;
  while (BEFORE.test(head)) start = BEFORE.lastIndex;
  DOCTYPE.lastIndex = start;
  const text = DOCTYPE.exec(head)?.[1]?.trim();
  if (text === undefined) return "quirks";
  if (WITHOUT_QUIRKS.test(text)) return "standards";
  const [, x, version, variant, system] = PUBLIC.exec(text) ?? [];
  const isLoose = /^(?:transitional|frameset)$/i.test(variant ?? "");
  if (x) return isLoose ? "limited" : "standards";
  if (version === "4.01" && system !== undefined) return isLoose ? "limited" : "standards";
  return version === "4.01" && !isLoose ? "standards" : "quirks";
}

/** Returns one of three fixed document types. */
export function doctypeFor(html: string): string {
  return DOCTYPES[layoutOf(html)];
}
