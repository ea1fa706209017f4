import { createHash } from "node:crypto";

/**
 * On servers without Gmail's extension, labels are IMAP keywords. A keyword is an atom, servers ignore its case, and
 * Dovecot takes at most about 50 characters. A label is therefore written as `pr_` + lower-case base32 of its UTF-8
 * bytes. A longer label becomes `prh_` + a hash, and only clients that have seen the label can resolve it.
 */
const ENCODED = "pr_";
const HASHED = "prh_";
const LONGEST_KEYWORD = 50;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** Keywords that mail programs set for their own use, not labels that people chose. */
const SYSTEM_KEYWORDS = new Set([
  ...["junk", "nonjunk", "notjunk", "forwarded", "mdnsent", "redirected", "recent", "unseen", "important"],
  ...["receipt-handled", "attachment", "hasattachment", "hasnoattachment", "signed", "encrypted"],
]);

/** Returns the keyword of a label. */
export function labelToKeyword(label: string): string {
  const bytes = Buffer.from(label.normalize("NFC"));
  const encoded = ENCODED + base32(bytes);
  if (encoded.length <= LONGEST_KEYWORD) return encoded;
  return HASHED + base32(createHash("sha256").update(bytes).digest().subarray(0, 20));
}

/**
 * Returns the label of a keyword; null for keywords that are not labels of the user.
 * @param lookup finds a known label by its `prh_` keyword
 */
export function keywordToLabel(keyword: string, lookup: (keyword: string) => string | null): string | null {
  const lower = keyword.toLowerCase();
  if (lower.startsWith(HASHED)) return lookup(lower);
  if (lower.startsWith(ENCODED)) return decode(lower.slice(ENCODED.length));
  if (keyword.startsWith("\\") || keyword.startsWith("$") || SYSTEM_KEYWORDS.has(lower)) return null;
  return keyword;
}

function decode(text: string): string | null {
  if (!/^[a-z2-7]+$/.test(text)) return null;
  const bytes: number[] = [];
  let value = 0;
  let bits = 0;
  for (const char of text) {
    value = ((value << 5) | BASE32.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 0xff);
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(bytes)) || null;
  } catch {
    return null;
  }
}

function base32(bytes: Uint8Array): string {
  let text = "";
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >>> bits) & 31];
    }
  }
  if (bits > 0) text += BASE32[(value << (5 - bits)) & 31];
  return text;
}
