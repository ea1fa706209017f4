import { cleanStyle, hidesElement } from "./sanitize-css.ts";
import { isInvisibleImage, type Reason, type RemoteImage, removalReason } from "./sanitize-trackers.ts";

/** Maximum size of one embedded picture, and of all in one mail, in characters of the `data:` URL. */
const MAX_DATA_URL_CHARS = 14_000_000;
const MAX_DATA_TOTAL_CHARS = 36_000_000;
/** Further pictures are left out, since 13 bytes of mail become 200 bytes of page. */
const MAX_IMAGES = 5_000;

/**
 * Raster types, which a browser only decodes. SVG is excluded because it is a document. The values are the registered
 * names.
 */
const IMAGE_TYPES: Record<string, string> = {
  "image/png": "image/png",
  "image/x-png": "image/png",
  "image/jpeg": "image/jpeg",
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/gif": "image/gif",
  "image/webp": "image/webp",
  "image/avif": "image/avif",
  "image/bmp": "image/bmp",
  "image/x-ms-bmp": "image/bmp",
};

export type InlineLookup = (contentId: string) => { mime: string; content: Uint8Array } | null;

type Attributes = Record<string, string>;

/** The element that replaces an `<img>` in the page; `text` is plain text. */
interface ImageReplacement {
  tagName: "img" | "span";
  attribs: Attributes;
  text?: string;
}

/** Number of remote pictures removed, by reason. */
export type RemovedPictures = { [R in Reason]?: number };

/** Decides on each picture of one mail. */
export interface ImagePolicy {
  /** Replaces an `<img>`. `hiddenAround`: an enclosing element is not displayed. */
  image: (attribs: Attributes, hiddenAround: boolean) => ImageReplacement;
  /** Returns the URL of a background picture, or null when it is not shown. `hidden`: its element is not displayed. */
  background: (address: string, hidden: boolean) => string | null;
}

/**
 * Returns the policy for one rendered mail. It tracks the size of embedded pictures and counts removed ones in
 * `removed`.
 */
export function imagePolicy(
  input: { images: "none" | "remote"; senderDomain: string | null; inline: InlineLookup },
  removed: RemovedPictures = {},
): ImagePolicy {
  let embeddedChars = 0;
  let images = 0;
  const embedded = new Map<string, string | null>();

  function embed(dataUrl: string | null): string | null {
    if (dataUrl === null || dataUrl.length > MAX_DATA_URL_CHARS) return null;
    if (embeddedChars + dataUrl.length > MAX_DATA_TOTAL_CHARS) return null;
    embeddedChars += dataUrl.length;
    return dataUrl;
  }

  function byContentId(raw: string): string | null {
    const id = decode(raw.slice("cid:".length).trim()).replace(/^<|>$/g, "");
    let dataUrl = embedded.get(id);
    if (dataUrl === undefined) {
      const part = input.inline(id);
      const type = part === null ? undefined : IMAGE_TYPES[part.mime.toLowerCase().split(";")[0]?.trim() ?? ""];
      dataUrl = part === null || type === undefined ? null : toDataUrl(type, part.content);
      embedded.set(id, dataUrl);
    }
    return embed(dataUrl);
  }

  /** True for a remote picture that is never shown, which is then counted. */
  function isRemoved(picture: RemoteImage): boolean {
    const reason = removalReason(picture, input.senderDomain);
    if (reason !== null) removed[reason] = (removed[reason] ?? 0) + 1;
    return reason !== null;
  }

  return {
    image(attribs, hiddenAround) {
      images += 1;
      if (images > MAX_IMAGES) return nothing();
      const source = (attribs.src ?? "").trim();
      const facts = imageFacts(attribs);
      if (/^cid:/i.test(source)) return shown(byContentId(source), facts);
      if (/^data:/i.test(source)) return shown(embed(cleanDataUrl(source)), facts);
      const url = remoteUrl(source);
      if (url === null) return source === "" && facts.alt === "" ? nothing() : placeholder(facts);
      const { width, height } = facts;
      if (isRemoved({ url, width, height, hidden: hiddenAround || facts.hidden }))
        return isInvisibleImage(width, height) && !facts.hidden ? spacer(facts) : nothing();
      if (input.images === "none") return placeholder(facts);
      return {
        tagName: "img",
        attribs: { ...facts.kept, src: url.href, referrerpolicy: "no-referrer", loading: "lazy", decoding: "async" },
      };
    },
    background(address, hidden) {
      images += 1;
      if (images > MAX_IMAGES) return null;
      if (/^cid:/i.test(address)) return byContentId(address);
      if (/^data:/i.test(address)) return embed(cleanDataUrl(address));
      const url = remoteUrl(address);
      // The size of a background is not known: its element is larger than a counter in any case.
      if (url === null || isRemoved({ url, width: null, height: null, hidden })) return null;
      return input.images === "none" ? null : inCss(url);
    },
  };
}

interface ImageFacts {
  /** Attributes that are kept regardless of the picture's URL. */
  kept: Attributes;
  alt: string;
  width: number | null;
  height: number | null;
  hidden: boolean;
  style: Map<string, string>;
}

const KEPT = ["alt", "title", "width", "height", "align", "border", "hspace", "vspace", "style", "class"];

function imageFacts(attribs: Attributes): ImageFacts {
  const { values } = cleanStyle(attribs.style ?? "");
  const kept: Attributes = {};
  for (const name of KEPT) if (attribs[name] !== undefined) kept[name] = attribs[name];
  const size = (side: "width" | "height") =>
    smallest(length(values.get(side)) ?? length(attribs[side]), length(values.get(`max-${side}`)));
  return {
    kept,
    alt: (attribs.alt ?? "").trim(),
    width: size("width"),
    height: size("height"),
    hidden: hidesElement(values) || attribs.hidden !== undefined,
    style: values,
  };
}

