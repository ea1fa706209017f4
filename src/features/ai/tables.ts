import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DraftSentence } from "../../ml/extract/reply.ts";
import { sealed, time } from "../../platform/db/columns.ts";
import type { EngineName } from "./engines.ts";

/** How a draft was written. */
export interface WritingNotes {
  model: string | null;
  /** Why the configured language model did not write it; null if it did, or if none is configured. */
  fallback: string | null;
  held_for_review: boolean;
  review_reasons: string[];
  /** What the built-in engine left for the user to write, with the reason. Absent from drafts of earlier versions. */
  gaps?: string[];
  provenance: DraftSentence[];
}

/** How drafts were written, beside the drafts. */
export const aiDrafts = sqliteTable("ai_drafts", {
  draft_id: text().primaryKey(),
  user_id: text().notNull(),
  engine: text().$type<EngineName>().notNull(),
  credits: integer().notNull(),
  notes: sealed<WritingNotes>().notNull(),
  created_at: time().notNull(),
});
export type AiDraftRow = typeof aiDrafts.$inferSelect;

/** Writing styles as last measured. */
export const aiVoice = sqliteTable("ai_voice", {
  user_id: text().primaryKey(),
  /** Variables by key. */
  learned: sealed<Record<string, string>>().notNull(),
  learned_at: time().notNull(),
});
export type AiVoiceRow = typeof aiVoice.$inferSelect;
