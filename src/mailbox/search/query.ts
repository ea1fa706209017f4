import { invalidParam } from "../../kernel/errors.ts";
import { longestPrefix, shortestPrefix } from "./blinding.ts";
import { type Filter, readFilter } from "./filters.ts";
import { type Piece, scanQuery } from "./query-scan.ts";
import { isUnspaced, tokenize } from "./tokens.ts";
import type { IndexColumn } from "./words.ts";

/** Words that must stand somewhere, or in certain columns. */
export interface Words {
  kind: "words";
  /** Null: in any column. */
  columns: readonly IndexColumn[] | null;
  /** One word, or several that stand side by side. */
  tokens: string[];
  /** Words that begin like the last token. */
  prefix: boolean;
  /** In these forms and no other. */
  exact: boolean;
  /** In quotes. */
  quoted: boolean;
}

export type Condition =
  | Words
  | Filter
  | { kind: "all"; of: Condition[] }
  | { kind: "any"; of: Condition[] }
  | { kind: "not"; of: Condition };

/** A query, read. */
export interface Query {
  /** Plain words, in no column, quotes or alternative: what a person is after. */
  plain: Words[];
  /** Everything else, which must hold whatever the mode. */
  conditions: Condition[];
  /** The free text of the query, for a model; "" where it is made of operators alone. */
  text: string;
  /** `in:` names a folder that is left out otherwise: nothing is left out. */
  names_place: boolean;
}

/** Fields by operator. */
const FIELDS: Record<string, readonly IndexColumn[]> = {
  from: ["sender"],
  to: ["recipients"],
  cc: ["cc"],
  subject: ["subject", "subject_stems"],
  filename: ["files"],
};
const FILTERS = ["label", "in", "is", "has", "before", "after", "older_than", "newer_than"];
const OPERATORS = new Set([...Object.keys(FIELDS), ...FILTERS]);

/** Plain words; what a question says beyond them is passed over. */
const MOST_PLAIN_WORDS = 64;
const MOST = {
  /** Words that are demanded: in quotes, in a place, by their beginning or negated. Each may be in every message. */
  demanded: 24,
  /** For each, the rows of all words that begin so are joined. */
  beginnings: 3,
  filters: 16,
};
/** Of a longer run of words side by side, the first are looked for; and as far as none of them occurs more often than this. */
const LONGEST_PHRASE = 16;
const MOST_REPEATS = 6;

/**
 * Reads a query (decisions, "Search"). Text that is not a well-formed operator is text; only an operator's value can be wrong,
 * or too many operators be used at once.
 * @param param what the query is called, for the error
 * @throws ApiError invalid_params
 */
export function parseQuery(query: string, now_ms: number, param = "query"): Query {
  try {
    return new Parser(
      scanQuery(query.normalize("NFC"), (name) => OPERATORS.has(name)),
      now_ms,
    ).read();
  } catch (error) {
    if (param !== "query" && error instanceof Error && "param" in error) throw invalidParam(param, error.message);
    throw error;
  }
}

