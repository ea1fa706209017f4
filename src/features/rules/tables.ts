import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { sealed, time } from "../../platform/db/columns.ts";
import type { Action, Condition, RuleKind } from "./allowed.ts";

export const rules = sqliteTable(
  "rules",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    /** The only mailbox that it applies to; null: all. */
    account_id: text(),
    kind: text().$type<RuleKind>().notNull(),
    priority: integer().notNull(),
    body: sealed<{ conditions: Condition[]; actions: Action[] }>().notNull(),
    created_at: time().notNull(),
  },
  (t) => [unique().on(t.user_id, t.priority)],
);
export type RuleRow = typeof rules.$inferSelect;

/** Rules applied to existing mail. */
export const ruleRuns = sqliteTable("rule_runs", {
  rule_id: text().primaryKey(),
  user_id: text().notNull(),
  state: text().$type<"running" | "done">().notNull(),
  /** The run covers mail received from then on. */
  since: time().notNull(),
  /** Messages from this number down are still to be checked. */
  next_n: integer().notNull(),
  done: integer().notNull(),
  total: integer().notNull(),
  matched: integer().notNull(),
  changed: integer().notNull(),
  started_at: time().notNull(),
  finished_at: time(),
});
export type RuleRunRow = typeof ruleRuns.$inferSelect;
