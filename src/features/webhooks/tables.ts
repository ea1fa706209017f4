import { integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { EventName } from "../../kernel/events.ts";
import { json, sealed, time } from "../../platform/db/columns.ts";

export interface AttemptDetail {
  error: string | null;
  headers: Record<string, string>;
  body: string;
}

export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  target: sealed<{ url: string }>().notNull(),
  events: json<EventName[]>().notNull(),
  status: text().$type<"active" | "disabled">().notNull(),
  disabled_reason: text().$type<"user" | "failing" | "gone">(),
  /** Failed attempts since the last success. */
  failure_count: integer().notNull(),
  /** The first failed attempt since the last success. */
  streak_since: time(),
  last_failure_at: time(),
  disabled_at: time(),
  /** Position in the event log up to which events became deliveries. */
  position: integer().notNull(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
});
export type WebhookEndpointRow = typeof webhookEndpoints.$inferSelect;

export const webhookSecrets = sqliteTable("webhook_secrets", {
  id: integer().primaryKey(),
  endpoint_id: text().notNull(),
  secret: sealed<string>().notNull(),
  /** Null: the current secret; earlier secrets also sign until then. */
  expires_at: time(),
});
export type WebhookSecretRow = typeof webhookSecrets.$inferSelect;

/** One event for one endpoint. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    endpoint_id: text().notNull(),
    event_id: text().notNull(),
    event: text().notNull(),
    event_at: time().notNull(),
    status: text().$type<"pending" | "delivered" | "failed">().notNull(),
    attempts: integer().notNull(),
    /** Number of completed waits of the schedule. */
    step: integer().notNull(),
    /** Null unless pending. */
    next_attempt_at: time(),
    created_at: time().notNull(),
    finished_at: time(),
  },
  (t) => [unique().on(t.endpoint_id, t.event_id)],
);
export type WebhookDeliveryRow = typeof webhookDeliveries.$inferSelect;

export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    delivery_id: text().notNull(),
    attempt: integer().notNull(),
    at: time().notNull(),
    duration_ms: integer().notNull(),
    /** Null: no response. */
    response_status: integer(),
    detail: sealed<AttemptDetail>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.delivery_id, t.attempt] })],
);
export type WebhookAttemptRow = typeof webhookAttempts.$inferSelect;
