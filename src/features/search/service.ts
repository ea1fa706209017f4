import type { Caller } from "../../http/guard/caller.ts";
import { ApiError, notFound } from "../../kernel/errors.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import { fold } from "../../mailbox/search/fold.ts";
import { withOwnAddresses } from "../../mailbox/search/own-addresses.ts";
import { isOfIndex } from "../../mailbox/search/plan.ts";
import { notInFullText, searchProgress } from "../../mailbox/search/progress.ts";
import { parseQuery, type Query } from "../../mailbox/search/query.ts";
import type { Ranked } from "../../mailbox/search/search.ts";
import type { Correction } from "../../mailbox/search/word-terms.ts";
import type { SemanticAnswer, SemanticRequest } from "../../ml/semantic/messages.ts";
import type { Near } from "../../ml/vectors/nearest.ts";
import { CREDITS, hasCredits, takeCredits } from "../../platform/ledger/credits.ts";
import { errorFields } from "../../platform/log.ts";
import type { Histogram } from "../../platform/metrics.ts";
import type { Platform } from "../../platform/platform.ts";
import { type FullTextLookup, onThisThread } from "./fulltext-worker.ts";
import { aboveThreshold, byThread, type Candidate, type Scored, score } from "./fusion.ts";
import type { Mode, SearchBody } from "./model.ts";
import { RankingCache } from "./ranking-cache.ts";

/** Semantic search, which runs on the semantic worker. */
export interface SemanticSearch {
  search(request: SemanticRequest): Promise<SemanticAnswer>;
}

/** The result of a search, best first, one row for each thread. */
export interface Ranking {
  query: Query;
  mode: Mode;
  rows: (Scored & { other_matches: number })[];
  /** Words of the query that were searched for in another spelling. */
  corrections: Correction[];
  /** Terms to highlight in texts, besides the words of the query. */
  terms: string[];
  /** True if a deeper search finds more rows. */
  hasMore: boolean;
  partial: boolean;
  /** True if the model was not needed or did not answer, and the result is from keyword search alone. */
  withoutModel: boolean;
  indexed: number;
  waiting: number;
  /** Messages whose text is not indexed yet. */
  waiting_full_text: number;
}

/** Maximum rows of a search. */
const MAX_FOUND = 500;
/** Messages that are initially searched for each thread of a page. */
const MESSAGES_A_THREAD = 3;
/** Most full-text hits, and most semantic hits, that are blended (decision 0013: linear fusion over the union). */
const MAX_BLENDED = 200;
/**
 * Number of words that a full-text hit may lack in a query of three or more. Semantic search ranks messages that lack
 * more of them better.
 */
const LACKING_BLENDED = 1;
/** Factor by which more semantic hits are fetched than are blended, because conditions remove some. */
const OVERFETCH = 3;
/** The same factor for a query without conditions, where only trash and spam are removed. */
const SPARE = 1.2;
/** If the conditions on the full-text index allow no more messages than this, the model searches only among them. */
const FEW_ALLOWED = 4_000;
/** Approximate cosine of unrelated sentences. */
const FAINTEST = 0.2;

/** Implements POST /search. */
export class SearchService {
  readonly #cache: RankingCache<Ranking>;
  readonly #lookup: FullTextLookup;

  constructor(
    private readonly parts: {
      platform: Platform;
      mailbox: Mailbox;
      semantic: SemanticSearch;
      /** Searches the full-text index; if absent, on this thread. */
      lookup?: FullTextLookup | undefined;
      durations?: Histogram | undefined;
    },
  ) {
    this.#cache = new RankingCache(parts.platform.clock);
    this.#lookup = parts.lookup ?? onThisThread(parts.mailbox.search);
  }

