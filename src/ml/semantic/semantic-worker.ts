import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import { WorkerHandle, type WorkerLike } from "../../platform/process/worker-handle.ts";
import type { FromSemanticWorker, SemanticAnswer, SemanticRequest, ToSemanticWorker } from "./messages.ts";

interface SemanticWorkerParts {
  clock: Clock;
  log: Log;
  /** Starts a worker, which then receives `begin`. */
  start: () => WorkerLike;
  /** The first message to the worker. */
  begin: ToSemanticWorker & { type: "start" };
  /** Returns whether mail waits to be embedded, in which case a worker is started. Called while none runs. */
  isWorkDue: () => boolean;
  /** Called when the worker ended unexpectedly. */
  onLost?: () => void;
  /** Called when a worker has ended, and no one uses the libraries of the model any more. It must not throw. */
  onEnd?: () => void;
}

/** Interval of the check for waiting mail, ms. New mail must be found semantically within three seconds. */
const POLL_MS = 1_000;
/** After this time without work the worker ends and frees its memory. */
const IDLE_MS = 120_000;
/** Delay before another worker is started after one failed to start, or died. */
const RETRY_MS = 60_000;
/** A query that takes longer fails, and keyword search answers instead. */
const ANSWER_MS = 10_000;

interface Pending {
  worker: WorkerLike;
  resolve: (message: FromSemanticWorker) => void;
  reject: (error: Error) => void;
}

/**
 * The main thread's handle of the semantic worker (`src/workers/semantic.ts`), which embeds mail and runs semantic
 * search. A query, waiting mail or `warm` starts the worker. It ends after two minutes without work, and frees the
 * model and the vectors.
 */
export class SemanticWorker {
  readonly #handle: WorkerHandle<ToSemanticWorker, FromSemanticWorker>;
  #stopped = false;
  #activeAt = 0;
  #retryAt = 0;
  #next = 0;
  readonly #pending = new Map<number, Pending>();
  #cancel: CancelTimer = () => {};

  constructor(private readonly parts: SemanticWorkerParts) {
    this.#handle = new WorkerHandle({
      ...parts,
      name: "semantic",
      begin: () => parts.begin,
      take: (message, worker) => this.#take(message, worker),
      left: (worker, alone) => {
        if (alone) this.#retryAt = parts.clock.now() + RETRY_MS;
        this.#refuse(worker, alone ? "The semantic worker is gone." : "The semantic worker has ended.");
        parts.onEnd?.();
      },
    });
  }

  /** Starts checking for waiting mail. */
  start(): void {
    if (this.#stopped) return;
    this.#poll();
    this.#cancel = this.parts.clock.after(POLL_MS, () => this.start());
  }

  /** Preloads the model and the vectors that a user's first query needs. */
  warm(user_id: string): void {
    try {
      (this.#handle.current ?? this.#begin()).postMessage({ type: "warm", user_id });
    } catch (error) {
      // The first query retries.
      this.parts.log.info("the semantic worker could not be started early", errorFields(error));
    }
  }

  /** Stops the worker permanently. Unfinished embedding is repeated at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#handle.stop();
  }

  /** Ends the worker because the key or the users have changed. The next work starts another one. */
  renew(): Promise<void> {
    return this.#handle.end();
  }

  /** Runs a semantic search. @throws Error when the worker cannot answer */
  async search(request: SemanticRequest): Promise<SemanticAnswer> {
    const message = await this.#ask((id) => ({ type: "search", id, request }));
    if (message.type !== "found") throw new Error("an answer of another kind");
    return message.answer;
  }

  /** Returns vectors of texts, of length one. @throws Error when the worker cannot answer */
  async embed(texts: string[]): Promise<Float32Array[]> {
    const message = await this.#ask((id) => ({ type: "embed", id, texts }));
    if (message.type !== "embedded") throw new Error("an answer of another kind");
    return message.vectors;
  }

  #poll(): void {
    const now = this.parts.clock.now();
    try {
      const none = !this.#handle.current && !this.#handle.isEnding;
      if (none && now >= this.#retryAt && this.parts.isWorkDue()) this.#begin();
      else if (this.#handle.current && this.#pending.size === 0 && now - this.#activeAt > IDLE_MS) {
        void this.#handle.end();
      }
    } catch (error) {
      this.parts.log.error("the semantic worker could not be started", errorFields(error));
      this.#retryAt = now + RETRY_MS;
    }
  }

  #ask(message: (id: number) => ToSemanticWorker): Promise<FromSemanticWorker> {
    if (this.#stopped) return Promise.reject(new Error("The server is stopping."));
    const { clock } = this.parts;
    const id = ++this.#next;
    return new Promise<FromSemanticWorker>((resolve, reject) => {
      const worker = this.#handle.current ?? this.#begin();
      const settle = () => {
        alarm();
        this.#pending.delete(id);
      };
      const alarm = clock.after(ANSWER_MS, () => this.#pending.get(id)?.reject(new Error("It took too long.")));
      this.#pending.set(id, {
        worker,
        resolve: (answer) => {
          settle();
          if (answer.type === "failed") reject(new Error(answer.reason));
          else resolve(answer);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#activeAt = clock.now();
      try {
        worker.postMessage(message(id));
      } catch (error) {
        this.#pending.get(id)?.reject(error as Error);
      }
    });
  }

  #begin(): WorkerLike {
    this.#activeAt = this.parts.clock.now();
    return this.#handle.begin();
  }

  #take(message: FromSemanticWorker, worker: WorkerLike): void {
    if (message.type === "found" || message.type === "embedded" || message.type === "failed") {
      this.#pending.get(message.id)?.resolve(message);
    }
    if (worker !== this.#handle.current) return;
    this.#activeAt = this.parts.clock.now();
  }

  /** Rejects the queries that a worker has not answered. */
  #refuse(asked: WorkerLike, reason: string): void {
    for (const { worker, reject } of [...this.#pending.values()]) if (worker === asked) reject(new Error(reason));
  }
}
