import sanitizeHtml from "sanitize-html";
import { ElementTree, type StyledElement } from "./css/elements.ts";
import type { StyleInliner } from "./css/inliner.ts";
import { type BodyBox, bodyBox, hintsOf } from "./sanitize-body.ts";
import { boundParse } from "./sanitize-bounds.ts";
import { TextContrast } from "./sanitize-contrast.ts";
import { type CleanDeclaration, cleanStyle, hidesElement } from "./sanitize-css.ts";
import type { ImagePolicy } from "./sanitize-images.ts";
import { LINK_ATTRIBUTES, safeLink } from "./sanitize-links.ts";

/** Elements that format text. No form, frame, media, plug-in, metadata, foreign (SVG, MathML) or scripted element. */
const TAGS = (
  "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details " +
  "dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav nobr ol " +
  "p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u " +
  "ul var wbr"
).split(" ");
const IS_KEPT = new Set(TAGS);

/** Elements whose content is not text of the mail and is removed with them. */
const WITHOUT_TEXT = (
  "datalist embed frameset iframe math noembed noframes option script select style svg " + "template textarea title xmp"
).split(" ");
/** Elements that never paint something. */
const UNSTYLED = new Set([...WITHOUT_TEXT, ..."base br head html link meta noscript wbr".split(" ")]);

const ATTRIBUTES: Record<string, string[]> = {
  "*": ["align", "aria-label", "bgcolor", "dir", "height", "lang", "role", "style", "title", "valign", "width"],
  a: ["href", "rel", "target"],
  details: ["open"],
  font: ["color", "face", "size"],
  hr: ["color", "noshade", "size"],
  img: ["alt", "border", "decoding", "hspace", "loading", "referrerpolicy", "src", "vspace"],
  li: ["value"],
  ol: ["reversed", "start", "type"],
  table: ["border", "cellpadding", "cellspacing", "frame", "rules", "summary"],
  td: ["abbr", "colspan", "headers", "nowrap", "rowspan", "scope"],
  th: ["abbr", "colspan", "headers", "nowrap", "rowspan", "scope"],
  ul: ["type"],
};

/** Number of cleaned styles to cache: mails repeat a few dozen of them thousands of times. */
const MAX_CACHED_STYLES = 2_000;
const MAX_CACHED_CHARS = 4_096;
/** Further elements with a style that is not cached lose it; a 5 MB report has half this number. */
const MAX_STYLES = 40_000;
/** Larger column and row spans are removed; browsers lay out 65,534 rows for one element that asks for them. */
const MAX_SPAN = 1000;

interface Look {
  css: string;
  declarations: readonly CleanDeclaration[];
  hidden: boolean;
}
const NO_LOOK: Look = { css: "", declarations: [], hidden: false };

/** The safe HTML of a mail. */
export interface SafeFragment {
  html: string;
  /** The mail sets the margins of the page itself. */
  hasMargins: boolean;
  /** The color of the page for tables, as #rrggbb, if they do not inherit the color of the mail's body. */
  tableInk: string | null;
}

/**
 * Returns the mail's HTML as a safe fragment, with the rules of its style sheets in style attributes. Runs in time
 * linear in its length for any content. @param quirks the page is laid out as by old browsers @throws TooMuchWork if the
 * style sheets take too long
 */
