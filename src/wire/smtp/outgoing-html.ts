/** Cleans outgoing HTML by a small allow list, so that no sent message contains a script, form or style sheet. */
import sanitizeHtml from "sanitize-html";
import { boundParse } from "../html/sanitize-bounds.ts";

const TAGS = (
  "a abbr b big blockquote br caption center cite code col colgroup dd del div dl dt em figcaption figure font h1 h2 " +
  "h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td tfoot th " +
  "thead tr tt u ul var wbr"
).split(" ");

/** Elements whose content is not text of the message. */
const WITHOUT_TEXT = (
  "applet audio button embed frameset head iframe math noembed noframes noscript object option script select style svg " +
  "template textarea title video xmp"
).split(" ");

const ATTRIBUTES: Record<string, string[]> = {
  "*": ["align", "bgcolor", "dir", "height", "lang", "style", "title", "valign", "width"],
  a: ["href"],
  blockquote: ["cite", "type"],
  font: ["color", "face", "size"],
  img: ["alt", "border", "src"],
  ol: ["start", "type"],
  table: ["border", "cellpadding", "cellspacing"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};

const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s.,%]{1,40}\))$/i;
const LENGTHS = /^(?:(?:-?\d{1,4}(?:\.\d{1,3})?(?:px|pt|em|rem|ex|ch|%)?|auto)\s*){1,4}$/;
const LINE = /^[a-z0-9#.,%()\s-]{1,60}$/i;
const WORD = /^[a-z0-9-]{1,20}$/i;

const STYLES: Record<string, RegExp[]> = {
  "background-color": [COLOR],
  border: [LINE],
  "border-bottom": [LINE],
  "border-collapse": [WORD],
  "border-left": [LINE],
  "border-radius": [LENGTHS],
  "border-right": [LINE],
  "border-top": [LINE],
  color: [COLOR],
  direction: [WORD],
  "font-family": [/^[\w\s,'"-]{1,200}$/],
  "font-size": [LENGTHS, WORD],
  "font-style": [WORD],
  "font-weight": [WORD],
  height: [LENGTHS],
  "line-height": [LENGTHS, WORD],
  "list-style-type": [WORD],
  margin: [LENGTHS],
  "margin-bottom": [LENGTHS],
  "margin-left": [LENGTHS],
  "margin-right": [LENGTHS],
  "margin-top": [LENGTHS],
  "max-width": [LENGTHS],
  padding: [LENGTHS],
  "padding-bottom": [LENGTHS],
  "padding-left": [LENGTHS],
  "padding-right": [LENGTHS],
  "padding-top": [LENGTHS],
  "text-align": [WORD],
  "text-decoration": [/^[a-z\s-]{1,40}$/i],
  "text-indent": [LENGTHS],
  "vertical-align": [WORD, LENGTHS],
  "white-space": [WORD],
  width: [LENGTHS],
};

/**
 * Returns simple HTML without active content: no script, form, frame, media, style sheet, class or id; links by
 * http(s), mailto and tel; pictures by cid, http(s) and as data of the four usual kinds. Runs in linear time.
 */
export function cleanOutgoingHtml(html: string): string {
  const bounds = boundParse(html);
  return sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedStyles: { "*": STYLES },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["cid", "http", "https", "data"] },
    allowedSchemesAppliedToAttributes: ["href", "src", "cite"],
    allowProtocolRelative: false,
    nonTextTags: WITHOUT_TEXT,
    disallowedTagsMode: "discard",
    parser: { Tokenizer: bounds.Tokenizer },
    onOpenTag: bounds.opened,
    onCloseTag: bounds.closed,
    exclusiveFilter: (frame) => frame.tag === "img" && !safePicture(frame.attribs.src ?? ""),
  });
}

/**
 * True for a picture source that is allowed. Browsers skip controls and blanks before a scheme, so they are removed
 * first.
 */
function safePicture(source: string): boolean {
  const plain = source.replace(/[\u0000-\u0020\u007f\u00a0]+/g, "");
  if (/^data:/i.test(plain)) return /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(plain);
  return /^(?:cid|https?):/i.test(plain);
}
