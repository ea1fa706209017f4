import type { CancelTimer } from "../../kernel/clock.ts";
import type { LoggedEvent } from "../../platform/ledger/events.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AttemptResult, Attempts } from "./attempt.ts";
import type { DeliveryStore } from "./deliveries-store.ts";
import { EndpointQueue, type Task } from "./endpoint-queue.ts";
import type { DisabledReason, EndpointStore } from "./endpoints-store.ts";
import { afterAttempt, DISABLE_AFTER_MS } from "./schedule.ts";
import { type SecretStore, validSecrets } from "./secrets-store.ts";
import { firstTask, TaskSource } from "./tasks.ts";

/** Other processes write without telling us, so we look at least this often. */
const POLL_MS = 1_000;
/** A clock that goes back by less is one that is kept right. */
const SET_BACK_MS = 5_000;
/** No look comes so late unless the machine slept, or its clock was set forward. */
const ASLEEP_MS = 5 * 60_000;

export interface DelivererParts {
  platform: Platform;
  endpoints: EndpointStore;
  secrets: SecretStore;
  deliveries: DeliveryStore;
  attempts: Attempts;
  /** Disables an endpoint and tells its owner. */
  disable: (endpoint_id: string, reason: Exclude<DisabledReason, "user">) => void;
  /** 0–1, for jitter. */
  random: () => number;
}

interface Settled {
  queue: EndpointQueue;
  task: Task;
  /** null: it was given up, because the program stops. */
  result: AttemptResult | null;
}

/**
 * Takes events from the log to the endpoints that want them, at least once each. An event becomes a delivery row before
 * its first attempt, together with the position in the log; an attempt is noted when it has ended. A crash in between
 * repeats the attempt, and so does a power cut, so none of this waits for the disk. Every endpoint has a lane of its own.
 */
