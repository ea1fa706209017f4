import { isoTime } from "../../kernel/clock.ts";
import { type LoggedEvent, publishedEvent } from "../../platform/ledger/events.ts";
import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import { testEvent } from "./attempt.ts";
import type { Delivery, DeliveryStore } from "./deliveries-store.ts";
import type { EndpointQueue, Task } from "./endpoint-queue.ts";

/** Returns the task of a delivery that was just taken from the log. */
export function firstTask(delivery_id: string, event: LoggedEvent): Task {
  const delivery = { id: delivery_id, step: 0 };
  return { delivery, event: publishedEvent(event), thread_id: event.thread_id, first: true };
}

/** Turns deliveries in the table into tasks, each with its event from the log. */
export class TaskSource {
  constructor(
    private readonly platform: Pick<Platform, "events" | "clock" | "log">,
    private readonly deliveries: DeliveryStore,
  ) {}

  /** Returns deliveries that were taken from the log, were never attempted and are not under way. */
  untried(queue: EndpointQueue): Task[] {
    return this.deliveries
      .untried(queue.endpoint.id)
      .filter(({ id }) => !queue.isOpen(id))
      .flatMap((delivery) => this.#taskOf(queue, delivery, true) ?? []);
  }

  /**
   * Returns the retry that has been due for longest. Retries under way are first in the table and have to be skipped.
   */
  nextRetry(queue: EndpointQueue): Task | null {
    const now = this.platform.clock.now();
    while (queue.retryAt === null || queue.retryAt <= now) {
      const waiting = this.deliveries.waiting(queue.endpoint.id, queue.openRetries + 1);
      const next = waiting.find(({ id }) => !queue.isOpen(id));
      queue.retryAt = next?.next_attempt_at ?? Number.POSITIVE_INFINITY;
      const task = next && queue.retryAt <= now ? this.#taskOf(queue, next, false) : null;
      if (task) return task;
    }
    return null;
  }

  /**
   * Returns the task of a delivery. If its event is no longer in the log, fails the delivery.
   * @returns null if the delivery has failed
   */
  #taskOf({ endpoint }: EndpointQueue, delivery: Delivery, first: boolean): Task | null {
    const { id, event_id, event_at } = delivery;
    if (delivery.event === "webhook.test") {
      return { delivery, event: testEvent(event_id, endpoint.id, isoTime(event_at)), thread_id: null, first };
    }
    const logged = this.#logged(endpoint.user_id, event_id);
    if (logged) return { delivery, event: publishedEvent(logged), thread_id: logged.thread_id, first };
    this.deliveries.abandon(id);
    return null;
  }

  #logged(user_id: string, event_id: string): LoggedEvent | null {
    try {
      return this.platform.events.get(user_id, event_id);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.platform.log.error("an event could not be decrypted", { event: event_id });
      return null;
    }
  }
}
