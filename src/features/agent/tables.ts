import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sealed, time } from "../../platform/db/columns.ts";

/** The changes that an action made or would make, and the values that undoing it restores. */
interface ActionChanges {
  labels: string[];
  category: { from: string; to: string } | null;
  archived: boolean;
}

export interface ActionDetail {
  reason: string;
  /** The engine that wrote the draft; null if nothing was written. */
  engine: string | null;
  changes: ActionChanges;
  evidence: { message_id: string; quote: string; start: number; end: number } | null;
}

export const agentState = sqliteTable("agent_state", {
  user_id: text().primaryKey(),
  /** Messages up to this number have been checked. */
  seen_n: integer().notNull(),
});
export type AgentStateRow = typeof agentState.$inferSelect;

export const agentActions = sqliteTable("agent_actions", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  thread_id: text().notNull(),
  /** The message that caused the action. */
  message_id: text().notNull(),
  action: text().$type<"drafted" | "followup" | "triaged">().notNull(),
  /** suggest, draft or autopilot. */
  mode: text().notNull(),
  state: text().$type<"suggested" | "done" | "undone">().notNull(),
  draft_id: text(),
  detail: sealed<ActionDetail>().notNull(),
  created_at: time().notNull(),
  undone_at: time(),
});
export type AgentActionRow = typeof agentActions.$inferSelect;
