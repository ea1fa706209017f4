import { sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, hmac, sealed, time } from "../../platform/db/columns.ts";

/** Address and credentials of a calendar; stored sealed. */
export interface CalendarSettings {
  /** Address of the collection. */
  url: string;
  username: string;
  password: string;
  name: string;
}

/** The state after the last sync; stored sealed. */
export interface SyncState {
  sync_token: string | null;
  ctag: string | null;
}

/** Calendars on CalDAV servers. */
export const calendars = sqliteTable(
  "calendars",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    url_hmac: hmac().notNull(),
    settings: sealed<CalendarSettings>().notNull(),
    /** Whether the calendar receives new events. */
    is_default: flag().notNull(),
    /** Null: everything is to be read. */
    sync_state: sealed<SyncState>(),
    status: text().$type<"active" | "auth_failed" | "unreachable">().notNull(),
    last_error: sealed<string>(),
    last_sync_at: time(),
    created_at: time().notNull(),
  },
  (t) => [unique().on(t.user_id, t.url_hmac)],
);
export type CalendarRow = typeof calendars.$inferSelect;

/** One row for each UID: an event, or a series with its exceptions. */
export const calendarEvents = sqliteTable(
  "calendar_events",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    /** Null: stored only here. */
    calendar_id: text(),
    uid_hmac: hmac().notNull(),
    source: text().$type<"api" | "mail" | "caldav">().notNull(),
    /** The calendar object. */
    ics: sealed<string>().notNull(),
    /** The user's own answer; null: not invited. */
    answer: text().$type<"needs_action" | "accepted" | "tentative" | "declined">(),
    /** Start of the first occurrence; null: unknown. */
    start_at: time(),
    /** End of the last occurrence; null: none. */
    end_at: time(),
    /** Its name on the server. */
    href: sealed<string>(),
    href_hmac: hmac(),
    etag: text(),
    /** The change that the server does not have yet. */
    pending: text().$type<"put" | "delete">(),
    /** A deleted event is kept, so that mail that is read again does not restore it. */
    deleted: flag().notNull(),
    created_at: time().notNull(),
    updated_at: time().notNull(),
    /** The message whose invitation made the event what it is; null: not from mail. It may be deleted since. */
    message_id: text(),
  },
  (t) => [unique().on(t.user_id, t.uid_hmac)],
);
export type CalendarEventRow = typeof calendarEvents.$inferSelect;

/** The private addresses at which phones read calendars. */
export const calendarFeeds = sqliteTable("calendar_feeds", {
  user_id: text().primaryKey(),
  token_hash: hmac(256).notNull().unique(),
  token: sealed<string>().notNull(),
  created_at: time().notNull(),
});
export type CalendarFeedRow = typeof calendarFeeds.$inferSelect;
