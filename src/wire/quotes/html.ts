/**
 * Reads the markup of mail programs that identifies a part of a message: quoted history, its attribution line, a
 * forward, a signature. Class and id names are those of the programs; OWA and others prefix nested ones with "x_".
 */
import type { Attributes } from "../html/text-events.ts";

/**
 * - "cite": a blockquote that holds quoted mail (as opposed to an indented or literary one)
 * - "attribution": the line that introduces a quote, or a forward
 * - "history": a container whose whole content is the earlier mail
 * - "cut": the header block above the earlier mail, which then runs to the end of the message
 * - "forward": a container whose whole content is a forwarded message
 * - "signature": the sender's signature
 */
export type Cue = "cite" | "attribution" | "history" | "cut" | "forward" | "signature";

const ATTRIBUTION_CLASS = /(?:^|\s)(?:gmail_attr|moz-cite-prefix|moz-email-headers-table|airmail_on)(?:\s|$)/;
const HISTORY_CLASS =
  /(?:^|\s)(?:yahoo_quoted|ms-outlook-mobile-reference-message|reference-message|gmail_quote_collapsed|superhuman_quote|missive_quote|front-quote|zmail_extra_quote|WordSection_quote)(?:\s|$)/i;
const FORWARD_CLASS = /(?:^|\s)moz-forward-container(?:\s|$)/;
const CITE_CLASS =
  /(?:^|\s)(?:gmail_quote|protonmail_quote|tutanota_quote|front-blockquote|yahoo-quoted|zmail_quote|iosymail|clean_bq|quote)(?:\s|$)/;
const SIGNATURE_CLASS =
  /(?:^|\s)(?:gmail_signature|gmail_signature_prefix|moz-signature|protonmail_signature_block|tutanota_signature|ms-outlook-mobile-signature|yahoo-signature|zm_sig|bloop_sign)(?:\s|$)/;

const HISTORY_ID =
  /^(?:x_)*(?:mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|isReplyContent|yahoo_quoted_\d+|reply139content)$/;
const CUT_ID = /^(?:x_)*(?:divRplyFwdMsg|divFwdMsg)$/i;
const CITE_ID = /^(?:x_)*(?:isReplyContent|oriMsgHtmlSeperator)$/;
const SIGNATURE_ID =
  /^(?:x_)*(?:AppleMailSignature|ms-outlook-mobile-signature|Signature|ymail_android_signature|lineBreakAtBeginningOfSignature|protonmail_signature_block)$/;

/** Word's header box above the quoted mail; its color differs by version, its shape does not. */
const WORD_HEADER_BOX = /border:\s*none;\s*border-top:\s*solid\s+\S+\s+1\.0pt;\s*padding:\s*3\.0pt\s+0/i;
const NO_BORDER = /border(?:-left)?:\s*(?:none|0)/i;

/** Returns the cue of one start tag, or null. */
export function cueOf(name: string, attributes: Attributes): Cue | null {
  if (attributes.size === 0) return null;
  const classes = (attributes.get("class") ?? "").replaceAll("x_", "");
  const id = attributes.get("id") ?? "";
  if (id !== "") {
    if (CUT_ID.test(id)) return "cut";
    if (name !== "blockquote" && HISTORY_ID.test(id)) return "history";
    if (SIGNATURE_ID.test(id)) return "signature";
  }
  if (classes !== "") {
    if (ATTRIBUTION_CLASS.test(classes)) return "attribution";
    if (FORWARD_CLASS.test(classes)) return "forward";
    if (SIGNATURE_CLASS.test(classes)) return "signature";
    if (HISTORY_CLASS.test(classes)) return "history";
  }
  if (name === "blockquote") {
    const cited = attributes.get("type")?.toLowerCase() === "cite" || CITE_CLASS.test(classes) || CITE_ID.test(id);
    return cited ? "cite" : null;
  }
  if (attributes.get("data-smartmail") === "gmail_signature") return "signature";
  if (attributes.get("data-marker") === "__QUOTED_TEXT__") return "history";
  if (attributes.get("name") === "messageReplySection") return "history";
  const style = attributes.get("style");
  return style !== undefined && WORD_HEADER_BOX.test(style) ? "cut" : null;
}

/** True for a blockquote that only indents: the indent buttons of Gmail and Word write one without a border. */
export function isIndent(attributes: Attributes): boolean {
  if (attributes.get("type")?.toLowerCase() === "cite" || CITE_CLASS.test(attributes.get("class") ?? "")) return false;
  return NO_BORDER.test(attributes.get("style") ?? "");
}
