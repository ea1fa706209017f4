import { invalidParam } from "../../kernel/errors.ts";
import type { Field } from "./fields.ts";
import type { Filter, Tag } from "./filters.ts";
import { filterOf, OPERATORS, readFilter } from "./operators.ts";
import { type Group, nameTerm, type Piece, scanQuery, type Term } from "./query-scan.ts";
import { isUnspaced, tokenize } from "./tokens.ts";

/** Words that must occur anywhere, or in certain fields. */
export interface TextCondition {
  kind: "words";
  /** Null: any field except `list` and `delivered_to`. */
  fields: readonly Field[] | null;
  /** One word, or several side by side. */
  tokens: string[];
  /** The last token is the beginning of a word. */
  prefix: boolean;
  /** Matched as written, not in other forms. */
  exact: boolean;
  /** In quotation marks. */
  quoted: boolean;
  /** All words of the hyphenated compound that this is the first word of. */
  compound?: string[];
}

/** The user's own addresses, in these fields: from:me. */
interface Own {
  kind: "own";
  fields: readonly Field[];
}

export type Condition =
  | TextCondition
  | Tag
  | Own
  | Filter
  | { kind: "all"; of: Condition[] }
  | { kind: "any"; of: Condition[] }
  | { kind: "not"; of: Condition };

/** A parsed query. */
export interface Query {
  /** Plain words, outside of fields, quotation marks and alternatives. These rank. */
  plain: TextCondition[];
  /** Everything else, which must match in every mode. */
  conditions: Condition[];
  /** The free text of the query, for a model; "" for a query of only operators. */
  text: string;
  /** `in:` names a folder, so trash and spam are not left out. */
  namesFolder: boolean;
}

/** Stands for the user's own addresses. */
const ME = /^me[.,;:!?]*$/i;