  /**
   * Returns the rows of a search. Further pages are read from the same ranking while it is cached, and cost nothing.
   * @param after the offset after which rows are wanted; null: the first page
   * @throws ApiError invalid_params, not_found, insufficient_credits
   */
  async search(
    caller: Caller,
    body: SearchBody,
    after: { offset: number; mode: Mode } | null,
  ): Promise<{ ranking: Ranking; credits_spent: number }> {
    const scope = this.#scope(caller, body.account_id);
    const query = this.#parse(scope, body.query);
    const mode = after?.mode ?? this.#modeFor(caller, body.mode);
    const to = (after?.offset ?? 0) + body.limit;
    const key = JSON.stringify([caller.user_id, scope.account_id, mode, body.query]);
    const kept = after && this.#cache.get(key);
    if (kept && (!kept.hasMore || kept.rows.length > to)) return { ranking: kept, credits_spent: 0 };
    const found = await this.#rank(scope, query, mode, to);
    const ranking = kept ? { ...found, rows: continued(kept.rows, found.rows) } : found;
    this.#cache.set(key, ranking);
    return { ranking, credits_spent: after ? 0 : this.#pay(caller, found) };
  }

  /** Returns the ranking of a query without spending a credit. */
  find(scope: MailScope, query: string, mode: Mode, limit = 25): Promise<Ranking> {
    return this.#rank(scope, this.#parse(scope, query), mode, limit);
  }

  #parse({ user_id }: MailScope, text: string): Query {
    const { platform, mailbox } = this.parts;
    return withOwnAddresses(parseQuery(text, platform.clock.now()), () => mailbox.accounts.addressesOf(user_id));
  }

