import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, json, sealed, time } from "../../platform/db/columns.ts";
import type { Content, Detail, Kind, KindMode } from "./kinds.ts";

export type Service = "ntfy" | "apprise";

/** How requests to the server are authorized. */
export type Credentials =
  | { auth: "none" }
  | { auth: "token"; token: string }
  | { auth: "password"; username: string; password: string };

/** Where notifications are sent; stored sealed. */
export interface TargetAddress {
  name: string;
  service: Service;
  /** Base URL of the server. */
  url: string;
  /** ntfy: the topic. Apprise: the configuration key, or "" if `urls` is used. */
  topic: string;
  /** Apprise without a stored configuration: the notification URLs, which contain secrets; else "". */
  urls: string;
  /** Apprise: only services with this tag; "" for all. */
  tag: string;
  credentials: Credentials;
}

/** The result of the last attempt or test. */
export interface Outcome {
  at: number;
  ok: boolean;
  test: boolean;
  /** Null: there was no response. */
  response_status: number | null;
  /** The reason of a failure; null on success. */
  error: string | null;
  response_body: string;
}

/** A fault that is known, by its key. */
export interface KnownFinding {
  since: number;
  notified: boolean;
  /** When it was gone; null while it is there. */
  goneAt: number | null;
}

export const notificationSettings = sqliteTable("notification_settings", {
  user_id: text().primaryKey(),
  /** Addresses that count as VIPs, beside the VIPs of the contacts. */
  senders: sealed<string[]>().notNull(),
  /** Quiet hours are on. */
  quiet: flag().notNull(),
  /** HH:MM in the time zone of the user. */
  quiet_start: text().notNull(),
  /** HH:MM in the time zone of the user. */
  quiet_end: text().notNull(),
});
export type NotificationSettingsRow = typeof notificationSettings.$inferSelect;

export const notificationTargets = sqliteTable("notification_targets", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  target: sealed<TargetAddress>().notNull(),
  kinds: json<Record<Kind, KindMode>>().notNull(),
  detail: text().$type<Detail>().notNull(),
  digest: text().$type<"off" | "hours" | "daily">().notNull(),
  digest_hours: integer().notNull(),
  /** HH:MM in the time zone of the user. */
  digest_at: text().notNull(),
  status: text().$type<"active" | "off" | "failing">().notNull(),
  /** Position in the event log up to which events became items. */
  position: integer().notNull(),
  /** Notifications beyond the limit of waiting ones. They are only counted. */
  skipped: integer().notNull(),
  /** Failed attempts since the last success. */
  failure_count: integer().notNull(),
  /** The first failed attempt since the last success. */
  streak_since: time(),
  /** No attempt is made before this time. */
  retry_at: time(),
  /** The last success. */
  sent_at: time(),
  /** The last result. */
  outcome: sealed<Outcome>(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
});
export type NotificationTargetRow = typeof notificationTargets.$inferSelect;

/** One notification for one target. */
export const notificationItems = sqliteTable(
  "notification_items",
  {
    id: integer().primaryKey(),
    target_id: text().notNull(),
    /** Id of the event or finding. A target gets each once. */
    source: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    at: time().notNull(),
    /** Null once delivered. */
    content: sealed<Content>(),
    delivered_at: time(),
  },
  (t) => [unique().on(t.target_id, t.source)],
);
export type NotificationItemRow = typeof notificationItems.$inferSelect;

/** Faults that a person has been notified of. */
export const notificationFindings = sqliteTable("notification_findings", {
  user_id: text().primaryKey(),
  findings: sealed<Record<string, KnownFinding>>().notNull(),
});
export type NotificationFindingsRow = typeof notificationFindings.$inferSelect;
