import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/**
 * Deepest element nesting that survives. Chromium flattens at 512 by itself, and forwarded newsletters stay below 300;
 * without a bound the parser's search for an open tag makes 100,000 nested tags quadratic.
 */
const MAX_DEPTH = 480;
/** Tags beyond this many are dropped and their text kept; the largest real reports have a tenth of it. */
const MAX_TAGS = 150_000;
/** Attributes of one tag beyond this many are dropped. */
const MAX_ATTRIBUTES = 128;
/** An unmatched `</p>` makes an empty paragraph in HTML; each costs a search through all open tags. */
const MAX_DEPTH_FOR_EMPTY_PARAGRAPH = 32;

const VOID = new Set(["br", "hr", "img", "wbr"]);

type TokenizerOptions = ConstructorParameters<typeof Tokenizer>[0];

/** Limits that one document's parse keeps, whatever the document says. */
export interface ParseBounds {
  /** To be handed to the parser as its tokenizer. */
  Tokenizer: typeof Tokenizer;
  /** To be called for each element the parser opened and closed; `name` as the parser gives it. */
  opened: (name: string) => void;
  closed: (name: string) => void;
}

/**
 * Keeps the work of parsing `html` linear: tags nested too deep, tags beyond a number and end tags that match nothing
 * are dropped before the parser sees them, so that no text is lost.
 */
export function boundParse(html: string): ParseBounds {
  const open = new Map<string, number>();
  let depth = 0;
  let tags = 0;
  let attributes = 0;
  let dropped = false;
  /** Text not yet handed on: "<<<<" reaches us as single characters, and each event costs the parser's user. */
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
        const opensByItself = name === "br" || (name === "p" && depth <= MAX_DEPTH_FOR_EMPTY_PARAGRAPH);
        if (matches || (opensByItself && tags++ < MAX_TAGS)) inner.onclosetag(start, end);
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
