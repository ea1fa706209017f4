import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EventData, EventName } from "../../kernel/events.ts";
import { hmac, json, sealed, time } from "../db/columns.ts";

/** Requests and sends of a UTC day, and credits of a UTC month. */
export const meters = sqliteTable(
  "meters",
  {
    user_id: text().notNull(),
    meter: text().notNull(),
    period: text().notNull(),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.meter, t.period] })],
);
export type MeterRow = typeof meters.$inferSelect;

/** Uses of an Idempotency-Key, with the stored replies. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    user_id: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    key_hash: hmac().notNull(),
    body_hash: hmac().notNull(),
    /** Null while the first call runs. */
    status: integer(),
    /** The body of the reply; null: none. */
    reply: sealed<string>(),
    /** The boot that runs the first call. */
    started_by: text().notNull(),
    created_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.method, t.path, t.key_hash] })],
);
export type IdempotencyRow = typeof idempotency.$inferSelect;

export const audit = sqliteTable("audit", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  actor_kind: text().$type<"key" | "user" | "assistant" | "rule" | "agent" | "system">().notNull(),
  actor_id: text(),
  action: text().notNull(),
  target: text(),
  payload: sealed<{ before: unknown; after: unknown; tool?: string }>().notNull(),
  request_id: text(),
  at: time().notNull(),
});
export type AuditRow = typeof audit.$inferSelect;

export const events = sqliteTable("events", {
  position: integer().primaryKey(),
  id: text().notNull().unique(),
  user_id: text().notNull(),
  type: text().$type<EventName>().notNull(),
  thread_id: text(),
  payload: sealed<EventData[EventName]>().notNull(),
  created_at: time().notNull(),
});
export type EventRow = typeof events.$inferSelect;

/** Calls to language models, and downloads of models, recorded before the first byte leaves. */
export const aiEgress = sqliteTable("ai_egress", {
  id: integer().primaryKey(),
  user_id: text().notNull(),
  purpose: text().$type<"draft" | "ask" | "summarize" | "extract" | "triage" | "probe" | "download">().notNull(),
  /** Host with its port. */
  host: text().notNull(),
  model: text().notNull(),
  bytes_out: integer().notNull(),
  bytes_in: integer(),
  /** Ids of the messages whose text was sent. */
  messages: json<string[]>().notNull(),
  /** "ok" or the kind of the failure; null if the process ended during the call. */
  result: text(),
  started_at: time().notNull(),
  ended_at: time(),
});
export type AiEgressRow = typeof aiEgress.$inferSelect;

/** Requests to object stores, recorded before the first byte leaves. */
export const storeEgress = sqliteTable("store_egress", {
  id: integer().primaryKey(),
  action: text().$type<"put" | "get" | "head" | "list" | "delete">().notNull(),
  /** Host with its port. */
  host: text().notNull(),
  bytes_out: integer().notNull(),
  bytes_in: integer(),
  /** HTTP status or "ok", or the kind of the fault; null until the end. */
  result: text(),
  started_at: time().notNull(),
  ended_at: time(),
});
export type StoreEgressRow = typeof storeEgress.$inferSelect;

/** Requests for a release of the program, recorded before the first byte leaves. */
export const updateEgress = sqliteTable("update_egress", {
  id: integer().primaryKey(),
  /** Name of the file that was requested. */
  file: text().notNull(),
  /** Host with its port. */
  host: text().notNull(),
  bytes_in: integer(),
  /** HTTP status, or the kind of the fault; null until the end. */
  result: text(),
  started_at: time().notNull(),
  ended_at: time(),
});
export type UpdateEgressRow = typeof updateEgress.$inferSelect;
