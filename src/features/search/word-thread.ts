import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { FullTextSearch } from "../../mailbox/search/search.ts";
import { errorFields, type Log, type LogFields } from "../../platform/log.ts";
import { nextTurn } from "../../platform/turns.ts";
import { WorkerHandle, type WorkerLike } from "../../platform/worker-handle.ts";

/** What is asked of the words of the mail. */
export type Calls = Pick<FullTextSearch, "find" | "allowed" | "selection">;
type Call = keyof Calls;

/** Finds by words, on whatever thread. */
export type WordLookup = { [K in Call]: (...args: Parameters<Calls[K]>) => Promise<ReturnType<Calls[K]>> };

export interface Question {
  call: Call;
  args: Parameters<Calls[Call]>;
}

export type ToWordWorker =
  | { type: "start"; data_dir: string; master_key: Uint8Array }
  | { type: "ask"; id: number; question: Question }
  | { type: "stop" };

export type FromWordWorker =
  | { type: "ready" }
  | { type: "found"; id: number; found: ReturnType<Calls[Call]> }
  | { type: "failed"; id: number; reason: string }
  | { type: "stopped" };

export interface WordThreadParts {
  clock: Clock;
  log: Log;
  /** Looks on this thread. */
  here: Calls;
  /** True where looking takes long enough to be worth another thread. */
  isLarge(): boolean;
  start(): WorkerLike;
  /** First message to a worker: the key may have been moved since the one before. */
  begin(): ToWordWorker & { type: "start" };
  /** Told when the worker ended by itself. */
  onLost?: () => void;
}

/** The worker ends, and gives its memory back, after so long without a question. */
const IDLE_MS = 120_000;
/** After it was lost. */
const RETRY_MS = 60_000;
/** Nobody waits behind more questions than this: what comes then is looked up here. */
const MOST_ASKED = 32;
/** A worker that has answered nothing for so long is stuck. */
const ANSWER_MS = 20_000;

interface Asked {
  worker: WorkerLike;
  resolve: (found: ReturnType<Calls[Call]>) => void;
  reject: (error: Error) => void;
  /** Looks here. */
  instead: () => ReturnType<Calls[Call]>;
}

/** What is looked for on this thread alone. */
export function lookHere(search: Calls): WordLookup {
  return {
    find: async (...args) => search.find(...args),
    allowed: async (...args) => search.allowed(...args),
    selection: async (...args) => search.selection(...args),
  };
}

/**
 * The main thread's end of the worker that looks up words: in a large mailbox a word that is in much of the mail takes tens of
 * milliseconds, in which other requests are to be answered as ever. While there is no worker, because it only starts, has
 * failed or is not worth it, this thread looks by itself: nobody waits for one, and nothing fails with one.
 */
export class WordThread implements WordLookup {
  readonly #handle: WorkerHandle<ToWordWorker, FromWordWorker>;
  #ready = false;
  #stopped = false;
  #retry_at = 0;
  #next = 0;
  #cancelIdle: CancelTimer = () => {};
  readonly #asked = new Map<number, Asked>();
  /** How much was heard of workers. */
  #heard = 0;
  /** A worker whose failure has been told. */
  #told: WorkerLike | null = null;

