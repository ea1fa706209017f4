import { integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { hmac, sealed, time } from "../../platform/db/columns.ts";
import type { VariableType } from "./variables.ts";

/** The encrypted part of a profile. */
export interface ProfileBody {
  domain: string;
  name: string;
  summary: string;
  variables: Record<string, string>;
  /** Notes, oldest first. */
  notes: { at: number; text: string }[];
}

export const contextProfiles = sqliteTable(
  "context_profiles",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    domain_hmac: hmac().notNull(),
    body: sealed<ProfileBody>().notNull(),
    created_at: time().notNull(),
    updated_at: time().notNull(),
  },
  (t) => [unique().on(t.user_id, t.domain_hmac)],
);
export type ContextProfileRow = typeof contextProfiles.$inferSelect;

export const contextVariables = sqliteTable(
  "context_variables",
  {
    user_id: text().notNull(),
    key_hmac: hmac().notNull(),
    type: text().$type<VariableType>().notNull(),
    body: sealed<{ key: string; value: string }>().notNull(),
    updated_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key_hmac] })],
);
export type ContextVariableRow = typeof contextVariables.$inferSelect;

/** Context files. Their bytes are sealed blobs. */
export const contextFiles = sqliteTable("context_files", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  profile_id: text(),
  info: sealed<{ name: string; mime: string }>().notNull(),
  /** Null: no text could be extracted. */
  text: sealed<string>(),
  bytes: integer().notNull(),
  created_at: time().notNull(),
});
export type ContextFileRow = typeof contextFiles.$inferSelect;
