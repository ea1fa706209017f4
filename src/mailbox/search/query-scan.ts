/** A piece of a query: OR, or a term with what stands before it. */
export type Piece =
  | { kind: "or" }
  | {
      kind: "term";
      negated: boolean;
      /** Name before the colon, lower case; null: none, or nothing that could be its value follows. */
      operator: string | null;
      /** The value of an operator; without one the term itself. */
      text: string;
      /** Name, colon and value as they were typed, for a value that turns out to be none. */
      whole: string;
      quoted: boolean;
    };

const OPERATOR = /^([a-z_]+):/i;
/** What a value begins with: a letter, a digit or a symbol, or a mark such as that of `from:@example.org` or `filename:.pdf`. */
const VALUE_START = /^[.@#_&]?[\p{L}\p{M}\p{N}\p{S}]/u;
/** Straight and typographic quotation marks. */
const QUOTES = /["“”„«»]/;
const CLOSING = /["“”«»]/;
/** Parentheses are no more than punctuation: in a question they set something apart, they do not demand it. */
const PUNCTUATION = /[\s()]/;
const ENDS_TERM = /[\s()"“”„«»]/;

/**
 * Splits a query into its pieces. Nothing is refused: a name without a value directly behind its colon is a word, and a quote
 * that does not close is punctuation.
 * @param isOperator names that are operators; any other word before a colon is a word
 */
export function scanQuery(query: string, isOperator: (name: string) => boolean): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < query.length; ) {
    if (PUNCTUATION.test(query[at]!)) at++;
    else at = scanTerm(query, at, isOperator, pieces);
  }
  return pieces;
}

function scanTerm(query: string, start: number, isOperator: (name: string) => boolean, pieces: Piece[]): number {
  let at = start;
  // A minus is a negation only before something: "- " and a lone dash are punctuation.
  const negated = /[-−]/.test(query[at]!) && at + 1 < query.length && !PUNCTUATION.test(query[at + 1]!);
  if (negated) at++;
  const name = OPERATOR.exec(query.slice(at))?.[1]?.toLowerCase() ?? "";
  const valueAt = isOperator(name) ? at + name.length + 1 : at;
  let operator = valueAt > at ? name : null;
  if (QUOTES.test(query[valueAt] ?? "")) {
    const length = query.slice(valueAt + 1).search(CLOSING);
    if (length >= 0) {
      const end = valueAt + 1 + length;
      const text = query.slice(valueAt + 1, end);
      pieces.push({ kind: "term", negated, operator, text, whole: query.slice(at, end + 1), quoted: true });
      return end + 1;
    }
    if (operator === null) return at + 1;
  }
  const rest = query.slice(valueAt).search(ENDS_TERM);
  const end = rest < 0 ? query.length : valueAt + rest;
  if (!VALUE_START.test(query.slice(valueAt, end))) operator = null;
  const whole = query.slice(at, end);
  const text = operator === null ? whole : query.slice(valueAt, end);
  if (!negated && (whole === "OR" || whole === "|")) pieces.push({ kind: "or" });
  else pieces.push({ kind: "term", negated, operator, text, whole, quoted: false });
  return Math.max(end, start + 1);
}