function smallest(declared: number | null, limit: number | null): number | null {
  return declared === null || limit === null ? declared : Math.min(declared, limit);
}

/** Returns a declared length in px; relative units count as 100 unless they are 0. Null when there is none ("auto"). */
function length(value: string | undefined): number | null {
  const match = /^\s*(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})\s*([a-z]+|%)?/i.exec(value ?? "");
  if (!match) return null;
  const number = Number(match[1]);
  const unit = (match[2] ?? "px").toLowerCase();
  if (unit === "px") return number;
  if (unit === "pt") return number * (4 / 3);
  return number === 0 ? 0 : 100;
}

function shown(dataUrl: string | null, facts: ImageFacts): ImageReplacement {
  return dataUrl === null ? placeholder(facts) : { tagName: "img", attribs: { ...facts.kept, src: dataUrl } };
}

/** sanitize-html cannot remove an element without copying the whole result, so an empty span remains. */
function nothing(): ImageReplacement {
  return { tagName: "span", attribs: {} };
}

/** Returns an element with the space of a spacer image, without the image. */
function spacer(facts: ImageFacts): ImageReplacement {
  const width = Math.min(facts.width ?? 1, 64);
  const height = Math.min(facts.height ?? 1, 64);
  if (width <= 1 && height <= 1) return nothing();
  return { tagName: "span", attribs: { style: `display:inline-block;width:${width}px;height:${height}px` } };
}

/** Returns a plain box of the same size that shows the image's text, as mail programs do. */
function placeholder(facts: ImageFacts): ImageReplacement {
  const attribs: Attributes = { class: "blocked", role: "img" };
  if (facts.alt !== "") attribs["aria-label"] = facts.alt;
  if (facts.kept.title !== undefined) attribs.title = facts.kept.title;
  attribs.style = boxStyle(facts);
  return facts.alt === "" ? { tagName: "span", attribs } : { tagName: "span", attribs, text: facts.alt };
}

/**
 * Returns the box's own style followed by the image's: sizes from HTML attributes, and the aspect ratio of the image.
 */
function boxStyle(facts: ImageFacts): string {
  const style: string[] = [];
  const { width, height } = facts.kept;
  if (width !== undefined && /^\d{1,5}%?$/.test(width.trim())) style.push(`width:${cssLength(width)}`);
  const fixed = height !== undefined && /^\d{1,5}%?$/.test(height.trim());
  const ratio = /^\d{1,5}$/.test(width?.trim() ?? "") && /^\d{1,5}$/.test(height?.trim() ?? "");
  if (ratio && facts.style.get("height") === "auto") style.push(`aspect-ratio:${width?.trim()} / ${height?.trim()}`);
  else if (fixed) style.push(`height:${cssLength(height)}`);
  // The page gives boxes without a size a minimum size; a line of 1 px must stay a line.
  if (facts.width !== null) style.push("min-width:0");
  if (facts.height !== null) style.push("min-height:0");
  // A ruled line made of an image: inside a line of text it would grow to the height of the text.
  if ((facts.width ?? 0) >= 24 && facts.height !== null && facts.height <= 4) style.push("display:block");
  if (facts.kept.style !== undefined) style.push(facts.kept.style);
  return style.join(";");
}

function cssLength(attribute: string): string {
  const text = attribute.trim();
  return text.endsWith("%") ? text : `${text}px`;
}

/**
 * Returns an http or https URL, resolved as a browser would; "//host/path" becomes https. Null for URLs that need a
 * base.
 */
function remoteUrl(source: string): URL | null {
  const text = source.replace(/[\t\n\r]/g, "").replace(/^[\\/]{2}/, "https://");
  if (!/^https?:[\\/]{2}/i.test(text) || text.length > 8192) return null;
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || isLocal(url.hostname)) return null;
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

/** Returns a URL without the characters that end or escape an unquoted `url()` (CSS Syntax 3 §4.3.6). */
function inCss({ href }: URL): string {
  return href.replace(/[^\x21-\x7e]|["'()\\<>{};]/g, (char) => {
    const encoded = encodeURIComponent(char);
    return encoded === char ? `%${char.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
  });
}

/**
 * True for a host in the reader's own network. Mail must not reach devices there: a picture's URL can be a command to a
 * router.
 */
function isLocal(host: string): boolean {
  if (host.startsWith("[")) return /^\[(?:::|f[cd]|fe[89ab]|::ffff:)/i.test(host);
  const parts = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (!parts) return !host.includes(".") || /\.(?:local|localhost|internal|lan|home|home\.arpa)\.?$/i.test(host);
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  if (first === 0 || first === 10 || first === 127 || (first === 169 && second === 254)) return true;
  if (first === 100 && second >= 64 && second <= 127) return true;
  return (first === 172 && second >= 16 && second <= 31) || (first === 192 && second === 168);
}

/** Returns a base64 raster image with its type normalized and its white space removed; null for everything else. */
function cleanDataUrl(source: string): string | null {
  if (source.length > MAX_DATA_URL_CHARS) return null;
  const comma = source.indexOf(",");
  const head = source.slice("data:".length, comma).toLowerCase().split(";");
  const type = IMAGE_TYPES[head[0]?.trim() ?? ""];
  if (comma < 0 || type === undefined || !head.slice(1).some((part) => part.trim() === "base64")) return null;
  const body = source.slice(comma + 1).replace(/\s+/g, "");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(body) ? `data:${type};base64,${body}` : null;
}

function toDataUrl(type: string, content: Uint8Array): string {
  return `data:${type};base64,${content.toBase64()}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
