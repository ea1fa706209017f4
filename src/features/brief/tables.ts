import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, sealed, time } from "../../platform/db/columns.ts";
import type { CompiledBrief } from "./compile.ts";

/** The last brief of each day. */
export const briefs = sqliteTable(
  "briefs",
  {
    user_id: text().notNull(),
    /** YYYY-MM-DD in the time zone of the user. */
    day: text().notNull(),
    content: sealed<CompiledBrief>().notNull(),
    created_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.day] })],
);
export type BriefRow = typeof briefs.$inferSelect;

export const briefSettings = sqliteTable("brief_settings", {
  user_id: text().primaryKey(),
  /** A brief is made every day. */
  daily: flag().notNull(),
  /** HH:MM in the time zone of the user. */
  at: text().notNull(),
  /** The brief is also mailed to the user through their own account. */
  mail: flag().notNull(),
});
export type BriefSettingsRow = typeof briefSettings.$inferSelect;
