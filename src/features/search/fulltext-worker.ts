import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { FullTextSearch } from "../../mailbox/search/search.ts";
import { errorFields, type Log, type LogFields } from "../../platform/log.ts";
import { WorkerHandle, type WorkerLike } from "../../platform/process/worker-handle.ts";
import { yieldToEventLoop } from "../../platform/process/yielding.ts";

/** Full-text searches that the worker can run. */
export type Calls = Pick<FullTextSearch, "find" | "allowed" | "selection">;
type Call = keyof Calls;

/** Searches the full-text index, on this thread or on the worker. */
export type FullTextLookup = { [K in Call]: (...args: Parameters<Calls[K]>) => Promise<ReturnType<Calls[K]>> };

export interface Question {
  call: Call;
  args: Parameters<Calls[Call]>;
}

export type ToFullTextWorker =
  | { type: "start"; data_dir: string; master_key: Uint8Array }
  | { type: "ask"; id: number; question: Question }
  | { type: "stop" };

export type FromFullTextWorker =
  | { type: "ready" }
  | { type: "found"; id: number; found: ReturnType<Calls[Call]> }
  | { type: "failed"; id: number; reason: string }
  | { type: "stopped" };

interface FullTextWorkerParts {
  clock: Clock;
  log: Log;
  /** Searches on this thread. */
  here: Calls;
  /** Returns whether searches take long enough to be worth a worker. */
  isLarge(): boolean;
  start(): WorkerLike;
  /** Creates the first message to a worker. The key may have changed since the previous worker. */
  begin(): ToFullTextWorker & { type: "start" };
  /** Called when the worker ended unexpectedly. */
  onLost?: () => void;
}

/**
 * Delay after the last search on this thread until its garbage is collected, which is several times what the searches
 * retain.
 */
const COLLECT_AFTER_MS = 5_000;
/** Idle time after which the worker ends and frees its memory. */
const IDLE_MS = 120_000;
/** Delay until another worker is started after one was lost. */
const RETRY_MS = 60_000;
/** Limit of queries that wait for the worker. This thread answers further ones. */
const MAX_ASKED = 32;
/** A worker without any answer for this long is considered stuck. */
const ANSWER_MS = 20_000;

interface Asked {
  worker: WorkerLike;
  resolve: (found: ReturnType<Calls[Call]>) => void;
  reject: (error: Error) => void;
  /** Searches on this thread instead. */
  instead: () => ReturnType<Calls[Call]>;
}

/** Returns a lookup that searches on this thread only. */
export function onThisThread(search: Calls): FullTextLookup {
  return {
    find: async (...args) => search.find(...args),
    allowed: async (...args) => search.allowed(...args),
    selection: async (...args) => search.selection(...args),
  };
}

/**
 * The main thread's side of the full-text worker (`src/workers/fulltext.ts`). In a large mailbox, a search for a
 * frequent word takes tens of milliseconds, and the main thread must answer other requests in that time. If no worker
 * is ready, because it is starting, has failed or is not worth its memory, the search runs on the main thread.
 * Therefore no search waits for a worker to start, and no search fails because of one.
 */
export class FullTextWorker implements FullTextLookup {
  readonly #handle: WorkerHandle<ToFullTextWorker, FromFullTextWorker>;
  #ready = false;
  #stopped = false;
  #retryAt = 0;
  #next = 0;
  #cancelIdle: CancelTimer = () => {};
  #cancelCollection: CancelTimer = () => {};
  readonly #asked = new Map<number, Asked>();
  /** Messages received from workers. */
  #received = 0;
  /** The worker whose failure has been logged. */
  #logged: WorkerLike | null = null;

