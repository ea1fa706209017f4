import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/**
 * Maximum element nesting that is kept. Chromium flattens at 512, and forwarded newsletters stay below 300. Without a
 * limit, the parser's search for an open tag takes quadratic time for 100,000 nested tags.
 */
const MAX_DEPTH = 480;
/** Further tags are dropped and their text is kept; the largest real reports have a tenth of this number. */
const MAX_TAGS = 150_000;
/** Further attributes of one tag are dropped. */
const MAX_ATTRIBUTES = 128;
/** An unmatched `</p>` creates an empty paragraph in HTML, and each costs a search through all open tags. */
const MAX_DEPTH_FOR_EMPTY_PARAGRAPH = 32;

const VOID = new Set(["br", "hr", "img", "wbr"]);

type TokenizerOptions = ConstructorParameters<typeof Tokenizer>[0];

/** Limits for parsing one document, independent of its content. */
export interface ParseBounds {
  /** Pass this to the parser as its tokenizer. */
  Tokenizer: typeof Tokenizer;
  /** Call these for each element that the parser opened and closed; `name` as the parser gives it. */
  opened: (name: string) => void;
  closed: (name: string) => void;
}

/**
 * Keeps the parsing of `html` linear. Tags nested too deep, tags beyond the maximum and end tags that match nothing are
 * dropped before the parser sees them, so no text is lost. An end tag inside a table cell does not match a start tag
 * outside (HTML §13.2.4.2), which the parser does not know.
 */
export function boundParse(html: string): ParseBounds {
  const open = new OpenElements();
  let depth = 0;
  let tags = 0;
  let attributes = 0;
  let dropped = false;
  /** Text not yet passed on: "<<<<" arrives as single characters, and each event costs time. */
  let textStart = -1;
  let textEnd = -1;

  function guard(inner: TokenizerCallbacks): TokenizerCallbacks {
    const wanted = () => !dropped && attributes <= MAX_ATTRIBUTES;
    const flush = () => {
      if (textStart >= 0) inner.ontext(textStart, textEnd);
      textStart = -1;
    };
    return {
      onopentagname(start, end) {
        flush();
        tags += 1;
        attributes = 0;
        dropped = tags > MAX_TAGS || (depth >= MAX_DEPTH && !VOID.has(html.slice(start, end).toLowerCase()));
        if (!dropped) inner.onopentagname(start, end);
      },
      onattribname(start, end) {
        attributes += 1;
        if (wanted()) inner.onattribname(start, end);
      },
      onattribdata(start, end) {
        if (wanted()) inner.onattribdata(start, end);
      },
      onattribentity(codepoint) {
        if (wanted()) inner.onattribentity(codepoint);
      },
      onattribend(quote, end) {
        if (wanted()) inner.onattribend(quote, end);
      },
      onopentagend(end) {
        if (!dropped) inner.onopentagend(end);
        dropped = false;
      },
      onselfclosingtag(end) {
        if (!dropped) inner.onselfclosingtag(end);
        dropped = false;
      },
      onclosetag(start, end) {
        flush();
        const name = html.slice(start, end).toLowerCase();
        const matches = open.inScope(name);
        const isEmptyParagraph = name === "p" && depth <= MAX_DEPTH_FOR_EMPTY_PARAGRAPH && !open.has(name);
        const opensWithoutStartTag = name === "br" || isEmptyParagraph;
        if (matches || (opensWithoutStartTag && tags++ < MAX_TAGS)) inner.onclosetag(start, end);
      },
      oncdata(start, end, offset) {
        flush();
        inner.oncdata(start, end, offset);
      },
      oncomment(start, end, offset) {
        flush();
        inner.oncomment(start, end, offset);
      },
      ondeclaration(start, end) {
        flush();
        inner.ondeclaration(start, end);
      },
      onprocessinginstruction(start, end) {
        flush();
        inner.onprocessinginstruction(start, end);
      },
      ontext(start, end) {
        if (textStart < 0) textStart = start;
        else if (start !== textEnd) {
          flush();
          textStart = start;
        }
        textEnd = end;
      },
      ontextentity(codepoint, end) {
        flush();
        inner.ontextentity(codepoint, end);
      },
      onend() {
        flush();
        inner.onend();
      },
      isInForeignContext: () => inner.isInForeignContext?.() ?? false,
    };
  }

  return {
    Tokenizer: class extends Tokenizer {
      constructor(options: TokenizerOptions, inner: TokenizerCallbacks) {
        super(options, guard(inner));
      }
    },
    opened(name) {
      depth += 1;
      open.push(name.toLowerCase());
    },
    closed(name) {
      depth -= 1;
      open.pop(name.toLowerCase());
    },
  };
}

const CELLS = new Set(["caption", "td", "th"]);
/** Their end tags are looked for in the whole innermost table, and all others in the innermost cell. */
const PARTS_OF_TABLES = new Set("caption col colgroup table tbody td tfoot th thead tr".split(" "));

/** Counts the open elements in every open table and cell. */
class OpenElements {
  readonly #all = new Map<string, number>();
  /** Counts by name, one map for each open table or cell and one for what is outside of them. */
  readonly #scopes: { name: string; counts: Map<string, number> }[] = [{ name: "", counts: new Map() }];

  push(name: string): void {
    this.#count(this.#scopes.at(-1)!.counts, name, 1);
    this.#count(this.#all, name, 1);
    if (name === "table" || CELLS.has(name)) this.#scopes.push({ name, counts: new Map() });
  }

  pop(name: string): void {
    if (this.#scopes.length > 1 && this.#scopes.at(-1)!.name === name) this.#scopes.pop();
    this.#count(this.#scopes.at(-1)!.counts, name, -1);
    this.#count(this.#all, name, -1);
  }

  has(name: string): boolean {
    return (this.#all.get(name) ?? 0) > 0;
  }

  inScope(name: string): boolean {
    if (!this.has(name)) return false;
    for (let i = this.#scopes.length - 1; i >= 0; i -= 1) {
      const scope = this.#scopes[i]!;
      if ((scope.counts.get(name) ?? 0) > 0) return true;
      const isEnd = PARTS_OF_TABLES.has(name) ? scope.name === "table" && name !== "table" : scope.name !== "";
      if (isEnd) return false;
    }
    return false;
  }

  #count(counts: Map<string, number>, name: string, change: number): void {
    counts.set(name, (counts.get(name) ?? 0) + change);
  }
}
