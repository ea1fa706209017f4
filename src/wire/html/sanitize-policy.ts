import sanitizeHtml from "sanitize-html";
import { boundParse } from "./sanitize-bounds.ts";
import { ALLOWED_STYLES, cleanStyle, hidesElement } from "./sanitize-css.ts";
import type { ImagePolicy } from "./sanitize-images.ts";
import { LINK_ATTRIBUTES, safeLink } from "./sanitize-links.ts";

/** Elements that format text. No form, frame, media, plug-in, metadata, foreign (SVG, MathML) or scripted element. */
const TAGS = (
  "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details " +
  "dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav nobr ol " +
  "p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u " +
  "ul var wbr"
).split(" ");

/** Elements whose content is not text of the mail and is removed with them. */
const WITHOUT_TEXT = (
  "datalist embed frameset iframe math noembed noframes option script select style svg " + "template textarea title xmp"
).split(" ");

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
const STYLE_MEMORY = 500;
/** Further styled elements lose their style; a 5 MB report has half this number. */
const MAX_STYLED = 40_000;
/** Larger column and row spans are removed; browsers lay out 65,534 rows for one element that asks for them. */
const MAX_SPAN = 1000;

/** Returns the mail's HTML as a safe fragment. Runs in time linear in its length for any content. */
export function sanitizeFragment(html: string, image: ImagePolicy): string {
  const bounds = boundParse(html);
  const styles = new Map<string, { css: string; hidden: boolean }>();
  /** For each open element: whether it or an enclosing one is not displayed. */
  const hidden: boolean[] = [];

  let styled = 0;

  function style(source: string): { css: string; hidden: boolean } {
    let known = styles.get(source);
    if (known === undefined) {
      const { css, values } = cleanStyle(source);
      known = { css, hidden: hidesElement(values) };
      if (styles.size < STYLE_MEMORY) styles.set(source, known);
    }
    return known;
  }

  return sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedStyles: ALLOWED_STYLES,
    allowedClasses: { span: ["blocked"] },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https", "data"] },
    allowProtocolRelative: false,
    nonTextTags: WITHOUT_TEXT,
    disallowedTagsMode: "discard",
    parser: { Tokenizer: bounds.Tokenizer },
    onOpenTag(name, attribs) {
      bounds.opened(name);
      const own = attribs.hidden !== undefined || (attribs.style !== undefined && style(attribs.style).hidden);
      hidden.push(own || hidden.at(-1) === true);
    },
    onCloseTag(name) {
      bounds.closed(name);
      hidden.pop();
    },
    transformTags: {
      img: (_name, attribs) => image(attribs, hidden.at(-2) === true),
      a: (tagName, attribs) => ({ tagName, attribs: link(attribs) }),
      body: (_name, attribs) => ({ tagName: "div", attribs: bodyAttributes(attribs) }),
      "*"(tagName, attribs) {
        if (attribs.style !== undefined && ++styled > MAX_STYLED) delete attribs.style;
        return { tagName, attribs: common(attribs, style) };
      },
    },
  });
}

/** Cleans the attributes allowed on any element and returns a copy. */
function common(attribs: Record<string, string>, style: (source: string) => { css: string }): Record<string, string> {
  if (attribs.style === undefined && attribs.colspan === undefined && attribs.rowspan === undefined) return attribs;
  const kept = { ...attribs };
  if (kept.style !== undefined) kept.style = style(kept.style).css;
  for (const name of ["colspan", "rowspan"]) {
    const value = kept[name];
    if (value !== undefined && !(Number(value) >= 1 && Number(value) <= MAX_SPAN)) delete kept[name];
  }
  return kept;
}

function link(attribs: Record<string, string>): Record<string, string> {
  const href = attribs.href === undefined ? null : safeLink(attribs.href);
  const { href: _href, target: _target, rel: _rel, ...kept } = attribs;
  return href === null ? kept : { ...kept, href, ...LINK_ATTRIBUTES };
}

/** Returns attributes for a box with the colors of `<body bgcolor text>` (HTML 4.01 §7.5.1). */
function bodyAttributes(attribs: Record<string, string>): Record<string, string> {
  const style = [attribs.style ?? ""];
  const color = (value: string | undefined) => (/^(?:#?[0-9a-f]{3,6}|[a-z]{3,20})$/i.test(value ?? "") ? value : null);
  const ink = color(attribs.text);
  const paper = color(attribs.bgcolor);
  if (ink) style.unshift(`color:${hash(ink)}`);
  if (paper) style.unshift(`background-color:${hash(paper)}`);
  return { style: style.join(";"), ...(attribs.dir === undefined ? {} : { dir: attribs.dir }) };
}

function hash(color: string): string {
  return /^[0-9a-f]{6}$/i.test(color) ? `#${color}` : color;
}
