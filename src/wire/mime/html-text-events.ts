/**
 * HTML as a flat stream of element and text events, for turning mail into text.
 *
 * htmlparser2's Tokenizer does the lexing (WHATWG tokenisation, entities, raw text). Its Parser is not used: it keeps
 * the open elements in one array searched and shifted from the front, so 100,000 `<b>` followed by as many stray
 * `</i>` take most of a minute. The stack here is bounded and every step is O(MAX_DEPTH) at worst.
 */
import { Tokenizer } from "htmlparser2";

/** Attributes that tell what a part of a mail is and how it reads; the others are passed over. */
const READ_ATTRIBUTES = new Set(
  "alt background bgcolor class color data-marker data-smartmail height hidden href id media name size start style type width".split(
    " ",
  ),
);
const NO_ATTRIBUTES: Attributes = new Map();

/** Attributes of one start tag, of READ_ATTRIBUTES, names in lower case; the first of two equal names wins. */
export type Attributes = ReadonlyMap<string, string>;

export interface HtmlEvents {
  /** A start tag. Every open is matched by exactly one close; void elements are closed at once. */
  open(name: string, attributes: Attributes): void;
  /** The innermost open element ended, by its end tag or implied. */
  close(name: string): void;
  text(data: string): void;
}

/** Deeper elements are still announced, but as if they were empty: their text belongs to the element at this depth. */
const MAX_DEPTH = 256;
/** UTF-16 units of HTML that are read; the rest is ignored. Text of this length is beyond what anyone reads. */
const MAX_INPUT = 8_000_000;

const VOID = new Set(
  "area base basefont br col embed frame hr img input keygen link meta param source track wbr".split(" "),
);

const P_CLOSERS =
  "address article aside blockquote center details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul";

/** A start tag that ends an open sibling whose end tag is optional (HTML §13.1.2.4). */
const IMPLIED_END = new Map<string, ReadonlySet<string>>([
  ...P_CLOSERS.split(" ").map((name): [string, ReadonlySet<string>] => [name, new Set(["p"])]),
  ["li", new Set(["li", "p"])],
  ["dt", new Set(["dt", "dd", "p"])],
  ["dd", new Set(["dt", "dd", "p"])],
  ["td", new Set(["td", "th", "p"])],
  ["th", new Set(["td", "th", "p"])],
  ["tr", new Set(["td", "th", "tr", "p"])],
  ["tbody", new Set(["td", "th", "tr", "thead", "tbody", "p"])],
  ["option", new Set(["option"])],
]);

/** A stray end tag inside a cell must not close what lies outside the table, such as the quote the table is in. */
const SCOPE = new Set(["table", "td", "th", "caption"]);
const TABLE_PARTS = new Set(["table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "body", "html"]);

/** Reads `html` (never throws, linear time) and reports to `events` in document order. */
export function readHtml(html: string, events: HtmlEvents): void {
  const source = html.length > MAX_INPUT ? html.slice(0, MAX_INPUT) : html;
  const stack: string[] = [];
  let overflow = 0;
  let name = "";
  let attributes: Map<string, string> | null = null;
  let attributeName = "";
  let attributeValue = "";

  const pop = (): void => events.close(stack.pop()!);

  const openTag = (): void => {
    const implied = IMPLIED_END.get(name);
    if (implied && overflow === 0) while (stack.length > 0 && implied.has(stack[stack.length - 1]!)) pop();
    events.open(name, attributes ?? NO_ATTRIBUTES);
    if (VOID.has(name)) events.close(name);
    else if (stack.length < MAX_DEPTH) stack.push(name);
    else {
      overflow += 1;
      events.close(name);
    }
  };

  const closeTag = (closing: string): void => {
    if (closing === "br" || closing === "p") {
      if (closing === "br" || !stack.includes("p")) {
        events.open(closing, NO_ATTRIBUTES);
        events.close(closing);
        return;
      }
    }
    if (VOID.has(closing)) return;
    if (overflow > 0) {
      overflow -= 1;
      return;
    }
    const throughScope = TABLE_PARTS.has(closing);
    for (let at = stack.length - 1; at >= 0; at -= 1) {
      if (stack[at] === closing) {
        while (stack.length > at) pop();
        return;
      }
      if (!throughScope && SCOPE.has(stack[at]!)) return;
    }
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = source.slice(start, end).toLowerCase();
        attributes = null;
      },
      onattribname(start, end) {
        const read = source.slice(start, end).toLowerCase();
        attributeName = READ_ATTRIBUTES.has(read) ? read : "";
        attributeValue = "";
      },
      onattribdata(start, end) {
        if (attributeName !== "") attributeValue += source.slice(start, end);
      },
      onattribentity(codepoint) {
        attributeValue += String.fromCodePoint(codepoint);
      },
      onattribend() {
        if (attributeName === "") return;
        attributes ??= new Map();
        if (!attributes.has(attributeName)) attributes.set(attributeName, attributeValue);
      },
      onopentagend: openTag,
      onselfclosingtag: openTag,
      onclosetag(start, end) {
        closeTag(source.slice(start, end).toLowerCase());
      },
      ontext(start, end) {
        events.text(source.slice(start, end));
      },
      ontextentity(codepoint) {
        events.text(String.fromCodePoint(codepoint));
      },
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  while (stack.length > 0) pop();
}
