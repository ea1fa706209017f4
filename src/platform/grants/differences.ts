import type { Database } from "bun:sqlite";
import { coveredRows, GRANT_TABLE_NAMES, type GrantTableName, grantColumns, type Row, rowName } from "./tables.ts";

/** A row that does not count, or one that should be there. */
export interface Difference {
  table: GrantTableName;
  /** The row's key. */
  row: string;
  /** `added`: Postroom did not write it; `changed`: it is not as Postroom wrote it; `missing`: it was deleted outside Postroom. */
  what: "added" | "changed" | "missing";
}

/** Compares every row that grants something with the register. @param rows digests by name */
export function differencesOf(
  sql: Database,
  rows: ReadonlyMap<string, string>,
  digest: (table: GrantTableName, row: Row) => string,
  tables: readonly GrantTableName[] = GRANT_TABLE_NAMES,
): Difference[] {
  const found: Difference[] = [];
  for (const table of tables) {
    const here = new Set<string>();
    const query = sql.query<Row, []>(`SELECT ${grantColumns(table)} FROM ${table} WHERE ${coveredRows(table)}`);
    for (const row of query.all()) {
      const name = rowName(table, row);
      here.add(name);
      const entry = rows.get(name);
      if (entry === digest(table, row)) continue;
      found.push({
        table,
        row: name.slice(table.length + 1),
        what: entry === undefined ? "added" : "changed",
      });
    }
    for (const name of rows.keys()) {
      if (name.startsWith(`${table} `) && !here.has(name)) {
        found.push({
          table,
          row: name.slice(table.length + 1),
          what: "missing",
        });
      }
    }
  }
  return found;
}
