import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from "./model.ts";

export const EXAMPLE_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD7nYhZ5aVqm4=";

export const EXAMPLE_ENDPOINT: WebhookEndpoint = {
  id: "whk_01jz4t9h2m8q5r7v3w6x0y1z2a",
  url: "https://hooks.example.org/postroom",
  events: ["message.received", "thread.updated"],
  status: "active",
  failure_count: 0,
  last_failure_at: null,
  disabled_at: null,
  created_at: "2026-03-02T09:00:00.000Z",
  updated_at: "2026-03-02T09:00:00.000Z",
};

const EXAMPLE_ATTEMPT: WebhookAttempt = {
  attempt: 1,
  at: "2026-03-02T09:05:00.020Z",
  duration_ms: 84,
  response_status: 500,
  error: "the receiver answered 500",
};

export const EXAMPLE_DELIVERY: WebhookDelivery = {
  id: "dlv_01jz4t9h2m8q5r7v3w6x0y1z2b",
  event_id: "ntf_01jz4t9h2m8q5r7v3w6x0y1z2c",
  event: "message.received",
  status: "pending",
  attempt_count: 1,
  last_attempt: EXAMPLE_ATTEMPT,
  next_attempt_at: "2026-03-02T09:05:05.104Z",
  created_at: "2026-03-02T09:05:00.010Z",
  finished_at: null,
};

export const EXAMPLE_DELIVERY_DETAIL: WebhookDeliveryDetail["data"] = {
  ...EXAMPLE_DELIVERY,
  attempts: [
    { ...EXAMPLE_ATTEMPT, response_headers: { "content-type": "text/plain" }, response_body: "out of memory" },
  ],
};
