import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { Log } from "../../platform/log.ts";
import { WorkerHandle, type WorkerLike } from "../../platform/process/worker-handle.ts";
import type { BriefRequest, CompileBrief, CompiledBrief } from "./compile.ts";

export type ToBriefWorker =
  | { type: "start"; data_dir: string; master_key: Uint8Array }
  | { type: "compile"; asked: BriefRequest }
  | { type: "stop" };

export type FromBriefWorker =
  | { type: "compiled"; brief: CompiledBrief }
  | { type: "failed"; reason: string; stack: string }
  | { type: "stopped" };

export interface BriefThreadParts {
  clock: Clock;
  log: Log;
  start(): WorkerLike;
  /** Returns the first message to a worker. The key may have moved since the previous worker. */
  begin(): ToBriefWorker & { type: "start" };
  /** Called when the worker ended unexpectedly. */
  onLost?: () => void;
}

/** After this time without work the worker ends and releases its memory. */
const IDLE_MS = 30_000;

interface Asked {
  worker: WorkerLike;
  resolve: (brief: CompiledBrief) => void;
  reject: (error: Error) => void;
}

/**
 * The main thread's side of the worker that compiles briefs. Reading a month of mail takes seconds, during which the
 * main thread must respond to other requests. One brief is compiled at a time. Repeated requests for a waiting brief
 * share one result, so that no one can make the others wait long.
 */
export class BriefThread {
  readonly #handle: WorkerHandle<ToBriefWorker, FromBriefWorker>;
  #asked: Asked | null = null;
  #stopped = false;
  #cancelIdle: CancelTimer = () => {};
  /** Settles when everything requested so far is done. */
  #line: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Map<string, Promise<CompiledBrief>>();

  constructor(private readonly parts: BriefThreadParts) {
    this.#handle = new WorkerHandle({
      ...parts,
      name: "brief",
      take: (message, worker) => this.#take(message, worker),
      left: (worker) => this.#refuse(worker),
    });
  }

  /** Compiles a brief. Rejects if the worker fails or dies. */
  readonly compile: CompileBrief = (asked) => {
    const key = `${asked.user_id} ${asked.timezone}`;
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const brief = this.#line.then(() => {
      this.#waiting.delete(key);
      return this.#ask(asked);
    });
    this.#waiting.set(key, brief);
    this.#line = brief.catch(() => {});
    return brief;
  };

  /** Ends the worker after its current brief, because its start parameters have changed. */
  async renew(): Promise<void> {
    this.#line = this.#line.then(() => this.#end());
    await this.#line;
  }

  /** Ends the worker now and rejects the pending brief. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelIdle();
    const worker = this.#handle.current;
    const ended = this.#handle.stop();
    if (worker) this.#refuse(worker);
    await ended;
  }

  #ask(asked: BriefRequest): Promise<CompiledBrief> {
    if (this.#stopped) return Promise.reject(new Error("The server is stopping."));
    this.#cancelIdle();
    const brief = new Promise<CompiledBrief>((resolve, reject) => {
      const worker = this.#handle.current ?? this.#handle.begin();
      this.#asked = { worker, resolve, reject };
      worker.postMessage({ type: "compile", asked } satisfies ToBriefWorker);
    });
    return brief.finally(() => {
      this.#asked = null;
      this.#cancelIdle = this.parts.clock.after(IDLE_MS, () => void this.#end());
    });
  }

  #take(message: FromBriefWorker, worker: WorkerLike): void {
    if (this.#asked?.worker !== worker) return;
    if (message.type === "compiled") this.#asked.resolve(message.brief);
    else if (message.type === "failed") {
      this.#asked.reject(new Error(`The brief could not be generated: ${message.reason}`, { cause: message.stack }));
    }
  }

  async #end(): Promise<void> {
    this.#cancelIdle();
    await this.#handle.end();
  }

  #refuse(worker: WorkerLike): void {
    if (this.#asked?.worker === worker) this.#asked.reject(new Error("The brief worker has ended."));
  }
}