class Parser {
  readonly #counts = { plain: 0, demanded: 0, beginnings: 0, filters: 0 };
  #names_place = false;
  readonly #said: string[] = [];

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly now_ms: number,
  ) {}

  read(): Query {
    const all = this.#sequence();
    const plain = all.filter(isPlain);
    const conditions = different(all.filter((condition) => !isPlain(condition)));
    return { plain, conditions, text: this.#said.join(" "), names_place: this.#names_place };
  }

  /** OR binds its neighbours closer than standing side by side does. */
  #sequence(): Condition[] {
    // What one term says is one neighbour, also where it is several words.
    const out: Condition[][] = [];
    let joins = false;
    for (const piece of this.pieces) {
      if (piece.kind === "or") {
        joins = out.length > 0;
        continue;
      }
      const conditions = this.#term(piece);
      if (conditions.length === 0) continue;
      if (joins) {
        const before = asOne(out.pop()!);
        const alternatives = before.kind === "any" ? before.of : [before];
        out.push([{ kind: "any", of: [...alternatives, asOne(conditions)] }]);
      } else out.push(conditions);
      joins = false;
    }
    return out.flat();
  }

  #term(piece: Piece & { kind: "term" }): Condition[] {
    const { negated, operator, text, quoted, whole } = piece;
    const columns = operator === null ? null : (FIELDS[operator] ?? null);
    if (operator !== null && columns === null) {
      const filter = readFilter(operator, text, quoted, this.now_ms);
      if (filter === null) return this.#term({ ...piece, operator: null, text: whole, quoted: false });
      this.#count("filters", 1, "conditions");
      // Who does not want to see one place has not asked for the trash.
      this.#names_place ||= filter.field === "in" && !negated;
      return [negated ? { kind: "not", of: filter } : filter];
    }
    if (columns !== null && tokenize(text).length === 0) {
      return this.#term({ ...piece, operator: null, text: whole, quoted: false });
    }
    const demanded = negated || operator !== null;
    const words = this.#words(columns, text, quoted, demanded);
    if (words.length === 0) return [];
    if (!negated) {
      if (operator === null) this.#said.push(text.replace(/\*$/, ""));
      return words;
    }
    return [{ kind: "not", of: asOne(words) }];
  }

  /** @param demanded after an operator or a minus */
  #words(columns: Words["columns"], text: string, inQuotes: boolean, demanded: boolean): Words[] {
    const said = tokenize(text);
    if (said.length === 0) return [];
    const hasRoom = this.#hasRoom("beginnings", 1) && this.#hasRoom("demanded", said.length);
    const prefix = !inQuotes && isBeginning(text, said) && (demanded || hasRoom);
    // A text that quotes more than may be demanded is looked for by the words of these quotes.
    const quoted = inQuotes && (demanded || this.#hasRoom("demanded", shortened(said).length));
    // Without spaces between them, words are words all the same.
    const apart = !quoted && !prefix && (inQuotes || isUnspaced(text));
    const tokens = apart || prefix ? said : shortened(said);
    if (prefix) this.#count("beginnings", 1, "beginnings such as `word*`");
    if (demanded || quoted || prefix) {
      this.#count("demanded", tokens.length, "words after operators or a minus");
    } else {
      this.#counts.plain += tokens.length;
      // A question that goes on and on has said what it is about.
      if (this.#counts.plain > MOST_PLAIN_WORDS) return [];
    }
    const last = tokens.at(-1)!;
    if (prefix) tokens[tokens.length - 1] = last.slice(0, longestPrefix(last));
    const lists = apart ? tokens.map((token) => [token]) : [tokens];
    return lists.map((list) => ({
      kind: "words",
      columns,
      tokens: list,
      prefix,
      exact: quoted || list.length > 1,
      quoted,
    }));
  }

  /** What must hold is never passed over, so there is a bound to it: every one of them may mean going through all mail. */
  #count(kind: keyof typeof MOST, more: number, name: string): void {
    this.#counts[kind] += more;
    if (this.#counts[kind] > MOST[kind]) throw invalidParam("query", `A query takes at most ${MOST[kind]} ${name}.`);
  }

  #hasRoom(kind: keyof typeof MOST, more: number): boolean {
    return this.#counts[kind] + more <= MOST[kind];
  }
}

/** `word*` with enough letters. `*word*` is emphasis, and `5*` a word with a mark. */
function isBeginning(text: string, tokens: readonly string[]): boolean {
  const last = tokens.at(-1)!;
  return /^[^*].*\*$/su.test(text) && [...last].length >= shortestPrefix(last);
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

function asOne(conditions: readonly Condition[]): Condition {
  return conditions.length === 1 ? conditions[0]! : { kind: "all", of: [...conditions] };
}

/** What is demanded twice is demanded. */
function different(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values()];
}

function isPlain(condition: Condition): condition is Words {
  return condition.kind === "words" && condition.columns === null && !condition.prefix && !condition.quoted;
}
