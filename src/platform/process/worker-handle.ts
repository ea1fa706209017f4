import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { Log } from "../log.ts";

/** The parts of a Worker that are used here. */
export type WorkerLike = Pick<Worker, "postMessage" | "terminate" | "addEventListener">;

/** Maximum wait for a worker to stop, ms. After that, it may continue in the background. */
const STOP_MS = 2_000;

export interface WorkerHandleParts<To extends { type: string }, From extends { type: string }> {
  clock: Clock;
  log: Log;
  /** Name in the log: "semantic". */
  name: string;
  start(): WorkerLike;
  /** Returns the first message to a worker. It may differ from that of the previous worker. */
  begin(): To;
  /** Handles a message, except the one that the worker has stopped. */
  take(message: From, worker: WorkerLike): void;
  /**
   * Called when the worker sends no more messages. It must not throw. @param alone true if it ended without a request
   */
  left(worker: WorkerLike, alone: boolean): void;
  /** Called when a worker ended unexpectedly. */
  onLost?: (() => void) | undefined;
}

/**
 * Manages one worker at a time. On request, the worker finishes its work, closes its resources and reports that. Only
 * then is it terminated, because terminating it in native code (SQLite, the model) would crash the whole process.
 */
export class WorkerHandle<To extends { type: string }, From extends { type: string }> {
  #worker: WorkerLike | null = null;
  readonly #ending = new Map<WorkerLike, { ended: Promise<void>; end: () => void }>();

  constructor(private readonly parts: WorkerHandleParts<To, From>) {}

  /** The worker that receives requests, or null. */
  get current(): WorkerLike | null {
    return this.#worker;
  }

  /** True while a worker that was asked to end has not ended. */
  get isEnding(): boolean {
    return this.#ending.size > 0;
  }

  /** Starts a worker and sends its first message. @throws if that fails; there is no worker then */
  begin(): WorkerLike {
    const worker = this.parts.start();
    worker.addEventListener("message", ({ data }: MessageEvent<From>) => this.#take(worker, data));
    worker.addEventListener("error", (event) => this.#gone(worker, event.message));
    worker.addEventListener("close", () => this.#gone(worker, "it ended"));
    try {
      worker.postMessage(this.parts.begin());
    } catch (error) {
      worker.terminate();
      throw error;
    }
    this.#worker = worker;
    return worker;
  }

  /**
   * Ends the worker, if there is one. Later requests use the next one. Resolves when it has ended, or its timeout has
   * passed.
   */
  async end(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    const stopped = Promise.withResolvers<void>();
    const late: CancelTimer = this.parts.clock.after(STOP_MS, stopped.resolve);
    const ended = stopped.promise.then(() => {
      late();
      this.#ending.delete(worker);
      this.parts.left(worker, false);
    });
    this.#ending.set(worker, { ended, end: stopped.resolve });
    try {
      worker.postMessage({ type: "stop" });
    } catch {
      stopped.resolve();
    }
    await ended;
  }

  /** Ends the worker, and waits for earlier workers that have not ended yet. */
  async stop(): Promise<void> {
    await Promise.all([this.end(), ...[...this.#ending.values()].map(({ ended }) => ended)]);
  }

  #take(worker: WorkerLike, message: From): void {
    if (message.type === "stopped") {
      worker.terminate();
      this.#ending.get(worker)?.end();
    } else this.parts.take(message, worker);
  }

  #gone(worker: WorkerLike, reason: string): void {
    this.#ending.get(worker)?.end();
    if (worker !== this.#worker) return;
    this.#worker = null;
    this.parts.log.warn(`the ${this.parts.name} worker ended unexpectedly`, { reason });
    this.parts.onLost?.();
    this.parts.left(worker, true);
  }
}
