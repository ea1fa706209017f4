import type { Platform } from "../../platform/platform.ts";
import type { Match, Sql } from "./conditions.ts";
import type { WordIndex } from "./word-index.ts";

/**
 * More matches than these are not ranked by BM25, which costs a microsecond for each and twice as much for each word: what is in
 * thousands of messages says little of any. Then those come first that have the words in subject or sender, newest first.
 */
export const MOST_RANKED = 3_000;
const HEADLINE = "{subject subject_stems sender}";

/** Rows of the word index that match, with their scores. */
export class Finder {
  constructor(
    private readonly platform: Platform,
    private readonly index: WordIndex,
  ) {}

  /** How many match, counted up to a bound that is beyond what is ranked. */
  count(table: string, match: string, most = MOST_RANKED * 4): number {
    return this.platform.db.sql
      .query<{ c: number }, [string, number]>(
        `SELECT count(*) AS c FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`,
      )
      .get(match, most)!.c;
  }

  /** Whether so few match that they are ranked one by one. */
  isRanked(table: string, { whole }: Match): boolean {
    return this.count(table, whole, MOST_RANKED + 1) <= MOST_RANKED;
  }

  /**
   * A statement of the columns `n` and `score`.
   * @param best how many of the best; null: every match, whatever it takes, for a filter to choose from
   */
  found(table: string, { wanted, whole }: Match, best: number | null): Sql {
    const scored = (bounds: string) =>
      `SELECT rowid AS n, ${this.index.rankOf(table)} AS score FROM ${table} WHERE ${table} MATCH ? ${bounds}`;
    if (best === null) return { text: scored(""), params: [whole] };
    if (this.isRanked(table, { wanted, whole })) {
      return { text: `${scored("")} ORDER BY score DESC, n DESC LIMIT ${best}`, params: [whole] };
    }
    // The newest mail is at both ends: a first sync stores it first, and what arrives afterwards comes last.
    const end = (score: number, direction: "ASC" | "DESC") =>
      `SELECT * FROM (SELECT rowid AS n, ${score} AS score FROM ${table} WHERE ${table} MATCH ?
         ORDER BY rowid ${direction} LIMIT ${Math.ceil(best / 2)})`;
    const headline = `(${HEADLINE} : (${wanted})) AND (${whole})`;
    const ends = [end(1, "ASC"), end(1, "DESC"), end(0.5, "ASC"), end(0.5, "DESC")];
    return {
      text: `SELECT n, max(score) AS score FROM (${ends.join(" UNION ALL ")}) GROUP BY n`,
      params: [headline, headline, whole, whole],
    };
  }
}
