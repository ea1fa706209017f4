import { DatabaseSync } from "node:sqlite";
import type { Value } from "./rows.ts";
import { quoted, type Schema, type TableShape } from "./snapshot.ts";

const CACHE_KIB = 32_768;
/** The last number of every AUTOINCREMENT table. */
const SEQUENCES = "sqlite_sequence";

/**
 * Creates a database from a schema and rows, in one transaction and without a journal. After a failure, the caller
 * discards it.
 *
 * It uses node:sqlite because bun:sqlite is always defensive (sqlite3_db_config, SQLITE_DBCONFIG_DEFENSIVE), which
 * prevents writing the tables in which the full-text index of an earlier version keeps its data.
 */
export class RestoredDatabase {
  readonly #sql: DatabaseSync;
  readonly #inserts = new Map<string, (row: Value[]) => void>();
  readonly #sequences: { table: TableShape; rows: Value[][] }[] = [];
  #schema: Schema | null = null;

  constructor(path: string) {
    this.#sql = new DatabaseSync(path, { defensive: false, enableForeignKeyConstraints: false });
  }

  /** Creates the tables, without indexes and triggers. Call it first. */
  create(schema: Schema): void {
    this.#schema = schema;
    const sql = this.#sql;
    sql.exec(`PRAGMA page_size = ${schema.page_size}`);
    sql.exec("PRAGMA journal_mode = OFF");
    sql.exec("PRAGMA synchronous = OFF");
    sql.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    sql.exec("BEGIN");
    this.#make((type) => type === "table");
    this.#make((type) => type === "virtual");
    // A new virtual table already has rows in its shadow tables.
    for (const { name, shadow } of schema.tables) if (shadow) sql.exec(`DELETE FROM ${quoted(name)}`);
  }

  /** Inserts rows into a table. */
  fill(table: TableShape, rows: Iterable<Value[]>): void {
    // SQLite updates this table while others are filled, so the rows of the backup are inserted at the end.
    if (table.name === SEQUENCES) this.#sequences.push({ table, rows: [...rows] });
    else this.#insert(table, rows);
  }

  #insert(table: TableShape, rows: Iterable<Value[]>): void {
    let insert = this.#inserts.get(table.name);
    if (!insert) {
      const columns = table.columns.map(quoted).join(", ");
      const statement = this.#sql.prepare(
        `INSERT INTO ${quoted(table.name)} (${columns}) VALUES (${table.columns.map(() => "?").join(", ")})`,
      );
      insert = (row) => void statement.run(...row);
      this.#inserts.set(table.name, insert);
    }
    for (const row of rows) insert(row);
  }

  /** Creates the indexes and triggers, and commits. */
  finish(): void {
    const { user_version, application_id } = this.#schema!;
    if (this.#sequences.length > 0) this.#sql.exec(`DELETE FROM ${SEQUENCES}`);
    for (const { table, rows } of this.#sequences) this.#insert(table, rows);
    this.#make((type) => type !== "table" && type !== "virtual");
    this.#sql.exec(`PRAGMA user_version = ${user_version}`);
    this.#sql.exec(`PRAGMA application_id = ${application_id}`);
    this.#sql.exec("COMMIT");
    this.close();
  }

  /** Prepares each statement alone, because `exec` would also run anything appended to it. */
  #make(wanted: (type: Schema["objects"][number]["type"]) => boolean): void {
    for (const { type, sql } of this.#schema!.objects) if (wanted(type)) this.#sql.prepare(sql).run();
  }

  close(): void {
    if (this.#sql.isOpen) this.#sql.close();
  }
}
