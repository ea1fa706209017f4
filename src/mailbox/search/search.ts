import type { Platform } from "../../platform/platform.ts";
import type { Labels } from "../labels.ts";
import type { MailScope } from "../queries.ts";
import {
  type ConditionParts,
  type Demands,
  demandsOf,
  demandsSql,
  joined,
  type Match,
  matchOf,
  type Sql,
} from "./conditions.ts";
import { Finder, MOST_RANKED } from "./finder.ts";
import { wordsMatch } from "./match.ts";
import type { Query, Words } from "./query.ts";
import { isStopWord } from "./stop-words.ts";
import type { WordIndex } from "./word-index.ts";

/** A message that was found. */
export interface Ranked {
  n: number;
  thread_id: string;
  /** When it was received, ms. */
  internal_date: number;
  /** By BM25, greater is better; 0 where no words ranked. */
  score: number;
}

/** From so many plain words on, a query is a question: not every word of it need occur. */
const QUESTION_WORDS = 4;
/** Fewer messages that hold all words of a question than this, and those with most of them are looked for. */
const ENOUGH = 100;
/** What a question says twice counts twice, and no more. */
const MOST_REPEATS = 2;
/** Ranked before the rows are looked at: some of them are in the trash. */
const SPARE = 1.2;

/** In this order: SQLite thinks that going through all messages of a user is less work than looking up a few. */
const JOIN = "CROSS JOIN messages m ON m.n = found.n CROSS JOIN threads t ON t.id = m.thread_id";
const COLUMNS = "m.n, m.thread_id, m.internal_date";

/** Finds messages by their words and by what is known of them. */
export class WordSearch {
  readonly #finder: Finder;

  constructor(
    private readonly platform: Platform,
    private readonly index: WordIndex,
    private readonly labels: Labels,
  ) {
    this.#finder = new Finder(platform, index);
  }

  /** The best messages by their words, at most `limit`; the newest where a query has no words that rank. */
  rank(scope: MailScope, query: Query, limit: number): Ranked[] {
    const parts = this.#parts(scope);
    if (!parts) return [];
    const demands = demandsOf(query, parts);
    const strict = matchOf(demands, this.#plainMatch(parts, query.plain, " AND "));
    if (strict === null) return this.#newest(parts, demands, limit);
    const found = this.#ranked(parts, demands, strict, limit);
    const words = query.plain.filter(({ tokens }) => !isStopWord(tokens[0]!));
    if (query.plain.length < QUESTION_WORDS || words.length < 2 || found.length >= Math.min(ENOUGH, limit))
      return found;
    const loose = (some: readonly Words[]) => matchOf(demands, this.#plainMatch(parts, some, " OR "))!;
    const all = loose(words);
    const match = this.#finder.isRanked(parts.table, all) ? all : loose(this.#telling(parts, words));
    return this.#ranked(parts, demands, match, limit);
  }

  /** Of these messages, those that a query's conditions allow; its plain words aside. */
  allowed(scope: MailScope, query: Query, candidates: readonly number[]): Map<number, Ranked> {
    const parts = this.#parts(scope);
    if (!parts) return new Map();
    const where = demandsSql(demandsOf(query, parts), parts.table);
    const rows = this.#all(
      `SELECT ${COLUMNS}, 0 AS score FROM (SELECT value AS n FROM json_each(?)) AS found ${JOIN} WHERE ${where.text}`,
      [JSON.stringify(candidates), ...where.params],
    );
    return new Map(rows.map((row) => [row.n, row]));
  }

  /** Every message that a query's conditions allow, its plain words aside; null when that is nearly all of them. */
  selection(scope: MailScope, query: Query): number[] | null {
    const parts = this.#parts(scope);
    if (!parts) return [];
    const demands = demandsOf(query, parts);
    if (demands.usual && scope.account_id === null) return null;
    const where = demandsSql(demands, parts.table);
    return this.platform.db.sql
      .query<{ n: number }, (string | number)[]>(
        `SELECT m.n FROM messages m JOIN threads t ON t.id = m.thread_id WHERE ${where.text}`,
      )
      .all(...where.params)
      .map(({ n }) => n);
  }

  /** Of these messages, those whose senders the user has written to. */
  fromCorrespondents(numbers: readonly number[]): Set<number> {
    const rows = this.platform.db.sql
      .query<{ n: number }, [string]>(
        `SELECT m.n FROM json_each(?) j CROSS JOIN messages m ON m.n = j.value
         CROSS JOIN correspondents c ON c.account_id = m.account_id AND c.address_hmac = m.sender_hmac`,
      )
      .all(JSON.stringify(numbers));
    return new Set(rows.map(({ n }) => n));
  }

  /** A condition on messages `m` and threads `t` that holds for what a query finds. */
  condition(scope: MailScope, query: Query): Sql {
    const parts = this.#parts(scope);
    if (!parts) return { text: "0", params: [] };
    // Which state is listed is for the list to say.
    const demands = demandsOf({ ...query, names_place: true }, parts);
    const plain = this.#plainMatch(parts, query.plain, " AND ");
    return demandsSql({ ...demands, match: [...demands.match, ...(plain === null ? [] : [plain])] }, parts.table);
  }

  #parts(scope: MailScope): ConditionParts | null {
    const table = this.index.tableOf(scope.user_id);
    if (table === null) return null;
    return { scope, table, blinding: this.index.blinding(scope.user_id), labels: this.labels };
  }

