import { isoTime } from "../../kernel/clock.ts";
import type { Attempt, Delivery, DeliveryStore } from "./deliveries-store.ts";
import type { Endpoint } from "./endpoints-store.ts";
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from "./model.ts";

/** Returns an endpoint as the API shows it, without its secret. */
export function viewEndpoint(endpoint: Endpoint): WebhookEndpoint {
  const { id, url, events, status, failure_count } = endpoint;
  return {
    id,
    url,
    events,
    status,
    failure_count,
    last_failure_at: timeOrNull(endpoint.last_failure_at),
    disabled_at: timeOrNull(endpoint.disabled_at),
    created_at: isoTime(endpoint.created_at),
    updated_at: isoTime(endpoint.updated_at),
  };
}

/** Returns a delivery with its newest attempt. */
export function viewDelivery(store: DeliveryStore, endpoint: Endpoint, delivery: Delivery): WebhookDelivery {
  const [last] = store.attempts(endpoint, delivery.id, 1);
  return summarize(delivery, last ?? null);
}

/** Returns a delivery with all its attempts and the receiver's responses. */
export function viewDeliveryDetail(
  store: DeliveryStore,
  endpoint: Endpoint,
  delivery: Delivery,
): WebhookDeliveryDetail["data"] {
  const attempts = store.attempts(endpoint, delivery.id);
  return {
    ...summarize(delivery, attempts.at(-1) ?? null),
    attempts: attempts.map((attempt) => ({
      ...viewAttempt(attempt),
      response_headers: attempt.headers,
      response_body: attempt.body,
    })),
  };
}

function summarize(delivery: Delivery, last: Attempt | null): WebhookDelivery {
  const { id, event_id, event, status } = delivery;
  return {
    id,
    event_id,
    event,
    status,
    attempt_count: delivery.attempts,
    last_attempt: last && viewAttempt(last),
    next_attempt_at: timeOrNull(delivery.next_attempt_at),
    created_at: isoTime(delivery.created_at),
    finished_at: timeOrNull(delivery.finished_at),
  };
}

function viewAttempt({ attempt, at, duration_ms, response_status, error }: Attempt): WebhookAttempt {
  return { attempt, at: isoTime(at), duration_ms, response_status, error };
}

const timeOrNull = (ms: number | null) => (ms === null ? null : isoTime(ms));
