import type { Caller } from "../../http/caller.ts";
import { ApiError, notFound } from "../../kernel/errors.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { MailScope } from "../../mailbox/queries.ts";
import { fold } from "../../mailbox/search/fold.ts";
import { withOwnAddresses } from "../../mailbox/search/own-addresses.ts";
import { isOfIndex } from "../../mailbox/search/plan.ts";
import { notInFullText, searchProgress } from "../../mailbox/search/progress.ts";
import { parseQuery, type Query } from "../../mailbox/search/query.ts";
import type { Ranked } from "../../mailbox/search/search.ts";
import type { Correction } from "../../mailbox/search/word-terms.ts";
import type { MeaningAnswer, MeaningRequest } from "../../ml/semantic/messages.ts";
import type { Near } from "../../ml/vectors/nearest.ts";
import { CREDITS, hasCredits, takeCredits } from "../../platform/credits.ts";
import { errorFields } from "../../platform/log.ts";
import type { Histogram } from "../../platform/measures.ts";
import type { Platform } from "../../platform/platform.ts";
import { aboveFloor, byThread, type Candidate, type Scored, score } from "./fusion.ts";
import type { Mode, SearchBody } from "./model.ts";
import { RankingCache } from "./ranking-cache.ts";
import { lookHere, type WordLookup } from "./word-thread.ts";

/** Finds by meaning. */
export interface Meaning {
  search(request: MeaningRequest): Promise<MeaningAnswer>;
}

/** What was found, best first, one row for each thread. */
export interface Ranking {
  query: Query;
  mode: Mode;
  rows: (Scored & { other_matches: number })[];
  /** Words that were searched for in another spelling. */
  corrections: Correction[];
  /** Terms to mark in texts, beside the words of the query. */
  terms: string[];
  /** True when there are more rows than these, to be found by looking deeper. */
  goes_on: boolean;
  partial: boolean;
  /** True when the model could not be asked, and the words alone answered. */
  without_meaning: boolean;
  indexed: number;
  waiting: number;
  /** Messages whose text is not indexed yet. */
  waiting_full_text: number;
}

/** Found by words alone: pages go no deeper. */
const MOST_FOUND = 500;
/** For a page of threads, so many times as many messages are found first. */
const MESSAGES_A_THREAD = 3;
/** Of each kind, for what both find (decisions: linear fusion over the union). */
const MOST_BLENDED = 200;
/** More is fetched than is blended, for filters take some away; where they leave too few, only what they allow is searched. */
const OVERFETCH = 3;
/** Without a filter, only what is in the trash is taken away. */
const SPARE = 1.2;
/** Where the index allows no more messages than these, only they are looked at. */
const FEW_ALLOWED = 4_000;
/** Unrelated sentences are about this near. */
const FAINTEST = 0.2;

/** POST /search. */
export class SearchService {
  readonly #cache: RankingCache<Ranking>;
  readonly #words: WordLookup;

  constructor(
    private readonly parts: {
      platform: Platform;
      mailbox: Mailbox;
      meaning: Meaning;
      /** Finds by words; absent: this thread does. */
      words?: WordLookup | undefined;
      durations?: Histogram | undefined;
    },
  ) {
    this.#cache = new RankingCache(parts.platform.clock);
    this.#words = parts.words ?? lookHere(parts.mailbox.search);
  }

  /**
   * What a search finds. A further page of the same search is read from the same ranking, as long as that is kept, and
   * costs nothing.
   * @param after which place further rows are wanted; null: the first page
   * @throws ApiError invalid_params, not_found, insufficient_credits
   */
  async search(
    caller: Caller,
    body: SearchBody,
    after: { place: number; mode: Mode } | null,
  ): Promise<{ ranking: Ranking; credits_spent: number }> {
    const scope = this.#scope(caller, body.account_id);
    const query = this.#parse(scope, body.query);
    const mode = after?.mode ?? this.#modeFor(caller, body.mode);
    const to = (after?.place ?? 0) + body.limit;
    const key = JSON.stringify([caller.user_id, scope.account_id, mode, body.query]);
    const kept = after && this.#cache.get(key);
    if (kept && (!kept.goes_on || kept.rows.length > to)) return { ranking: kept, credits_spent: 0 };
    const found = await this.#rank(scope, query, mode, to);
    const ranking = kept ? { ...found, rows: continued(kept.rows, found.rows) } : found;
    this.#cache.set(key, ranking);
    return { ranking, credits_spent: after ? 0 : this.#pay(caller, found) };
  }

  /** What a query finds, whoever pays for it. */
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

  /** Searching by meaning spends a credit (contract, "Plans"). Where none is left, the default is to search by words. */
  #modeFor({ user }: Caller, wanted: Mode | undefined): Mode {
    if (wanted === "keyword" || hasCredits(this.parts.platform, user, CREDITS.search)) return wanted ?? "hybrid";
    if (wanted === undefined) return "keyword";
    throw new ApiError("insufficient_credits", "This month's AI credits are used up; `keyword` mode spends none.");
  }