/** In a query with this many plain words, quotations are part of a text and not required. */
const PROSE_WORDS = 8;
/** Plain words beyond this number are ignored. */
const MAX_PLAIN_WORDS = 64;
const MAX_COUNTS = {
  /** Words that must occur, or must not: quoted, in a field, as a prefix or negated. Each may be in every message. */
  demanded: 24,
  /** Each merges the postings of all words with the prefix. */
  beginnings: 3,
  filters: 16,
};
/** Only the first words of a longer phrase count, up to one that is repeated more often than `MAX_REPEATS`. */
const LONGEST_PHRASE = 16;
const MAX_REPEATS = 6;
/** Words joined by a hyphen, an apostrophe or a slash: "check-up", "l'offre", "and/or". */
const COMPOUND = /^\p{L}[\p{L}\p{M}]*(?:[-‐‑'’/]\p{L}[\p{L}\p{M}]*)+[.,;:!?]*$/u;
/** A sign that turns the number next to it into an amount, although it is not a word. */
const CURRENCY_SIGN = /^\p{Sc}[.,;:!?]*$/u;
const HYPHENED = /^\p{L}[\p{L}\p{M}]*(?:[-‐‑]\p{L}[\p{L}\p{M}]*)+[.,;:!?]*$/u;
/** Minimum length of a prefix. In scripts without spaces it is one, because one character is nearly a word there. */
const SHORTEST_PREFIX = 2;

/**
 * Parses a query (docs/search.md). Text that is not a well-formed operator is text. Only an invalid value of an
 * operator, or too many operators, is an error.
 * @param nowMs periods count back from this time
 * @param param name of the parameter, for the error
 * @throws ApiError invalid_params
 */
export function parseQuery(query: string, nowMs: number, param = "query"): Query {
  try {
    return new Parser(
      scanQuery(query.normalize("NFC"), (name) => OPERATORS.has(name)),
      nowMs,
    ).read();
  } catch (error) {
    if (param !== "query" && error instanceof Error && "param" in error) throw invalidParam(param, error.message);
    throw error;
  }
}

/** The context of a piece. */
interface Context {
  /** The operator in front of the parentheses, which applies to terms without one. */
  operator: string | null;
  negated: boolean;
}

class Parser {
  readonly #counts = { plain: 0, demanded: 0, beginnings: 0, filters: 0 };
  #namesFolder = false;
  readonly #wantedText: string[] = [];
  #hasWords = false;

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly nowMs: number,
  ) {}

  read(): Query {
    const all = this.#sequence(this.pieces, { operator: null, negated: false }).flat();
    const isProse = all.filter(isPlain).length >= PROSE_WORDS;
    const ranks = (condition: Condition): condition is TextCondition =>
      isPlain(condition) || (isProse && isQuotation(condition));
    const plain = all.filter(ranks);
    const conditions = different(all.filter((condition) => !ranks(condition)));
    const text = this.#hasWords ? this.#wantedText.join(" ") : "";
    return { plain, conditions, text, namesFolder: this.#namesFolder };
  }

  /**
   * Parses a sequence of pieces. OR binds its neighbors more tightly than adjacency.
   * @returns one entry for each neighbor, even where it is several conditions
   */
  #sequence(pieces: readonly Piece[], context: Context): Condition[][] {
    const out: Condition[][] = [];
    let joins = false;
    for (const [i, piece] of pieces.entries()) {
      if (piece.kind === "or") {
        joins = out.length > 0;
        continue;
      }
      if (isAnd(piece) && out.length > 0 && i < pieces.length - 1) continue;
      const conditions = piece.kind === "group" ? this.#group(piece, context) : this.#term(piece, context);
      if (conditions.length === 0) continue;
      out.push(joins ? [eitherOf([asOne(out.pop()!), asOne(conditions)])] : conditions);
      joins = false;
    }
    return out;
  }

  #group(group: Group, around: Context): Condition[] {
    const { operator, of, either } = group;
    if (isFilterOperator(operator) && !this.#areValues(operator, of)) {
      const name = this.#term(nameTerm(operator, group.negated), around);
      return [...name, ...this.#group({ ...group, operator: null, negated: false }, around)];
    }
    // More words than can be excluded are an aside in prose, after a dash.
    const negated = group.negated && (operator !== null || this.#hasSpaceFor(group.whole));
    const context = { operator: operator ?? around.operator, negated: negated || around.negated };
    const parts = this.#sequence(of, context);
    if (parts.length === 0) return operator === null ? [] : this.#term(nameTerm(operator, group.negated), around);
    const conditions = either && parts.length > 1 ? [eitherOf(parts.map(asOne))] : parts.flat();
    return negated ? [{ kind: "not", of: asOne(conditions) }] : conditions;
  }

  /**
   * Returns whether each term in these parentheses is a value of the filter in front of them; otherwise they are text.
   */
  #areValues(operator: string, pieces: readonly Piece[]): boolean {
    const values = pieces.filter((piece) => piece.kind !== "or" && !isAnd(piece));
    return (
      values.length > 0 &&
      values.every((piece) => {
        if (piece.kind === "group") return piece.operator === null && this.#areValues(operator, piece.of);
        return piece.kind === "term" && piece.operator === null && filterOf(operator, piece.text, this.nowMs) !== null;
      })
    );
  }

  #term(term: Term, context: Context): Condition[] {
    const { text, quoted, whole } = term;
    const operator = term.operator ?? context.operator;
    const negated = term.negated || context.negated;
    const asText = () => this.#term({ ...term, operator: null, text: whole, quoted: false }, context);
    const ifNegated = (of: Condition): Condition => (term.negated ? { kind: "not", of } : of);
    if (isFilterOperator(operator)) {
      const filter =
        term.operator === null ? filterOf(operator, text, this.nowMs) : readFilter(operator, text, quoted, this.nowMs);
      if (filter === null) return term.operator === null ? [] : asText();
      this.#count("filters", 1, "conditions");
      // Excluding a folder does not include the trash.
      this.#namesFolder ||= filter.kind === "filter" && filter.field === "in" && !negated;
      return [ifNegated(filter)];
    }
    const { fields, takesMe } = fieldsOf(operator);
    if (fields !== null && !quoted && takesMe && ME.test(text)) {
      this.#count("filters", 1, "conditions");
      return [ifNegated({ kind: "own", fields })];
    }
    if (term.operator !== null && tokenize(text).length === 0) return asText();
    const words = this.#words(fields, text, quoted, negated || fields !== null);
    if (!negated && fields === null) {
      if (words.length > 0) this.#wantedText.push(text.replace(/\*$/, ""));
      else if (CURRENCY_SIGN.test(text)) this.#wantedText.push(text);
      this.#hasWords ||= words.length > 0;
    }
    if (words.length === 0) return [];
    return term.negated ? [{ kind: "not", of: asOne(words) }] : words;
  }

  /** @param demanded whether the words follow an operator or a minus sign */
  #words(fields: TextCondition["fields"], text: string, inQuotes: boolean, demanded: boolean): TextCondition[] {
    const written = tokenize(text);
    if (written.length === 0) return [];
    const hasSpace = this.#hasSpace("beginnings", 1) && this.#hasSpace("demanded", written.length);
    const prefix = !inQuotes && isBeginning(text, written) && (demanded || hasSpace);
    // If a query quotes more words than can be required, the words of these quotations are searched for separately.
    const quoted = inQuotes && (demanded || this.#hasSpace("demanded", shortened(written).length));
    // In scripts without spaces, a run of text is still several words.
    const apart = !quoted && !prefix && (inQuotes || isUnspaced(text) || (fields === null && COMPOUND.test(text)));
    const tokens = apart ? withoutElisions(written) : prefix ? written : shortened(written);
    if (prefix) this.#count("beginnings", 1, "prefixes such as `word*`");
    if (demanded || quoted || prefix) {
      this.#count("demanded", tokens.length, "words that follow an operator or a minus sign");
    } else {
      this.#counts.plain += tokens.length;
      // A long question has named its topic by then.
      if (this.#counts.plain > MAX_PLAIN_WORDS) return [];
    }
    // Names of people, lists and files have no other forms.
    const isName = fields !== null && !fields.includes("subject");
    const lists = apart ? tokens.map((token) => [token]) : [tokens];
    const isCompound = apart && written.length > 1 && HYPHENED.test(text);
    return lists.map((list, i) => ({
      ...(isCompound && i === 0 ? { compound: written.slice(0, LONGEST_PHRASE) } : {}),
      kind: "words",
      fields,
      tokens: list,
      prefix,
      exact: quoted || isName || list.length > 1,
      quoted,
    }));
  }

  /**
   * Counts conditions against their limit. Required conditions are never ignored, and each can mean reading all mail.
   */
  #count(kind: keyof typeof MAX_COUNTS, more: number, name: string): void {
    this.#counts[kind] += more;
    if (this.#counts[kind] > MAX_COUNTS[kind])
      throw invalidParam("query", `A query can have at most ${MAX_COUNTS[kind]} ${name}. Shorten the query.`);
  }

  #hasSpace(kind: keyof typeof MAX_COUNTS, more: number): boolean {
    return this.#counts[kind] + more <= MAX_COUNTS[kind];
  }

  #hasSpaceFor(text: string): boolean {
    return (
      this.#hasSpace("demanded", tokenize(text).length) && this.#hasSpace("beginnings", text.split("*").length - 1)
    );
  }
}

