import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { bytes, sealed, time } from "../db/columns.ts";

/** One random key for each user and one for the system, wrapped by the master key. */
export const dataKeys = sqliteTable(
  "data_keys",
  {
    /** "_system": the key for what belongs to no single user. */
    user_id: text().notNull(),
    /** The version byte of every value sealed with it. */
    version: integer().notNull(),
    /** Encrypted under the master key. */
    wrapped: bytes().notNull(),
    created_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.version] })],
);
export type DataKeyRow = typeof dataKeys.$inferSelect;

export const settings = sqliteTable("settings", {
  key: text().primaryKey(),
  /** Sealed, except for `master_key_id`, which must be readable before there is a key. */
  value: sealed<unknown>("system").notNull(),
  updated_at: time().notNull(),
});
export type SettingRow = typeof settings.$inferSelect;
