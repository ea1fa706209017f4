import type { Caller } from "../../http/caller.ts";
import { ApiError, notFound } from "../../kernel/errors.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { MailScope } from "../../mailbox/queries.ts";
import { parseQuery, type Query } from "../../mailbox/search/query.ts";
import type { MeaningAnswer, MeaningRequest } from "../../ml/semantic/messages.ts";
import type { Near } from "../../ml/vectors/nearest.ts";
import { CREDITS, takeCredits } from "../../platform/credits.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { byThread, type Candidate, type Scored, score } from "./fusion.ts";
import type { Mode, SearchBody } from "./model.ts";
import { RankingCache } from "./ranking-cache.ts";

/** Finds by meaning. */
export interface Meaning {
  search(request: MeaningRequest): Promise<MeaningAnswer>;
}

/** What was found, best first, one row for each thread. */
export interface Ranking {
  query: Query;
  mode: Mode;
  rows: (Scored & { other_matches: number })[];
  partial: boolean;
  indexed: number;
  waiting: number;
}

/** Found by words alone: pages go no deeper. */
const MOST_FOUND = 500;
/** Of each kind, for what both find (decisions: linear fusion over the union). */
const MOST_BLENDED = 200;
/** More is fetched than is blended, for filters take some away; where they leave too few, only what they allow is searched. */
const OVERFETCH = 3;
/** Unrelated sentences are about this near. */
const FAINTEST = 0.2;

/** POST /search. */
export class SearchService {
  readonly #cache: RankingCache<Ranking>;

  constructor(private readonly parts: { platform: Platform; mailbox: Mailbox; meaning: Meaning }) {
    this.#cache = new RankingCache(parts.platform.clock);
  }

  /**
   * What a search finds. A further page of the same search is read from the same ranking, as long as that is kept, and
   * costs nothing.
   * @throws ApiError invalid_params, not_found, insufficient_credits
   */
  async search(
    caller: Caller,
    body: SearchBody,
    is_first: boolean,
  ): Promise<{ ranking: Ranking; credits_spent: number }> {
    const { platform } = this.parts;
    const scope = this.#scope(caller, body.account_id);
    const query = parseQuery(body.query, platform.clock.now());
    const key = JSON.stringify([caller.user_id, scope.account_id, body.mode ?? null, body.query]);
    if (!is_first) {
      const kept = this.#cache.get(key);
      if (kept) return { ranking: kept, credits_spent: 0 };
    }
    const { mode, credits_spent } = is_first
      ? this.#pay(caller, body.mode)
      : { mode: body.mode ?? "hybrid", credits_spent: 0 };
    const ranking = await this.#rank(scope, query, mode, body.limit * 2);
    this.#cache.set(key, ranking);
    return { ranking, credits_spent };
  }

  /** What a query finds, whoever pays for it. */
  find(scope: MailScope, query: string, mode: Mode, limit = 25): Promise<Ranking> {
    return this.#rank(scope, parseQuery(query, this.parts.platform.clock.now()), mode, limit);
  }