  #scope(caller: Caller, account_id: string | undefined): MailScope {
    if (account_id === undefined) return caller;
    if (caller.account_id !== null && caller.account_id !== account_id) throw notFound("account", "account_id");
    this.parts.mailbox.accounts.owned(caller.user_id, account_id, "account_id");
    return { user_id: caller.user_id, account_id };
  }

  /**
   * Returns the mode of a search. If no credit is left, the default is `keyword`.
   * @throws ApiError insufficient_credits
   */
  #modeFor({ user }: Caller, wanted: Mode | undefined): Mode {
    if (wanted === "keyword" || hasCredits(this.parts.platform, user, CREDITS.search)) return wanted ?? "hybrid";
    if (wanted === undefined) return "keyword";
    throw new ApiError(
      "insufficient_credits",
      "This month's AI credits are used up. Search with mode `keyword`, which spends no credits.",
    );
  }

  /** Spends the credit for an answer. An answer without the model is free. @returns the credits spent */
  #pay({ user }: Caller, { mode, withoutModel }: Ranking): number {
    if (mode === "keyword" || withoutModel) return 0;
    const { platform } = this.parts;
    // If another answer has used the last credit in between, this one is free.
    return platform.db.write(() => takeCredits(platform, user, CREDITS.search)) ? CREDITS.search : 0;
  }

  /**
   * Returns the cached or a new ranking, and measures the time it takes.
   * @param wanted number of rows; one more is searched to see whether there are more
   */
  #rank(scope: MailScope, query: Query, mode: Mode, wanted: number): Promise<Ranking> {
    const find = () => this.#find(scope, query, mode, wanted);
    const { durations } = this.parts;
    const withoutSemantics = ({ withoutModel, waiting }: Ranking) => withoutModel || waiting > 0;
    return durations ? durations.time((found) => (withoutSemantics(found) ? "keyword" : mode), find) : find();
  }

  async #find(scope: MailScope, query: Query, mode: Mode, wanted: number): Promise<Ranking> {
    const waiting_full_text = notInFullText(this.parts.platform, scope);
    const nothing: Ranking = {
      query,
      mode,
      rows: [],
      corrections: [],
      terms: [],
      hasMore: false,
      partial: waiting_full_text > 0,
      withoutModel: true,
      indexed: 0,
      waiting: 0,
      waiting_full_text,
    };
    if (query.plain.length === 0 && query.conditions.length === 0) return nothing;
    const { search } = this.parts.mailbox;
    // Checked before and after the search, because missing mail may be indexed in between, and a search can detect
    // damage. `found.partial` is true if mail was missing only in between.
    const wasPartial = search.isPartial(scope);
    // A query of operators alone has no text for the model.
    const isKeyword = mode === "keyword" || query.text === "";
    const found = isKeyword
      ? await this.#byKeyword(scope, query, wanted)
      : await this.#withModel(scope, query, mode, wanted);
    return { ...nothing, ...found, partial: found.partial === true || wasPartial || search.isPartial(scope) };
  }

  /**
   * Searches with the model, and in hybrid mode with full-text search as well. If the model does not answer, only
   * full-text search is used.
   */
  async #withModel(
    scope: MailScope,
    query: Query,
    mode: Exclude<Mode, "keyword">,
    wanted: number,
  ): Promise<Partial<Ranking>> {
    // Both searches run at the same time.
    const wants = await this.#wantedNear(scope, query);
    const asking = this.#ask(scope, query, wants);
    // Semantic mode looks words up as well, to correct their spelling.
    const most = mode === "hybrid" ? MAX_BLENDED : 0;
    const { hits, corrections, terms, isKnown, isPartial } = await this.#lookup.find(
      scope,
      query,
      most,
      LACKING_BLENDED,
    );
    const spelled = { ...query, text: corrected(query.text, corrections) };
    const found = await this.#near(scope, spelled, {
      asking: corrections.length > 0 ? this.#ask(scope, spelled, wants) : asking,
      wants,
      fewest: Math.min(wanted * 2, MAX_BLENDED),
      hits,
    });
    if (!found) {
      // All rows at once, because further pages must not depend on whether the model is available again.
      return { ...(await this.#byKeyword(scope, query, MAX_FOUND)), partial: true, waiting: this.#waiting(scope) };
    }
    const candidates = aboveThreshold(blend(hits, found), isKnown);
    const rows = byThread(score(candidates, mode, this.parts.platform.clock.now()));
    const { indexed, waiting } = this.#progress(scope, found.answer);
    return { rows, corrections, terms, withoutModel: false, partial: isPartial || waiting > 0, indexed, waiting };
  }

  /** Searches with full-text search alone. A first page needs only the first hits of the same order. */
  async #byKeyword(scope: MailScope, query: Query, wanted: number): Promise<Partial<Ranking>> {
    const now = this.parts.platform.clock.now();
    const upTo = async (depth: number) => {
      const { hits, corrections, terms, isPartial } = await this.#lookup.find(scope, query, depth);
      const found = hits.map(fullTextCandidate);
      const ordered = found.some(({ words }) => words !== 0) ? score(found, "keyword", now) : found.map(newest);
      const hasMore = depth < MAX_FOUND && found.length === depth;
      return { rows: byThread(ordered), hasMore, corrections, terms, partial: isPartial };
    };
    const first = await upTo(Math.min(MAX_FOUND, (wanted + 1) * MESSAGES_A_THREAD));
    return first.hasMore && first.rows.length <= wanted ? upTo(MAX_FOUND) : first;
  }

  /** Asks the model. @returns null if it does not answer: the search is then partial, never an error */
  async #ask(
    { user_id }: MailScope,
    { text }: Query,
    wants: Wanted & { candidates?: number[] },
  ): Promise<SemanticAnswer | null> {
    const { semantic, platform } = this.parts;
    try {
      return await semantic.search({ user_id, text, candidates: [], within: null, ...wants });
    } catch (error) {
      platform.log.warn("a search was answered without the semantic model", errorFields(error));
      return null;
    }
  }

  /** Returns how many of the nearest messages to ask for, and among which. */
  async #wantedNear(scope: MailScope, query: Query): Promise<Wanted> {
    if (query.conditions.some(isOfIndex)) {
      const within = await this.#lookup.selection(scope, query);
      if (within.length <= FEW_ALLOWED) return { limit: MAX_BLENDED * SPARE, within: Int32Array.from(within) };
    }
    const isFiltered = query.conditions.length > 0 || scope.account_id !== null;
    return { limit: MAX_BLENDED * (isFiltered ? OVERFETCH : SPARE) };
  }

  /**
   * Finds the nearest messages that the conditions allow, and the similarity of the full-text hits.
   * @param asking the request for `wants`, already sent
   * @param fewest if conditions leave fewer messages than this, the model is asked again, among the messages that they
   * allow
   * @returns null if the model does not answer
   */
  async #near(
    scope: MailScope,
    query: Query,
    {
      asking,
      wants,
      fewest,
      hits,
    }: { asking: Promise<SemanticAnswer | null>; wants: Wanted; fewest: number; hits: Ranked[] },
  ): Promise<Found | null> {
    const answer = await asking;
    if (!answer) return null;
    const isNear = new Set(answer.near.map(({ n }) => n));
    const others = hits.map(({ n }) => n).filter((n) => !isNear.has(n));
    // The worker scores these while rows are looked up here.
    const scoring = others.length > 0 ? this.#ask(scope, query, { limit: 0, candidates: others }) : null;
    let found = await this.#allowed(scope, query, answer, hits);
    const isAll = wants.within || answer.near.length < wants.limit || answer.near.at(-1)!.score < FAINTEST;
    if (!isAll && found.kept.length < fewest) {
      // Conditions, or mail in the trash, leave too few of the nearest.
      const within = Int32Array.from(await this.#lookup.selection(scope, query));
      const among = await this.#ask(scope, query, { limit: MAX_BLENDED * SPARE, within });
      if (!among) return null;
      found = await this.#allowed(scope, query, among, hits);
    }
    const scored = await scoring;
    // Includes hits that are too distant to be found by the model.
    const cosines = [...answer.near, ...(scored?.candidates ?? [])];
    return others.length > 0 && !scored ? null : { ...found, cosines };
  }

  async #allowed(scope: MailScope, query: Query, answer: SemanticAnswer, hits: readonly Ranked[]): Promise<Found> {
    const near = answer.near.filter(({ score }) => score >= FAINTEST);
    // Full-text hits already meet the conditions.
    const known = new Map(hits.map((hit) => [hit.n, hit]));
    const others = near.map(({ n }) => n).filter((n) => !known.has(n));
    const rows = new Map([...known, ...(await this.#lookup.allowed(scope, query, others))]);
    return { answer, cosines: [], rows, kept: near.filter(({ n }) => rows.has(n)).slice(0, MAX_BLENDED) };
  }

  /** Returns how many of the searched messages have vectors and how many wait for them. */
  #progress({ account_id }: MailScope, { indexed, waiting }: SemanticAnswer): { indexed: number; waiting: number } {
    if (account_id === null) return { indexed, waiting };
    const { done, total } = searchProgress(this.parts.platform, account_id);
    return { indexed: done, waiting: total - done };
  }

  #waiting({ user_id, account_id }: MailScope): number {
    return this.parts.platform.db.sql
      .query<{ c: number }, [string, string | null]>(
        "SELECT count(*) AS c FROM embed_queue WHERE user_id = ?1 AND (?2 IS NULL OR account_id = ?2)",
      )
      .get(user_id, account_id)!.c;
  }
}

