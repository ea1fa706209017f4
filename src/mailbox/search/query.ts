import { invalidParam } from "../../kernel/errors.ts";
import type { Field } from "./fields.ts";
import { FILTER_OPERATORS, type Filter, filterOf, readFilter, type Tag } from "./filters.ts";
import { type Group, nameTerm, type Piece, scanQuery, type Term } from "./query-scan.ts";
import { isUnspaced, tokenize } from "./tokens.ts";

/** Words that must occur anywhere, or in certain fields. */
export interface Words {
  kind: "words";
  /** Null: anywhere but in `list` and `delivered_to`. */
  fields: readonly Field[] | null;
  /** One word, or several side by side. */
  tokens: string[];
  /** The last token is the beginning of a word. */
  prefix: boolean;
  /** As written, not in other forms. */
  exact: boolean;
  /** In quotes. */
  quoted: boolean;
  /** All words of the compound with a hyphen that this is the first word of. */
  compound?: string[];
}

/** The person's own addresses, in these fields: from:me. */
export interface Own {
  kind: "own";
  fields: readonly Field[];
}

export type Condition =
  | Words
  | Tag
  | Own
  | Filter
  | { kind: "all"; of: Condition[] }
  | { kind: "any"; of: Condition[] }
  | { kind: "not"; of: Condition };

/** A parsed query. */
export interface Query {
  /** Plain words, outside of fields, quotes and alternatives: these rank. */
  plain: Words[];
  /** Everything else, which must hold in every mode. */
  conditions: Condition[];
  /** The free text of the query, for a model; "" for a query of operators alone. */
  text: string;
  /** `in:` names a place: trash and spam are not left out. */
  names_place: boolean;
}

/** Where the words after an operator are looked for. */
const OPERATOR_FIELDS: Record<string, readonly Field[]> = {
  from: ["sender"],
  to: ["recipients", "bcc"],
  cc: ["cc"],
  bcc: ["bcc"],
  subject: ["subject"],
  filename: ["files"],
  list: ["list"],
  deliveredto: ["delivered_to"],
};
/** After these, `me` stands for the person's own addresses. */
const PEOPLE_OPERATORS = new Set(["from", "to", "cc", "bcc", "deliveredto"]);
const ME = /^me[.,;:!?]*$/i;
type FilterOperator = (typeof FILTER_OPERATORS)[number];
const OPERATORS = new Set<string>([...Object.keys(OPERATOR_FIELDS), ...FILTER_OPERATORS]);