  constructor(private readonly parts: FullTextWorkerParts) {
    this.#handle = new WorkerHandle({
      ...parts,
      name: "full-text",
      take: (message, worker) => this.#take(message, worker),
      left: (worker, alone) => {
        if (alone) this.#retryAt = parts.clock.now() + RETRY_MS;
        void this.#giveUp(worker);
      },
    });
  }

  readonly find: FullTextLookup["find"] = (scope, ...rest) => this.#search("find", scopeOf(scope), ...rest);
  readonly allowed: FullTextLookup["allowed"] = (scope, ...rest) => this.#search("allowed", scopeOf(scope), ...rest);
  readonly selection: FullTextLookup["selection"] = (scope, ...rest) =>
    this.#search("selection", scopeOf(scope), ...rest);

  /** Ends the worker after its pending answers, because the key or the users that it was started with have changed. */
  renew(): Promise<void> {
    return this.#end();
  }

  /** Ends the worker after its pending answers. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelIdle();
    this.#cancelCollection();
    await this.#handle.stop();
  }

  async #search<K extends Call>(call: K, ...args: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
    const { here, clock } = this.parts;
    const instead = () => (here[call] as (...given: unknown[]) => ReturnType<Calls[K]>).apply(here, args);
    const worker = this.#ask();
    if (!worker) {
      this.#collectWhenIdle();
      return instead();
    }
    const id = ++this.#next;
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Calls[K]>>();
    this.#asked.set(id, { worker, resolve: resolve as Asked["resolve"], reject, instead });
    const watch = (received: number): CancelTimer =>
      clock.after(ANSWER_MS, () => {
        // The worker has answered other queries since, so it is not stuck.
        if (this.#received !== received) alarm = watch(this.#received);
        else this.#stuck(worker);
      });
    let alarm = watch(this.#received);
    try {
      worker.postMessage({ type: "ask", id, question: { call, args } } satisfies ToFullTextWorker);
    } catch (error) {
      this.#failed(id, worker, errorFields(error));
    }
    return promise.finally(() => {
      alarm();
      if (this.#handle.current === worker) this.#endWhenIdle();
    });
  }

  /** Returns the worker if it can take a query; otherwise null. Starts one if that is worthwhile. */
  #ask(): WorkerLike | null {
    const { clock, log } = this.parts;
    if (this.#stopped || !this.parts.isLarge()) return null;
    try {
      if (!this.#handle.current && clock.now() >= this.#retryAt) {
        this.#ready = false;
        this.#handle.begin();
      }
    } catch (error) {
      log.error("the full-text worker could not be started", errorFields(error));
      this.#retryAt = clock.now() + RETRY_MS;
    }
    this.#endWhenIdle();
    return this.#ready && this.#asked.size < MAX_ASKED ? this.#handle.current : null;
  }

  #take(message: FromFullTextWorker, worker: WorkerLike): void {
    this.#received++;
    if (message.type === "ready") this.#ready ||= worker === this.#handle.current;
    else if (message.type === "failed") this.#failed(message.id, worker, { reason: message.reason });
    else if (message.type === "found") {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      asked?.resolve(message.found);
    }
  }

  /** Answers a query on this thread. Logs the first failure of each worker. */
  #failed(id: number, worker: WorkerLike, fields: LogFields): void {
    if (this.#logged !== worker) this.parts.log.warn("the full-text worker failed to answer a search", fields);
    this.#logged = worker;
    this.#answerHere(id);
  }

  /** Ends a worker that does not answer. Another one is started after `RETRY_MS`. */
  #stuck(worker: WorkerLike): void {
    if (worker === this.#handle.current) {
      this.parts.log.warn("the full-text worker does not answer");
      this.#retryAt = this.parts.clock.now() + RETRY_MS;
      void this.#end();
    }
    void this.#giveUp(worker);
  }

  /** Ends the worker after `IDLE_MS`, unless another query arrives. */
  #endWhenIdle(): void {
    this.#cancelIdle();
    this.#cancelIdle = this.parts.clock.after(IDLE_MS, () => void this.#end());
  }

  #collectWhenIdle(): void {
    this.#cancelCollection();
    this.#cancelCollection = this.parts.clock.after(COLLECT_AFTER_MS, () => Bun.gc(true));
  }

  async #end(): Promise<void> {
    this.#cancelIdle();
    await this.#handle.end();
  }

  /** Answers the queries of a lost worker on this thread, with other requests in between. */
  async #giveUp(worker: WorkerLike): Promise<void> {
    const left = [...this.#asked].filter(([, asked]) => asked.worker === worker).map(([id]) => id);
    for (const id of left) {
      this.#answerHere(id);
      await yieldToEventLoop();
    }
  }

  #answerHere(id: number): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (!asked) return;
    try {
      // After a stop, no caller is waiting.
      if (this.#stopped) throw new Error("The server is stopping.");
      asked.resolve(asked.instead());
    } catch (error) {
      asked.reject(error as Error);
    }
  }
}

/** Returns only the scope: a caller object has further fields, which the worker does not need. */
function scopeOf({ user_id, account_id }: Parameters<Calls[Call]>[0]): Parameters<Calls[Call]>[0] {
  return { user_id, account_id };
}
