import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Copies that were requested on servers without MOVE (RFC 6851). */
export const movesBegun = sqliteTable(
  "moves_begun",
  {
    folder_id: text().notNull(),
    uid: integer().notNull(),
    target_id: text().notNull(),
    /** Null: the copy may not exist; 0: it exists, and the server did not report its UID. */
    copy_uid: integer(),
  },
  (t) => [primaryKey({ columns: [t.folder_id, t.uid, t.target_id] })],
);
export type BegunMoveRow = typeof movesBegun.$inferSelect;
