/** Decides how images and links appear in plain text. */
import type { Attributes } from "./text-events.ts";

const MAX_URL = 120;
const MAX_ALT = 120;
const FILE_NAME = /^[\w .()-]{1,80}\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?)$/i;
/** Words that describe decoration, not content. */
const DECORATION = /^(?:image|img|logo|icon|banner|spacer|picture|photo|pixel|bild|inline image \d*|image removed.*)$/i;
/** Redirects of mailing services: the address means nothing to a reader and identifies the recipient. */
const REDIRECT =
  /(?:^|[./])(?:click|clicks|track|tracking|trk|links?|email|e|go|t|lnk|url\d*|sendgrid|mailchimp|list-manage)\.[^/]+\/.{20,}/i;

/**
 * Returns the alternative text of an image if it is meaningful, else "". Tracking pixels and file names have no
 * meaningful text.
 */
export function imageText(attributes: Attributes): string {
  const alt = (attributes.get("alt") ?? "").replace(/\s+/g, " ").trim();
  if (alt === "" || alt.length > MAX_ALT || !/\p{L}|\p{Extended_Pictographic}/u.test(alt)) return "";
  if (FILE_NAME.test(alt) || DECORATION.test(alt)) return "";
  const tiny = [attributes.get("width"), attributes.get("height")].some((size) => size === "0" || size === "1");
  return tiny ? "" : alt;
}

/**
 * Returns the address to show next to a link's text; null for page-internal, scripted, very long and tracked addresses.
 */
export function linkUrl(href: string): string | null {
  const url = href.trim();
  if (url.length === 0 || url.length > MAX_URL) return null;
  if (/^mailto:/i.test(url)) return url.replace(/\?.*$/s, "");
  if (!/^https?:\/\/[^\s<>"]+$/i.test(url)) return null;
  return REDIRECT.test(url.replace(/^https?:\/\//i, "")) ? null : url;
}
