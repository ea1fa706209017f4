import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sealed, time } from "../../platform/db/columns.ts";
import type { FileText } from "../store/file-text.ts";
import type { SegmentHead } from "./segments/format.ts";

export const searchSegments = sqliteTable("search_segments", {
  id: integer().primaryKey(),
  user_id: text().notNull(),
  state: text().$type<"building" | "live" | "replaced">().notNull(),
  /** Size class: eight segments of a level merge into one of the next. */
  level: integer().notNull(),
  /** Lengths of the streams; null while it is being built. */
  head: sealed<SegmentHead>(),
});
export type SearchSegmentRow = typeof searchSegments.$inferSelect;

export const searchBlocks = sqliteTable("search_blocks", {
  /** segment × 2^23 + stream × 2^21 + number of the block. */
  id: integer().primaryKey(),
  data: sealed<Uint8Array>().notNull(),
});
export type SearchBlockRow = typeof searchBlocks.$inferSelect;

/** Documents that are in no segment yet. */
export const searchPending = sqliteTable("search_pending", {
  id: integer().primaryKey(),
  user_id: text().notNull(),
  /** `messages.n`. */
  n: integer().notNull(),
  /** The terms of the message with their positions. */
  data: sealed<Uint8Array>().notNull(),
});
export type SearchPendingRow = typeof searchPending.$inferSelect;

/** Documents of segments that are left out: those of message n up to an id. */
export const searchDeleted = sqliteTable("search_deleted", {
  id: integer().primaryKey(),
  user_id: text().notNull(),
  n: integer().notNull(),
  /** Highest id to leave out. A document keeps the id that it had in search_pending. */
  up_to: integer().notNull(),
});
export type SearchDeletedRow = typeof searchDeleted.$inferSelect;

/** Messages to index from their stored text. */
export const searchQueue = sqliteTable("search_queue", {
  message_n: integer().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  /** INTERNALDATE: the newest are first. */
  at: time().notNull(),
});

/** Messages with attachments whose text is in the index, or will be. */
export const fileTexts = sqliteTable("file_texts", {
  message_n: integer().primaryKey(),
  account_id: text().notNull(),
  state: text().$type<"waiting" | "done" | "failed">().notNull(),
  attempts: integer().notNull(),
  /** The beginning of each text, for answers; null: not read, or read by an earlier version. */
  texts: sealed<FileText[]>(),
});
export type FileTextsRow = typeof fileTexts.$inferSelect;
