/**
 * Reads HTML as a flat stream of element and text events, for turning mail into text.
 *
 * htmlparser2's Tokenizer does the lexing (WHATWG tokenization, entities, raw text). Its Parser is not used: it keeps
 * the open elements in one array that it searches and shifts from the front, so 100,000 `<b>` followed by as many stray
 * `</i>` take most of a minute. The stack here is bounded, and every step is O(MAX_DEPTH) at worst.
 */
import { Tokenizer } from "htmlparser2";

/** Attributes that define the role and the appearance of a part of a mail; others are ignored. */
const READ_ATTRIBUTES = new Set(
  "alt background bgcolor class color data-marker data-smartmail height hidden href id media name size start style type width".split(
    " ",
  ),
);
const NO_ATTRIBUTES: Attributes = new Map();

/** Attributes of one start tag that are in READ_ATTRIBUTES, names in lower case; of two equal names the first wins. */
export type Attributes = ReadonlyMap<string, string>;

export interface HtmlEvents {
  /** A start tag. Every open is matched by exactly one close; void elements are closed at once. */
  open(name: string, attributes: Attributes): void;
  /** The innermost open element ended, by its end tag or implicitly. */
  close(name: string): void;
  text(data: string): void;
  /** An attribute was left out because its value is longer than `longestValue`. */
  leftOut?(name: string): void;
}

export interface HtmlReading {
  /** Report every attribute, not only those of READ_ATTRIBUTES. */
  allAttributes?: boolean;
  /** Attributes with a longer value, in UTF-16 units, are left out. */
  longestValue?: (name: string) => number;
}

/** Deeper elements are announced as if they were empty: their text belongs to the element at this depth. */
const MAX_DEPTH = 256;
const FOREIGN: ReadonlySet<string> = new Set(["svg", "math"]);
/** UTF-16 units of HTML that are read; the rest is ignored. Long HTML is skimmed first (message-text.ts). */
const MAX_INPUT = 32_000_000;
/** A longer tag name is junk. */
const MAX_NAME = 200;
/** Attributes read of one tag when all attributes are reported. */
const MAX_ATTRIBUTES = 128;
/** Characters kept of the previous piece, for names that span several pieces. */
const SHORTEST_WINDOW = 1_024;

export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base basefont br col embed frame hr img input keygen link meta param source track wbr".split(" "),
);

const P_CLOSERS =
  "address article aside blockquote center details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul";

