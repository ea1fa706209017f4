import { isoTime } from "../../kernel/clock.ts";
import type { DisabledReason, Endpoint } from "./endpoints-store.ts";

/** The mail that tells an owner that an endpoint was disabled (docs/webhooks.md, "Disabled endpoints"). */
export function disabledMail(
  endpoint: Endpoint,
  reason: Exclude<DisabledReason, "user">,
): { subject: string; text: string } {
  const host = new URL(endpoint.url).host;
  const why =
    reason === "gone"
      ? "It answered 410 Gone, which means that nobody listens there any more."
      : `No delivery has succeeded since ${isoTime(endpoint.streak_since ?? endpoint.updated_at)}, three days or more.`;
  return {
    subject: `Webhook to ${host} was disabled`,
    text: [
      `Postroom has stopped sending events to this webhook endpoint:`,
      "",
      `    ${endpoint.url}`,
      `    ${endpoint.id}, ${endpoint.failure_count} failed ${endpoint.failure_count === 1 ? "attempt" : "attempts"}`,
      "",
      why,
      "",
      "Nothing is lost: what happened meanwhile is kept for 30 days. When the receiver works again, make the endpoint",
      "active, and deliveries go on where they stopped:",
      "",
      `    PATCH /v1/webhooks/${endpoint.id}   {"status": "active"}`,
      "",
      `GET /v1/webhooks/${endpoint.id}/deliveries shows what the receiver answered.`,
      "",
    ].join("\n"),
  };
}