  constructor(private readonly parts: WordThreadParts) {
    this.#handle = new WorkerHandle({
      ...parts,
      name: "search",
      take: (message, worker) => this.#take(message, worker),
      left: (worker, alone) => {
        if (alone) this.#retry_at = parts.clock.now() + RETRY_MS;
        void this.#giveUp(worker);
      },
    });
  }

  readonly find: WordLookup["find"] = (scope, ...rest) => this.#look("find", plain(scope), ...rest);
  readonly allowed: WordLookup["allowed"] = (scope, ...rest) => this.#look("allowed", plain(scope), ...rest);
  readonly selection: WordLookup["selection"] = (scope, ...rest) => this.#look("selection", plain(scope), ...rest);

  /** Ends the worker when it has answered, because what it was given to begin with, or has learned since, holds no longer. */
  renew(): Promise<void> {
    return this.#end();
  }

  /** Ends the worker when it has answered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelIdle();
    await this.#handle.stop();
  }

  async #look<K extends Call>(call: K, ...args: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
    const { here, clock } = this.parts;
    const instead = () => (here[call] as (...given: unknown[]) => ReturnType<Calls[K]>).apply(here, args);
    const worker = this.#ask();
    if (!worker) return instead();
    const id = ++this.#next;
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Calls[K]>>();
    this.#asked.set(id, { worker, resolve: resolve as Asked["resolve"], reject, instead });
    const watch = (heard: number): CancelTimer =>
      clock.after(ANSWER_MS, () => {
        // It answers those before this one.
        if (this.#heard !== heard) alarm = watch(this.#heard);
        else this.#stuck(worker);
      });
    let alarm = watch(this.#heard);
    try {
      worker.postMessage({ type: "ask", id, question: { call, args } } satisfies ToWordWorker);
    } catch (error) {
      this.#failed(id, worker, errorFields(error));
    }
    return promise.finally(() => {
      alarm();
      if (this.#handle.current === worker) this.#rest();
    });
  }

  /** The worker, when it can be asked; one is started where it will be of use. */
  #ask(): WorkerLike | null {
    const { clock, log } = this.parts;
    if (this.#stopped || !this.parts.isLarge()) return null;
    try {
      if (!this.#handle.current && clock.now() >= this.#retry_at) {
        this.#ready = false;
        this.#handle.begin();
      }
    } catch (error) {
      log.error("the search worker could not be started", errorFields(error));
      this.#retry_at = clock.now() + RETRY_MS;
    }
    this.#rest();
    return this.#ready && this.#asked.size < MOST_ASKED ? this.#handle.current : null;
  }

  #take(message: FromWordWorker, worker: WorkerLike): void {
    this.#heard++;
    if (message.type === "ready") this.#ready ||= worker === this.#handle.current;
    else if (message.type === "failed") this.#failed(message.id, worker, { reason: message.reason });
    else if (message.type === "found") {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      asked?.resolve(message.found);
    }
  }

  /** One question is looked up here; that it was is told once for each worker. */
  #failed(id: number, worker: WorkerLike, fields: LogFields): void {
    if (this.#told !== worker) this.parts.log.warn("the search worker failed with a search", fields);
    this.#told = worker;
    this.#lookHere(id);
  }

  /** Whoever asks from now on asks another one, in a while. */
  #stuck(worker: WorkerLike): void {
    if (worker === this.#handle.current) {
      this.parts.log.warn("the search worker does not answer");
      this.#retry_at = this.parts.clock.now() + RETRY_MS;
      void this.#end();
    }
    void this.#giveUp(worker);
  }

  /** It ends in a while, should nobody ask until then. */
  #rest(): void {
    this.#cancelIdle();
    this.#cancelIdle = this.parts.clock.after(IDLE_MS, () => void this.#end());
  }

  async #end(): Promise<void> {
    this.#cancelIdle();
    await this.#handle.end();
  }

  /** What it was asked is looked up here, and others are answered in between. */
  async #giveUp(worker: WorkerLike): Promise<void> {
    const left = [...this.#asked].filter(([, asked]) => asked.worker === worker).map(([id]) => id);
    for (const id of left) {
      this.#lookHere(id);
      await nextTurn();
    }
  }

  #lookHere(id: number): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (!asked) return;
    try {
      // Nobody waits for it any more.
      if (this.#stopped) throw new Error("The server is stopping.");
      asked.resolve(asked.instead());
    } catch (error) {
      asked.reject(error as Error);
    }
  }
}

/** A caller is a scope, and much else that need not go to another thread. */
function plain({ user_id, account_id }: Parameters<Calls[Call]>[0]): Parameters<Calls[Call]>[0] {
  return { user_id, account_id };
}
