import type { Db } from "../../platform/db/open.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";
import type { MailScope } from "../queries/scope.ts";
import type { Labels } from "../store/labels.ts";
import type { MessageRow } from "../store/tables.ts";
import { numbersWithId } from "../threading/identity.ts";
import { joined, type SplitConditions, splitConditions } from "./conditions.ts";
import { SegmentDictionary } from "./dictionary.ts";
import { numbersSql, type Sql } from "./filter-sql.ts";
import { type Plan, planOf, termsOf } from "./plan.ts";
import type { Condition, Query } from "./query.ts";
import { Ranking, type Span } from "./ranking.ts";
import type { Segment } from "./segments/segment.ts";
import { type Damage, Snapshots } from "./segments/snapshot.ts";
import { BlockCache, IndexDamaged } from "./segments/store.ts";
import { languagesOf } from "./terms/languages.ts";
import type { Correction } from "./word-terms.ts";
import { Workspace } from "./workspace.ts";

/** A message that was found. */
export interface Ranked {
  n: number;
  thread_id: string;
  /** When it was received, ms. */
  internal_date: number;
  /** 1: the user has written to its sender. */
  correspondent: 0 | 1;
  /** BM25, higher is better; 0 where the query has no words that rank. */
  score: number;
}

/** The result of a full-text search. */
export interface Found {
  /** Best first. */
  hits: Ranked[];
  corrections: Correction[];
  /** Terms of the index that the words of the query stand for, for highlighting in texts. */
  terms: string[];
  /** False when less than half of the query's significant words are in any message. */
  isKnown: boolean;
  /** Whether mail was missing in the state of the index that was searched. */
  isPartial: boolean;
}

/** Opened blocks that a thread keeps, some 20 KB each. More were no faster with 100,000 messages. */
const CACHED_BLOCKS = 256;
/** Rows that are looked up first, as a factor of the rows wanted, plus a constant: some hits are in the trash. */
const SPARE = 1.25;
const SPARE_ROWS = 8;
/** If conditions leave too few rows, the next lookup takes more by a factor between these. */
const MIN_GROWTH = 2;
const MAX_GROWTH = 8;
const ANY_TIME: Span = { from: null, to: null };
/** Number of users whose dictionaries are kept. */
const MAX_DICTIONARIES = 8;
/** Dictionary terms that one query may visit: mostly 20 ms, some 60 ms where most of them are lookups. */
const MAX_VISITED = 250_000;
/** Cached properties of a dictionary are computed again when the mailbox has grown by this factor. */
const GROWN = 1.1;
/** Hits that are looked up before switching to listing the rows that meet the conditions. */
const MAX_LOOKED_UP = 4_000;

/**
 * CROSS JOIN fixes the order: SQLite would read all messages of a user instead of looking up a few. INDEXED BY reads
 * these indexes instead of the rows, which are long and far apart.
 */
const JOIN = `CROSS JOIN messages m INDEXED BY messages_found ON m.n = found.n
              CROSS JOIN threads t INDEXED BY threads_state ON t.id = m.thread_id`;
const COLUMNS = "m.n, m.thread_id, m.internal_date, m.from_correspondent AS correspondent, 0 AS score";

interface SearchLimits {
  /** Hits that are looked up before switching to listing the rows that meet the conditions. */
  maxLookups?: number;
  /** Opened blocks that are kept. */
  cachedBlocks?: number;
}

/** Searches the full-text index and filters by columns of the messages. One instance per thread. */
export class FullTextSearch {
  /**
   * Called with the damaged parts of a user's index, after a search that left them out. It has them rebuilt, and
   * returns whether their messages are queued. Null: such a search throws `IndexDamaged`.
   */
  onDamage: ((user_id: string, damage: Damage) => boolean) | null = null;
  readonly #maxLookups: number;
  readonly #snapshots: Snapshots;
  readonly #workspace = new Workspace();
  readonly #dictionaries = new Map<string, { dictionary: SegmentDictionary; until: number }>();
  /** Users whose last search left out damaged parts that are not queued. */
  readonly #unrepaired = new Set<string>();

  constructor(
    private readonly platform: { db: Pick<Db, "sql">; keyring: Keyring },
    private readonly labels: Pick<Labels, "find">,
    { maxLookups = MAX_LOOKED_UP, cachedBlocks = CACHED_BLOCKS }: SearchLimits = {},
  ) {
    this.#maxLookups = maxLookups;
    this.#snapshots = new Snapshots(platform, new BlockCache(cachedBlocks));
  }

