import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, sealed, time } from "../../platform/db/columns.ts";
import type { Action, Condition, RuleKind } from "./allowed.ts";

/** The part of a rule that people write. `name` is absent if the rule has none. */
export interface RuleBody {
  name?: string;
  conditions: Condition[];
  actions: Action[];
}

export const rules = sqliteTable(
  "rules",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    /** The only mailbox that it applies to; null: all. */
    account_id: text(),
    kind: text().$type<RuleKind>().notNull(),
    priority: integer().notNull(),
    body: sealed<RuleBody>().notNull(),
    created_at: time().notNull(),
    /** 0: the rule is paused. */
    enabled: flag().notNull(),
    /** Grows with every edit. */
    revision: integer().notNull(),
  },
  (t) => [unique().on(t.user_id, t.priority)],
);
export type RuleRow = typeof rules.$inferSelect;

/** Rules applied to existing mail. */
export const ruleRuns = sqliteTable("rule_runs", {
  rule_id: text().primaryKey(),
  user_id: text().notNull(),
  state: text().$type<"running" | "done" | "stopped">().notNull(),
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
  /** The rule when the run began; null if the run began before version 0.2. */
  body: sealed<Pick<RuleBody, "conditions" | "actions">>(),
});
export type RuleRunRow = typeof ruleRuns.$inferSelect;
