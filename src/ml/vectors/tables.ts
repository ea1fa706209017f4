import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { sealed, time } from "../../platform/db/columns.ts";

export const vectors = sqliteTable(
  "vectors",
  {
    id: integer().primaryKey(),
    message_n: integer().notNull(),
    /** Id and version of the model. */
    model: text().notNull(),
    user_id: text().notNull(),
    /** Null: the model does not support the language of the text. */
    vector: sealed<Uint8Array>(),
  },
  (t) => [unique().on(t.message_n, t.model)],
);
export type VectorRow = typeof vectors.$inferSelect;

/** Number of vectors of a user that have been deleted, so that an index in memory notices. */
export const vectorLosses = sqliteTable("vector_losses", {
  user_id: text().primaryKey(),
  count: integer().notNull(),
});
export type VectorLossRow = typeof vectorLosses.$inferSelect;

/** Messages that wait for a vector of the model in use. */
export const embedQueue = sqliteTable("embed_queue", {
  message_n: integer().primaryKey(),
  user_id: text().notNull(),
  account_id: text().notNull(),
  /** INTERNALDATE: the newest are first. */
  at: time().notNull(),
});
export type EmbedQueueRow = typeof embedQueue.$inferSelect;

/** Models that vectors were made with; the last adopted one is in use. */
export const embeddingModels = sqliteTable("embedding_models", {
  id: text().primaryKey(),
  /** The value of embedding.model that selects it. */
  setting: text().notNull(),
  adopted_at: time().notNull(),
});
export type EmbeddingModelRow = typeof embeddingModels.$inferSelect;
