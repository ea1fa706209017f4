/** Reads recipients as people type them, checked against RFC 5322 §3.4, RFC 5321 §4.5.3.1 and RFC 6531 §3.3. */
import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";

/** One mailbox. In `email` the domain is in A-labels (RFC 5890) and lower case; the local part is as written. */
export interface MailAddress {
  name: string;
  email: string;
}

/**
 * Reports which recipient cannot be used and why. `param` is "to[1]", or the field alone when the whole field is at
 * fault.
 */
export class AddressFault extends Error {
  override readonly name = "AddressFault";
  readonly field: string;
  readonly index: number;

  /** @param index position in the field; below 0 for the field as a whole */
  constructor(field: string, index: number, reason: string) {
    super(reason);
    this.field = field;
    this.index = index;
  }

  get param(): string {
    return this.index < 0 ? this.field : `${this.field}[${this.index}]`;
  }
}

const MAX_TEXT = 1000;
/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, two of them the angle brackets. */
const MAX_EMAIL_BYTES = 254;
const MAX_LOCAL_BYTES = 64;

const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10ffff}]";
const DOT_ATOM = new RegExp(`^${ATEXT}+(?:\\.${ATEXT}+)*$`, "u");
const QUOTED_LOCAL = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"$/u;
/** Line breaks, other controls, and the separators that some programs treat as line breaks. */
const UNWRITABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Cs}/u;

/**
 * Parses exactly one mailbox: `a@b`, `<a@b>`, `Name <a@b>`, `"Last, First" <a@b>` or `a@b (Name)`. A comma in an
 * unquoted name is part of the name, since a list is never expected here. Returns null for anything else.
 */
export function parseRecipient(text: string): MailAddress | null {
  if (text.length > MAX_TEXT || UNWRITABLE.test(text)) return null;
  const trimmed = text.trim();
  const found = trimmed.endsWith(">") ? splitAngle(trimmed) : splitComment(trimmed);
  if (!found) return null;
  const email = normalizeEmail(found.email);
  return email === null ? null : { name: found.name === found.email ? "" : found.name, email };
}

/** Parses every recipient of one field. @throws AddressFault that names the first recipient that cannot be used */
export function parseRecipients(field: "to" | "cc" | "bcc", values: readonly string[]): MailAddress[] {
  return values.map((value, index) => {
    const address = parseRecipient(value);
    if (!address) throw new AddressFault(field, index, "This is not a single email address, such as a@example.org.");
    return address;
  });
}

/**
 * Returns the address in its form for SMTP: domain in lower case and A-labels, local part untouched. Returns null when
 * RFC 5321 and RFC 6531 do not allow the address.
 */
export function normalizeEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  if (at < 1 || UNWRITABLE.test(email)) return null;
  const local = email.slice(0, at);
  const domain = normalizeDomain(email.slice(at + 1));
  if (domain === null) return null;
  if (!DOT_ATOM.test(local) && !QUOTED_LOCAL.test(local)) return null;
  // RFC 6531 would allow these characters, but in an address they only make it look like another one.
  if (/[^\u0000-\u007f]/.test(local) && /[\p{Z}\p{Cf}]/u.test(local)) return null;
  if (Buffer.byteLength(local) > MAX_LOCAL_BYTES) return null;
  const whole = `${local}@${domain}`;
  return Buffer.byteLength(whole) <= MAX_EMAIL_BYTES ? whole : null;
}

/** True when an address can only be written if the server supports SMTPUTF8 (RFC 6531 §3.1). */
export function needsSmtpUtf8(emails: Iterable<string>): boolean {
  for (const email of emails) if (/[^\u0000-\u007f]/.test(email)) return true;
  return false;
}

/**
 * True when both addresses mean the same mailbox. Domains never depend on case. Local parts may by RFC 5321 §2.4, but
 * no provider we know distinguishes them, so a reply to oneself is recognized in any spelling.
 */
export function sameAddress(a: string, b: string): boolean {
  return comparable(a) === comparable(b);
}

function comparable(email: string): string {
  return (normalizeEmail(email.trim()) ?? email.trim()).toLowerCase();
}

function splitAngle(text: string): { name: string; email: string } | null {
  const open = text.lastIndexOf("<");
  if (open < 0) return null;
  const name = readName(text.slice(0, open).trim());
  return name === null ? null : { name, email: text.slice(open + 1, -1).trim() };
}

/** Splits "a@b (Name)", which RFC 5322 §3.4 calls old and people still paste. */
function splitComment(text: string): { name: string; email: string } | null {
  const match = /^([^\s()"]+)\s*\(([^()\\]*)\)$/.exec(text);
  return match ? { name: match[2]!.trim(), email: match[1]! } : { name: "", email: text };
}

function readName(text: string): string | null {
  if (/^"(?:[^"\\]|\\.)*"$/u.test(text)) return text.slice(1, -1).replace(/\\(.)/gu, "$1").trim();
  if (/[<>"]/.test(text)) return null;
  // "a@b.org, c@d.org <e@f.org>" is a list in one string, and the intended recipient is unclear.
  return text.includes("@") && /[,;]/.test(text) ? null : text;
}

function normalizeDomain(domain: string): string | null {
  if (domain.startsWith("[") && domain.endsWith("]")) return literalDomain(domain);
  // Characters that URL parsing would drop, decode or read as something other than a host name.
  if (domain.length > 253 || /[\s%/\\?#:@[\]<>"()]/.test(domain)) return null;
  const ascii = domainToASCII(domain).toLowerCase();
  const labels = ascii.split(".");
  if (ascii.length > 253 || !labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return null;
  return /^\d+$/.test(labels.at(-1)!) ? null : ascii;
}

/** Parses an address literal (RFC 5321 §4.1.3). */
function literalDomain(domain: string): string | null {
  const inner = domain.slice(1, -1);
  if (isIPv4(inner)) return domain;
  return /^ipv6:/i.test(inner) && isIPv6(inner.slice(5)) && !inner.includes("%") ? domain.toLowerCase() : null;
}
