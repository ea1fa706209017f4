import type { Platform } from "../../platform/platform.ts";
import type { Match, Sql } from "./conditions.ts";
import type { WordIndex } from "./word-index.ts";

/**
 * More matches than these are not ranked by BM25, which costs a microsecond for each and twice as much for each word: what is in
 * thousands of messages says little of any. Then those come first that have the words in subject or sender, newest first.
 */
export const MOST_RANKED = 1_500;
const HEADLINE = "{subject subject_stems sender}";
const FIRST_PIECE = 120;
const PIECE_GROWTH = 4;

/** From which end of the index on. The newest mail is at both: a first sync stores it first, later mail comes last. */
export type Direction = "ASC" | "DESC";
/** What matches, in growing pieces. */
export type Walk = (direction: Direction) => Iterable<number[]>;
export const DIRECTIONS: readonly Direction[] = ["ASC", "DESC"];

/** Rows of the word index that match, with their scores. */
export class Finder {
  /** @param most_ranked beyond so many matches none is ranked */
  constructor(
    private readonly platform: Platform,
    private readonly index: WordIndex,
    private readonly most_ranked = MOST_RANKED,
  ) {}

  /** How many match, counted up to a bound that is beyond what is ranked. */
  count(table: string, match: string, most = this.most_ranked * 4): number {
    return this.platform.db.sql
      .query<{ c: number }, [string, number]>(
        `SELECT count(*) AS c FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`,
      )
      .get(match, most)!.c;
  }

  /** Whether so few match that they are ranked one by one. */
  isRanked(table: string, { whole }: Match): boolean {
    return this.count(table, whole, this.most_ranked + 1) <= this.most_ranked;
  }

  /** The same of a walk. */
  isShort(walk: Walk): boolean {
    let length = 0;
    for (const piece of walk("ASC")) {
      length += piece.length;
      if (length > this.most_ranked) return false;
    }
    return true;
  }

  /** Matches with their scores, as a statement of the columns `n` and `score`. @param best how many of the best; null: all */
  scored(table: string, { whole }: Match, best: number | null): Sql {
    const bounds = best === null ? "" : `ORDER BY score DESC, n DESC LIMIT ${best}`;
    return {
      text: `SELECT rowid AS n, ${this.index.rankOf(table)} AS score FROM ${table} WHERE ${table} MATCH ? ${bounds}`,
      params: [whole],
    };
  }

  /** Walks over what matches, from either end, in growing pieces. */
  walk(table: string, expression: string): Walk {
    // For a beginning FTS5 joins the rows of every word that begins so before it gives the first: then all are taken at once.
    if (!hasBeginning(expression)) return (direction) => this.#pieces(table, expression, direction);
    let all: number[] | null = null;
    return (direction) => {
      all ??= this.#numbers(`SELECT rowid AS n FROM ${table} WHERE ${table} MATCH ?`, [expression]);
      return cut(direction === "ASC" ? all : all.toReversed());
    };
  }

  *#pieces(table: string, expression: string, direction: Direction): Generator<number[]> {
    const [beyond, farthest] = direction === "ASC" ? [">", Number.MIN_SAFE_INTEGER] : ["<", Number.MAX_SAFE_INTEGER];
    const sql = `SELECT rowid AS n FROM ${table} WHERE ${table} MATCH ? AND rowid ${beyond} ? ORDER BY rowid ${direction} LIMIT ?`;
    for (let last = farthest, size = FIRST_PIECE; ; size *= PIECE_GROWTH) {
      const piece = this.#numbers(sql, [expression, last, size]);
      if (piece.length > 0) yield piece;
      if (piece.length < size) return;
      last = piece.at(-1)!;
    }
  }

  #numbers(sql: string, params: (string | number)[]): number[] {
    return this.platform.db.sql
      .query<{ n: number }, (string | number)[]>(sql)
      .values(...params)
      .map(([n]) => n as number);
  }
}

function* cut(numbers: readonly number[]): Generator<number[]> {
  for (let from = 0, size = FIRST_PIECE; from < numbers.length; from += size, size *= PIECE_GROWTH) {
    yield numbers.slice(from, from + size);
  }
}

/** The expression for what matches in subject or sender. */
export function headlineOf({ wanted, whole }: Match): string {
  const headline = `${HEADLINE} : (${wanted})`;
  return wanted === whole ? headline : `(${headline}) AND (${whole})`;
}

/** True where an expression asks for words by their beginning: no blinded token holds a star. */
export function hasBeginning(expression: string): boolean {
  return expression.includes("*");
}