  /**
   * Returns the best messages by their words, at most `limit`; the newest where a query has no words that rank.
   * @param lacking how many of three or more words a message may lack where few have all; absent: all but one
   */
  find(scope: MailScope, query: Query, limit: number, lacking?: number): Found {
    return this.#read(scope, (segments, dictionary) => {
      const demands = this.#demands(scope, query, segments, dictionary);
      if (query.plain.length === 0 && demands.index.length === 0) {
        const hits = this.#newest(demands, limit);
        return { hits, corrections: [], terms: [], isKnown: true, isPartial: this.#lacksMail(scope) };
      }
      const plan = planOf(query, demands.index, dictionary);
      const ranking = this.#rank(segments, plan, { span: demands.span, ...(lacking === undefined ? {} : { lacking }) });
      const hits = this.#lookUp(ranking, demands, limit);
      const { corrections } = plan;
      return { hits, corrections, terms: termsOf(plan), isKnown: ranking.isKnown, isPartial: this.#lacksMail(scope) };
    });
  }

  /** Returns those of these messages that meet the conditions of a query, ignoring its plain words. */
  allowed(scope: MailScope, query: Query, candidates: readonly number[]): Map<number, Ranked> {
    return this.#read(scope, (segments, dictionary) => {
      const demands = this.#demands(scope, query, segments, dictionary);
      const rows = this.#rowsOf(candidates, demands);
      if (demands.index.length === 0) return rows;
      const found = this.#tested(segments, dictionary, demands).among([...rows.keys()]);
      return new Map([...rows].filter(([n]) => found.has(n)));
    });
  }

  /**
   * Returns the numbers of all messages that meet the conditions of a query, ignoring its plain words. If there are
   * very many, some may be in trash or spam: filter those that you use with `allowed`.
   */
  selection(scope: MailScope, query: Query): number[] {
    return this.#read(scope, (segments, dictionary) => {
      const demands = this.#demands(scope, query, segments, dictionary);
      if (demands.index.length === 0) return this.#selected(demands);
      const found = this.#tested(segments, dictionary, demands).numbers();
      if (found.length <= this.#maxLookups) return [...this.#rowsOf(found, demands).keys()];
      if (!demands.filtersRows) return found;
      const isFound = new Set(found);
      return this.#selected(demands).filter((n) => isFound.has(n));
    });
  }

  /**
   * Returns a condition on messages `m` and threads `t` for the results of a query. No word is corrected, because a
   * list cannot show that it was filtered by another word.
   */
  condition(scope: MailScope, query: Query): Sql {
    return this.#read(scope, (segments, dictionary) => {
      // The list selects the thread states.
      const { index, rows, span } = this.#demands(scope, { ...query, namesFolder: true }, segments, dictionary);
      if (query.plain.length === 0 && index.length === 0) return joined(rows, " AND ");
      const ranking = this.#rank(segments, planOf(query, index, dictionary, false), { strict: true, span });
      return joined([...rows, numbersSql(ranking.numbers())], " AND ");
    });
  }

  /** Returns whether the text of some mail is not indexed: after an upgrade, or after damage. */
  isPartial(scope: MailScope): boolean {
    return this.#isQueued(scope) || this.#unrepaired.has(scope.user_id);
  }

  /** Returns whether mail is missing in the index that `#read` has opened. */
  #lacksMail(scope: MailScope): boolean {
    return this.#isQueued(scope) || this.#snapshots.damageOf(scope.user_id) !== null;
  }

  #isQueued({ user_id, account_id }: MailScope): boolean {
    const queued = this.platform.db.sql
      .query<object, [string, string | null]>(
        "SELECT 1 FROM search_queue WHERE user_id = ?1 AND (?2 IS NULL OR account_id = ?2) LIMIT 1",
      )
      .get(user_id, account_id);
    return queued !== null;
  }

  /** Drops the cached data of a user who is being removed. */
  forget(user_id: string): void {
    this.#dictionaries.delete(user_id);
    this.#snapshots.forget(user_id);
    this.#unrepaired.delete(user_id);
  }

  /** Runs `work` on a consistent snapshot of the index, without its damaged parts. */
  #read<T>({ user_id }: MailScope, work: (segments: Segment[], dictionary: SegmentDictionary) => T): T {
    for (;;) {
      try {
        const found = this.#readOnce(user_id, work);
        const damage = this.#snapshots.damageOf(user_id);
        this.#unrepaired.delete(user_id);
        if (damage === null) return found;
        if (!this.onDamage) throw new IndexDamaged(damage.segments[0] ?? null);
        if (!this.onDamage(user_id, damage)) this.#unrepaired.add(user_id);
        return found;
      } catch (error) {
        const segment = this.onDamage && error instanceof IndexDamaged ? error.segment : null;
        if (segment === null || !this.#snapshots.leaveOut(user_id, segment)) throw error;
      }
    }
  }

  #readOnce<T>(user_id: string, work: (segments: Segment[], dictionary: SegmentDictionary) => T): T {
    const { db, keyring } = this.platform;
    const run = (segments: Segment[]) => work(segments, this.#dictionaryOf(user_id, segments));
    // A write transaction may be rolled back, so nothing that it sees may be cached.
    if (db.sql.inTransaction) return run(this.#snapshots.uncached(user_id));
    // The first call creates the key of a new user, which writes to the database.
    keyring.forUser(user_id);
    db.sql.run("BEGIN");
    try {
      return run(this.#snapshots.of(user_id));
    } finally {
      // ROLLBACK, because COMMIT fails after a damaged page was read. Some disk errors have already ended the
      // transaction.
      if (db.sql.inTransaction) db.sql.run("ROLLBACK");
    }
  }

  /**
   * Returns the dictionary of a user. Its cached properties, such as its languages, are kept until the mailbox has
   * grown.
   */
  #dictionaryOf(user_id: string, segments: Segment[]): SegmentDictionary {
    const known = this.#dictionaries.get(user_id);
    known?.dictionary.use(segments);
    known?.dictionary.allow(MAX_VISITED);
    if (known && known.dictionary.size <= known.until) return known.dictionary;
    if (this.#dictionaries.size >= MAX_DICTIONARIES) this.#dictionaries.clear();
    const dictionary = new SegmentDictionary(segments);
    // The languages are kept with the dictionary, so they are computed before the visit limit is set.
    languagesOf(dictionary);
    dictionary.allow(MAX_VISITED);
    this.#dictionaries.set(user_id, { dictionary, until: dictionary.size * GROWN });
    return dictionary;
  }

  #demands(scope: MailScope, query: Query, segments: Segment[], dictionary: SegmentDictionary): SplitConditions {
    const matching = (condition: Condition) =>
      this.#tested(segments, dictionary, { index: [condition], span: ANY_TIME }).numbers();
    const withMessageId = (user_id: string, headers: readonly string[]) =>
      numbersWithId(this.platform, user_id, headers);
    return splitConditions(query, { scope, labels: this.labels, withMessageId, matching });
  }

  #tested(
    segments: Segment[],
    dictionary: SegmentDictionary,
    { index, span }: Pick<SplitConditions, "index" | "span">,
  ): Ranking {
    return this.#rank(segments, planOf({ plain: [], text: "" }, index, dictionary), { span });
  }

  #rank(segments: Segment[], plan: Plan, options: { strict?: boolean; lacking?: number; span: Span }): Ranking {
    return new Ranking(segments, plan, { ...options, workspace: this.#workspace });
  }

  /** Returns the rows of the best hits that meet the conditions on rows, best first. */
  #lookUp(ranking: Ranking, demands: SplitConditions, limit: number): Ranked[] {
    const found: Ranked[] = [];
    let seen = 0;
    for (let most = Math.ceil(limit * SPARE) + SPARE_ROWS; most <= this.#maxLookups; ) {
      const best = ranking.best(most);
      found.push(...this.#rowsInOrder(best.slice(seen), demands));
      seen = most;
      if (found.length >= limit || best.length < most) return sorted(found).slice(0, limit);
      // Increase by as much as the conditions seem to need.
      most = Math.ceil(
        Math.min(most * MAX_GROWTH, Math.max(most * MIN_GROWTH, (most * limit * SPARE) / (found.length + 1))),
      );
    }
    const selected = new Set(this.#selected(demands));
    return sorted(
      this.#rowsInOrder(
        ranking.best(limit, (n) => selected.has(n)),
        demands,
      ),
    );
  }

  #rowsInOrder(best: readonly { n: number; score: number }[], demands: SplitConditions): Ranked[] {
    const rows = this.#rowsOf(
      best.map(({ n }) => n),
      demands,
    );
    return best.flatMap(({ n, score }) => {
      const row = rows.get(n);
      return row ? [{ ...row, score }] : [];
    });
  }

  #rowsOf(numbers: readonly number[], { rows }: SplitConditions): Map<number, Ranked> {
    const where = joined(rows, " AND ");
    const found = this.#all(
      `SELECT ${COLUMNS} FROM (SELECT value AS n FROM json_each(?)) AS found ${JOIN} WHERE ${where.text}`,
      [JSON.stringify(numbers), ...where.params],
    );
    return new Map(found.map((row) => [row.n, row]));
  }

  #selected({ rows }: SplitConditions): number[] {
    const where = joined(rows, " AND ");
    return this.platform.db.sql
      .query<Pick<MessageRow, "n">, (string | number)[]>(
        `SELECT m.n FROM messages m JOIN threads t ON t.id = m.thread_id WHERE ${where.text}`,
      )
      .all(...where.params)
      .map(({ n }) => n);
  }

  #newest({ rows }: SplitConditions, limit: number): Ranked[] {
    const where = joined(rows, " AND ");
    return this.#all(
      `SELECT ${COLUMNS} FROM messages m JOIN threads t ON t.id = m.thread_id WHERE ${where.text}
       ORDER BY m.internal_date DESC, m.n DESC LIMIT ?`,
      [...where.params, limit],
    );
  }

  #all(sql: string, params: (string | number)[]): Ranked[] {
    return this.platform.db.sql.query<Ranked, (string | number)[]>(sql).all(...params);
  }
}

/** Sorts by milliseconds, which the rows have; the index has seconds. */
function sorted(found: Ranked[]): Ranked[] {
  return found.sort((a, b) => b.score - a.score || b.internal_date - a.internal_date || b.n - a.n);
}
