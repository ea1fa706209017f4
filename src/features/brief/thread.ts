import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { BriefAsked, CompileBrief, CompiledBrief } from "./compile.ts";

export type ToBriefWorker =
  | { type: "start"; data_dir: string; master_key: Uint8Array }
  | { type: "compile"; asked: BriefAsked }
  | { type: "stop" };

export type FromBriefWorker =
  | { type: "compiled"; brief: CompiledBrief }
  | { type: "failed"; reason: string; stack: string }
  | { type: "stopped" };

/** The part of a Worker that is used here. */
export type BriefWorker = Pick<Worker, "postMessage" | "terminate" | "addEventListener">;

export interface BriefThreadParts {
  clock: Clock;
  log: Log;
  start(): BriefWorker;
  /** First message to a worker: the key may have been moved since the one before. */
  begin(): ToBriefWorker & { type: "start" };
  /** Told when the worker ended by itself. */
  onLost?: () => void;
}

/** The worker ends, and gives its memory back, after so long without work. */
const IDLE_MS = 30_000;
/** One that has not ended by then is left to itself. */
const STOP_MS = 2_000;

interface Asked {
  worker: BriefWorker;
  resolve: (brief: CompiledBrief) => void;
  reject: (error: Error) => void;
}

/**
 * The main thread's end of the worker that compiles briefs: reading a month of mail takes seconds, in which requests are to be
 * answered as ever. One brief at a time; who asks again while their brief waits for its turn gets the same one, so that nobody
 * can make the others wait for long.
 */
export class BriefThread {
  #worker: BriefWorker | null = null;
  #asked: Asked | null = null;
  #stopped = false;
  #cancelIdle: CancelTimer = () => {};
  /** Settles when all that was asked for is done. */
  #line: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Map<string, Promise<CompiledBrief>>();
  /** What to call when a worker that was told to stop has stopped. */
  readonly #ending = new Map<BriefWorker, () => void>();

  constructor(private readonly parts: BriefThreadParts) {}

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
  renew(): void {
    this.#line = this.#line.then(() => this.#end());
  }

  /** Ends the worker now; who waits for a brief is told so. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end();
  }

  #ask(asked: BriefAsked): Promise<CompiledBrief> {
    if (this.#stopped) return Promise.reject(new Error("The server is stopping."));
    this.#cancelIdle();
    const brief = new Promise<CompiledBrief>((resolve, reject) => {
      const worker = this.#worker ?? this.#begin();
      this.#asked = { worker, resolve, reject };
      worker.postMessage({ type: "compile", asked } satisfies ToBriefWorker);
    });
    return brief.finally(() => {
      this.#asked = null;
      this.#cancelIdle = this.parts.clock.after(IDLE_MS, () => void this.#end());
    });
  }

  #begin(): BriefWorker {
    const worker = this.parts.start();
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<FromBriefWorker>) => this.#take(worker, data));
    worker.addEventListener("error", (event) => this.#lost(worker, event.message));
    worker.addEventListener("close", () => this.#lost(worker, "it ended"));
    worker.postMessage(this.parts.begin());
    return worker;
  }

  #take(worker: BriefWorker, message: FromBriefWorker): void {
    if (message.type === "stopped") {
      worker.terminate();
      this.#ending.get(worker)?.();
    } else if (this.#asked?.worker !== worker) return;
    else if (message.type === "compiled") this.#asked.resolve(message.brief);
    else this.#asked.reject(new Error(`The brief could not be made: ${message.reason}`, { cause: message.stack }));
  }

  #lost(worker: BriefWorker, reason: string): void {
    this.#ending.get(worker)?.();
    if (worker !== this.#worker) return;
    this.#worker = null;
    this.parts.log.warn("the brief worker is gone", { reason });
    this.parts.onLost?.();
    this.#refuse(worker);
  }

  /** Lets the worker close its database, after which it is ended. */
  async #end(): Promise<void> {
    this.#cancelIdle();
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    const ended = new Promise<void>((resolve) => {
      const late = this.parts.clock.after(STOP_MS, resolve);
      this.#ending.set(worker, () => {
        late();
        resolve();
      });
    });
    worker.postMessage({ type: "stop" } satisfies ToBriefWorker);
    this.#refuse(worker);
    await ended;
    this.#ending.delete(worker);
  }

  #refuse(worker: BriefWorker): void {
    if (this.#asked?.worker === worker) this.#asked.reject(new Error("The brief worker is gone."));
  }
}
