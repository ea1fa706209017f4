import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { Log } from "../../platform/log.ts";
import { WorkerHandle, type WorkerLike } from "../../platform/worker-handle.ts";
import type { BriefAsked, CompileBrief, CompiledBrief } from "./compile.ts";

export type ToBriefWorker =
  | { type: "start"; data_dir: string; master_key: Uint8Array }
  | { type: "compile"; asked: BriefAsked }
  | { type: "stop" };

export type FromBriefWorker =
  | { type: "compiled"; brief: CompiledBrief }
  | { type: "failed"; reason: string; stack: string }
  | { type: "stopped" };

export interface BriefThreadParts {
  clock: Clock;
  log: Log;
  start(): WorkerLike;
  /** First message to a worker: the key may have been moved since the one before. */
  begin(): ToBriefWorker & { type: "start" };
  /** Told when the worker ended by itself. */
  onLost?: () => void;
}

/** The worker ends, and gives its memory back, after so long without work. */
const IDLE_MS = 30_000;

interface Asked {
  worker: WorkerLike;
  resolve: (brief: CompiledBrief) => void;
  reject: (error: Error) => void;
}

/**
 * The main thread's end of the worker that compiles briefs: reading a month of mail takes seconds, in which requests are to be
 * answered as ever. One brief at a time; who asks again while their brief waits for its turn gets the same one, so that nobody
 * can make the others wait for long.
 */
export class BriefThread {
  readonly #handle: WorkerHandle<ToBriefWorker, FromBriefWorker>;
  #asked: Asked | null = null;
  #stopped = false;
  #cancelIdle: CancelTimer = () => {};
  /** Settles when all that was asked for is done. */
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

  /** Rejects when the worker fails, or is gone. */
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

  /** Ends the worker when its brief is done, because what it was given to begin with has changed. */
  async renew(): Promise<void> {
    this.#line = this.#line.then(() => this.#end());
    await this.#line;
  }

  /** Ends the worker now; who waits for a brief is told so. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelIdle();
    const worker = this.#handle.current;
    const ended = this.#handle.stop();
    if (worker) this.#refuse(worker);
    await ended;
  }

  #ask(asked: BriefAsked): Promise<CompiledBrief> {
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
    if (this.#asked?.worker === worker) this.#asked.reject(new Error("The brief worker is gone."));
  }
}
