import { StyleInliner } from "./css/inliner.ts";
import { TooMuchWork } from "./css/selectors.ts";
import { MAX_STYLE_CHARS } from "./sanitize-css.ts";
import { doctypeFor, layoutOf } from "./sanitize-doctype.ts";
import { type InlineLookup, imagePolicy, type RemovedPictures } from "./sanitize-images.ts";
import { linkifyText } from "./sanitize-links.ts";
import { type SafeFragment, sanitizeFragment } from "./sanitize-policy.ts";

/** Longer HTML is cut here, so that a browser can show the page. */
const MAX_HTML_CHARS = 12_000_000;
const MAX_TEXT_CHARS = 12_000_000;

/**
 * The content that a body may load: "none" only content of the mail, "remote" also pictures from the web, but never
 * open counters.
 */
export type ImageMode = "none" | "remote";

export interface BodyInput {
  html: string | null;
  /** Plain text, shown when there is no HTML. */
  text: string;
  images: ImageMode;
  /** Domain of the From address, to distinguish the sender's own pictures from others'; null when unknown. */
  senderDomain: string | null;
  /** Finds an inline part by Content-ID without angle brackets. */
  inline: InlineLookup;
  /** The end of the message is missing in this input. */
  truncated?: boolean;
}

export interface RenderedBody {
  page: string;
  /** The end of the message is missing on the page, which says so. */
  truncated: boolean;
  /** Number of remote pictures removed, by reason. */
  removed: RemovedPictures;
}

/** The page's own style: a white background, as mails assume, and content no wider than the window where possible. */
const PAGE_STYLE = [
  "html{background:#fff;color-scheme:light}",
  "body{margin:0;color:#1f2328;font:15px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;",
  "overflow-wrap:break-word}",
  "img{max-width:100%}pre{white-space:pre-wrap}",
  // Such a picture lets the column around it shrink to nothing.
  "@media (min-width:600px){td img,th img{max-width:none}}",
  "blockquote.cite{margin:8px 0 8px 4px;padding-left:12px;border-left:2px solid #d0d7de}",
  "div.text{padding:8px;white-space:pre-wrap;line-height:1.5}",
  "span.blocked{display:inline-block;box-sizing:border-box;min-width:16px;min-height:16px;max-width:100%;",
  "overflow:hidden;vertical-align:middle;background:#f2f4f6;color:#57606a;outline:1px dashed #d0d7de;",
  "outline-offset:-1px;font:12px/16px system-ui,sans-serif;text-decoration:none}",
  "p.notice{clear:both;margin:16px 8px;padding:8px 12px;border:1px solid #d4a72c;background:#fff8c5;color:#1f2328;",
  "font:14px system-ui,sans-serif}",
].join("");

/** For mails without margins of their own. */
const PAGE_MARGINS = "body{padding:8px}";

/**
 * Renders a complete, safe HTML document for `GET /messages/{id}/body`, without any script, form, frame or style sheet
 * of the mail. Mode "none" loads nothing; mode "remote" loads pictures by http(s), but no tracking pixels. Serve it
 * with {@link bodyHeaders}. The document repeats the policy for clients that put it into a `srcdoc`.
 */
export function renderPage(input: BodyInput): RenderedBody {
  const html = input.html ?? "";
  const isText = html.trim() === "";
  const truncated =
    input.truncated === true || (isText ? input.text.length > MAX_TEXT_CHARS : html.length > MAX_HTML_CHARS);
  const { fragment, removed } = isText ? ofText(input.text) : ofHtml(cut(html, MAX_HTML_CHARS), input);
  const page = [
    isText ? doctypeFor("<!doctype html>") : doctypeFor(html),
    '\n<html><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(input.images)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">',
    `<title></title><style>${PAGE_STYLE}${fragment.hasMargins ? "" : PAGE_MARGINS}`,
    `${fragment.tableInk === null ? "" : `body{color:${fragment.tableInk}}`}</style></head>\n`,
    `<body>${fragment.html}${truncated ? NOTICE : ""}</body></html>\n`,
  ].join("");
  return { page, truncated, removed };
}

interface Rendered {
  fragment: SafeFragment;
  removed: RemovedPictures;
}

function ofText(text: string): Rendered {
  const html = `<div class="text">${linkifyText(cut(text, MAX_TEXT_CHARS))}</div>`;
  return { fragment: { html, hasMargins: false, tableInk: null }, removed: {} };
}

/** A mail whose style sheets take too long is shown without them. */
function ofHtml(html: string, input: BodyInput): Rendered {
  const quirks = layoutOf(html) === "quirks";
  const render = (styles: StyleInliner | null): Rendered => {
    const removed: RemovedPictures = {};
    return { fragment: sanitizeFragment(html, imagePolicy(input, removed), styles, quirks), removed };
  };
  try {
    return render(StyleInliner.of(html, { quirks, maxStyleChars: MAX_STYLE_CHARS }));
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return render(null);
  }
}

/** Returns only the page. */
export function renderBody(input: BodyInput): string {
  return renderPage(input).page;
}

/**
 * Shown below a message whose end is missing. Cut HTML may end inside any element; `clear` moves the notice below it.
 */
const NOTICE =
  '<p class="notice" role="note">This message is longer than Postroom keeps. Parts of it are missing here. ' +
  "Download the original message to read all of it.</p>";

/** Response headers of the body endpoint, `X-Truncated` when the end of the message is missing. The sandbox has no scripts and no forms; its links open outside of it. */
export function bodyHeaders(images: ImageMode, truncated = false): Record<string, string> {
  return {
    ...(truncated ? { "X-Truncated": "true" } : {}),
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": `sandbox allow-popups allow-popups-to-escape-sandbox; ${contentPolicy(images)}; frame-ancestors 'self'`,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  };
}

/** {@link bodyHeaders} for the default mode, in which nothing is loaded. */
export const BODY_HEADERS = bodyHeaders("none");

/**
 * Returns the part of the policy that also works inside a document (CSP 3 §3.3: no sandbox, no frame-ancestors there).
 */
function contentPolicy(images: ImageMode): string {
  const sources = images === "remote" ? "data: http: https:" : "data:";
  return `default-src 'none'; img-src ${sources}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit);
}