/**
 * Returns whether a word is a prefix search: `word*` with enough letters. `*word*` is emphasis, and `5*` is a word with
 * a mark.
 */
function isBeginning(text: string, tokens: readonly string[]): boolean {
  const last = tokens.at(-1)!;
  const shortest = isUnspaced(last) ? 1 : SHORTEST_PREFIX;
  return /^[^*].*\*$/su.test(text) && [...last].length >= shortest;
}

/** Returns words joined by punctuation without the elided letters of "l'offre" and "don't". */
function withoutElisions(tokens: string[]): string[] {
  const words = tokens.filter((token) => token.length > 1 || isUnspaced(token));
  return words.length > 0 ? words : tokens;
}

function shortened(tokens: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const end = tokens.findIndex((token, i) => {
    const count = (counts.get(token) ?? 0) + 1;
    counts.set(token, count);
    return i >= LONGEST_PHRASE || count > MAX_REPEATS;
  });
  return end < 0 ? [...tokens] : tokens.slice(0, end);
}

function isFilterOperator(operator: string | null): operator is string {
  return operator !== null && fieldsOf(operator).fields === null;
}

/** Returns the fields that an operator searches; null for none, and for an operator that compares a value. */
function fieldsOf(operator: string | null): { fields: readonly Field[] | null; takesMe: boolean } {
  const entry = operator === null ? undefined : OPERATORS.get(operator);
  if (!entry || !("fields" in entry)) return { fields: null, takesMe: false };
  return { fields: entry.fields, takesMe: entry.takesMe ?? false };
}

/** Returns whether a piece is AND, which between two neighbors means the same as adjacency. */
function isAnd(piece: Piece): boolean {
  return piece.kind === "term" && !piece.negated && !piece.quoted && piece.whole === "AND";
}

function asOne(conditions: readonly Condition[]): Condition {
  return conditions.length === 1 ? conditions[0]! : { kind: "all", of: [...conditions] };
}

function eitherOf(conditions: readonly Condition[]): Condition {
  return {
    kind: "any",
    of: conditions.flatMap((condition) => (condition.kind === "any" ? condition.of : [condition])),
  };
}

/** Removes duplicate conditions. */
function different(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values()];
}

function isQuotation(condition: Condition): condition is TextCondition {
  return condition.kind === "words" && condition.fields === null && condition.quoted;
}

function isPlain(condition: Condition): condition is TextCondition {
  return condition.kind === "words" && condition.fields === null && !condition.prefix && !condition.quoted;
}
