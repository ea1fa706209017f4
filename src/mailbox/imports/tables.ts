import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sealed, time } from "../../platform/db/columns.ts";

export type ImportState = "uploading" | "waiting" | "importing" | "done" | "failed" | "canceled";

/** What a person chose; stored sealed. */
export interface ImportAbout {
  file_name: string;
  /** When the file was last changed, ms, as the browser reports it. With name and size it identifies the file. */
  file_modified_at: number;
  /** Name or address of the mailbox. */
  mailbox: string;
}

export const imports = sqliteTable("imports", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  /** Null until the first message of a new mailbox was found. */
  account_id: text(),
  state: text().$type<ImportState>().notNull(),
  about: sealed<ImportAbout>().notNull(),
  /** Size of the whole file. */
  bytes: integer().notNull(),
  received_bytes: integer().notNull(),
  /** Of `total_bytes`, which are those of its mail when unpacked. */
  done_bytes: integer().notNull(),
  total_bytes: integer().notNull(),
  /** Messages that are stored or were there already. */
  read_count: integer().notNull(),
  taken_count: integer().notNull(),
  known_count: integer().notNull(),
  cut_count: integer().notNull(),
  /** Files in an archive that are not readable mail. */
  unreadable: integer().notNull(),
  /** Why it failed, as a sentence. */
  error: sealed<string>(),
  created_at: time().notNull(),
  updated_at: time().notNull(),
  ended_at: time(),
});
export type ImportRow = typeof imports.$inferSelect;
