import { OPERATORS } from "../../mailbox/search/operators.ts";

/** The part of a query that is being typed. */
export interface LastToken {
  /** The minus sign in front, as typed; "" if there is none. */
  minus: string;
  /** The operator of the token, or that of the parentheses around it; null: none. */
  operator: string | null;
  /** True if the operator belongs to the parentheses around the token. */
  grouped: boolean;
  /** The value of the operator, or the word, without its quotation mark. */
  value: string;
  /** The token begins with a quotation mark that is not closed yet. */
  quoted: boolean;
}

const QUOTES = /["“”„«»]/;
const CLOSING_QUOTE = /["“”«»]/;
const BRACKETS = /[(){}]/;
const ENDS_TERM = /[\s(){}"“”„«»]/;
const NAME = /^([a-z_][a-z_0-9]*):/i;

/**
 * Returns the last token of a query; null if the query ends with white space, or with a quotation mark or bracket that
 * closes. Splits as `scanQuery` does.
 */
export function lastToken(query: string): LastToken | null {
  /** Operators of the brackets that are open, innermost last. */
  const open: (string | null)[] = [];
  for (let at = 0; at < query.length; ) {
    const char = query[at]!;
    if (/\s/.test(char)) at++;
    else if (BRACKETS.test(char)) {
      if (char === "(" || char === "{") open.push(open.at(-1) ?? null);
      else open.pop();
      at++;
    } else {
      const minus = /[-−]/.test(char) ? char : "";
      const rest = query.slice(at + minus.length);
      const name = NAME.exec(rest)?.[1]?.toLowerCase() ?? "";
      const own = OPERATORS.has(name) ? name : null;
      const valueAt = at + minus.length + (own === null ? 0 : own.length + 1);
      const first = query[valueAt] ?? "";
      const token = { minus, operator: own ?? open.at(-1) ?? null, grouped: own === null && open.at(-1) != null };
      if (own !== null && (first === "(" || first === "{")) {
        open.push(own);
        at = valueAt + 1;
      } else if (QUOTES.test(first)) {
        const end = indexFrom(CLOSING_QUOTE, query, valueAt + 1);
        if (end === query.length) return { ...token, value: query.slice(valueAt + 1), quoted: true };
        at = end + 1;
      } else {
        const end = indexFrom(ENDS_TERM, query, valueAt);
        if (end === query.length) return { ...token, value: query.slice(valueAt), quoted: false };
        at = Math.max(end, at + 1);
      }
    }
  }
  return null;
}

function indexFrom(pattern: RegExp, text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (pattern.test(text[at]!)) return at;
  return text.length;
}
