import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { errorFields, type Log } from "../log.ts";
import type { AttemptOutcome, EndedJob, Job, JobQueue } from "./queue.ts";

export interface JobHandler {
  /** Runs one attempt. It may be called again after a crash, so it must be repeatable. */
  run(job: Job): Promise<AttemptOutcome>;
  /** Maximum number of concurrent jobs of this kind. */
  concurrency: number;
}

/** Maximum interval between polls, because another process may enqueue jobs without notification. */
const POLL_MS = 1_000;
/** Delay after a handler threw: 5 s, doubling up to an hour, so that a bug does not cause a busy loop. */
const CRASH_BACKOFF_MS = 5_000;
/** Smaller backward steps are ordinary clock corrections. */
const SET_BACK_MS = 5_000;
const LONGEST_BACKOFF_MS = 3_600_000;

/** Runs due jobs of the kinds that this thread has handlers for. */
export class JobRunner {
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #active = new Map<string, number>();
  #timer: CancelTimer = () => {};
  #stopped = true;
  /** Whether jobs of a dead process have been returned to the queue. */
  #recovered = false;
  #idle: (() => void)[] = [];
  /** When the table was last polled, ms. */
  #polledAt = Number.POSITIVE_INFINITY;
  /** Outcomes that could not be stored yet, because the disk is full or the database is locked. */
  #unnoted: EndedJob[] = [];
  /** Jobs that ended just now, whose outcomes are stored together. */
  #ended: EndedJob[] = [];

  constructor(
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly log: Log,
    handlers: Record<string, JobHandler>,
  ) {
    this.#handlers = new Map(Object.entries(handlers));
  }

  /** Starts to poll and to run due jobs. */
  start(): void {
    this.#stopped = false;
    this.#recovered = false;
    this.queue.onEnqueue = (kind) => {
      if (this.#handlers.has(kind)) queueMicrotask(() => this.wake());
    };
    this.wake();
  }

  /** Stops claiming; resolves when the running jobs have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer();
    await this.idle();
    this.#storeLateOutcomes();
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.#running() === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Claims what is due now and sets the timer for what is due next. */
  wake(): void {
    if (this.#stopped) return;
    let next: number | null = null;
    this.#storeLateOutcomes();
    try {
      this.#recoverLost();
      this.#detectClockSetBack();
      next = this.#claimDue();
    } catch (error) {
      // After a full disk or a locked database, the next poll retries.
      this.log.error("the job table could not be read", errorFields(error));
    }
    this.#timer();
    const waitMs = next === null ? POLL_MS : Math.min(POLL_MS, Math.max(0, next - this.clock.now()));
    this.#timer = this.clock.after(Math.max(10, waitMs), () => this.wake());
  }

  /** Runs at the first poll that can write. On a full disk, that is later than the start. */
  #recoverLost(): void {
    if (this.#recovered) return;
    this.queue.recoverLost([...this.#handlers.keys()]);
    this.#recovered = true;
  }

  /** Also runs at the first poll, because the clock may have been set back while no runner was active. */
  #detectClockSetBack(): void {
    const now = this.clock.now();
    if (now < this.#polledAt - SET_BACK_MS) this.queue.handleClockSetBack([...this.#handlers.keys()]);
    this.#polledAt = now;
  }

  /** Claims what is due. @returns when the next job is due that has a free slot, ms; null if none is pending */
  #claimDue(): number | null {
    let next: number | null = null;
    for (const [kind, handler] of this.#handlers) {
      if (!this.#hasSpace(kind)) continue;
      let at = this.queue.nextDue([kind]);
      if (at !== null && at <= this.clock.now()) {
        const active = this.#active.get(kind) ?? 0;
        const jobs = this.queue.claimSeveral(kind, handler.concurrency - active);
        this.#active.set(kind, active + jobs.length);
        for (const job of jobs) void this.#run(handler, job);
        // A kind without free slots wakes the runner when one of its jobs ends.
        at = this.#hasSpace(kind) ? this.queue.nextDue([kind]) : null;
      }
      if (at !== null && (next === null || at < next)) next = at;
    }
    return next;
  }

  async #run(handler: JobHandler, job: Job): Promise<void> {
    let result: AttemptOutcome;
    try {
      result = await handler.run(job);
    } catch (error) {
      const delayMs = Math.min(CRASH_BACKOFF_MS * 2 ** (job.attempt - 1), LONGEST_BACKOFF_MS);
      this.log.error("a job failed unexpectedly", { job: job.id, kind: job.kind, ...errorFields(error) });
      result = { outcome: "retry", run_at: this.clock.now() + delayMs, detail: String(error) };
    }
    this.#ended.push({ job, result });
    if (this.#ended.length === 1) queueMicrotask(() => this.#finishEnded());
  }

  /** Stores the outcomes of jobs that ended together, and claims others. */
  #finishEnded(): void {
    const ended = this.#ended;
    this.#ended = [];
    try {
      this.queue.finishSeveral(ended);
    } catch (error) {
      // Otherwise the jobs would stay marked as running until the next start.
      this.#unnoted.push(...ended);
      const jobs = ended.map(({ job: { id, kind } }) => `${kind} ${id}`).join(", ");
      this.log.error("the outcome of jobs could not be stored", { jobs, ...errorFields(error) });
    }
    for (const { job } of ended) this.#active.set(job.kind, (this.#active.get(job.kind) ?? 1) - 1);
    if (this.#running() === 0) for (const resolve of this.#idle.splice(0)) resolve();
    this.wake();
  }

  /** Stores the outcomes that could not be stored before. What fails again waits for the next poll. */
  #storeLateOutcomes(): void {
    this.#unnoted = this.#unnoted.filter(({ job, result }) => {
      try {
        this.queue.finish(job, result);
        return false;
      } catch {
        return true;
      }
    });
  }

  #hasSpace(kind: string): boolean {
    return (this.#active.get(kind) ?? 0) < (this.#handlers.get(kind)?.concurrency ?? 0);
  }

  #running(): number {
    let sum = 0;
    for (const count of this.#active.values()) sum += count;
    return sum;
  }
}
