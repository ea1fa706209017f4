import type { Db } from "../../platform/db/open.ts";
import { isCorrupt } from "./segments/store.ts";

const TABLES = ["search_segments", "search_pending", "search_deleted"] as const;
type IndexTable = (typeof TABLES)[number];

/**
 * Returns the tables of the index that have a damaged page, also in one of their SQL indexes. Must not be called within
 * a transaction.
 */
export function damagedTables({ sql }: Pick<Db, "sql">): IndexTable[] {
  return TABLES.filter((table) => {
    try {
      const found = sql.query<{ integrity_check: string }, []>(`PRAGMA integrity_check('${table}')`).get();
      return found?.integrity_check !== "ok";
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      return true;
    }
  });
}

/**
 * Replaces damaged tables with empty ones; row numbers continue after the last one. The caller opens the transaction. A
 * damaged table cannot be dropped, because that reads it, so it stays under another name.
 * @returns the names of the tables that stay
 */
export function replaceTables({ sql }: Pick<Db, "sql">, tables: readonly IndexTable[]): string[] {
  const schema = sql
    .query<{ type: string; name: string; tbl_name: string; sql: string }, []>(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL",
    )
    .all();
  // Renaming a table would also rename it in the triggers that mention it.
  const triggers = schema.filter(
    ({ type, sql: text }) => type === "trigger" && tables.some((one) => text.includes(one)),
  );
  for (const { name } of triggers) sql.run(`DROP TRIGGER ${name}`);
  const names = new Set(schema.map(({ name }) => name));
  const left = tables.map((table) => {
    let copy = 1;
    while (names.has(`${table}_damaged_${copy}`)) copy++;
    const name = `${table}_damaged_${copy}`;
    const made = schema.filter(({ type, tbl_name }) => type !== "trigger" && tbl_name === table);
    for (const index of made) if (index.type === "index") sql.run(`DROP INDEX ${index.name}`);
    sql.run(`ALTER TABLE ${table} RENAME TO ${name}`);
    for (const { sql: text } of made) sql.run(text);
    sql
      .query<never, [string, string]>(
        "INSERT INTO sqlite_sequence (name, seq) SELECT ?, seq FROM sqlite_sequence WHERE name = ?",
      )
      .run(table, name);
    return name;
  });
  for (const { sql: text } of triggers) sql.run(text);
  // Without search_deleted, the segments would show deleted messages again.
  if (tables.includes("search_deleted")) sql.run("UPDATE search_segments SET state = 'replaced', head = NULL");
  return left;
}

/** Drops a table if all of its pages are readable. SQLite cannot drop others. */
export function dropIfReadable({ sql, write }: Pick<Db, "sql" | "write">, table: string): void {
  try {
    write(() => sql.run(`DROP TABLE ${table}`));
  } catch (error) {
    if (!isCorrupt(error)) throw error;
  }
}
