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
 * dropped before the parser sees them, so no text is lost.
 */
export function boundParse(html: string): ParseBounds {
  const open = new Map<string, number>();
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
        const matches = (open.get(name) ?? 0) > 0;
        const opensWithoutStartTag = name === "br" || (name === "p" && depth <= MAX_DEPTH_FOR_EMPTY_PARAGRAPH);
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
      const key = name.toLowerCase();
      depth += 1;
      open.set(key, (open.get(key) ?? 0) + 1);
    },
    closed(name) {
      const key = name.toLowerCase();
      depth -= 1;
      open.set(key, (open.get(key) ?? 0) - 1);
    },
  };
}