  #plainMatch({ blinding }: ConditionParts, words: readonly Words[], operator: " AND " | " OR "): string | null {
    const counts = new Map<string, number>();
    const matches = words
      .map((word) => wordsMatch(blinding, word))
      .filter((match) => {
        const count = (counts.get(match) ?? 0) + 1;
        counts.set(match, count);
        return count <= MOST_REPEATS;
      });
    return matches.length === 0 ? null : `(${matches.join(operator)})`;
  }

  /** Of a question's words, those that are rare enough to tell: in a large mailbox the others are in every third message. */
  #telling({ table, blinding }: ConditionParts, words: readonly Words[]): Words[] {
    const counted = words.map((word, i) => ({ word, i, count: this.#finder.count(table, wordsMatch(blinding, word)) }));
    let sum = 0;
    return counted
      .sort((a, b) => a.count - b.count || a.i - b.i)
      .filter(({ count }, i) => {
        sum += count;
        return i === 0 || sum <= MOST_RANKED;
      })
      .map(({ word }) => word);
  }

  #ranked({ table }: ConditionParts, demands: Demands, match: Match, limit: number): Ranked[] {
    const rows = joined(demands.rows, " AND ");
    const found = (most: number | null) => {
      const { text, params } = this.#finder.found(table, match, most);
      return this.#all(
        `SELECT ${COLUMNS}, found.score FROM (${text}) AS found ${JOIN} WHERE ${rows.text}
         ORDER BY found.score DESC, m.internal_date DESC, m.n DESC LIMIT ?`,
        [...params, ...rows.params, limit],
      );
    };
    if (!demands.usual) return found(null);
    // Rows are looked up for the best only, as long as enough of these remain.
    const most = Math.ceil(limit * SPARE);
    const best = found(most);
    return best.length >= limit || this.#finder.count(table, match.whole) < most ? best : found(null);
  }

  #newest(parts: ConditionParts, demands: Demands, limit: number): Ranked[] {
    const where = demandsSql(demands, parts.table);
    return this.#all(
      `SELECT ${COLUMNS}, 0 AS score FROM messages m JOIN threads t ON t.id = m.thread_id WHERE ${where.text}
       ORDER BY m.internal_date DESC, m.n DESC LIMIT ?`,
      [...where.params, limit],
    );
  }

  #all(sql: string, params: (string | number)[]): Ranked[] {
    return this.platform.db.sql.query<Ranked, (string | number)[]>(sql).all(...params);
  }
}
