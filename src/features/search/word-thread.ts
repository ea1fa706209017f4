import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { WordSearch } from "../../mailbox/search/search.ts";
import type { Log } from "../../platform/log.ts";

/** What is asked of the words of the mail. */
export type Calls = Pick<WordSearch, "rank" | "allowed" | "selection">;
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
  | { type: "failed"; id: number }
  | { type: "stopped" };

/** The part of a Worker that is used here. */
export type WordWorker = Pick<Worker, "postMessage" | "terminate" | "addEventListener">;

export interface WordThreadParts {
  clock: Clock;
  log: Log;
  /** Looks on this thread. */
  here: Calls;
  /** True where looking takes long enough to be worth another thread. */
  isLarge(): boolean;
  start(): WordWorker;
  /** First message to a worker: the key may have been moved since the one before. */
  begin(): ToWordWorker & { type: "start" };
  /** Told when the worker ended by itself. */
  onLost?: () => void;
}

/** The worker ends, and gives its memory back, after so long without a question. */
const IDLE_MS = 120_000;
/** One that has not ended by then is left to itself. */
const STOP_MS = 2_000;
/** After it was lost. */
const RETRY_MS = 60_000;

interface Asked {
  worker: WordWorker;
  resolve: (found: ReturnType<Calls[Call]>) => void;
  /** Looks here instead. */
  give_up: () => void;
}

/** What is looked for on this thread alone. */
export function lookHere(search: Calls): WordLookup {
  return {
    rank: async (...args) => search.rank(...args),
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
  #worker: WordWorker | null = null;
  #ready = false;
  #stopped = false;
  #retry_at = 0;
  #next = 0;
  #cancelIdle: CancelTimer = () => {};
  readonly #asked = new Map<number, Asked>();
  /** What to call when a worker that was told to stop has stopped. */
  readonly #ending = new Map<WordWorker, () => void>();

  constructor(private readonly parts: WordThreadParts) {}

  readonly rank: WordLookup["rank"] = (scope, ...rest) => this.#look("rank", plain(scope), ...rest);
  readonly allowed: WordLookup["allowed"] = (scope, ...rest) => this.#look("allowed", plain(scope), ...rest);
  readonly selection: WordLookup["selection"] = (scope, ...rest) => this.#look("selection", plain(scope), ...rest);

  /** Ends the worker when it has answered, because what it was given to begin with has changed. */
  renew(): void {
    void this.#end();
  }

  /** Ends the worker when it has answered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end();
  }

  async #look<K extends Call>(call: K, ...args: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
    const { here } = this.parts;
    const instead = () => (here[call] as (...given: unknown[]) => ReturnType<Calls[K]>).apply(here, args);
    const worker = this.#ask();
    if (!worker) return instead();
    const id = ++this.#next;
    const found = new Promise<ReturnType<Calls[K]>>((resolve, reject) => {
      const give_up = () => {
        try {
          resolve(instead());
        } catch (error) {
          reject(error);
        }
      };
      this.#asked.set(id, { worker, resolve: resolve as Asked["resolve"], give_up });
    });
    worker.postMessage({ type: "ask", id, question: { call, args } } satisfies ToWordWorker);
    return found.finally(() => {
      if (this.#worker === worker) this.#rest();
    });
  }

  /** The worker, when it can be asked; one is started where it will be of use. */
  #ask(): WordWorker | null {
    const { clock, log } = this.parts;
    if (this.#stopped || !this.parts.isLarge()) return null;
    try {
      if (!this.#worker && clock.now() >= this.#retry_at) this.#begin();
    } catch (error) {
      log.error("the search worker could not be started", { reason: (error as Error).message });
      this.#retry_at = clock.now() + RETRY_MS;
    }
    this.#rest();
    return this.#ready ? this.#worker : null;
  }

  #begin(): void {
    const worker = this.parts.start();
    this.#worker = worker;
    this.#ready = false;
    worker.addEventListener("message", ({ data }: MessageEvent<FromWordWorker>) => this.#take(worker, data));
    worker.addEventListener("error", (event) => this.#lost(worker, event.message));
    worker.addEventListener("close", () => this.#lost(worker, "it ended"));
    worker.postMessage(this.parts.begin());
  }

  #take(worker: WordWorker, message: FromWordWorker): void {
    if (message.type === "ready") this.#ready ||= worker === this.#worker;
    else if (message.type === "stopped") {
      worker.terminate();
      this.#ending.get(worker)?.();
    } else {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      if (message.type === "found") asked?.resolve(message.found);
      else asked?.give_up();
    }
  }

  #lost(worker: WordWorker, reason: string): void {
    this.#ending.get(worker)?.();
    this.#giveUp(worker);
    if (worker !== this.#worker) return;
    this.#worker = null;
    this.#ready = false;
    this.#retry_at = this.parts.clock.now() + RETRY_MS;
    this.parts.log.warn("the search worker is gone", { reason });
    this.parts.onLost?.();
  }

  /** It ends in a while, should nobody ask until then. */
  #rest(): void {
    this.#cancelIdle();
    this.#cancelIdle = this.parts.clock.after(IDLE_MS, () => void this.#end());
  }

  /** Lets the worker answer what it was asked and close its database, after which it is ended. */
  async #end(): Promise<void> {
    this.#cancelIdle();
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    this.#ready = false;
    const ended = new Promise<void>((resolve) => {
      const late = this.parts.clock.after(STOP_MS, resolve);
      this.#ending.set(worker, () => {
        late();
        resolve();
      });
    });
    worker.postMessage({ type: "stop" } satisfies ToWordWorker);
    await ended;
    this.#ending.delete(worker);
    this.#giveUp(worker);
  }

  #giveUp(worker: WordWorker): void {
    for (const [id, asked] of this.#asked) {
      if (asked.worker !== worker) continue;
      this.#asked.delete(id);
      asked.give_up();
    }
  }
}

/** A caller is a scope, and much else that need not go to another thread. */
function plain({ user_id, account_id }: Parameters<Calls[Call]>[0]): Parameters<Calls[Call]>[0] {
  return { user_id, account_id };
}
