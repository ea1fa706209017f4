import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { bytes, sealed } from "../db/columns.ts";

/** The content of the register besides rows: digests of files, and the adoption of an older version's rows. */
export interface RegisterNotes {
  /** Digests by name. */
  files: Record<string, string>;
  /** When the rows of a version without a register were adopted, ms, and the id of the master key then. */
  adopted: { at: number; master_key_id: string } | null;
}

export interface StoredRegister extends RegisterNotes {
  /** Grows with every change. */
  generation: number;
  /** Digests of rows by name. */
  rows: Record<string, string>;
}

/** The register of grants: one row. */
export const grants = sqliteTable("grants", {
  id: integer().primaryKey(),
  /** Random value that is replaced with every change. */
  stamp: bytes().notNull(),
  /** The sealed register, bound to the stamp. */
  register: sealed<StoredRegister>("system").notNull(),
});
export type GrantRow = typeof grants.$inferSelect;