  #scope(caller: Caller, account_id: string | undefined): MailScope {
    if (account_id === undefined) return caller;
    if (caller.account_id !== null && caller.account_id !== account_id) throw notFound("account");
    this.parts.mailbox.accounts.owned(caller.user_id, account_id);
    return { user_id: caller.user_id, account_id };
  }

  /** Searching by meaning spends a credit (contract, "Plans"). */
  #pay({ user }: Caller, wanted: Mode | undefined): { mode: Mode; credits_spent: number } {
    if (wanted === "keyword") return { mode: wanted, credits_spent: 0 };
    const { platform } = this.parts;
    const paid = platform.db.write(() => takeCredits(platform, user, CREDITS.search));
    if (paid) return { mode: wanted ?? "hybrid", credits_spent: CREDITS.search };
    if (wanted === undefined) return { mode: "keyword", credits_spent: 0 };
    throw new ApiError("insufficient_credits", "This month's AI credits are used up; `keyword` mode spends none.");
  }

  /** @param fewest rows that a filter must not leave fewer of, as far as there are more */
  async #rank(scope: MailScope, query: Query, mode: Mode, fewest: number): Promise<Ranking> {
    const { search } = this.parts.mailbox;
    const nothing = { query, mode, rows: [], partial: false, indexed: 0, waiting: 0 };
    if (query.plain.length === 0 && query.conditions.length === 0) return nothing;
    const now = this.parts.platform.clock.now();
    // Operators alone mean nothing to a model.
    if (mode === "keyword" || query.text === "") {
      const found = search.rank(scope, query, MOST_FOUND).map(fromWords);
      const ordered = found.some(({ words }) => words !== 0) ? score(found, "keyword", now) : found.map(newest);
      return { ...nothing, rows: byThread(ordered) };
    }
    const words = mode === "hybrid" ? this.#byWords(scope, query) : [];
    const numbers = words.map(({ n }) => n);
    const found = await this.#meaning(scope, query, numbers, Math.min(fewest, MOST_BLENDED));
    if (!found) {
      // The words are always there.
      const rows = byThread(score(mode === "hybrid" ? words : this.#byWords(scope, query), "keyword", now));
      return { ...nothing, rows, partial: true, waiting: this.#waiting(scope.user_id) };
    }
    const rows = byThread(score(this.#blend(words, found), mode, now));
    const { indexed, waiting } = found.answer;
    return { ...nothing, rows, partial: waiting > 0, indexed, waiting };
  }

  #byWords(scope: MailScope, query: Query): Candidate[] {
    return this.parts.mailbox.search.rank(scope, query, MOST_BLENDED).map(fromWords);
  }

  /**
   * By meaning, only what the query's conditions allow. Null where the model cannot be asked: the answer is then partial,
   * never an error.
   */
  async #meaning(scope: MailScope, query: Query, candidates: number[], fewest: number): Promise<Found | null> {
    const { mailbox, meaning, platform } = this.parts;
    const ask = async (limit: number, within: Int32Array | null): Promise<Found> => {
      const request = { user_id: scope.user_id, text: query.text, limit, candidates, within };
      const answer = await meaning.search(request);
      const near = answer.near.filter(({ score }) => score >= FAINTEST);
      const numbers = near.map(({ n }) => n);
      const rows = mailbox.search.allowed(scope, query, numbers);
      return { answer, rows, kept: near.filter(({ n }) => rows.has(n)).slice(0, MOST_BLENDED) };
    };
    try {
      const limit = MOST_BLENDED * OVERFETCH;
      const found = await ask(limit, null);
      if (found.kept.length >= fewest || found.answer.near.length < limit) return found;
      // The filter leaves too little of what is near: now only what it leaves is looked at.
      const selection = mailbox.search.selection(scope, query);
      return selection === null ? found : await ask(MOST_BLENDED, Int32Array.from(selection));
    } catch (error) {
      platform.log.warn("a search was answered without its meaning", errorFields(error));
      return null;
    }
  }

  /** The union of both. */
  #blend(words: Candidate[], found: Found): Candidate[] {
    const { mailbox } = this.parts;
    const { answer, rows, kept } = found;
    const cosine = new Map([...answer.candidates, ...kept].map(({ n, score }) => [n, score]));
    const isNear = new Set(kept.map(({ n }) => n));
    const union = new Map(words.map((candidate) => [candidate.n, candidate]));
    for (const { n } of kept) if (!union.has(n)) union.set(n, { ...fromWords(rows.get(n)!), words: null });
    const known = mailbox.search.fromCorrespondents([...union.keys()]);
    return [...union.values()].map((candidate) => ({
      ...candidate,
      meaning: cosine.get(candidate.n) ?? null,
      near: isNear.has(candidate.n),
      correspondent: known.has(candidate.n),
    }));
  }

  #waiting(user_id: string): number {
    return this.parts.platform.db.sql
      .query<{ c: number }, [string]>("SELECT count(*) AS c FROM embed_queue WHERE user_id = ?")
      .get(user_id)!.c;
  }
}

/** What the model found, and the rows of what is allowed of it. */
interface Found {
  answer: MeaningAnswer;
  kept: Near[];
  rows: Map<number, Row>;
}

type Row = { n: number; thread_id: string; internal_date: number; score: number };

function fromWords({ score: words, ...row }: Row): Candidate {
  return { ...row, words, meaning: null, near: false, correspondent: false };
}

/** In the order of time nothing is better than anything else. */
const newest = (candidate: Candidate): Scored => ({ ...candidate, score: 1 });
