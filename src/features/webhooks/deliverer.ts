import type { CancelTimer } from "../../kernel/clock.ts";
import type { LoggedEvent } from "../../platform/ledger/events.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AttemptResult, Attempts } from "./attempt.ts";
import type { DeliveryStore } from "./deliveries-store.ts";
import { EndpointQueue, type Task } from "./endpoint-queue.ts";
import type { DisabledReason, EndpointStore } from "./endpoints-store.ts";
import { DISABLE_AFTER_MS, nextState } from "./schedule.ts";
import { type SecretStore, validSecrets } from "./secrets-store.ts";
import { firstTask, TaskSource } from "./tasks.ts";

/** Other processes write without notifying this one, so it checks at least this often. */
const POLL_MS = 1_000;
/** Smaller backward steps are ordinary corrections of the clock. */
const SET_BACK_MS = 5_000;
/** A longer gap between two passes means that the machine slept, or its clock was set forward. */
const ASLEEP_MS = 5 * 60_000;

export interface DelivererParts {
  platform: Platform;
  endpoints: EndpointStore;
  secrets: SecretStore;
  deliveries: DeliveryStore;
  attempts: Attempts;
  /** Disables an endpoint and notifies its owner. */
  disable: (endpoint_id: string, reason: Exclude<DisabledReason, "user">) => void;
  /** 0–1, for jitter. */
  random: () => number;
}

interface Settled {
  queue: EndpointQueue;
  task: Task;
  /** null: the attempt was aborted, because the program stops. */
  result: AttemptResult | null;
}

/**
 * Delivers events from the log to the subscribed endpoints, at least once each. An event becomes a delivery row before
 * its first attempt, in one transaction with the position in the log. An attempt is recorded after it has ended. A
 * crash or power cut in between repeats the attempt, so no write needs to wait for the disk. Every endpoint has its own
 * queue.
 */
export class Deliverer {
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #stop = new AbortController();
  #settled: Settled[] = [];
  #writing = false;
  #running = false;
  #startedAt = 0;
  #timer: CancelTimer = () => {};
  #stopListening = () => {};
  #dataVersion = -1;
  #pollAt = 0;
  /**
   * Time of the last pass over the queues, ms. Infinity at the start, because the clock may have been set back while
   * nothing ran.
   */
  #lastPassAt = Number.POSITIVE_INFINITY;
  #unsaved = new Set<EndpointQueue>();
  #idle: (() => void)[] = [];

  readonly #tasks: TaskSource;

  constructor(private readonly parts: DelivererParts) {
    this.#tasks = new TaskSource(parts.platform, parts.deliveries);
  }

  start(): void {
    const { clock, events } = this.parts.platform;
    this.#running = true;
    this.#startedAt = clock.now();
    this.#pollAt = this.#startedAt + POLL_MS;
    this.#stopListening = events.listen(() => this.#pass());
    this.refresh();
  }

  /** Starts no more attempts, aborts those under way, and records what has ended. */
  async stop(): Promise<void> {
    if (!this.#running) return;
    this.#running = false;
    this.#timer();
    this.#stopListening();
    this.#stop.abort();
    await this.idle();
    this.#guarded("webhook progress could not be written", () =>
      this.parts.platform.db.writeLazily(() => this.#savePositions()),
    );
  }

  /** Resolves when no attempt is under way and every ended one is recorded. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Number of attempts under way. */
  get open(): number {
    let sum = 0;
    for (const queue of this.#queues.values()) sum += queue.open;
    return sum;
  }

  /** Reloads the endpoints after some were added, changed, disabled or removed. */
  refresh(): void {
    if (!this.#running) return;
    this.#guarded("the webhook endpoints could not be read", () => {
      const active = new Set(this.parts.endpoints.activeIds());
      for (const [id, queue] of this.#queues) {
        if (!active.has(id)) this.#suspend(queue);
      }
      // Separately, so that an endpoint that cannot be decrypted does not block the others.
      for (const id of active) this.#guarded("a webhook endpoint could not be read", () => this.#refreshQueue(id));
    });
    this.#pass();
  }

  #refreshQueue(id: string): void {
    const endpoint = this.parts.endpoints.get(id);
    if (!endpoint) return;
    const secrets = this.parts.secrets.of(endpoint);
    const queue = this.#queues.get(id) ?? new EndpointQueue(endpoint, secrets);
    this.#queues.set(id, queue);
    // Deliveries that were taken from the log and never attempted come first.
    if (queue.update(endpoint, secrets)) queue.offer(this.#tasks.untried(queue));
  }

  #suspend(queue: EndpointQueue): void {
    queue.suspend();
    if (queue.open === 0) this.#queues.delete(queue.endpoint.id);
  }

