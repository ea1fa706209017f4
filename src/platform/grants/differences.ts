import type { Database } from "bun:sqlite";
import {
  coveredRows,
  GRANT_TABLE_NAMES,
  type GrantTableName,
  grantColumns,
  type Row,
  rowName,
} from "./covered-tables.ts";

/** A difference between a table and the register. */
export interface Difference {
  table: GrantTableName;
  /** The row's key. */
  row: string;
  /** The row was added, changed or deleted outside Postroom. */
  what: "added" | "changed" | "missing";
}

/** Compares every row that grants access with the register. @param rows digests in the register, by name of the row */
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
