import { type Fixture, rows } from "./finding.ts";

const DAY_MS = 86_400_000;

/** Checks that every event that an endpoint wants is delivered, waits, or was given up after its attempts. */
export function checkDeliveries(fixture: Fixture): void {
  const { platform, settled, deliveries_may_wait, miss } = fixture;
  const report = (query: string, words: string) => {
    for (const { id } of rows<{ id: string }>(platform, query)) miss("deliveries", `${id} ${words}`);
  };
  report(
    "SELECT id FROM webhook_deliveries WHERE (status = 'pending') <> (finished_at IS NULL)",
    "has contradictory end fields",
  );
  report(
    "SELECT id FROM webhook_deliveries WHERE status = 'pending' AND attempts > 0 AND next_attempt_at IS NULL",
    "waits without a time of the next attempt",
  );
  report(
    "SELECT id FROM webhook_deliveries WHERE status = 'delivered' AND attempts = 0",
    "was delivered without an attempt",
  );
  report(
    "SELECT d.id FROM webhook_deliveries d LEFT JOIN events e ON e.id = d.event_id WHERE d.status = 'pending' AND e.id IS NULL",
    "waits, but its event is not in the log",
  );
  checkPassedOver(fixture);
  const head = platform.events.head();
  for (const { id, position } of rows<{ id: string; position: number }>(
    platform,
    "SELECT id, position FROM webhook_endpoints",
  )) {
    if (position > head) miss("deliveries", `${id} is at position ${position}, beyond the end of the log (${head})`);
  }
  if (!settled || deliveries_may_wait) return;
  report(
    `SELECT d.id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE d.status = 'pending' AND e.status = 'active'`,
    "is not delivered yet",
  );
  report(
    `SELECT v.id FROM webhook_endpoints e JOIN events v ON v.user_id = e.user_id AND v.position > e.position
     WHERE e.status = 'active' AND v.type IN (SELECT value FROM json_each(e.events))`,
    "was not taken from the log for a subscribed endpoint",
  );
}

/**
 * Returns events without a delivery that an endpoint has passed in the log. A new endpoint begins at the end of the
 * log, and that position is not stored, so it is derived from what is certainly later: events after one that was
 * delivered to the endpoint, and events written after it was created. After a change (its events, its address, disabled
 * and enabled again) only later events count, because it may have wanted something else before.
 *
 * Times give the order only where the clock was not set back, so only the part of the log after its last step back is
 * judged by them. Events that are about to be pruned are not judged: deliveries are pruned a moment later than their
 * events.
 */
function checkPassedOver({ platform, miss }: Fixture): void {
  const now = platform.clock.now();
  const lost = rows<{ id: string; endpoint: string }>(
    platform,
    // What depends only on the endpoint is looked up once, not for each event of the log.
    `WITH firsts AS MATERIALIZED (
       SELECT d.endpoint_id, min(o.position) AS position FROM webhook_deliveries d JOIN events o ON o.id = d.event_id
       GROUP BY d.endpoint_id),
     steps AS (SELECT position, created_at < lag(created_at) OVER (ORDER BY position) AS back FROM events)
     SELECT v.id, e.id AS endpoint FROM webhook_endpoints e LEFT JOIN firsts f ON f.endpoint_id = e.id
       JOIN events v ON v.user_id = e.user_id
     WHERE e.status = 'active' AND v.position <= e.position AND v.type IN (SELECT value FROM json_each(e.events))
       AND (e.updated_at = e.created_at AND v.position > f.position
         OR v.created_at > e.updated_at AND v.created_at BETWEEN ? AND ?
           AND v.position >= (SELECT coalesce(max(position), 0) FROM steps WHERE back))
       AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.event_id = v.id)`,
    now - platform.config.get("retention.events_days") * DAY_MS,
    now,
  );
  for (const { id, endpoint } of lost) miss("deliveries", `${id} was skipped by ${endpoint}, which subscribes to it`);
}
