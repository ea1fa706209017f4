import { randomBytes } from "node:crypto";
import type { CancelTimer, Clock, SteadyClock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Pause } from "../../platform/acting.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import type { WorkerLike } from "../../platform/process/worker-handle.ts";
import { HeldView } from "../lease/held.ts";
import { STOP_MS } from "../lease/timing.ts";
import type { Copying } from "./copying.ts";
import type { FromLogWorker, ToLogWorker } from "./messages.ts";
import { startingPause, takenOverPause, waitingPause } from "./pauses.ts";

export interface ContinuousCopyParts {
  clock: Clock;
  steady: SteadyClock;
  log: Log;
  /** The value of `backup.standby`: act only while the lease is held. */
  standby: boolean;
  /** Returns whether there is a place for copies now. Without one, nothing is copied, and no worker runs. */
  hasPlace(): boolean;
  /** Returns whether the folder remembers that another machine took over. */
  isSuperseded(): boolean;
  /** Starts a worker, which then receives what `begin` returns. */
  startWorker(): WorkerLike;
  begin(): Pick<ToLogWorker & { type: "start" }, "sources" | "inherited" | "version">;
  /** Called when the worker ended unexpectedly. */
  onLost?: () => void;
}

/**
 * How long the start waits for the lease. With `backup.standby` the server then starts paused. Without it, the server
 * then acts: a store that does not answer must not prevent that.
 */
const FIRST_ANSWER_MS = 6_000;
/** Without `backup.standby`, requests are answered after this time at the latest, and the server is paused until then. */
const USUAL_ANSWER_MS = 1_000;
/** Pause between two checks whether the lease has ended, in case the worker is too busy to report it. */
const CHECK_MS = 500;
const RESTART_MS = 1_000;
/** A flush that takes longer fails, and the message is sent later. */
const FLUSH_MS = 30_000;

interface Flush {
  resolve(): void;
  reject(error: Error): void;
  stopTimer: CancelTimer;
}

/**
 * The main thread's handle of the log worker (`src/workers/log.ts`), which owns the lease and all traffic of the
 * continuous copy. The worker is started again after a failure. The lease is judged on this thread, too, by the memory
 * that both share.
 */
export class ContinuousCopy implements Copying {
  readonly #view: HeldView;
  /** The worker renews the lease of an earlier one of this process. */
  readonly #session = randomBytes(16).toString("hex");
  #worker: WorkerLike | null = null;
  /** The worker that ends, and what to call then. */
  #ending: { worker: WorkerLike; resolve(): void } | null = null;
  #changed: (pause: Pause | null) => void = () => {};
  #first: PromiseWithResolvers<Pause | null> | null = null;
  #pause: Pause | null = null;
  /** What the worker reported last. */
  #reported: Pause | null | undefined = undefined;
  #stopping = false;
  /** Resolves when the worker before a renewal has ended, and the next one has begun. */
  #renewing: Promise<void> | null = null;
  #stopWaiting: CancelTimer = () => {};
  #stopTimers: CancelTimer = () => {};
  #lastFlush = 0;
  readonly #flushes = new Map<number, Flush>();

  constructor(private readonly parts: ContinuousCopyParts) {
    this.#view = new HeldView(parts.steady);
  }

  get held(): SharedArrayBuffer {
    return this.#view.buffer;
  }

