import type { Caller } from "../../http/caller.ts";
import type { Commit } from "../../http/route.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import { CREDITS, requireCredits, spendCredits } from "../../platform/credits.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Asker } from "./ask.ts";
import type { Extractor } from "./extract.ts";
import type { Summarizer } from "./summarize.ts";

/** Answers of the AI layer to callers: credits are asked for before any work, and spent when the answer is there. */
export class AiService {
  constructor(
    private readonly platform: Platform,
    private readonly asker: Asker,
    private readonly summarizer: Summarizer,
    private readonly extractor: Extractor,
  ) {}

  /** @throws ApiError insufficient_credits */
  ask<R>(
    caller: Caller,
    question: string,
    commit: Commit<R>,
    view: (answer: Paid<Awaited<ReturnType<Asker["ask"]>>>) => R,
  ) {
    return this.#paid(caller, () => this.asker.ask(caller, question), commit, view);
  }

  /** @throws ApiError insufficient_credits, not_found */
  summarize<R>(
    caller: Caller,
    thread_id: string,
    commit: Commit<R>,
    view: (summary: Paid<Awaited<ReturnType<Summarizer["summarize"]>>>) => R,
  ) {
    return this.#paid(caller, () => this.summarizer.summarize(caller, known(thread_id)), commit, view);
  }

  /** @throws ApiError insufficient_credits, not_found */
  extract<R>(
    caller: Caller,
    thread_id: string,
    commit: Commit<R>,
    view: (found: Paid<Awaited<ReturnType<Extractor["extract"]>>>) => R,
  ) {
    const { timezone } = caller.user;
    return this.#paid(caller, async () => this.extractor.extract(caller, known(thread_id), timezone), commit, view);
  }

  async #paid<T, R>(caller: Caller, work: () => Promise<T>, commit: Commit<R>, view: (done: Paid<T>) => R): Promise<R> {
    requireCredits(this.platform, caller.user, CREDITS.answer);
    const done = await work();
    return commit(() => {
      spendCredits(this.platform, caller.user, CREDITS.answer);
      return view({ ...done, credits_spent: CREDITS.answer });
    });
  }
}

type Paid<T> = T & { credits_spent: number };

function known(thread_id: string): string {
  if (!isId("thread", thread_id)) throw notFound("thread", "thread_id");
  return thread_id;
}
