import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import type { FromMeaningWorker, MeaningAnswer, MeaningRequest, ToMeaningWorker } from "./messages.ts";

/** The part of a Worker that is used here. */
export type MeaningWorker = Pick<Worker, "postMessage" | "terminate" | "addEventListener">;

export interface MeaningRoomParts {
  clock: Clock;
  log: Log;
  /** Starts the worker; what it needs to begin is sent here. */
  start: () => MeaningWorker;
  /** First message to it. */
  begin: ToMeaningWorker & { type: "start" };
  /** True when mail waits to be embedded: then the worker is started by itself. */
  isWorkDue: () => boolean;
  /** Told when the worker ended by itself. */
  onLost?: () => void;
}

/** How often the room looks whether mail waits, ms: new mail is to be found by its meaning within three seconds. */
const LOOK_MS = 1_000;
/** The worker ends, and gives its memory back, after so long without work. */
const IDLE_MS = 120_000;
/** What it is embedding is done again, if it does not end in time. */
const STOP_MS = 2_000;
/** After it failed to start. */
const RETRY_MS = 60_000;
/** A query that takes longer is answered without. */
const ANSWER_MS = 10_000;

interface Pending {
  worker: MeaningWorker;
  resolve: (message: FromMeaningWorker) => void;
  reject: (error: Error) => void;
}

/**
 * The main thread's end of the worker that embeds and finds by meaning. The worker is started by the first question or
 * the first mail that waits, and ended when nothing is to be done, with the model and the vectors it holds.
 */
export class MeaningRoom {
  #worker: MeaningWorker | null = null;
  #ready = false;
  #stopped = false;
  #active_at = 0;
  #retry_at = 0;
  #next = 0;
  readonly #pending = new Map<number, Pending>();
  #cancel: CancelTimer = () => {};
  /** Workers that have been told to stop, and what to call when one has. */
  readonly #ending = new Map<MeaningWorker, PromiseWithResolvers<void>>();

  constructor(private readonly parts: MeaningRoomParts) {}

  /** Begins to look for mail that waits. */
  start(): void {
    if (this.#stopped) return;
    this.#look();
    this.#cancel = this.parts.clock.after(LOOK_MS, () => this.start());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await Promise.all([this.#end(), ...[...this.#ending.values()].map(({ promise }) => promise)]);
  }

  /** Ends the worker, because what it was given to begin with has changed. The next work starts another one. */
  async renew(): Promise<void> {
    await this.#end();
  }

  /** @throws Error when the worker cannot answer */
  async search(request: MeaningRequest): Promise<MeaningAnswer> {
    const message = await this.#ask((id) => ({ type: "search", id, request }));
    if (message.type !== "found") throw new Error("an answer of another kind");
    return message.answer;
  }

  /** Vectors of texts, of length one. @throws Error when the worker cannot answer */
  async embed(texts: string[]): Promise<Float32Array[]> {
    const message = await this.#ask((id) => ({ type: "embed", id, texts }));
    if (message.type !== "embedded") throw new Error("an answer of another kind");
    return message.vectors;
  }

  #look(): void {
    const now = this.parts.clock.now();
    try {
      if (!this.#worker && now >= this.#retry_at && this.parts.isWorkDue()) this.#begin();
      else if (this.#worker && this.#pending.size === 0 && now - this.#active_at > IDLE_MS) void this.#end();
    } catch (error) {
      this.parts.log.error("the semantic worker could not be started", errorFields(error));
      this.#retry_at = now + RETRY_MS;
    }
  }

  #ask(message: (id: number) => ToMeaningWorker): Promise<FromMeaningWorker> {
    if (this.#stopped) return Promise.reject(new Error("The server is stopping."));
    const { clock } = this.parts;
    const id = ++this.#next;
    return new Promise<FromMeaningWorker>((resolve, reject) => {
      const worker = this.#worker ?? this.#begin();
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
      this.#active_at = clock.now();
      try {
        worker.postMessage(message(id));
      } catch (error) {
        this.#pending.get(id)?.reject(error as Error);
      }
    });
  }

  #begin(): MeaningWorker {
    const worker = this.parts.start();
    this.#worker = worker;
    this.#ready = false;
    this.#active_at = this.parts.clock.now();
    worker.addEventListener("message", ({ data }: MessageEvent<FromMeaningWorker>) => this.#take(worker, data));
    worker.addEventListener("error", (event) => this.#lost(worker, event.message));
    worker.addEventListener("close", () => this.#lost(worker, "it ended"));
    worker.postMessage(this.parts.begin);
    return worker;
  }

  #take(worker: MeaningWorker, message: FromMeaningWorker): void {
    if (message.type === "found" || message.type === "embedded" || message.type === "failed") {
      this.#pending.get(message.id)?.resolve(message);
    }
    if (message.type === "stopped") {
      // Not before: a worker that is torn away in the middle of native code takes the whole process with it.
      worker.terminate();
      this.#ending.get(worker)?.resolve();
    }
    if (worker !== this.#worker) return;
    this.#active_at = this.parts.clock.now();
    if (message.type === "ready") this.#ready = true;
  }

  #lost(worker: MeaningWorker, reason: string): void {
    this.#ending.get(worker)?.resolve();
    if (worker !== this.#worker) return;
    this.#worker = null;
    if (this.#stopped) return;
    this.parts.log.warn("the semantic worker is gone", { reason });
    this.parts.onLost?.();
    if (!this.#ready) this.#retry_at = this.parts.clock.now() + RETRY_MS;
    this.#refuse(worker, "The semantic worker is gone.");
  }

  /**
   * Lets the worker write what it has, after which it is ended. One that takes longer, with the model at work, is not waited for and ends
   * when that is done. Who asks meanwhile asks the next one.
   */
  async #end(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    const ended = Promise.withResolvers<void>();
    this.#ending.set(worker, ended);
    this.parts.clock.after(STOP_MS, ended.resolve);
    worker.postMessage({ type: "stop" } satisfies ToMeaningWorker);
    await ended.promise;
    this.#ending.delete(worker);
    this.#refuse(worker, "The semantic worker has ended.");
  }

  /** Ends the waiting for what this worker was asked. */
  #refuse(asked: MeaningWorker, reason: string): void {
    for (const { worker, reject } of [...this.#pending.values()]) if (worker === asked) reject(new Error(reason));
  }
}
