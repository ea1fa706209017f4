const MAX_URL_CHARS = 16_384;
/**
 * ASCII space and controls, and every Unicode space or invisible joiner, which a reader does not see before a scheme.
 */
const EDGE = /^[\s\0-\x20\x7f-\xa0\u00ad\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/;
const MAILTO_OR_TEL = /^(?:mailto|tel):[^\s]/i;
const MAX_WORD_CHARS = 2048;

/**
 * Returns the allowed target of a link, normalized by the URL standard, or null. Only absolute http, https, mailto and
 * tel URLs are kept; a bare "www.…" becomes http, as in mail programs. The result is the parsed URL, not the original
 * text, so that a browser cannot interpret it differently.
 */
export function safeLink(raw: string): string | null {
  if (raw.length > MAX_URL_CHARS) return null;
  // Browsers drop tabs and newlines anywhere inside a URL, and would then see a scheme that this check did not.
  const text = raw
    .replace(/[\t\n\r]/g, "")
    .replace(EDGE, "")
    .trimEnd();
  const candidate = /^www\.[a-z0-9-]/i.test(text) ? `http://${text}` : text;
  if (!/^https?:[/\\]{2}/i.test(candidate) && !MAILTO_OR_TEL.test(candidate)) return null;
  const url = URL.parse(candidate);
  return url !== null && ["http:", "https:", "mailto:", "tel:"].includes(url.protocol) ? url.href : null;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes element content and quoted attribute values. NUL, which HTML cannot express, becomes U+FFFD. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char).replace(/\0/g, "\ufffd");
}

/** Attributes of every link in a rendered mail: a new window without access to ours. */
export const LINK_ATTRIBUTES = { target: "_blank", rel: "noopener noreferrer" };

/** Converts plain text to HTML content: escaped, with links for web and mail addresses, white space unchanged. */
export function linkifyText(text: string): string {
  return text.replace(/\S+|\s+/g, (word) => (/[.@]/.test(word) ? linkifyWord(word) : escapeHtml(word)));
}

function linkifyWord(word: string): string {
  if (word.length > MAX_WORD_CHARS) return escapeHtml(word);
  const web = /(?<![a-z0-9])(?:https?:\/\/|www\.(?=[a-z0-9]))[^<>"`]+/i.exec(word);
  if (web) return linked(word, web.index, trimTail(web[0]), (found) => found);
  const mail = /[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/i.exec(word);
  return mail ? linked(word, mail.index, trimTail(mail[0]), (found) => `mailto:${found}`) : escapeHtml(word);
}

function linked(word: string, at: number, found: string, address: (found: string) => string): string {
  const href = safeLink(address(found));
  if (href === null) return escapeHtml(word);
  const { target, rel } = LINK_ATTRIBUTES;
  const link = `<a href="${escapeHtml(href)}" target="${target}" rel="${rel}">${escapeHtml(found)}</a>`;
  return `${escapeHtml(word.slice(0, at))}${link}${escapeHtml(word.slice(at + found.length))}`;
}

/**
 * Removes trailing punctuation, which belongs to the sentence, and a closing bracket that was opened outside the
 * address.
 */
function trimTail(found: string): string {
  const surplus: Record<string, number> = {};
  for (const [open, close] of ["()", "[]", "{}"] as const) {
    surplus[close as string] = found.split(close as string).length - found.split(open as string).length;
  }
  let end = found.length;
  for (; end > 0; end -= 1) {
    const char = found[end - 1] as string;
    if (/[.,;:!?'*_~|]/.test(char)) continue;
    const over = surplus[char] ?? 0;
    if (over <= 0) break;
    surplus[char] = over - 1;
  }
  return found.slice(0, end);
}
