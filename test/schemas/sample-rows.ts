import type { Database } from "bun:sqlite";

/**
 * Inserts two rows into every table, regardless of its columns. Values depend only on the type and the row, so every
 * reference has a target.
 */
export function fillEveryTable(sql: Database): void {
  sql.run("PRAGMA foreign_keys = OFF");
  sql.run("BEGIN");
  for (const name of ordinaryTables(sql)) {
    const columns = sql
      .query<{ name: string; type: string }, [string]>("SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0")
      .all(name);
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const insert = sql.query(
      `INSERT OR IGNORE INTO "${name}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    for (const row of [1, 2]) insert.run(...columns.map(({ type }) => sampleOf(type, row)));
  }
  sql.run("COMMIT");
  sql.run("PRAGMA foreign_keys = ON");
}

/** Returns our tables, without the table of applied migrations. */
export function ordinaryTables(sql: Database): string[] {
  return sql
    .query<{ name: string }, []>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
         AND name <> 'migrations' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name);
}

function sampleOf(type: string, row: number): string | number | Uint8Array {
  if (type === "TEXT") return `x${row}`;
  if (type === "BLOB") return new Uint8Array([row]);
  return row;
}