export function sanitizeFragment(
  html: string,
  policy: ImagePolicy,
  styles: StyleInliner | null,
  quirks: boolean,
): SafeFragment {
  const bounds = boundParse(html);
  const tree = styles?.tree ?? new ElementTree(quirks);
  const contrast = new TextContrast(quirks);
  const looks = new Map<string, Look>();
  /** For each open element: whether it or an enclosing one is not displayed. */
  const hidden: boolean[] = [];
  let element: StyledElement = tree.html;
  /** The box of the mail's body, which replaces `<body>`; null until it is known. */
  let box: BodyBox | null = null;
  let computed = 0;
  let latest = { source: "", look: NO_LOOK };

  function clean(source: string, isHidden: boolean): Look {
    const known = looks.get(source) ?? (source === latest.source ? latest.look : undefined);
    if (known !== undefined) return known;
    if (++computed > MAX_STYLES) return NO_LOOK;
    const { css, values, declarations } = cleanStyle(source, (address) => policy.background(address, isHidden));
    const look = { css, declarations, hidden: hidesElement(values) };
    // Each use of a picture is counted.
    if (hasPicture(source)) return look;
    latest = { source, look };
    if (looks.size < MAX_CACHED_STYLES && source.length <= MAX_CACHED_CHARS) looks.set(source, look);
    return look;
  }

  function hides(source: string): boolean {
    return hasPicture(source) ? hidesElement(cleanStyle(source).values) : clean(source, false).hidden;
  }

  /** Returns a style attribute with the rules for the element and its HTML attributes in it, not cleaned. */
  function styleOf(styled: StyledElement, isBody: boolean): string {
    const own = styled.attributes.style ?? "";
    const hints = hintsOf(styled, isBody, box?.linkColor ?? null);
    const parts = [hints, styles?.rulesFor(styled, own.length) ?? "", own];
    return parts.filter((part) => part.trim() !== "").join(";");
  }

  function openBox(): BodyBox {
    if (box === null) {
      const [outer, inner] = [tree.html, tree.body].map(
        (each) => clean(styleOf(each, each === tree.body), false).declarations,
      );
      box = bodyBox(tree, outer!, inner!, contrast);
    }
    return box;
  }

  /** Cleans the attributes allowed on any element and returns a copy. */
  function common(tagName: string, attribs: Record<string, string>): Record<string, string> {
    const isHidden = hidden.at(-1) === true;
    const look = attribs.style === undefined ? NO_LOOK : clean(attribs.style, isHidden);
    if (!IS_KEPT.has(tagName)) {
      if (!UNSTYLED.has(tagName) && tagName !== "body") contrast.discard(tagName, attribs, look.declarations);
      return attribs;
    }
    const ink = contrast.paint(tagName, attribs, look.declarations);
    const style = [look.css, ink === null ? "" : `color:${ink}`].filter((part) => part !== "").join(";");
    if (style === (attribs.style ?? "") && attribs.colspan === undefined && attribs.rowspan === undefined)
      return attribs;
    const kept: Record<string, string> = { ...attribs, style };
    for (const name of ["colspan", "rowspan"]) {
      const value = kept[name];
      if (value !== undefined && !(Number(value) >= 1 && Number(value) <= MAX_SPAN)) delete kept[name];
    }
    return kept;
  }

  const fragment = sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    // `cleanStyle` has done this, once for each distinct style.
    parseStyleAttributes: false,
    // The page styles these: a picture that is not shown, and a quote in a reply.
    allowedClasses: { blockquote: ["cite"], span: ["blocked"] },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https", "data"] },
    allowProtocolRelative: false,
    nonTextTags: WITHOUT_TEXT,
    disallowedTagsMode: "discard",
    parser: { Tokenizer: bounds.Tokenizer },
    onOpenTag(name, attribs) {
      bounds.opened(name);
      element = tree.open(name, { ...attribs });
      contrast.enter();
      let isHidden = attribs.hidden !== undefined;
      if (!UNSTYLED.has(name)) {
        openBox();
        const style = element === tree.body ? "" : styleOf(element, name === "body");
        if (style !== "") attribs.style = style;
        if (attribs.style !== undefined) isHidden ||= hides(attribs.style);
      }
      hidden.push(isHidden || hidden.at(-1) === true);
    },
    onCloseTag(name) {
      bounds.closed(name);
      tree.close();
      contrast.leave();
      hidden.pop();
    },
    transformTags: {
      img: (_name, attribs) => policy.image(attribs, hidden.at(-2) === true),
      a: (tagName, attribs) => ({ tagName, attribs: link(attribs) }),
      blockquote: (tagName, attribs) => ({
        tagName,
        attribs: /^cite$/i.test(attribs.type ?? "") ? { ...attribs, class: "cite" } : attribs,
      }),
      body: (tagName, { bgcolor: _isInStyle, ...attribs }) =>
        element === tree.body ? { tagName, attribs } : { tagName: "div", attribs },
      "*": (tagName, attribs) => ({ tagName, attribs: common(tagName, attribs) }),
    },
  });
  const { before, after, hasMargins } = openBox();
  return { html: `${before}${fragment}${after}`, hasMargins, tableInk: quirks ? contrast.bodyInk : null };
}

function hasPicture(style: string): boolean {
  return /url\(/i.test(style);
}

function link(attribs: Record<string, string>): Record<string, string> {
  const href = attribs.href === undefined ? null : safeLink(attribs.href);
  const { href: _href, target: _target, rel: _rel, ...kept } = attribs;
  return href === null ? kept : { ...kept, href, ...LINK_ATTRIBUTES };
}
