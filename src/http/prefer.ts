/** The request header of RFC 7240. */
export const PREFER_HEADER = "Prefer";
/** The reply header that names the applied preference (RFC 7240 §3). */
export const APPLIED_HEADER = "Preference-Applied";
/** Its value: the only preference that this API supports. */
export const STRICT = "handling=strict";

const PREFERENCE = /^([!#$%&'*+\-.^_`|~0-9a-z]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?$/i;

/**
 * Returns whether the client wants unknown input refused rather than ignored: `Prefer: handling=strict` (RFC 7240
 * §4.4). Names and values are case-insensitive. The first of several `handling` preferences counts; malformed parts are
 * ignored.
 * @param header the value of all `Prefer` headers, joined by commas; null if there is none
 */
export function prefersStrict(header: string | null): boolean {
  if (header === null) return false;
  for (const part of splitOutsideQuotes(header, ",")) {
    const [, name, quoted, token] = PREFERENCE.exec(splitOutsideQuotes(part, ";")[0]!.trim()) ?? [];
    if (name?.toLowerCase() !== "handling") continue;
    const value = quoted?.replace(/\\(.)/g, "$1") ?? token ?? "";
    return value.toLowerCase() === "strict";
  }
  return false;
}

/** Splits at separators outside quoted strings (RFC 9110 §5.6.4). An unterminated quoted string extends to the end. */
function splitOutsideQuotes(text: string, separator: "," | ";"): string[] {
  const parts: string[] = [];
  let start = 0;
  let inQuotes = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inQuotes && char === "\\") i++;
    else if (char === '"') inQuotes = !inQuotes;
    else if (char === separator && !inQuotes) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
