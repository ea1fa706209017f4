import type { PublishedEvent } from "../../platform/ledger/events.ts";
import type { Delivery } from "./deliveries-store.ts";
import type { Endpoint } from "./endpoints-store.ts";
import type { Secret } from "./secrets-store.ts";

/** Attempts at the same time to one endpoint. Each endpoint has its own: one that hangs holds up nobody else. */
const MOST_OPEN = 16;
/** Of these for retries while new events wait, so that neither starves the other. */
const MOST_RETRIES = 8;
/** Deliveries that wait in memory for their first attempt; the rest waits in the log. */
const MOST_UNTRIED = 64;
/** An endpoint that failed so often without a break gets few attempts at a time and rests between them. */
const WEARY_AFTER = 100;
const WEARY_OPEN = 2;
const WEARY_REST_MS = 50;
const LONGEST_HOLD_MS = 3_600_000;

/** A delivery and what is sent; `first` when it was never attempted. */
export interface Task {
  delivery: Pick<Delivery, "id" | "step">;
  event: PublishedEvent;
  thread_id: string | null;
  first: boolean;
}

/** What is under way to one endpoint, and what comes next. In memory only: the tables tell the same after a crash. */
export class EndpointQueue {
  endpoint: Endpoint;
  secrets: readonly Secret[];
  #active = false;
  /** Events up to it were read from the log. */
  position: number;
  /** No retry is due before; null: look into the table. */
  retryAt: number | null = null;
  #untried: Task[] = [];
  readonly #open = new Map<string, Task>();
  readonly #busyThreads = new Set<string>();
  #holdUntil = 0;

  constructor(endpoint: Endpoint, secrets: readonly Secret[]) {
    this.endpoint = endpoint;
    this.secrets = secrets;
    this.position = endpoint.position;
  }

  get active(): boolean {
    return this.#active;
  }

  get open(): number {
    return this.#open.size;
  }

  get untried(): number {
    return this.#untried.length;
  }

  /** How many more events it takes from the log. */
  get room(): number {
    return this.#active ? Math.max(0, MOST_UNTRIED - this.#untried.length) : 0;
  }

  /** Before then no attempt is made: the receiver asked for time, or fails all the while. */
  get holdUntil(): number {
    return this.#holdUntil;
  }

  isOpen(delivery_id: string): boolean {
    return this.#open.has(delivery_id);
  }

  get openRetries(): number {
    let count = 0;
    for (const { first } of this.#open.values()) if (!first) count++;
    return count;
  }

  /** Whether one more attempt may begin now. */
  hasSlot(now: number): boolean {
    const most = this.endpoint.failure_count >= WEARY_AFTER ? WEARY_OPEN : MOST_OPEN;
    return this.#active && now >= this.#holdUntil && this.#open.size < most;
  }

  /** Whether that may be a retry. */
  get hasRetrySlot(): boolean {
    return this.#untried.length === 0 || this.openRetries < MOST_RETRIES;
  }

  /** Takes over what the tables say now. @returns true when it was not active before */
  update(endpoint: Endpoint, secrets: readonly Secret[]): boolean {
    const resumed = !this.#active;
    this.endpoint = endpoint;
    this.secrets = secrets;
    this.retryAt = null;
    this.#active = true;
    // Whoever forgets the streak wants to see something happen.
    if (endpoint.failure_count === 0) this.#holdUntil = 0;
    return resumed;
  }

  /** For a clock that was ahead and has been set right. */
  followClockBack(byMs: number): void {
    this.retryAt = null;
    this.#holdUntil -= byMs;
  }

  /** Begins nothing more, and forgets what waits for its first attempt; the table has it. */
  suspend(): void {
    this.#active = false;
    this.#untried = [];
  }

  /** Adds deliveries for their first attempt, in the order of their events. */
  offer(tasks: readonly Task[]): void {
    this.#untried.push(...tasks);
  }

  /**
   * The next delivery for its first attempt. One whose thread has another first attempt under way or before it waits, so
   * that first attempts keep their order within each thread.
   */
  nextUntried(): Task | null {
    const taken = new Set<string>();
    const at = this.#untried.findIndex(({ thread_id }) => {
      if (thread_id === null) return true;
      if (!this.#busyThreads.has(thread_id) && !taken.has(thread_id)) return true;
      taken.add(thread_id);
      return false;
    });
    return at < 0 ? null : this.#untried.splice(at, 1)[0]!;
  }

  begin(task: Task): void {
    this.#open.set(task.delivery.id, task);
    if (task.first && task.thread_id !== null) this.#busyThreads.add(task.thread_id);
  }

  /** @param asked_wait_ms how long the receiver asked to be left alone */
  end(task: Task, now: number, failed: boolean, askedWaitMs: number | null): void {
    this.#open.delete(task.delivery.id);
    this.retryAt = null;
    if (task.first && task.thread_id !== null) this.#busyThreads.delete(task.thread_id);
    const weary = failed && this.endpoint.failure_count >= WEARY_AFTER ? WEARY_REST_MS : 0;
    const holdMs = Math.min(LONGEST_HOLD_MS, Math.max(weary, askedWaitMs ?? 0));
    this.#holdUntil = Math.max(this.#holdUntil, now + holdMs);
  }
}
