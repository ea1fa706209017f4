import type { PublishedEvent } from "../../platform/ledger/events.ts";
import type { Delivery } from "./deliveries-store.ts";
import type { Endpoint } from "./endpoints-store.ts";
import type { Secret } from "./secrets-store.ts";

/** Simultaneous attempts to one endpoint. The limit is per endpoint, so a hanging one does not delay the others. */
const MAX_OPEN = 16;
/** Limit for retries while new events wait, so that neither starves the other. */
const MAX_RETRIES = 8;
/** Deliveries that wait in memory for their first attempt; further ones wait in the log. */
const MAX_UNTRIED = 64;
/** After this many consecutive failures, an endpoint gets few attempts at a time, with pauses between them. */
const THROTTLE_AFTER = 100;
const THROTTLED_OPEN = 2;
const THROTTLE_PAUSE_MS = 50;
const LONGEST_HOLD_MS = 3_600_000;

/** A delivery and its event; `first` if it was never attempted. */
export interface Task {
  delivery: Pick<Delivery, "id" | "step">;
  event: PublishedEvent;
  thread_id: string | null;
  first: boolean;
}

/**
 * Tracks the attempts of one endpoint, under way and next. In memory only, because after a crash the tables have the
 * same information.
 */
export class EndpointQueue {
  endpoint: Endpoint;
  secrets: readonly Secret[];
  #active = false;
  /** Position in the log up to which events were read. */
  position: number;
  /** No retry is due before this time; null: unknown, read it from the table. */
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

  /** Number of further events that it can take from the log. */
  get capacity(): number {
    return this.#active ? Math.max(0, MAX_UNTRIED - this.#untried.length) : 0;
  }

  /** No attempt is made before this time, because the receiver asked for it or fails constantly. */
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

  /** Returns whether one more attempt may start now. */
  hasSlot(now: number): boolean {
    const most = this.endpoint.failure_count >= THROTTLE_AFTER ? THROTTLED_OPEN : MAX_OPEN;
    return this.#active && now >= this.#holdUntil && this.#open.size < most;
  }

  /** Whether the next attempt may be a retry. */
  get hasRetrySlot(): boolean {
    return this.#untried.length === 0 || this.openRetries < MAX_RETRIES;
  }

  /** Applies the current endpoint and secrets. @returns true if it was not active before */
  update(endpoint: Endpoint, secrets: readonly Secret[]): boolean {
    const resumed = !this.#active;
    this.endpoint = endpoint;
    this.secrets = secrets;
    this.retryAt = null;
    this.#active = true;
    // After the streak is reset, the owner expects an attempt immediately.
    if (endpoint.failure_count === 0) this.#holdUntil = 0;
    return resumed;
  }

  /** Adjusts the waits after a clock that was ahead has been corrected. */
  handleClockSetBack(byMs: number): void {
    this.retryAt = null;
    this.#holdUntil -= byMs;
  }

  /** Starts nothing more, and drops the deliveries that wait for their first attempt, which are in the table. */
  suspend(): void {
    this.#active = false;
    this.#untried = [];
  }

  /** Adds deliveries for their first attempt, in the order of their events. */
  offer(tasks: readonly Task[]): void {
    this.#untried.push(...tasks);
  }

  /**
   * Returns the next delivery for its first attempt. Skips a delivery if another first attempt of its thread is under
   * way or ahead of it, so that first attempts keep their order within each thread.
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

  /** Releases the slot of an attempt. @param askedWaitMs the wait that the receiver asked for */
  end(task: Task, now: number, failed: boolean, askedWaitMs: number | null): void {
    this.#open.delete(task.delivery.id);
    this.retryAt = null;
    if (task.first && task.thread_id !== null) this.#busyThreads.delete(task.thread_id);
    const throttled = failed && this.endpoint.failure_count >= THROTTLE_AFTER ? THROTTLE_PAUSE_MS : 0;
    const holdMs = Math.min(LONGEST_HOLD_MS, Math.max(throttled, askedWaitMs ?? 0));
    this.#holdUntil = Math.max(this.#holdUntil, now + holdMs);
  }
}
