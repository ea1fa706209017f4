import type { Caller } from "../../http/guard/caller.ts";
import type { Commit } from "../../http/route.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import { CREDITS, requireCredits, spendCredits } from "../../platform/ledger/credits.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Asker } from "./ask.ts";
import type { Extractor } from "./extract.ts";
import type { Summarizer } from "./summarize.ts";

/**
 * Serves the AI answers to callers. Credits are checked before any work and spent together with the answer. An empty
 * answer costs nothing (docs/ai.md, "Credits").
 */
export class AiService {
  constructor(
    private readonly platform: Platform,
    private readonly asker: Pick<Asker, "ask">,
    private readonly summarizer: Pick<Summarizer, "summarize">,
    private readonly extractor: Pick<Extractor, "extract">,
  ) {}

  /** @throws ApiError insufficient_credits */
  ask<R>(
    caller: Caller,
    question: string,
    commit: Commit<R>,
    view: (answer: Paid<Awaited<ReturnType<Asker["ask"]>>>) => R,
  ) {
    const isCharged = ({ answered }: { answered: boolean }) => answered;
    return this.#paid(caller, () => this.asker.ask(caller, question), isCharged, commit, view);
  }

  /** @throws ApiError insufficient_credits, not_found */
  summarize<R>(
    caller: Caller,
    thread_id: string,
    commit: Commit<R>,
    view: (summary: Paid<Awaited<ReturnType<Summarizer["summarize"]>>>) => R,
  ) {
    const work = () => this.summarizer.summarize(caller, known(thread_id));
    return this.#paid(caller, work, ({ points }) => points.length > 0, commit, view);
  }

  /** @throws ApiError insufficient_credits, not_found */
  extract<R>(
    caller: Caller,
    thread_id: string,
    commit: Commit<R>,
    view: (found: Paid<Awaited<ReturnType<Extractor["extract"]>>>) => R,
  ) {
    const { timezone } = caller.user;
    const work = async () => this.extractor.extract(caller, known(thread_id), timezone);
    const isCharged = ({ commitments, dates, asks, decisions, amounts }: Awaited<ReturnType<typeof work>>) =>
      [commitments, dates, asks, decisions, amounts].some((found) => found.length > 0);
    return this.#paid(caller, work, isCharged, commit, view);
  }

  async #paid<T, R>(
    caller: Caller,
    work: () => Promise<T>,
    isCharged: (done: T) => boolean,
    commit: Commit<R>,
    view: (done: Paid<T>) => R,
  ): Promise<R> {
    requireCredits(this.platform, caller.user, CREDITS.answer);
    const done = await work();
    const credits_spent = isCharged(done) ? CREDITS.answer : 0;
    return commit(() => {
      if (credits_spent > 0) spendCredits(this.platform, caller.user, credits_spent);
      return view({ ...done, credits_spent });
    });
  }
}

type Paid<T> = T & { credits_spent: number };

function known(thread_id: string): string {
  if (!isId("thread", thread_id)) throw notFound("thread", "thread_id");
  return thread_id;
}