/** The request to the model: the nearest messages, among all or `within` some. */
interface Wanted {
  limit: number;
  within?: Int32Array;
}

/** The result of the semantic search. */
interface Found {
  answer: SemanticAnswer;
  /** The nearest messages that the conditions allow. */
  kept: Near[];
  /** Similarity of messages that only full-text search found. */
  cosines: Near[];
  /** Rows of `kept` and of the full-text hits. */
  rows: Map<number, Ranked>;
}

/** Returns the union of semantic and full-text hits. */
function blend(hits: readonly Ranked[], { cosines, rows, kept }: Found): Candidate[] {
  const cosine = new Map([...cosines, ...kept].map(({ n, score }) => [n, score]));
  const isNear = new Set(kept.map(({ n }) => n));
  const union = new Map(hits.map((hit) => [hit.n, fullTextCandidate(hit)]));
  for (const { n } of kept) if (!union.has(n)) union.set(n, { ...fullTextCandidate(rows.get(n)!), words: null });
  return [...union.values()].map((candidate) => ({
    ...candidate,
    semantic: cosine.get(candidate.n) ?? null,
    near: isNear.has(candidate.n),
  }));
}

/** Appends new rows to those already shown, which keep their positions when mail changes. */
function continued(shown: Ranking["rows"], found: Ranking["rows"]): Ranking["rows"] {
  const threads = new Set(shown.map(({ thread_id }) => thread_id));
  return [...shown, ...found.filter(({ thread_id }) => !threads.has(thread_id))].slice(0, MAX_FOUND);
}

/** Returns a text with the corrected spelling of its words. */
function corrected(text: string, corrections: readonly Correction[]): string {
  if (corrections.length === 0) return text;
  const spelling = new Map(corrections.map(({ from, to }) => [from, to]));
  return text.replace(/[\p{L}\p{M}]+/gu, (word) => spelling.get(fold(word)) ?? word);
}

function fullTextCandidate({ score: words, correspondent, ...row }: Ranked): Candidate {
  return { ...row, words, semantic: null, near: false, correspondent: correspondent === 1 };
}

/** Sets equal scores, so that candidates are sorted by time. */
const newest = (candidate: Candidate): Scored => ({ ...candidate, score: 1 });