  /** Takes the credit for an answer that is there. One that had to do without its meaning costs nothing. */
  #pay({ user }: Caller, { mode, without_meaning }: Ranking): number {
    if (mode === "keyword" || without_meaning) return 0;
    const { platform } = this.parts;
    // Should another answer have taken the last one meanwhile, this one is free.
    return platform.db.write(() => takeCredits(platform, user, CREDITS.search)) ? CREDITS.search : 0;
  }

  /** Finds, and observes how long it takes. @param wanted so many rows, and one more where there are more */
  #rank(scope: MailScope, query: Query, mode: Mode, wanted: number): Promise<Ranking> {
    const find = () => this.#find(scope, query, mode, wanted);
    const { durations } = this.parts;
    const byWords = ({ without_meaning, waiting }: Ranking) => without_meaning || waiting > 0;
    return durations ? durations.time((found) => (byWords(found) ? "keyword" : mode), find) : find();
  }

  async #find(scope: MailScope, query: Query, mode: Mode, wanted: number): Promise<Ranking> {
    const waiting_full_text = notInFullText(this.parts.platform, scope);
    const nothing = {
      query,
      mode,
      rows: [],
      corrections: [],
      terms: [],
      goes_on: false,
      partial: waiting_full_text > 0,
      without_meaning: false,
      indexed: 0,
      waiting: 0,
      waiting_full_text,
    };
    if (query.plain.length === 0 && query.conditions.length === 0) return nothing;
    const now = this.parts.platform.clock.now();
    const { search } = this.parts.mailbox;
    // Before and after: what is missing now may be there in a moment, and damage shows by searching.
    const wasPartial = search.isPartial(scope);
    // Operators alone mean nothing to a model.
    if (mode === "keyword" || query.text === "") {
      const found = await this.#wordsAlone(scope, query, wanted);
      return { ...nothing, ...found, partial: wasPartial || search.isPartial(scope) };
    }
    // What is near is looked for while the words are.
    const wants = await this.#wantedNear(scope, query);
    const asking = this.#ask(scope, query, wants);
    // The words are looked up in every mode, for their spelling.
    const most = mode === "hybrid" ? MOST_BLENDED : 0;
    const { hits, corrections, terms, isKnown } = await this.#words.find(scope, query, most);
    const spelled = { ...query, text: corrected(query.text, corrections) };
    const found = await this.#near(scope, spelled, {
      asking: corrections.length > 0 ? this.#ask(scope, spelled, wants) : asking,
      wants,
      fewest: Math.min(wanted * 2, MOST_BLENDED),
      hits,
    });
    if (!found) {
      // The words are always there. All of them at once: a further page must not depend on whether the model is back.
      const { rows, corrections, terms } = await this.#wordsAlone(scope, query, MOST_FOUND);
      const waiting = this.#waiting(scope);
      return { ...nothing, rows, corrections, terms, partial: true, without_meaning: true, waiting };
    }
    const candidates = blend(hits, found);
    const rows = byThread(score(aboveFloor(candidates, isKnown), mode, now));
    const { indexed, waiting } = this.#progress(scope, found.answer);
    const partial = waiting > 0 || wasPartial || search.isPartial(scope);
    return { ...nothing, rows, corrections, terms, partial, indexed, waiting };
  }

  /** The first page is read from fewer, the best of the same order. */
  async #wordsAlone(
    scope: MailScope,
    query: Query,
    wanted: number,
  ): Promise<Pick<Ranking, "rows" | "goes_on" | "corrections" | "terms">> {
    const now = this.parts.platform.clock.now();
    const upTo = async (depth: number) => {
      const { hits, corrections, terms } = await this.#words.find(scope, query, depth);
      const found = hits.map(fromWords);
      const ordered = found.some(({ words }) => words !== 0) ? score(found, "keyword", now) : found.map(newest);
      const goes_on = depth < MOST_FOUND && found.length === depth;
      return { rows: byThread(ordered), goes_on, corrections, terms };
    };
    const first = await upTo(Math.min(MOST_FOUND, (wanted + 1) * MESSAGES_A_THREAD));
    return first.goes_on && first.rows.length <= wanted ? upTo(MOST_FOUND) : first;
  }

  /** Null where the model cannot be asked: the answer is then partial, never an error. */
  async #ask(
    { user_id }: MailScope,
    { text }: Query,
    wants: Wanted & { candidates?: number[] },
  ): Promise<MeaningAnswer | null> {
    const { meaning, platform } = this.parts;
    try {
      return await meaning.search({ user_id, text, candidates: [], within: null, ...wants });
    } catch (error) {
      platform.log.warn("a search was answered without its meaning", errorFields(error));
      return null;
    }
  }

  /** How many of the nearest are asked for, and among which messages. Conditions take some of them away. */
  async #wantedNear(scope: MailScope, query: Query): Promise<Wanted> {
    if (query.conditions.some(isOfIndex)) {
      const within = await this.#words.selection(scope, query);
      if (within.length <= FEW_ALLOWED) return { limit: MOST_BLENDED * SPARE, within: Int32Array.from(within) };
    }
    const isFiltered = query.conditions.length > 0 || scope.account_id !== null;
    return { limit: MOST_BLENDED * (isFiltered ? OVERFETCH : SPARE) };
  }

  /**
   * What is near and allowed by the query's conditions, and how near is what was found by its words.
   * @param asking for what is wanted @param fewest where conditions leave fewer, it is only looked among what they allow
   */
  async #near(
    scope: MailScope,
    query: Query,
    {
      asking,
      wants,
      fewest,
      hits,
    }: { asking: Promise<MeaningAnswer | null>; wants: Wanted; fewest: number; hits: Ranked[] },
  ): Promise<Found | null> {
    const answer = await asking;
    if (!answer) return null;
    const isNear = new Set(answer.near.map(({ n }) => n));
    const others = hits.map(({ n }) => n).filter((n) => !isNear.has(n));
    // The worker works these out while rows are looked up here.
    const scoring = others.length > 0 ? this.#ask(scope, query, { limit: 0, candidates: others }) : null;
    let found = await this.#allowed(scope, query, answer, hits);
    const isAll = wants.within || answer.near.length < wants.limit || answer.near.at(-1)!.score < FAINTEST;
    if (!isAll && found.kept.length < fewest) {
      // The filter, or what lies in the trash, leaves too little of what is near: now only what is left is looked at.
      const within = Int32Array.from(await this.#words.selection(scope, query));
      const among = await this.#ask(scope, query, { limit: MOST_BLENDED * SPARE, within });
      if (!among) return null;
      found = await this.#allowed(scope, query, among, hits);
    }
    const scored = await scoring;
    // Also of hits that are too far away to be found by their meaning.
    const cosines = [...answer.near, ...(scored?.candidates ?? [])];
    return others.length > 0 && !scored ? null : { ...found, cosines };
  }

  async #allowed(scope: MailScope, query: Query, answer: MeaningAnswer, hits: readonly Ranked[]): Promise<Found> {
    const near = answer.near.filter(({ score }) => score >= FAINTEST);
    // What was found by its words is allowed.
    const known = new Map(hits.map((hit) => [hit.n, hit]));
    const others = near.map(({ n }) => n).filter((n) => !known.has(n));
    const rows = new Map([...known, ...(await this.#words.allowed(scope, query, others))]);
    return { answer, cosines: [], rows, kept: near.filter(({ n }) => rows.has(n)).slice(0, MOST_BLENDED) };
  }

  /** How much of the mail that is searched is indexed by meaning: of one mailbox, if it is that. */
  #progress({ account_id }: MailScope, { indexed, waiting }: MeaningAnswer): { indexed: number; waiting: number } {
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

/** What is asked of the model. Absent `within`: among all messages. */
interface Wanted {
  limit: number;
  within?: Int32Array;
}

/** What the model found, and the rows of what is allowed of it. */
interface Found {
  answer: MeaningAnswer;
  kept: Near[];
  /** Of what was found by its words, too. */
  cosines: Near[];
  rows: Map<number, Ranked>;
}

/** The union of both. */
function blend(hits: readonly Ranked[], { cosines, rows, kept }: Found): Candidate[] {
  const cosine = new Map([...cosines, ...kept].map(({ n, score }) => [n, score]));
  const isNear = new Set(kept.map(({ n }) => n));
  const union = new Map(hits.map((hit) => [hit.n, fromWords(hit)]));
  for (const { n } of kept) if (!union.has(n)) union.set(n, { ...fromWords(rows.get(n)!), words: null });
  return [...union.values()].map((candidate) => ({
    ...candidate,
    meaning: cosine.get(candidate.n) ?? null,
    near: isNear.has(candidate.n),
  }));
}

/** More rows behind those that were shown, which keep their places whatever has come or gone since. */
function continued(shown: Ranking["rows"], found: Ranking["rows"]): Ranking["rows"] {
  const threads = new Set(shown.map(({ thread_id }) => thread_id));
  return [...shown, ...found.filter(({ thread_id }) => !threads.has(thread_id))].slice(0, MOST_FOUND);
}

/** A text with its words in the spelling that they were found by. */
function corrected(text: string, corrections: readonly Correction[]): string {
  if (corrections.length === 0) return text;
  const spelling = new Map(corrections.map(({ from, to }) => [from, to]));
  return text.replace(/[\p{L}\p{M}]+/gu, (word) => spelling.get(fold(word)) ?? word);
}

function fromWords({ score: words, correspondent, ...row }: Ranked): Candidate {
  return { ...row, words, meaning: null, near: false, correspondent: correspondent === 1 };
}

/** In the order of time nothing is better than anything else. */
const newest = (candidate: Candidate): Scored => ({ ...candidate, score: 1 });
