import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sealed, time } from "../db/columns.ts";

export const jobs = sqliteTable("jobs", {
  id: text().primaryKey(),
  kind: text().notNull(),
  /** At most one job per kind and key is pending. */
  dedupe_key: text(),
  /** The user whose key seals the payload; null: the system's key. */
  user_id: text(),
  payload: sealed<unknown>().notNull(),
  state: text().$type<"pending" | "running" | "done" | "failed">().notNull(),
  run_at: time().notNull(),
  attempts: integer().notNull(),
  started_by: text(),
  created_at: time().notNull(),
  finished_at: time(),
});
export type JobRow = typeof jobs.$inferSelect;

export const jobAttempts = sqliteTable(
  "job_attempts",
  {
    job_id: text().notNull(),
    attempt: integer().notNull(),
    started_at: time().notNull(),
    ended_at: time(),
    outcome: text().$type<"done" | "retry" | "failed" | "lost">(),
    detail: sealed<string>(),
  },
  (t) => [primaryKey({ columns: [t.job_id, t.attempt] })],
);
