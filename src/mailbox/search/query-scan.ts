import { invalidParam } from "../../kernel/errors.ts";

/** A piece of a query: OR, or a term with what stands before it. */
export type Piece =
  | { kind: "or" }
  | {
      kind: "term";
      negated: boolean;
      /** Name before the colon, lower case; null: none. */
      operator: string | null;
      text: string;
      quoted: boolean;
    };

const OPERATOR = /^([a-z_]+):/i;
/** Straight and typographic quotation marks. */
const QUOTES = /["“”„«»]/;
const CLOSING = /["“”«»]/;
/** Parentheses are no more than punctuation: in a question they set something apart, they do not demand it. */
const PUNCTUATION = /[\s()]/;
const ENDS_TERM = /[\s()"“”„«»]/;

/** @param isOperator names that are operators; any other word before a colon is a word */
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
  const found = OPERATOR.exec(query.slice(at));
  const operator = found && isOperator(found[1]!.toLowerCase()) ? found[1]!.toLowerCase() : null;
  if (operator) at += operator.length + 1;
  if (at < query.length && QUOTES.test(query[at]!)) {
    const end = query.slice(at + 1).search(CLOSING);
    const text = end < 0 ? query.slice(at + 1) : query.slice(at + 1, at + 1 + end);
    pieces.push({ kind: "term", negated, operator, text, quoted: true });
    return end < 0 ? query.length : at + end + 2;
  }
  const rest = query.slice(at).search(ENDS_TERM);
  const end = rest < 0 ? query.length : at + rest;
  const text = query.slice(at, end);
  if (!negated && operator === null && (text === "OR" || text === "|")) pieces.push({ kind: "or" });
  else if (text === "" && operator !== null) throw invalidParam("query", `Say something after \`${operator}:\`.`);
  else pieces.push({ kind: "term", negated, operator, text, quoted: false });
  return Math.max(end, start + 1);
}
