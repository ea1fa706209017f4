import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { time } from "../../platform/db/columns.ts";

/** Changes made here that the server does not have yet. */
export const pendingChanges = sqliteTable(
  "pending_changes",
  {
    message_id: text().notNull(),
    /** seen, flagged, folder or label:<id>. */
    field: text().notNull(),
    account_id: text().notNull(),
    /** "1", "0" or a folder role. */
    value: text().notNull(),
    /** The value that is restored if the server refuses the change permanently. */
    previous: text().notNull(),
    /** Changes with every overwrite, so that a finished replay removes only what it applied. */
    stamp: integer().notNull(),
    request_id: text(),
    created_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.message_id, t.field] })],
);
export type PendingChangeRow = typeof pendingChanges.$inferSelect;

/** Messages whose one-click unsubscribe the sender's server accepted. */
export const unsubscribes = sqliteTable("unsubscribes", {
  message_id: text().primaryKey(),
  at: time().notNull(),
});
export type UnsubscribeRow = typeof unsubscribes.$inferSelect;

/** Labels that are being replaced or removed in a mailbox. */
export const labelChanges = sqliteTable(
  "label_changes",
  {
    label_id: text().notNull(),
    account_id: text().notNull(),
    /** The label that replaces it; null: none. */
    to_id: text(),
    /** Threads with later ids are done, or were created since. */
    up_to_id: text().notNull(),
    started_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.label_id, t.account_id] })],
);
export type LabelChangeRow = typeof labelChanges.$inferSelect;
