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

const MOST_TERMS = 64;

/**
 * Reads a query (decisions, "Search"). Whatever a person types is a query; only an operator's value can be wrong.
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
  #terms = 0;
  #names_place = false;
  readonly #said: string[] = [];

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly now_ms: number,
  ) {}

  read(): Query {
    const all = this.#sequence();
    const plain = all.filter(isPlain);
    const conditions = all.filter((condition) => !isPlain(condition));
    return { plain, conditions, text: this.#said.join(" "), names_place: this.#names_place };
  }

  /** OR binds its neighbours closer than standing side by side does. */
  #sequence(): Condition[] {
    const out: Condition[] = [];
    let joins = false;
    for (const piece of this.pieces) {
      if (piece.kind === "or") {
        joins = out.length > 0;
        continue;
      }
      const conditions = this.#term(piece);
      if (conditions.length === 0) continue;
      if (joins) {
        const before = out.pop()!;
        const next = conditions.length === 1 ? conditions[0]! : ({ kind: "all", of: conditions } as const);
        out.push({ kind: "any", of: before.kind === "any" ? [...before.of, next] : [before, next] });
      } else out.push(...conditions);
      joins = false;
    }
    return out;
  }

  #term({ negated, operator, text, quoted }: Piece & { kind: "term" }): Condition[] {
    if (operator !== null && !FIELDS[operator]) {
      const filter = readFilter(operator, text, this.now_ms);
      this.#names_place ||= filter.kind === "filter" && filter.field === "in";
      return [negated ? { kind: "not", of: filter } : filter];
    }
    const words = this.#words(operator === null ? null : FIELDS[operator]!, text, quoted);
    if (words.length === 0) return [];
    if (!negated) {
      if (operator === null) this.#said.push(text.replace(/\*$/, ""));
      return words;
    }
    return [{ kind: "not", of: words.length === 1 ? words[0]! : { kind: "all", of: words } }];
  }

  #words(columns: Words["columns"], text: string, quoted: boolean): Words[] {
    const prefix = !quoted && /[^*]\*+$/.test(text);
    const tokens = tokenize(text);
    if (tokens.length === 0) return [];
    this.#terms += quoted ? 1 : tokens.length;
    // A question that goes on and on has said what it is about.
    if (this.#terms > MOST_TERMS) return [];
    const last = tokens.at(-1)!;
    if (prefix && [...last].length < shortestPrefix(last)) {
      throw invalidParam("query", `A beginning such as \`${last}*\` needs at least ${shortestPrefix(last)} letters.`);
    }
    if (prefix) tokens[tokens.length - 1] = last.slice(0, longestPrefix(last));
    // Without spaces between them, words are words all the same.
    const apart = !quoted && !prefix && isUnspaced(text);
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
}

function isPlain(condition: Condition): condition is Words {
  return condition.kind === "words" && condition.columns === null && !condition.prefix && !condition.quoted;
}
