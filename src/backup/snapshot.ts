import { Database } from "bun:sqlite";
import type { Value } from "./rows.ts";

/** A table whose rows a backup contains. */
export interface TableShape {
  name: string;
  /** Columns in order; `_rowid_` is first if no column is an alias of it. */
  columns: string[];
  /** Columns that rows are ordered by and parts are cut by, as positions in `columns`. */
  key: number[];
  /** A table in which a virtual one stores its data. It is created with the virtual one and filled like any other. */
  shadow: boolean;
}

/** Everything to create before and after the rows are inserted. */
export interface Schema {
  page_size: number;
  user_version: number;
  application_id: number;
  /** In the order of creation. */
  objects: { type: "table" | "virtual" | "index" | "trigger" | "view"; name: string; sql: string }[];
  tables: TableShape[];
}

const BUSY_TIMEOUT_MS = 10_000;
const CACHE_KIB = 4_096;

/**
 * A snapshot of a database: everything read through it is of the same transaction, despite concurrent writes. It blocks
 * no writer, but the write-ahead log grows until it is closed.
 */
export class Snapshot {
  readonly #sql: Database;
  readonly schema: Schema;
  readonly migrations: string[];

  constructor(path: string) {
    // A `readonly` connection could not create the log's index if no server runs. query_only prevents writes.
    this.#sql = new Database(path, { readwrite: true, create: false, strict: true, safeIntegers: true });
    try {
      this.#sql.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#sql.run("PRAGMA query_only = ON");
      this.#sql.run(`PRAGMA cache_size = -${CACHE_KIB}`);
      this.#sql.run("BEGIN");
      this.migrations = this.#all("SELECT name FROM migrations ORDER BY name").map(([name]) => String(name));
      this.schema = this.#readSchema();
    } catch (error) {
      this.#sql.close();
      throw error;
    }
  }

  /** Bytes of the database's pages in use: a little more than the size of its rows. */
  get bytes(): number {
    const { page_size } = this.schema;
    return (this.#number("page_count") - this.#number("freelist_count")) * page_size;
  }

  /** Yields the rows of a table in the order of their keys. */
  *rows(table: TableShape): Iterable<Value[]> {
    const names = table.columns.map(quoted);
    const statement = this.#sql.prepare<Record<string, Value>, []>(
      // Without an alias, SQLite returns the rowid under another name.
      `SELECT ${names.map((name) => `${name} AS ${name}`).join(", ")} FROM ${quoted(table.name)} ORDER BY ${table.key.map((i) => names[i]).join(", ")}`,
    );
    try {
      for (const row of statement.iterate()) yield table.columns.map((column) => row[column]!);
    } finally {
      statement.finalize();
    }
  }

  close(): void {
    this.#sql.close();
  }

  #readSchema(): Schema {
    const kinds = this.#all(
      `SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_stat%'
         AND name NOT IN ('sqlite_schema', 'sqlite_temp_schema') ORDER BY name`,
    );
    const kind = new Map(kinds.map(([name, type]) => [String(name), String(type)]));
    const objects = this.#all("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
      .map(([type, name, sql]) => ({ type: String(type), name: String(name), sql: String(sql) }))
      .filter(({ type, name }) => !name.startsWith("sqlite_") && !(type === "table" && kind.get(name) === "shadow"))
      .map((object) => (kind.get(object.name) === "virtual" ? { ...object, type: "virtual" } : object));
    return {
      page_size: this.#number("page_size"),
      user_version: this.#number("user_version"),
      application_id: this.#number("application_id"),
      objects: objects as Schema["objects"],
      tables: kinds
        .filter(([, type]) => type === "table" || type === "shadow")
        .map(([name, type, without_rowid]) => this.#shape(String(name), type === "shadow", without_rowid === 1n)),
    };
  }

  #shape(name: string, shadow: boolean, without_rowid: boolean): TableShape {
    // Generated columns (hidden 2 and 3) are computed from the others.
    const info = this.#all(
      `SELECT name, type, pk FROM pragma_table_xinfo('${name.replaceAll("'", "''")}') WHERE hidden = 0`,
    );
    const columns = info.map(([column]) => String(column));
    const primary = info
      .map(([, type, pk], index) => ({ type: String(type).toUpperCase(), pk: Number(pk), index }))
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk);
    if (without_rowid) return { name, columns, key: primary.map(({ index }) => index), shadow };
    // An INTEGER PRIMARY KEY is the rowid itself (SQLite, "ROWIDs and the INTEGER PRIMARY KEY").
    if (primary.length === 1 && primary[0]!.type === "INTEGER")
      return { name, columns, key: [primary[0]!.index], shadow };
    return { name, columns: ["_rowid_", ...columns], key: [0], shadow };
  }

  #number(pragma: string): number {
    return Number(this.#all(`PRAGMA ${pragma}`)[0]![0]);
  }

  #all(sql: string): Value[][] {
    return this.#sql.query<Record<string, Value>, []>(sql).values() as Value[][];
  }
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
