/** Looks in the text of a message for what mail to many people, and mail by programs, says and looks like. */
import { type Phrase, phrases } from "./phrases.ts";

/** The text of a message, as it arrives. */
export interface CategoryBody {
  text: string;
  /** Without reply history. */
  bodyText: string;
  /** Without history, signature and forwards. */
  newText: string;
  html: string | null;
}

export interface BodySignals {
  /** An offer to unsubscribe, with a link or an address beside it. */
  unsubscribe: boolean;
  /** A note says why the reader gets the mail, or how to read it in a browser. */
  note: boolean;
  /** Tables, pictures and links as mailing services arrange them; lines and many links in a text without HTML. */
  layout: boolean;
  /** A table as wide as a mail, as programs send receipts. */
  table: boolean;
  /** "Please do not reply to this email." */
  automatic: boolean;
  /** An order, an invoice, a code and so on, at the beginning. */
  transaction: boolean;
  /** A number of three digits, a price or a time, at the beginning. */
  figures: boolean;
  /** A question, at the beginning. */
  asks: boolean;
  /** It calls itself a newsletter, at its end. */
  newsletter: boolean;
  /** So many characters were written. */
  length: number;
  /** Hosts of the last links, in lower case. */
  hosts: readonly string[];
}

export const NO_BODY: BodySignals = {
  unsubscribe: false,
  note: false,
  layout: false,
  table: false,
  automatic: false,
  transaction: false,
  figures: false,
  asks: false,
  newsletter: false,
  length: 0,
  hosts: [],
};

/** Only these parts of a text are examined, so that the cost does not depend on its length. */
const HEAD = 1_200;
const TAIL = 1_500;
const HTML_TAIL = 5_000;
const HTML_HEAD = 10_000;
/** So many characters lie between an offer to unsubscribe and its link, at most. */
const BESIDE_TEXT = 260;
const BESIDE_HTML = 700;
/** HTML is that much longer than a text which only says that one needs a program for HTML. */
const PLACEHOLDER_RATIO = 25;
const MOST_LINKS = 12;
/** The part before the end in which a text without HTML has its offer to unsubscribe. */
const FOOTER = 1_100;

const WIDE = /width\s{0,2}[=:]\s{0,2}["']?[56]\d\d\b/;
/** Numbers, except those in addresses of links. */
const FIGURES = /(?<![\w/=&.-])(?:\d{3,}|\d{1,3}[.,:]\d{2})(?![\w/])/;
const LINK = /https?:|www\.|mailto:|[\w.-]@[\w-]/;
const LINK_IN_HTML = /href\s{0,3}=/i;
/** Words that programs use in the addresses of such links, in any language of the text. */
const UNSUBSCRIBE_LINK = /[/?&=._-](?:unsub|opt-?_?out)|list-manage\d{0,2}\.com\/unsub/i;
const QUOTED_LINE = /^[ \t]{0,4}>.*$/gm;
const HEADER_LINE =
  /^[ \t>*]{0,6}(?:from|von|de|da|van|från|fra|od|lähettäjä|от|від|gönderen|kimden|发件人|寄件者|寄件人|差出人|보낸 ?사람|من|מאת)[ \t*]{0,3}[:：]/im;

const IN_HEAD: ReadonlySet<Phrase> = new Set(["note", "automatic", "transaction"]);
const IN_TAIL: ReadonlySet<Phrase> = new Set(["note", "automatic", "newsletter", "unsubscribe"]);
const IN_ALL: ReadonlySet<Phrase> = new Set([...IN_HEAD, ...IN_TAIL]);

/** Reads a body. Its cost is bounded. It never throws. */
export function readBody({ text, html, newText }: CategoryBody): BodySignals {
  const isPlaceholder = html !== null && text.length < HEAD && html.length > text.length * PLACEHOLDER_RATIO;
  if (isPlaceholder) text = newText = `${text}\n${bare(html.slice(0, HTML_TAIL))}\n${bare(html.slice(-HTML_TAIL))}`;
  const isShort = text.length <= HEAD;
  const head = plain(isShort ? text : (newText || text).slice(0, HEAD));
  const tail = isShort ? head : plain(text.slice(-TAIL));
  const inHead = phrases().find(head, isShort ? IN_ALL : IN_HEAD);
  const inTail = isShort ? inHead : phrases().find(tail, IN_TAIL);
  const source = html === null ? "" : html.slice(-HTML_TAIL);
  const markup = html === null ? "" : lowerTags(html.slice(0, HTML_HEAD));
  const at = inTail.get("unsubscribe");
  const unsubscribe = html === null ? hasLink(tail, at) : hasHtmlLink(source, at === undefined ? "" : tail.slice(at));
  return {
    unsubscribe,
    note: inHead.has("note") || inTail.has("note"),
    layout: html === null ? hasTextLayout(text.slice(0, 4_000)) : hasLayout(markup),
    table: markup.includes("<table") && WIDE.test(markup),
    automatic: inHead.has("automatic") || inTail.has("automatic"),
    transaction: inHead.has("transaction"),
    figures: FIGURES.test(head),
    asks: /[?？؟]/.test(head),
    newsletter: inTail.has("newsletter"),
    length: text.length,
    hosts: unsubscribe ? linkHosts(html === null ? tail : source) : [],
  };
}

/** Returns whether the text contains another message, whose words are not the sender's. */
export function enclosesMail({ text, bodyText, newText }: CategoryBody): boolean {
  // Reply history was left out; a few characters less are blank lines.
  if (bodyText.length + 40 < text.length && bodyText.length + 40 < text.trim().length) return true;
  return newText.length + 20 < bodyText.length && HEADER_LINE.test(bodyText.slice(0, 6_000));
}

/** Returns roughly the words of a piece of HTML. */
function bare(html: string): string {
  const words: string[] = [];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    if (open < 0) return words.join(" ") + html.slice(at);
    if (open > at) words.push(html.slice(at, open));
    const close = html.indexOf(">", open);
    if (close < 0) break;
    at = close + 1;
  }
  return words.join(" ").replaceAll("&nbsp;", " ");
}

