/** Parses address headers (RFC 5322 §3.4, RFC 6532) with postal-mime's parser, working around its gaps. */
import { addressParser } from "postal-mime";
import { recodeWords } from "./encoded-words.ts";
import type { Address } from "./types.ts";

/** Longer headers are read up to here: some 5,000 mailboxes. */
const MAX_LENGTH = 256 * 1024;

/** One mailbox in the usual form: an address, alone or in angle brackets after a name of words. */
const USUAL_MAILBOX =
  /(?:(?:"([\w.-]+(?: [\w.-]+)*)" ?|([\w.-]+(?: [\w.-]+)*) ?)?<([\w.+=-]+@[\w.-]+)>|([\w.+=-]+@[\w.-]+))(?:, ?|$)/y;

/**
 * Returns the mailboxes of a value that contains only usual ones; null for any other. Spares the parser most of its
 * work.
 */
function usualMailboxes(text: string): Address[] | null {
  const addresses: Address[] = [];
  for (let at = 0; at < text.length; at = USUAL_MAILBOX.lastIndex) {
    USUAL_MAILBOX.lastIndex = at;
    const found = USUAL_MAILBOX.exec(text);
    if (!found) return null;
    addresses.push({ name: found[1] ?? found[2] ?? "", email: (found[3] ?? found[4])! });
  }
  return addresses;
}

/**
 * Parses the mailboxes of an unfolded header value, with groups flattened to their members. Charsets of encoded names
 * are decoded here. Comments, source routes ("<@relay:a@b>"), "mailto:" and blanks around "@" and "." are removed from
 * the address.
 */
export function parseAddresses(text: string): Address[] {
  const usual = text.length <= MAX_LENGTH ? usualMailboxes(text) : null;
  if (usual) return usual;
  const addresses: Address[] = [];
  for (const found of addressParser(recodeWords(simplified(bounded(text))), { flatten: true })) {
    const email = cleanEmail(found.address ?? "");
    const name = cleanName(found.name);
    if (email !== "" || name !== "") addresses.push({ name: name === email ? "" : name, email });
  }
  return addresses;
}

/** Cuts between two mailboxes, since half a mailbox would be another address. */
function bounded(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const comma = text.lastIndexOf(",", MAX_LENGTH);
  return text.slice(0, comma > 0 ? comma : MAX_LENGTH);
}

/**
 * Rewrites constructs that postal-mime's parser does not support. Comments that nest or contain escapes become plain
 * ones, and those inside "<>" are removed. A group inside a group, which RFC 5322 does not allow, loses its colon;
 * otherwise the parser would read it again for each level.
 */
function simplified(text: string): string {
  const colon = text.indexOf(":");
  if (!text.includes("(") && (colon < 0 || text.indexOf(":", colon + 1) < 0)) return text;
  const out: string[] = [];
  let quoted = false;
  let angle = false;
  let group = false;
  let comment = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    if (letter === "\\" && (quoted || comment > 0)) {
      i++;
      if (comment === 0) out.push(letter, text[i] ?? "");
    } else if (comment > 0) {
      if (letter === "(") comment++;
      else if (letter === ")" && --comment === 0 && !angle) out.push(") ");
      else if (letter !== ")" && !angle) out.push(letter);
    } else if (letter === '"') {
      quoted = !quoted;
      out.push(letter);
    } else if (letter === "(" && !quoted) {
      comment = 1;
      if (!angle) out.push(" (");
    } else {
      if (!quoted) angle = letter === "<" || (angle && letter !== ">");
      const nested = letter === ":" && group && !quoted && !angle;
      if (letter === ":" && !quoted && !angle) group = true;
      if (letter === ";" && !quoted) group = false;
      out.push(nested ? " " : letter);
    }
  }
  if (comment > 0 && !angle) out.push(")");
  return out.join("");
}

function cleanEmail(address: string): string {
  return address
    .replace(/^mailto:/i, "")
    .replace(/^@[^:]*:/, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([@.]) ?/g, "$1")
    .replace(/[\u0000-\u0020\u007f<>]+/g, "");
}

/** Returns the name on one line: a name that decodes to line breaks must not be able to add header lines anywhere. */
function cleanName(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f\s]+/g, " ").trim();
}
