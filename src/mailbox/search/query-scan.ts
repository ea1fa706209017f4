/** A word, a phrase or an operator with its value. */
export interface Term {
  kind: "term";
  negated: boolean;
  /** Name before the colon, lower case; null: no name, or no value after the colon. */
  operator: string | null;
  /** The value of the operator, or the term itself. */
  text: string;
  /** Name, colon and value as typed, used if the value turns out not to be valid. */
  whole: string;
  quoted: boolean;
}

/** Pieces in matching brackets. */
export interface Group {
  kind: "group";
  negated: boolean;
  /** Name directly before the bracket, lower case. */
  operator: string | null;
  /** True for braces: any of the pieces; false for parentheses: all of them. */
  either: boolean;
  of: Piece[];
  /** Operator and group as typed. */
  whole: string;
}

export type Piece = { kind: "or" } | Term | Group;

/** Brackets nested more deeply are punctuation. */
const DEEPEST = 8;

const OPERATOR = /([a-z_][a-z_0-9]*):/iy;
/** Start of a value: a letter, a digit or a symbol, or a mark as in `from:@example.org` or `filename:.pdf`. */
const VALUE_START = /^[.@#_&]?[\p{L}\p{M}\p{N}\p{S}]/u;
/** A value in angle brackets, such as a Message-ID, may contain characters that end other values. */
const ANGLED = /<[^<>\s]+>/y;
/** Straight and typographic quotation marks. */
const QUOTES = /["“”„«»]/;
const CLOSING_QUOTE = /["“”«»]/g;
const MINUS = /[-−]/;
const SPACE = /\s/;
const ENDS_TERM = /[\s(){}"“”„«»]/g;
const OPENING = { "(": ")", "{": "}" } as const;
type Bracket = ")" | "}";

/** An opening bracket whose closing bracket has not been read yet. */
interface Open {
  /** The bracket that closes it. */
  closing: Bracket;
  /** Index of the operator or bracket. */
  start: number;
  negated: boolean;
  operator: string | null;
  /** The pieces inside. For a bracket that is nested too deeply, those of the bracket around it. */
  pieces: Piece[];
  /** True where nested too deeply. */
  ignored: boolean;
}

/**
 * Splits a query into its pieces, in linear time. Never fails: a name without a value directly after its colon is a
 * word, and a quotation mark or bracket without its counterpart is punctuation.
 * @param isOperator names that are operators; any other word before a colon is a word
 */
export function scanQuery(query: string, isOperator: (name: string) => boolean): Piece[] {
  return new Scanner(query, isOperator).scan();
}

class Scanner {
  readonly #pieces: Piece[] = [];
  readonly #open: Open[] = [];
  readonly #openCounts = { ")": 0, "}": 0 };
  /** No closing quotation mark follows from this index on. */
  #lastQuote = Number.POSITIVE_INFINITY;

  constructor(
    private readonly query: string,
    private readonly isOperator: (name: string) => boolean,
  ) {}

  scan(): Piece[] {
    const { query } = this;
    for (let at = 0; at < query.length; ) {
      const char = query[at]!;
      if (SPACE.test(char)) at++;
      else if (char === ")" || char === "}") this.#close(char, at++);
      else at = this.#term(at);
    }
    while (this.#open.length > 0) this.#dissolve();
    return this.#pieces;
  }

  /** Reads a term or an opening bracket. @returns the index after it */
  #term(start: number): number {
    const { query } = this;
    // A minus negates only what follows directly: "- " and a lone dash are punctuation.
    const negated = MINUS.test(query[start]!) && /[^\s)}]/.test(query[start + 1] ?? " ");
    const at = negated ? start + 1 : start;
    const name = matchAt(OPERATOR, query, at)?.slice(0, -1).toLowerCase() ?? "";
    const operator = this.isOperator(name) ? name : null;
    const valueAt = operator === null ? at : at + name.length + 1;
    const first = query[valueAt] ?? "";
    if (first === "(" || first === "{") {
      this.#begin({ closing: OPENING[first], start: at, negated, operator });
      return valueAt + 1;
    }
    if (QUOTES.test(first)) {
      const end = this.#closingQuote(valueAt + 1);
      if (end !== null) {
        const text = query.slice(valueAt + 1, end);
        this.#add({ kind: "term", negated, operator, text, whole: query.slice(at, end + 1), quoted: true });
        return end + 1;
      }
      if (operator === null) return at + 1;
    }
    return this.#plainTerm({ start, at, valueAt, negated, operator });
  }

  #plainTerm(term: { start: number; at: number; valueAt: number; negated: boolean; operator: string | null }): number {
    const { start, at, valueAt, negated } = term;
    const { query } = this;
    const angled = term.operator === null ? null : matchAt(ANGLED, query, valueAt);
    const end = angled === null ? indexFrom(ENDS_TERM, query, valueAt) : valueAt + angled.length;
    const operator = VALUE_START.test(query.slice(valueAt, end)) ? term.operator : null;
    const whole = query.slice(at, end);
    const text = operator === null ? whole : query.slice(valueAt, end);
    if (!negated && (whole === "OR" || whole === "|")) this.#add({ kind: "or" });
    else this.#add({ kind: "term", negated, operator, text, whole, quoted: false });
    return Math.max(end, start + 1);
  }

  #closingQuote(from: number): number | null {
    if (from >= this.#lastQuote) return null;
    const end = indexFrom(CLOSING_QUOTE, this.query, from);
    if (end < this.query.length) return end;
    this.#lastQuote = from;
    return null;
  }

  #begin(open: Omit<Open, "pieces" | "ignored">): void {
    const ignored = this.#open.length >= DEEPEST;
    if (ignored) this.#addName(open);
    this.#open.push({ ...open, ignored, pieces: ignored ? this.#innermost() : [] });
    this.#openCounts[open.closing]++;
  }

  #close(closing: Bracket, at: number): void {
    if (this.#openCounts[closing] === 0) return;
    while (this.#open.at(-1)!.closing !== closing) this.#dissolve();
    const { start, negated, operator, pieces, ignored } = this.#pop();
    if (ignored) return;
    const whole = this.query.slice(start, at + 1);
    this.#add({ kind: "group", negated, operator, either: closing === "}", of: pieces, whole });
  }

  /** Treats the innermost bracket as punctuation because it does not close. */
  #dissolve(): void {
    const open = this.#pop();
    if (open.ignored) return;
    this.#addName(open);
    for (const piece of open.pieces) this.#add(piece);
  }

  #pop(): Open {
    const open = this.#open.pop()!;
    this.#openCounts[open.closing]--;
    return open;
  }

  /** Adds the name in front of a bracket that is punctuation, as a word. */
  #addName({ operator, negated }: Pick<Open, "operator" | "negated">): void {
    if (operator !== null) this.#add(nameTerm(operator, negated));
  }

  #add(piece: Piece): void {
    this.#innermost().push(piece);
  }

  #innermost(): Piece[] {
    return this.#open.at(-1)?.pieces ?? this.#pieces;
  }
}

/** Returns the name of an operator as a text term. */
export function nameTerm(operator: string, negated: boolean): Term {
  const text = `${operator}:`;
  return { kind: "term", negated, operator: null, text, whole: text, quoted: false };
}

/** Returns what a sticky pattern matches at an index. */
function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/**
 * Returns the first index at or after `from` where a global pattern of one character matches; the length of the text if
 * none.
 */
function indexFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
