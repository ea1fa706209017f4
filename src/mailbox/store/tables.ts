import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MoveTarget } from "../changes/move.ts";
import type { ThreadState } from "./state.ts";

/*
 * Tables that are queried with varying filters, for the typed query builder. migrations/0002_mailbox.sql and
 * 0017_message_state.sql are authoritative; a test compares the two.
 */

export const threads = sqliteTable("threads", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  state: text().$type<ThreadState>().notNull(),
  last_at: integer().notNull(),
  top_message_id: text().notNull(),
  message_count: integer().notNull(),
  unread: integer().notNull(),
  starred: integer().notNull(),
  important: integer().notNull(),
  has_attachment: integer().notNull(),
  has_sent: integer().notNull(),
  category: text().notNull(),
  snooze_until: integer(),
  given_state: text().$type<MoveTarget>(),
});

export const messages = sqliteTable("messages", {
  n: integer().primaryKey(),
  id: text().notNull(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  thread_id: text().notNull(),
  internal_date: integer().notNull(),
  sent_date: integer().notNull(),
  size: integer().notNull(),
  unread: integer().notNull(),
  starred: integer().notNull(),
  answered: integer().notNull(),
  important: integer().notNull(),
  is_draft: integer().notNull(),
  has_attachment: integer().notNull(),
  category: text().notNull(),
  category_reason: text().notNull(),
  msgid_hmac: blob({ mode: "buffer" }).notNull(),
  content_hmac: blob({ mode: "buffer" }).notNull(),
  sender_hmac: blob({ mode: "buffer" }).notNull(),
  subject_hmac: blob({ mode: "buffer" }),
  subject_kind: integer().notNull(),
  people: blob({ mode: "buffer" }).notNull(),
  head: blob({ mode: "buffer" }).notNull(),
  missing_pass: integer(),
  created_at: integer().notNull(),
  truncated: integer(),
  from_correspondent: integer().notNull(),
});

export const threadLabels = sqliteTable("thread_labels", {
  thread_id: text().notNull(),
  label_id: text().notNull(),
});