export class Deliverer {
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #stop = new AbortController();
  #settled: Settled[] = [];
  #writing = false;
  #running = false;
  #startedAt = 0;
  #timer: CancelTimer = () => {};
  #leave = () => {};
  #dataVersion = -1;
  #pollAt = 0;
  /** When it last looked after its lanes, ms. At the start the clock may have been set right while nothing ran. */
  #lookedAt = Number.POSITIVE_INFINITY;
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
    this.#leave = events.listen(() => this.#look());
    this.refresh();
  }

  /** Begins no more attempts, gives up those under way, and notes what has ended. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#timer();
    this.#leave();
    this.#stop.abort();
    await this.idle();
    this.#guarded("webhook progress could not be written", () =>
      this.parts.platform.db.writeLazily(() => this.#savePositions()),
    );
  }

  /** Resolves when no attempt is under way and every one that ended is noted. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** How many attempts are under way. */
  get open(): number {
    let sum = 0;
    for (const queue of this.#queues.values()) sum += queue.open;
    return sum;
  }

  /** Reads the endpoints anew: some were added, changed, disabled or removed. */
  refresh(): void {
    if (!this.#running) return;
    this.#guarded("the webhook endpoints could not be read", () => {
      const active = new Set(this.parts.endpoints.activeIds());
      for (const [id, queue] of this.#queues) {
        if (!active.has(id)) this.#suspend(queue);
      }
      // Each for itself: one that does not open any more must not hold up the others.
      for (const id of active) this.#guarded("a webhook endpoint could not be read", () => this.#refreshQueue(id));
    });
    this.#look();
  }

  #refreshQueue(id: string): void {
    const endpoint = this.parts.endpoints.get(id);
    if (!endpoint) return;
    const secrets = this.parts.secrets.of(endpoint);
    const queue = this.#queues.get(id) ?? new EndpointQueue(endpoint, secrets);
    this.#queues.set(id, queue);
    // What had been taken from the log and never tried comes first.
    if (queue.update(endpoint, secrets)) queue.offer(this.#tasks.untried(queue));
  }

  #suspend(queue: EndpointQueue): void {
    queue.suspend();
    if (queue.open === 0) this.#queues.delete(queue.endpoint.id);
  }

  /** Takes new events in, begins every attempt that may begin, and sets the timer for the next. */
  #look(): void {
    if (!this.#running) return;
    this.#guarded("webhooks could not be looked after", () => {
      this.#followClock();
      this.#disableFailing();
      this.#takeEvents();
    });
    for (const queue of this.#queues.values()) {
      this.#guarded("the deliveries to an endpoint could not be begun", () => this.#begin(queue));
    }
    this.#setTimer();
  }

  /** A clock that was set right keeps nothing waiting, and time in which the machine slept is none in which we tried. */
  #followClock(): void {
    const { db, clock } = this.parts.platform;
    const now = clock.now();
    if (now < this.#lookedAt - SET_BACK_MS) {
      db.writeLazily(() => this.parts.deliveries.followClockBack());
      this.#pollAt = Math.min(this.#pollAt, now);
      for (const queue of this.#queues.values()) queue.followClockBack(this.#lookedAt - now);
    } else if (now > this.#lookedAt + ASLEEP_MS) this.#startedAt = now;
    this.#lookedAt = now;
  }

  #takeEvents(): void {
    const { platform, deliveries } = this.parts;
    const head = platform.events.head();
    const found: { queue: EndpointQueue; events: LoggedEvent[]; end: number }[] = [];
    for (const queue of this.#queues.values()) {
      const { room, endpoint } = queue;
      if (queue.position >= head || room === 0) continue;
      const { events, end, broken } = platform.events.read(endpoint.user_id, queue.position, room, endpoint.events);
      if (broken > 0) platform.log.error("events do not open", { endpoint: endpoint.id, events: broken });
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
    // Only now: what was not committed does not exist.
    for (const [i, { queue, events, end }] of found.entries()) {
      queue.position = end;
      queue.offer(events.map((event, n) => firstTask(taken[i]![n]!, event)));
    }
  }

  /** Of endpoints that wanted nothing of what they were shown. Not each time: then every event would cost a write each. */
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
    const result = await attempts.make({ url: queue.endpoint.url, secrets }, task.event, this.#stop.signal);
    this.#settled.push({ queue, task, result });
    if (this.#writing) return;
    this.#writing = true;
    // What ends in the same turn of the event loop is noted in one transaction.
    setImmediate(() => this.#write());
  }

  /** Notes the attempts that ended. Until that has worked they hold their places, so nothing piles up. */
  #write(): void {
    const { platform } = this.parts;
    const batch = this.#settled;
    this.#settled = [];
    const noted = this.#guarded("webhook attempts could not be noted", () => {
      platform.db.writeLazily(() => {
        for (const settled of batch) this.#note(settled);
      });
      return true;
    });
    if (!noted) {
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
    this.#look();
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #note({ queue, task, result }: Settled): void {
    if (!result) return; // given up: nothing is known, and the next start tries again
    const { deliveries, random } = this.parts;
    const { endpoint } = queue;
    const streak = deliveries.countAttempt(endpoint.id, result);
    if (!streak) return;
    endpoint.failure_count = streak.failure_count;
    endpoint.streak_since = streak.streak_since;
    if (result.outcome !== "delivered") endpoint.last_failure_at = result.ended_at;
    const comesBack = result.outcome === "gone" || this.#hasFailedTooLong(queue, result.ended_at);
    deliveries.settle(
      endpoint,
      task.delivery.id,
      result,
      afterAttempt(task.delivery.step, result, random(), comesBack),
    );
  }

  /** Endpoints that failed for three days and have something waiting. */
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

  /** Three days without a success, and not because this program was not running: it has tried since it started. */
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
    this.#timer = clock.after(next - now, () => (clock.now() >= this.#pollAt ? this.#poll() : this.#look()));
  }

  /** Looks for what other processes changed. */
  #poll(): void {
    const { db, clock } = this.parts.platform;
    this.#pollAt = clock.now() + POLL_MS;
    const version = this.#guarded("the database could not be read", () => {
      if (this.#unsaved.size > 0) db.writeLazily(() => this.#savePositions());
      return db.sql.query<{ dataVersion: number }, []>("PRAGMA data_version").get()?.dataVersion;
    });
    if (version === undefined || version === this.#dataVersion) this.#look();
    else {
      this.#dataVersion = version;
      this.refresh();
    }
  }

  #isIdle(): boolean {
    return this.open === 0 && this.#settled.length === 0 && !this.#writing;
  }

  /** A full disk or a locked database: the next poll tries again. @returns undefined after a fault */
  #guarded<T>(what: string, act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      this.parts.platform.log.error(what, errorFields(error));
      return undefined;
    }
  }
}