  /** Takes new events from the log, starts every attempt that may start, and sets the timer for the next pass. */
  #pass(): void {
    if (!this.#running) return;
    this.#guarded("webhooks could not be processed", () => {
      this.#detectClockSetBack();
      this.#disableFailing();
      this.#takeEvents();
    });
    for (const queue of this.#queues.values()) {
      this.#guarded("deliveries to an endpoint could not be started", () => this.#begin(queue));
    }
    this.#setTimer();
  }

  /**
   * Handles changes of the clock: after it was set back, waiting deliveries stay on schedule, and time in which the
   * machine slept does not count as failing.
   */
  #detectClockSetBack(): void {
    const { db, clock } = this.parts.platform;
    const now = clock.now();
    if (now < this.#lastPassAt - SET_BACK_MS) {
      db.writeLazily(() => this.parts.deliveries.handleClockSetBack());
      this.#pollAt = Math.min(this.#pollAt, now);
      for (const queue of this.#queues.values()) queue.handleClockSetBack(this.#lastPassAt - now);
    } else if (now > this.#lastPassAt + ASLEEP_MS) this.#startedAt = now;
    this.#lastPassAt = now;
  }

  #takeEvents(): void {
    const { platform, deliveries } = this.parts;
    const head = platform.events.head();
    const found: { queue: EndpointQueue; events: LoggedEvent[]; end: number }[] = [];
    for (const queue of this.#queues.values()) {
      const { capacity, endpoint } = queue;
      if (queue.position >= head || capacity === 0) continue;
      const { events, end, broken } = platform.events.read(endpoint.user_id, queue.position, capacity, endpoint.events);
      if (broken > 0) platform.log.error("events could not be decrypted", { endpoint: endpoint.id, events: broken });
      if (events.length > 0) found.push({ queue, events, end });
      else {
        queue.position = end;
        this.#unsaved.add(queue);
      }
    }
    if (found.length === 0) return;
    const taken = platform.db.writeLazily(() => {
      this.#savePositions();
      return found.map(({ queue, events, end }) => {
        deliveries.setPosition(queue.endpoint.id, end);
        return deliveries.take(queue.endpoint.id, events);
      });
    });
    // Only after the commit, because deliveries that were not committed do not exist.
    for (const [i, { queue, events, end }] of found.entries()) {
      queue.position = end;
      queue.offer(events.map((event, n) => firstTask(taken[i]![n]!, event)));
    }
  }

  /**
   * Saves the positions of endpoints that did not subscribe to any of the latest events. Not called for every event,
   * which would cost one write each.
   */
  #savePositions(): void {
    for (const { endpoint, position } of this.#unsaved) this.parts.deliveries.setPosition(endpoint.id, position);
    this.#unsaved.clear();
  }

  #begin(queue: EndpointQueue): void {
    const { clock } = this.parts.platform;
    while (queue.hasSlot(clock.now())) {
      const task = (queue.hasRetrySlot ? this.#tasks.nextRetry(queue) : null) ?? queue.nextUntried();
      if (!task) return;
      queue.begin(task);
      void this.#run(queue, task);
    }
  }

  async #run(queue: EndpointQueue, task: Task): Promise<void> {
    const { attempts, platform } = this.parts;
    const secrets = validSecrets(queue.secrets, platform.clock.now());
    const { user_id, url } = queue.endpoint;
    const result = await attempts.make({ user_id, url, secrets }, task.event, this.#stop.signal);
    this.#settled.push({ queue, task, result });
    if (this.#writing) return;
    this.#writing = true;
    // Attempts that end in the same turn of the event loop are recorded in one transaction.
    setImmediate(() => this.#write());
  }

  /** Records the ended attempts. They occupy their slots until this succeeds, so that the backlog stays bounded. */
  #write(): void {
    const { platform } = this.parts;
    const batch = this.#settled;
    this.#settled = [];
    const recorded = this.#guarded("webhook attempts could not be recorded", () => {
      platform.db.writeLazily(() => {
        for (const settled of batch) this.#record(settled);
      });
      return true;
    });
    if (!recorded) {
      this.#settled.unshift(...batch);
      platform.clock.after(POLL_MS, () => this.#write());
      return;
    }
    this.#writing = false;
    const now = platform.clock.now();
    for (const { queue, task, result } of batch) {
      queue.end(task, now, result?.outcome !== "delivered", result?.askedWaitMs ?? null);
      if (result?.outcome === "gone") this.#disable(queue, "gone");
      if (!queue.active) this.#suspend(queue);
    }
    this.#pass();
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #record({ queue, task, result }: Settled): void {
    if (!result) return; // Aborted: the outcome is unknown, and the next start tries again.
    const { deliveries, random } = this.parts;
    const { endpoint } = queue;
    const streak = deliveries.countAttempt(endpoint.id, result);
    if (!streak) return;
    endpoint.failure_count = streak.failure_count;
    endpoint.streak_since = streak.streak_since;
    if (result.outcome !== "delivered") endpoint.last_failure_at = result.ended_at;
    const disabled = result.outcome === "gone" || this.#hasFailedTooLong(queue, result.ended_at);
    deliveries.settle(endpoint, task.delivery.id, result, nextState(task.delivery.step, result, random(), disabled));
  }

  /** Disables endpoints that have failed for three days and have deliveries waiting. */
  #disableFailing(): void {
    const now = this.parts.platform.clock.now();
    for (const queue of this.#queues.values()) {
      if (!this.#hasFailedTooLong(queue, now)) continue;
      const waits = queue.untried > 0 || this.parts.deliveries.waiting(queue.endpoint.id, 1).length > 0;
      if (waits) this.#disable(queue, "failing");
    }
  }

  #disable(queue: EndpointQueue, reason: Exclude<DisabledReason, "user">): void {
    if (!queue.active) return;
    this.#guarded("a webhook endpoint could not be disabled", () => {
      this.parts.disable(queue.endpoint.id, reason);
      this.#suspend(queue);
    });
  }

  /**
   * Returns whether an endpoint has had no success for three days. Time in which this program was not running does not
   * count: there must have been a failure since the start.
   */
  #hasFailedTooLong({ active, endpoint: { streak_since, last_failure_at } }: EndpointQueue, now: number): boolean {
    if (!active) return false;
    return streak_since !== null && now - streak_since >= DISABLE_AFTER_MS && (last_failure_at ?? 0) >= this.#startedAt;
  }

  #setTimer(): void {
    const { clock } = this.parts.platform;
    const now = clock.now();
    let next = Math.max(now, this.#pollAt);
    for (const queue of this.#queues.values()) {
      if (!queue.active) continue;
      const { streak_since } = queue.endpoint;
      const times = [queue.retryAt, queue.holdUntil, streak_since === null ? null : streak_since + DISABLE_AFTER_MS];
      for (const at of times) if (at !== null && at > now && at < next) next = at;
    }
    this.#timer();
    this.#timer = clock.after(next - now, () => (clock.now() >= this.#pollAt ? this.#poll() : this.#pass()));
  }

  /** Checks for changes by other processes. */
  #poll(): void {
    const { db, clock } = this.parts.platform;
    this.#pollAt = clock.now() + POLL_MS;
    const version = this.#guarded("the database could not be read", () => {
      if (this.#unsaved.size > 0) db.writeLazily(() => this.#savePositions());
      return db.sql.query<{ dataVersion: number }, []>("PRAGMA data_version").get()?.dataVersion;
    });
    if (version === undefined || version === this.#dataVersion) this.#pass();
    else {
      this.#dataVersion = version;
      this.refresh();
    }
  }

  #isIdle(): boolean {
    return this.open === 0 && this.#settled.length === 0 && !this.#writing;
  }

  /**
   * Logs an error, such as a full disk or a locked database; the next poll tries again.
   * @returns undefined after an error
   */
  #guarded<T>(what: string, act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      this.parts.platform.log.error(what, errorFields(error));
      return undefined;
    }
  }
}