/** Returns a text in lower case and without quoted lines. */
function plain(text: string): string {
  return (text.startsWith(">") || text.includes("\n>") ? text.replace(QUOTED_LINE, " ") : text).toLowerCase();
}

function hasLink(tail: string, at: number | undefined): boolean {
  if (at === undefined || at < tail.length - FOOTER) return false;
  return LINK.test(tail.slice(Math.max(0, at - BESIDE_TEXT), at + BESIDE_TEXT));
}

/** Returns whether HTML has a link beside the words of an offer, or a link whose address has such words. */
function hasHtmlLink(html: string, offer: string): boolean {
  if (offer === "") return UNSUBSCRIBE_LINK.test(html);
  const [word] = /^[a-z]+/.exec(offer) ?? [];
  // In capitals or with other ways to write a letter, the words are not found: then any link near the end will do.
  const at = word === undefined ? -1 : html.lastIndexOf(word);
  return LINK_IN_HTML.test(at < 0 ? html : html.slice(Math.max(0, at - BESIDE_HTML), at + BESIDE_HTML));
}

/** Returns the hosts of the last links, the last one first. */
function linkHosts(text: string): string[] {
  // Looked for from the beginning, because a search for the last place is many times slower.
  const places: number[] = [];
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) places.push(at);
  const last = places.slice(-MOST_LINKS).reverse();
  return last.map((at) => /^[\w.-]*/.exec(text.slice(at + 3, at + 103))![0].toLowerCase());
}

/** Returns HTML in lower case if its tags are in capitals, which few programs write; the change costs time. */
function lowerTags(html: string): string {
  return html.includes("<T") || html.includes("<IMG") ? html.toLowerCase() : html;
}

/** Signs of a layout by a mailing service. A signature with pictures has one or two of them. */
function hasLayout(source: string): boolean {
  let signs = 0;
  if (occurs(source, "<table", 4)) signs++;
  if (occurs(source, "<img", 3)) signs++;
  if (occurs(source, "href=", 6)) signs++;
  if (source.includes("@media") || /display\s{0,2}:\s{0,2}none/.test(source)) signs++;
  if (WIDE.test(source)) signs++;
  if (/(?:width|height)\s{0,2}=\s{0,2}["']?1["'\s>/]/.test(source)) signs++;
  return signs >= 3;
}

/** Lines of dashes and many links, as in newsletters of text alone. */
function hasTextLayout(text: string): boolean {
  if (!occurs(text, "http", 4)) return false;
  return (text.match(/^[ \t]{0,8}[-=_*~#+•─═━]{6,}/gm)?.length ?? 0) >= 3;
}

function occurs(text: string, word: string, times: number): boolean {
  let at = -1;
  for (let n = 0; n < times; n++) {
    at = text.indexOf(word, at + 1);
    if (at < 0) return false;
  }
  return true;
}