/** Start tags that end an open sibling whose end tag is optional (HTML §13.1.2.4). */
const IMPLIED_END = new Map<string, ReadonlySet<string>>([
  ["body", new Set(["head"])],
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

/** A stray end tag inside a cell must not close elements outside the table, such as the quote around the table. */
const SCOPE = new Set(["table", "td", "th", "caption"]);
const TABLE_PARTS = new Set(["table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "body", "html"]);

const anyLength = () => Number.POSITIVE_INFINITY;

/** Reads `html` and reports to `events` in document order. Never throws; runs in linear time. */
export function readHtml(html: string, events: HtmlEvents): void {
  const reader = new HtmlReader(events);
  reader.write(html.length > MAX_INPUT ? html.slice(0, MAX_INPUT) : html);
  reader.end();
}

/** Reads HTML that arrives in pieces. Memory does not grow with the length of the HTML. */
export class HtmlReader {
  readonly #events: HtmlEvents;
  readonly #tokenizer: Tokenizer;
  readonly #longestValue: (name: string) => number;
  readonly #all: boolean;
  /**
   * The previous and the current piece, because names and short texts may span both, and the position of the window.
   */
  #window = "";
  #base = 0;
  #lastLength = 0;
  readonly #stack: string[] = [];
  /** Elements that are open beyond MAX_DEPTH, and how many of each name. */
  #overflow = 0;
  readonly #overflowing = new Map<string, number>();
  #name = "";
  #attributes: Map<string, string> | null = null;
  #attributeName = "";
  #attributeValue: string[] = [];
  #attributeLength = 0;
  #attributeSpace = 0;

  constructor(events: HtmlEvents, { allAttributes = false, longestValue = anyLength }: HtmlReading = {}) {
    this.#events = events;
    this.#all = allAttributes;
    this.#longestValue = longestValue;
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, end) => {
          this.#name = this.#nameAt(start, end);
          this.#attributes = null;
        },
        onattribname: (start, end) => {
          const read = this.#nameAt(start, end);
          const wanted = this.#all ? (this.#attributes?.size ?? 0) < MAX_ATTRIBUTES : READ_ATTRIBUTES.has(read);
          this.#attributeName = wanted ? read : "";
          this.#attributeValue = [];
          this.#attributeLength = 0;
          this.#attributeSpace = this.#longestValue(read);
        },
        onattribdata: (start, end) => this.#attributeData(start, end),
        onattribentity: (codepoint) => {
          if (this.#attributeName !== "") this.#addToAttribute(String.fromCodePoint(codepoint));
        },
        onattribend: () => this.#endAttribute(),
        onopentagend: () => this.#openTag(),
        onselfclosingtag: () => this.#openTag(true),
        onclosetag: (start, end) => this.#closeTag(this.#nameAt(start, end)),
        ontext: (start, end) => events.text(this.#slice(start, end)),
        ontextentity: (codepoint) => events.text(String.fromCodePoint(codepoint)),
        oncdata() {},
        oncomment() {},
        ondeclaration() {},
        onprocessinginstruction() {},
        onend() {},
      },
    );
  }

  write(piece: string): void {
    const keep = Math.min(this.#window.length, Math.max(this.#lastLength, SHORTEST_WINDOW));
    this.#base += this.#window.length - keep;
    this.#window = this.#window.slice(this.#window.length - keep) + piece;
    this.#lastLength = piece.length;
    this.#tokenizer.write(piece);
  }

  end(): void {
    this.#tokenizer.end();
    while (this.#stack.length > 0) this.#pop();
  }

  #slice(start: number, end: number): string {
    return this.#window.slice(Math.max(0, start - this.#base), Math.max(0, end - this.#base));
  }

  #nameAt(start: number, end: number): string {
    return this.#slice(start, Math.min(end, start + MAX_NAME)).toLowerCase();
  }

  #attributeData(start: number, end: number): void {
    if (this.#attributeName !== "") this.#addToAttribute(this.#slice(start, end));
  }

  #addToAttribute(data: string): void {
    this.#attributeLength += data.length;
    if (this.#attributeLength <= this.#attributeSpace) this.#attributeValue.push(data);
  }

  #endAttribute(): void {
    if (this.#attributeName === "") return;
    if (this.#attributeLength > this.#attributeSpace) {
      this.#events.leftOut?.(this.#attributeName);
      return;
    }
    this.#attributes ??= new Map();
    if (!this.#attributes.has(this.#attributeName))
      this.#attributes.set(this.#attributeName, this.#attributeValue.join(""));
  }

  #pop(): void {
    this.#events.close(this.#stack.pop()!);
  }

  #openTag(selfClosing = false): void {
    const name = this.#name;
    const stack = this.#stack;
    // Only elements of drawings and formulas are closed by "/>" (HTML §13.2.6.5).
    const closed = selfClosing && (FOREIGN.has(name) || stack.some((open) => FOREIGN.has(open)));
    const implied = IMPLIED_END.get(name);
    if (implied && this.#overflow === 0) while (stack.length > 0 && implied.has(stack[stack.length - 1]!)) this.#pop();
    this.#events.open(name, this.#attributes ?? NO_ATTRIBUTES);
    if (closed || VOID_ELEMENTS.has(name)) this.#events.close(name);
    else if (stack.length < MAX_DEPTH) stack.push(name);
    else {
      this.#overflow += 1;
      this.#overflowing.set(name, (this.#overflowing.get(name) ?? 0) + 1);
      this.#events.close(name);
    }
  }

  #closeTag(closing: string): void {
    const stack = this.#stack;
    if (closing === "br" || closing === "p") {
      if (closing === "br" || !stack.includes("p")) {
        this.#events.open(closing, NO_ATTRIBUTES);
        this.#events.close(closing);
        return;
      }
    }
    if (VOID_ELEMENTS.has(closing)) return;
    if (this.#overflow > 0) {
      const open = this.#overflowing.get(closing) ?? 0;
      if (open > 0) {
        this.#overflow -= 1;
        this.#overflowing.set(closing, open - 1);
        return;
      }
      // It closes an outer element and everything left open inside; otherwise text after it would stay hidden.
      if (!stack.includes(closing)) return;
      this.#overflow = 0;
      this.#overflowing.clear();
    }
    const throughScope = TABLE_PARTS.has(closing);
    for (let at = stack.length - 1; at >= 0; at -= 1) {
      if (stack[at] === closing) {
        while (stack.length > at) this.#pop();
        return;
      }
      if (!throughScope && SCOPE.has(stack[at]!)) return;
    }
  }
}
