import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, hmac, time } from "../../platform/db/columns.ts";
import type { ThreadState } from "../store/state.ts";

export const threads = sqliteTable("threads", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  state: text().$type<ThreadState>().notNull(),
  /** INTERNALDATE of the newest message. */
  last_at: time().notNull(),
  /** The message that the list shows. */
  top_message_id: text().notNull(),
  message_count: integer().notNull(),
  unread: flag().notNull(),
  starred: flag().notNull(),
  important: flag().notNull(),
  has_attachment: flag().notNull(),
  has_sent: flag().notNull(),
  category: text().notNull(),
  snooze_until: time(),
  /** The state that a person gave to a thread without received mail. */
  given_state: text().$type<Exclude<ThreadState, "sent">>(),
});
export type ThreadRow = typeof threads.$inferSelect;

/** Ids of threads that were merged into another one. */
export const threadAliases = sqliteTable("thread_aliases", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  thread_id: text().notNull(),
});
export type ThreadAliasRow = typeof threadAliases.$inferSelect;

/** The keys that connect messages: HMACs of Message-IDs and of thread ids of servers. */
export const threadKeys = sqliteTable(
  "thread_keys",
  {
    account_id: text().notNull(),
    key_hmac: hmac().notNull(),
    thread_id: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.key_hmac] })],
);
export type ThreadKeyRow = typeof threadKeys.$inferSelect;

export const threadLabels = sqliteTable(
  "thread_labels",
  {
    thread_id: text().notNull(),
    label_id: text().notNull(),
    /** The mailbox of the thread. */
    account_id: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.thread_id, t.label_id] })],
);
export type ThreadLabelRow = typeof threadLabels.$inferSelect;