/** With so many plain words, what stands in quotation marks is part of a text, not a demand. */
const PROSE_WORDS = 8;
/** Plain words beyond these are ignored. */
const MOST_PLAIN_WORDS = 64;
const MOST = {
  /** Words that must occur, or must not: in quotes, in a field, by their beginning or negated. Each may be in every message. */
  demanded: 24,
  /** Each joins the postings of all words that begin so. */
  beginnings: 3,
  filters: 16,
};
/** Of a longer phrase, only the first words count, up to one that occurs more often than this. */
const LONGEST_PHRASE = 16;
const MOST_REPEATS = 6;
/** Words joined by a hyphen, an apostrophe or a slash: "check-up", "l'offre", "and/or". */
const COMPOUND = /^\p{L}[\p{L}\p{M}]*(?:[-‐‑'’/]\p{L}[\p{L}\p{M}]*)+[.,;:!?]*$/u;
/** A sign that makes an amount of the number beside it, though no word. */
const CURRENCY_SIGN = /^\p{Sc}[.,;:!?]*$/u;
const HYPHENED = /^\p{L}[\p{L}\p{M}]*(?:[-‐‑]\p{L}[\p{L}\p{M}]*)+[.,;:!?]*$/u;
/** Letters of the shortest beginning; in scripts without spaces one, for a character there is nearly a word. */
const SHORTEST_PREFIX = 2;

/**
 * Parses a query (docs/search.md). Text that is not a well-formed operator is text; only the value of an operator can be
 * wrong, or too many operators be used at once.
 * @param nowMs periods count back from here
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

/** What is around a piece. */
interface Context {
  /** The operator before the parentheses, for terms without one. */
  operator: string | null;
  negated: boolean;
}

class Parser {
  readonly #counts = { plain: 0, demanded: 0, beginnings: 0, filters: 0 };
  #names_place = false;
  readonly #said: string[] = [];
  #saysWords = false;

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly nowMs: number,
  ) {}

  read(): Query {
    const all = this.#sequence(this.pieces, { operator: null, negated: false }).flat();
    const isProse = all.filter(isPlain).length >= PROSE_WORDS;
    const ranks = (condition: Condition): condition is Words =>
      isPlain(condition) || (isProse && isQuotation(condition));
    const plain = all.filter(ranks);
    const conditions = different(all.filter((condition) => !ranks(condition)));
    const text = this.#saysWords ? this.#said.join(" ") : "";
    return { plain, conditions, text, names_place: this.#names_place };
  }

  /**
   * OR binds its neighbours closer than standing side by side does.
   * @returns one entry for each neighbour, also where it is several conditions
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
    // More than can be excluded is an aside in prose, behind a dash.
    const negated = group.negated && (operator !== null || this.#hasRoomFor(group.whole));
    const context = { operator: operator ?? around.operator, negated: negated || around.negated };
    const parts = this.#sequence(of, context);
    if (parts.length === 0) return operator === null ? [] : this.#term(nameTerm(operator, group.negated), around);
    const conditions = either && parts.length > 1 ? [eitherOf(parts.map(asOne))] : parts.flat();
    return negated ? [{ kind: "not", of: asOne(conditions) }] : conditions;
  }

  /** True where each term in these parentheses is a value of the filter before them; otherwise they are text. */
  #areValues(operator: FilterOperator, pieces: readonly Piece[]): boolean {
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
      // Excluding one place does not ask for the trash.
      this.#names_place ||= filter.kind === "filter" && filter.field === "in" && !negated;
      return [ifNegated(filter)];
    }
    const fields = operator === null ? null : OPERATOR_FIELDS[operator]!;
    if (fields !== null && !quoted && PEOPLE_OPERATORS.has(operator!) && ME.test(text)) {
      this.#count("filters", 1, "conditions");
      return [ifNegated({ kind: "own", fields })];
    }
    if (term.operator !== null && tokenize(text).length === 0) return asText();
    const words = this.#words(fields, text, quoted, negated || fields !== null);
    if (!negated && fields === null) {
      if (words.length > 0) this.#said.push(text.replace(/\*$/, ""));
      else if (CURRENCY_SIGN.test(text)) this.#said.push(text);
      this.#saysWords ||= words.length > 0;
    }
    if (words.length === 0) return [];
    return term.negated ? [{ kind: "not", of: asOne(words) }] : words;
  }

  /** @param demanded after an operator or a minus */
  #words(fields: Words["fields"], text: string, inQuotes: boolean, demanded: boolean): Words[] {
    const said = tokenize(text);
    if (said.length === 0) return [];
    const hasRoom = this.#hasRoom("beginnings", 1) && this.#hasRoom("demanded", said.length);
    const prefix = !inQuotes && isBeginning(text, said) && (demanded || hasRoom);
    // A text that quotes more than may be demanded is searched for by the words of these quotes.
    const quoted = inQuotes && (demanded || this.#hasRoom("demanded", shortened(said).length));
    // Without spaces between them, words are words all the same.
    const apart = !quoted && !prefix && (inQuotes || isUnspaced(text) || (fields === null && COMPOUND.test(text)));
    const tokens = apart ? spoken(said) : prefix ? said : shortened(said);
    if (prefix) this.#count("beginnings", 1, "prefixes such as `word*`");
    if (demanded || quoted || prefix) {
      this.#count("demanded", tokens.length, "words that follow an operator or a minus sign");
    } else {
      this.#counts.plain += tokens.length;
      // A question that goes on and on has said what it is about.
      if (this.#counts.plain > MOST_PLAIN_WORDS) return [];
    }
    // Names of people, lists and files have no other forms.
    const isName = fields !== null && !fields.includes("subject");
    const lists = apart ? tokens.map((token) => [token]) : [tokens];
    const isCompound = apart && said.length > 1 && HYPHENED.test(text);
    return lists.map((list, i) => ({
      ...(isCompound && i === 0 ? { compound: said.slice(0, LONGEST_PHRASE) } : {}),
      kind: "words",
      fields,
      tokens: list,
      prefix,
      exact: quoted || isName || list.length > 1,
      quoted,
    }));
  }

  /** What must hold is never ignored, so it has a bound: each condition may mean reading all mail. */
  #count(kind: keyof typeof MOST, more: number, name: string): void {
    this.#counts[kind] += more;
    if (this.#counts[kind] > MOST[kind])
      throw invalidParam("query", `A query can have at most ${MOST[kind]} ${name}. Shorten the query.`);
  }

  #hasRoom(kind: keyof typeof MOST, more: number): boolean {
    return this.#counts[kind] + more <= MOST[kind];
  }

  #hasRoomFor(text: string): boolean {
    return this.#hasRoom("demanded", tokenize(text).length) && this.#hasRoom("beginnings", text.split("*").length - 1);
  }
}

/** `word*` with enough letters. `*word*` is emphasis, and `5*` a word with a mark. */
function isBeginning(text: string, tokens: readonly string[]): boolean {
  const last = tokens.at(-1)!;
  const shortest = isUnspaced(last) ? 1 : SHORTEST_PREFIX;
  return /^[^*].*\*$/su.test(text) && [...last].length >= shortest;
}

/** Words joined by marks, without what is left of "l'offre" and "don't". */
function spoken(tokens: string[]): string[] {
  const words = tokens.filter((token) => token.length > 1 || isUnspaced(token));
  return words.length > 0 ? words : tokens;
}

function shortened(tokens: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const end = tokens.findIndex((token, i) => {
    const count = (counts.get(token) ?? 0) + 1;
    counts.set(token, count);
    return i >= LONGEST_PHRASE || count > MOST_REPEATS;
  });
  return end < 0 ? [...tokens] : tokens.slice(0, end);
}

function isFilterOperator(operator: string | null): operator is FilterOperator {
  return operator !== null && !Object.hasOwn(OPERATOR_FIELDS, operator);
}

/** AND between two neighbours says what standing side by side says. */
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

/** What is demanded twice is demanded. */
function different(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values()];
}

function isQuotation(condition: Condition): condition is Words {
  return condition.kind === "words" && condition.fields === null && condition.quoted;
}

function isPlain(condition: Condition): condition is Words {
  return condition.kind === "words" && condition.fields === null && !condition.prefix && !condition.quoted;
}