  async start(changed: (pause: Pause | null) => void): Promise<Pause | null> {
    const { clock, standby } = this.parts;
    this.#changed = changed;
    if (!standby && !this.parts.hasPlace()) {
      this.#view.allow();
      this.#check();
      return null;
    }
    const since = clock.now();
    this.#pause = standby ? waitingPause(since) : startingPause(since);
    const first = Promise.withResolvers<Pause | null>();
    this.#first = first;
    this.#begin();
    // Known without the store.
    if (!standby && this.parts.isSuperseded()) first.resolve(takenOverPause(since));
    else if (!standby) this.#stopWaiting = clock.after(FIRST_ANSWER_MS, () => this.#actUnanswered());
    const waitMs = standby ? FIRST_ANSWER_MS : USUAL_ANSWER_MS;
    const cancel = clock.after(waitMs, () => first.resolve(this.#pause));
    this.#pause = await first.promise;
    this.#first = null;
    cancel();
    this.#check();
    return this.#pause;
  }

  mayAct(): boolean {
    return this.#view.mayAct();
  }

  flushed(): Promise<void> {
    if (!this.parts.standby) return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (!this.#worker) return reject(new UserError("The continuous copy is being started."));
      const id = ++this.#lastFlush;
      const late = () => this.#end(id, "The continuous copy took too long.");
      this.#flushes.set(id, { resolve, reject, stopTimer: this.parts.clock.after(FLUSH_MS, late) });
      this.#worker.postMessage({ type: "flush", id } satisfies ToLogWorker);
    });
  }

  renew(): void {
    // The worker that begins then has the newest key and place.
    this.#renewing ??= this.#endWorker(false).then(() => {
      this.#renewing = null;
      if (!this.#stopping) this.#begin();
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopTimers();
    this.#stopWaiting();
    const late = Promise.withResolvers<void>();
    const cancel = this.parts.clock.after(STOP_MS, late.resolve);
    await Promise.race([this.#renewing ?? this.#endWorker(true), late.promise]);
    cancel();
    this.#view.revoke();
  }

  #begin(): void {
    const { parts } = this;
    if (!parts.hasPlace()) return;
    try {
      const worker = parts.startWorker();
      worker.addEventListener("message", ({ data }: MessageEvent<FromLogWorker>) => this.#take(worker, data));
      worker.addEventListener("error", (event) => this.#gone(worker, event.message));
      worker.addEventListener("close", () => this.#gone(worker, "it ended"));
      const start: ToLogWorker = { type: "start", session: this.#session, held: this.held, ...parts.begin() };
      worker.postMessage(start);
      this.#worker = worker;
    } catch (error) {
      parts.log.error("the log worker could not be started", errorFields(error));
      this.#restart();
    }
  }

  #take(worker: WorkerLike, message: FromLogWorker): void {
    if (message.type === "stopped") {
      worker.terminate();
      if (worker === this.#ending?.worker) this.#ending.resolve();
    }
    if (worker !== this.#worker) return;
    if (message.type === "flushed") this.#end(message.id, message.fault);
    else if (message.type === "acting") {
      if (!this.parts.standby) this.#permit(message.pause);
      this.#reported = message.pause;
      this.#set(message.pause);
    }
  }

  /** Permits acting without standbys, where a store that cannot be reached is no reason not to act. */
  #permit(pause: Pause | null): void {
    this.#stopWaiting();
    // The worker permits it, too, from when it has reached the store. A report that crossed its end must not undo that.
    if (pause) this.#view.revoke();
    else if (this.#reported === undefined) this.#view.allow();
  }

  #actUnanswered(): void {
    this.#permit(null);
    this.#set(null);
  }

  /** Settles a flush. @param fault null: it succeeded */
  #end(id: number, fault: string | null): void {
    const flush = this.#flushes.get(id);
    if (!flush) return;
    this.#flushes.delete(id);
    flush.stopTimer();
    if (fault === null) flush.resolve();
    else flush.reject(new UserError(fault));
  }

  #set(pause: Pause | null): void {
    if (this.#first) {
      this.#first.resolve(pause);
      return;
    }
    const same = pause?.reason === this.#pause?.reason && pause?.message === this.#pause?.message;
    if (same || this.#stopping) return;
    this.#pause = pause && { ...pause, since: this.#pause?.reason === pause.reason ? this.#pause.since : pause.since };
    this.#changed(this.#pause);
  }

  /**
   * Pauses the server when the lease has ended, even if the worker does not report it, and ends this pause when the
   * worker has renewed the lease in the same moment.
   */
  #check(): void {
    const { clock } = this.parts;
    if (this.#stopping) return;
    const mayAct = this.#view.mayAct();
    if (this.#pause === null && !mayAct) this.#set(waitingPause(clock.now()));
    else if (this.#pause !== null && mayAct && this.#reported === null) this.#set(null);
    this.#stopTimers = clock.after(CHECK_MS, () => this.#check());
  }

  #gone(worker: WorkerLike, reason: string): void {
    if (worker === this.#ending?.worker) this.#ending.resolve();
    if (worker !== this.#worker) return;
    this.#worker = null;
    this.#endFlushes("The continuous copy failed.");
    if (this.#stopping) return;
    this.parts.log.error("the log worker failed", { reason });
    this.parts.onLost?.();
    this.#restart();
  }

  #restart(): void {
    this.parts.clock.after(RESTART_MS, () => {
      if (!this.#stopping && !this.#worker && !this.#renewing) this.#begin();
    });
  }

  /**
   * Ends the worker; it is not cut off, because native code could not bear it. Resolves when it has ended: until then, no
   * other worker may begin, because each would see in the other a machine that takes over.
   */
  async #endWorker(release: boolean): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    this.#endFlushes(this.#stopping ? "The server stops." : "The continuous copy is being started.");
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ending = { worker, resolve };
    worker.postMessage({ type: "stop", release } satisfies ToLogWorker);
    await promise;
    this.#ending = null;
  }

  #endFlushes(fault: string): void {
    for (const id of [...this.#flushes.keys()]) this.#end(id, fault);
  }
}
