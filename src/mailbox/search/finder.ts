import type { Db } from "../../platform/db/open.ts";
import type { Match } from "./conditions.ts";
import type { Sql } from "./filter-sql.ts";
import type { WordIndex } from "./word-index.ts";

/**
 * More matches than these are not ranked by BM25, which costs a microsecond for each and twice as much for each word: what is in
 * thousands of messages says little of any. Then those come first that have the words in subject or sender, newest first.
 */
export const MOST_RANKED = 1_500;
const HEADLINE = "{subject subject_stems sender}";

/** Rows of the word index that match, with their scores. */
export class Finder {
  /** @param most_ranked beyond so many matches none is ranked */
  constructor(
    private readonly platform: { db: Pick<Db, "sql"> },
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
    return this.isFew(this.count(table, whole, this.most_ranked + 1));
  }

  isFew(count: number): boolean {
    return count <= this.most_ranked;
  }

  /** Matches with their scores, as a statement of the columns `n` and `score`. @param best how many of the best; null: all */
  scored(table: string, { whole }: Match, best: number | null): Sql {
    const bounds = best === null ? "" : `ORDER BY score DESC, n DESC LIMIT ${best}`;
    return {
      text: `SELECT rowid AS n, ${this.index.rankOf(table)} AS score FROM ${table} WHERE ${table} MATCH ? ${bounds}`,
      params: [whole],
    };
  }

  /** Everything that matches, as rows of the index. One text for all of them: rows one by one take thrice as long. */
  matches(table: string, expression: string): number[] {
    const { list } = this.platform.db.sql
      .query<{ list: string }, [string]>(`SELECT json_group_array(rowid) AS list FROM ${table} WHERE ${table} MATCH ?`)
      .get(expression)!;
    return JSON.parse(list) as number[];
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
