import type { Db } from "../../platform/db/open.ts";
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
import { Finder, hasBeginning, headlineOf, MOST_RANKED } from "./finder.ts";
import { identityOf, wordsMatch } from "./match.ts";
import { COLUMNS, JOIN, MOST_LOOKED_UP, Newest, type Ranked } from "./newest.ts";
import type { Query, Words } from "./query.ts";
import { isStopWord } from "./stop-words.ts";
import type { WordIndex } from "./word-index.ts";

/** From so many plain words on, a query is a question: not every word of it need occur. */
const QUESTION_WORDS = 4;
/** Fewer messages that hold all words of a question than this, and those with most of them are looked for. */
const ENOUGH = 100;
/** What a question says twice counts twice, and no more. */
const MOST_REPEATS = 2;
/** Ranked before the rows are looked at: some of them are in the trash. */
const SPARE = 1.2;

/** Of a query of function words alone, so many are looked for: each is in nearly every message. */
const MOST_FUNCTION_WORDS = 8;

/** What a match with all words of a question counts beside those with some of them, where BM25 ranks only the former. */
const WITH_ALL_WORDS = 1;
/** Of more matches of a beginning, those in the headline are not looked for. */
const MOST_BEGUN = 20_000;
/** What a match in the headline counts where nothing else ranks, and what any other does. */
const IN_HEADLINE = 1;
const ELSEWHERE = 0.5;

/** Finds messages by their words and by what is known of them. */
export class WordSearch {
  readonly #finder: Finder;
  readonly #newest: Newest;

  constructor(
    private readonly platform: { db: Pick<Db, "sql"> },
    private readonly index: WordIndex,
    private readonly labels: Pick<Labels, "find">,
    /** Beyond so many, matches are neither ranked nor looked up one by one. */
    private readonly bounds = { ranked: MOST_RANKED, looked_up: MOST_LOOKED_UP },
  ) {
    this.#finder = new Finder(platform, index, bounds.ranked);
    this.#newest = new Newest(platform, bounds.looked_up);
  }

  /** The best messages by their words, at most `limit`; the newest where a query has no words that rank. */
  rank(scope: MailScope, query: Query, limit: number): Ranked[] {
    const parts = this.#parts(scope);
    if (!parts) return [];
    const demands = demandsOf(query, parts);
    const { words, is_question } = askedFor(query);
    const strict = matchOf(demands, this.#plainMatch(parts, words, " AND "));
    if (strict === null) return this.#newestOfAll(parts, demands, limit);
    const found = this.#ranked(parts, demands, strict, limit);
    // Who asks for a beginning searches for words, and asking that several times takes long.
    if (!is_question || hasBeginning(strict.whole) || found.length >= Math.min(ENOUGH, limit)) return found;
    const loose = (some: readonly Words[]) => matchOf(demands, this.#plainMatch(parts, some, " OR "))!;
    const all = loose(words);
    if (this.#finder.isRanked(parts.table, all)) return this.#ranked(parts, demands, all, limit);
    const some = loose(this.#telling(parts, words));
    const others = this.#ranked(parts, demands, some, limit);
    // Matches that BM25 has not ranked are not compared with those that have every word.
    return this.#finder.isRanked(parts.table, some)
      ? others
      : [...above(found), ...without(others, found)].slice(0, limit);
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

  /** Every message that a query's conditions allow, its plain words aside. */
  selection(scope: MailScope, query: Query): number[] {
    const parts = this.#parts(scope);
    if (!parts) return [];
    const where = demandsSql(demandsOf(query, parts), parts.table);
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
        "SELECT m.n FROM json_each(?) j CROSS JOIN messages m ON m.n = j.value WHERE m.from_correspondent = 1",
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
    const plain = this.#plainMatch(parts, askedFor(query).words, " AND ");
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
      .filter((word) => {
        const identity = identityOf(word);
        const count = (counts.get(identity) ?? 0) + 1;
        counts.set(identity, count);
        return count <= MOST_REPEATS;
      })
      .map((word) => wordsMatch(blinding, word));
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
        return i === 0 || sum <= this.bounds.ranked;
      })
      .map(({ word }) => word);
  }

  #ranked(parts: ConditionParts, demands: Demands, match: Match, limit: number): Ranked[] {
    const { table } = parts;
    // For a beginning FTS5 joins the rows of every word that begins so before it gives the first: then all are taken at once.
    const all = hasBeginning(match.whole) ? this.#finder.matches(table, match.whole) : null;
    if (!(all ? this.#finder.isFew(all.length) : this.#finder.isRanked(table, match))) {
      return this.#newestMatches(parts, demands, match, limit, all);
    }
    const rows = joined(demands.rows, " AND ");
    const scored = (most: number | null) => {
      const { text, params } = this.#finder.scored(table, match, most);
      return this.#all(
        `SELECT ${COLUMNS}, found.score FROM (${text}) AS found ${JOIN} WHERE ${rows.text}
         ORDER BY found.score DESC, m.internal_date DESC, m.n DESC LIMIT ?`,
        [...params, ...rows.params, most ?? limit],
      );
    };
    if (demands.filtered) return scored(null);
    // Rows are looked up for the best only, as long as enough of these remain.
    const most = Math.ceil(limit * SPARE);
    const best = scored(most);
    // Of equally good ones the newest come first, and whether all of these are here is certain only where worse ones are, too.
    const isEnough = best.length > limit && best.at(-1)!.score < best[limit - 1]!.score;
    return isEnough || this.#finder.count(table, match.whole) < most ? best.slice(0, limit) : scored(null);
  }

  /**
   * Of very many matches: those in the headline before the others, each kind newest first.
   * @param all what matches; null: not known yet
   */
  #newestMatches(
    { table }: ConditionParts,
    demands: Demands,
    match: Match,
    limit: number,
    all: number[] | null,
  ): Ranked[] {
    // Of a beginning that most words have, that would be as much work again.
    const headline = all && all.length > MOST_BEGUN ? [] : this.#finder.matches(table, headlineOf(match));
    const first = this.#newest.of(headline, demands, limit).map((row) => ({ ...row, score: IN_HEADLINE }));
    if (first.length === limit) return first;
    const others = this.#newest.of(all ?? this.#finder.matches(table, match.whole), demands, limit);
    return [...first, ...without(others, first).map((row) => ({ ...row, score: ELSEWHERE }))].slice(0, limit);
  }

  #newestOfAll(parts: ConditionParts, demands: Demands, limit: number): Ranked[] {
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

/** The plain words that are looked for. The function words of a question are in every message: they take long and say nothing. */
function askedFor({ plain }: Query): { words: Words[]; is_question: boolean } {
  const telling = plain.filter(({ tokens, exact }) => exact || !isStopWord(tokens[0]!));
  const is_question = plain.length >= QUESTION_WORDS && telling.length >= 2;
  if (is_question) return { words: telling, is_question };
  if (plain.length <= MOST_FUNCTION_WORDS) return { words: plain, is_question };
  // It has hardly any other words.
  const others = plain.filter((word) => !telling.includes(word));
  return { words: [...telling, ...others].slice(0, MOST_FUNCTION_WORDS), is_question };
}

/** In the same order, before everything that is not ranked. */
function above(found: readonly Ranked[]): Ranked[] {
  const best = Math.max(...found.map(({ score }) => score));
  return found.map((row) => ({ ...row, score: IN_HEADLINE + WITH_ALL_WORDS + row.score / best }));
}

function without(rows: readonly Ranked[], others: readonly Ranked[]): Ranked[] {
  const left_out = new Set(others.map(({ n }) => n));
  return rows.filter(({ n }) => !left_out.has(n));
}
