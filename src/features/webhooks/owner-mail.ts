import { isoTime } from "../../kernel/clock.ts";
import type { DisabledReason, Endpoint } from "./endpoints-store.ts";

/** Returns the mail that notifies an owner of a disabled endpoint (docs/webhooks.md, "Disabled endpoints"). */
export function disabledMail(
  endpoint: Endpoint,
  reason: Exclude<DisabledReason, "user">,
): { subject: string; text: string } {
  const host = new URL(endpoint.url).host;
  const why =
    reason === "gone"
      ? "The receiver answered 410 Gone, which means that it no longer accepts events."
      : `No delivery has succeeded since ${isoTime(endpoint.streak_since ?? endpoint.updated_at)}, for three days or more.`;
  return {
    subject: `Webhook endpoint ${host} was disabled`,
    text: [
      `Postroom has stopped sending events to this webhook endpoint:`,
      "",
      `    ${endpoint.url}`,
      `    ${endpoint.id}, ${endpoint.failure_count} failed ${endpoint.failure_count === 1 ? "attempt" : "attempts"}`,
      "",
      why,
      "",
      "No events are lost: Postroom keeps them for 30 days. When the receiver works again, set the endpoint to active.",
      "Deliveries then resume where they stopped:",
      "",
      `    PATCH /v1/webhooks/${endpoint.id}   {"status": "active"}`,
      "",
      `GET /v1/webhooks/${endpoint.id}/deliveries lists the receiver's responses.`,
      "",
    ].join("\n"),
  };
}
