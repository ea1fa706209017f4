import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, sealed, time } from "../platform/db/columns.ts";
import type { CopyState } from "./copies/copy-state.ts";

export const backups = sqliteTable("backups", {
  id: text().primaryKey(),
  state: text().$type<"running" | "done" | "failed">().notNull(),
  kind: text().$type<"full" | "incremental">().notNull(),
  /** Absolute path. */
  file: text().notNull(),
  /** 1: made on schedule, so retention may remove it; 0: made to a given path. */
  kept: flag().notNull(),
  /** Id in the head of the file; null until the backup is done. */
  backup_id: text(),
  /** `backup_id` of the backup that an incremental one extends. */
  base_id: text(),
  bytes: integer().notNull(),
  reused_bytes: integer().notNull(),
  row_count: integer().notNull(),
  file_count: integer().notNull(),
  /** SHA-256 of the file, hex. */
  sha256: text(),
  /** Why the backup failed, as a sentence. */
  error: text(),
  /** The process that makes it. */
  started_by: text().notNull(),
  started_at: time().notNull(),
  ended_at: time(),
  /** When retention removed the file. */
  removed_at: time(),
});
export type BackupRow = typeof backups.$inferSelect;

/** What is known about the copies on another machine. One row. */
export const backupCopies = sqliteTable("backup_copies", {
  id: integer().primaryKey(),
  state: sealed<CopyState>("system").notNull(),
});
export type BackupCopiesRow = typeof backupCopies.$inferSelect;
