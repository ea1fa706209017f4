import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type Column, lengthsOf, longColumns, mayHaveSlack, quoted, storedSize } from "./overflow.ts";
import { openWritePriority } from "./write-priority.ts";

/** Free pages that one transaction claims, and rows of a table that are checked together. */
const PAGES_AT_ONCE = 64;
const ROWS_AT_ONCE = 500;
/** Maximum rows rewritten in one transaction, and bytes after which it ends earlier. */
const REWRITES_AT_ONCE = 32;
const REWRITTEN_BYTES = 256 * 1024;
const BUSY_TIMEOUT_MS = 10_000;
const CHECKPOINT_PAGES = 1_000;
/** Bytes of an overflow page that are not content: the number of the next page. */
const POINTER_BYTES = 4;

type Row = Record<string, SQLInputValue>;

/**
 * A position in the walk over all tables: rows of this table up to this key (SQL literals) are done; null: all of them
 * are.
 */
export interface Walk {
  table: string;
  after: string[] | null;
}

/** A row that `rewrite` stores again. */
export interface StoredRow {
  table: string;
  /** SQL that finds the row by its key. */
  where: string;
  /** Columns whose values can be long. */
  columns: Column[];
}

/**
 * A connection that overwrites what it deletes, for removing data of which no trace may remain in the database file.
 *
 * It uses node:sqlite because bun:sqlite is always defensive (SQLITE_DBCONFIG_DEFENSIVE), which prevents writing the
 * tables in which a virtual table keeps its data. Both are the same SQLite library, so their locks work together. Every
 * write is one short transaction with lower priority than the main thread, as for other background threads.
 */
export class ScrubConnection {
  readonly #sql: DatabaseSync;
  readonly #writePriority;

  constructor(dataDir: string) {
    const path = join(dataDir, "postroom.db");
    this.#sql = new DatabaseSync(path, {
      defensive: false,
      timeout: BUSY_TIMEOUT_MS,
    });
    // Zeros every deleted cell and every freed page.
    this.#sql.exec("PRAGMA secure_delete = ON");
    this.#sql.exec("PRAGMA synchronous = NORMAL");
    this.#sql.exec("PRAGMA foreign_keys = ON");
    this.#sql.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#writePriority = openWritePriority(path, "last");
  }

  /** Runs `work` in one write transaction. */
  write<T>(work: () => T): T {
    this.#writePriority.take(() => this.#sql.exec("BEGIN IMMEDIATE"));
    try {
      const result = work();
      this.#sql.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#sql.isTransaction) this.#sql.exec("ROLLBACK");
      throw error;
    }
  }

  /** Runs one statement. @returns the number of changed rows */
  run(text: string, ...values: SQLInputValue[]): number {
    return Number(this.#sql.prepare(text).run(...values).changes);
  }

  /** Runs a query. @returns its rows */
  all<T>(text: string, ...values: SQLInputValue[]): T[] {
    return this.#sql.prepare(text).all(...values) as T[];
  }

  get freePages(): number {
    return this.#pragma("freelist_count");
  }

  get pageBytes(): number {
    return this.#pragma("page_size");
  }

  /**
   * Overwrites some free pages with zeros by moving them into a row of `table` (columns n and filler). Call it in
   * `write`. @returns false when none is left
   */
  claimPages(table: string): boolean {
    const count = Math.min(PAGES_AT_ONCE, this.freePages);
    if (count === 0) return false;
    this.run(`INSERT INTO ${table} (filler) VALUES (zeroblob(${count * (this.pageBytes - POINTER_BYTES)}))`);
    // Others may free pages before the next transaction; those are not among the pages to overwrite.
    return this.freePages > 0;
  }

  /**
   * Turns the tables in which a virtual table keeps its data into ordinary ones. Call it in `write`, and `reload` after
   * it.
   */
  detach(virtualTable: string): void {
    this.#sql.exec("PRAGMA writable_schema = ON");
    this.run("DELETE FROM sqlite_schema WHERE type = 'table' AND rootpage = 0 AND name = ?", virtualTable);
    this.#sql.exec("PRAGMA writable_schema = OFF");
    // Other connections reload the schema when this number changes.
    this.#sql.exec(`PRAGMA schema_version = ${this.#pragma("schema_version") + 1}`);
  }

  /** Reloads the schema. */
  reload(): void {
    this.#sql.exec("PRAGMA writable_schema = RESET");
  }

  /**
   * Checks the next rows of all tables for those whose last overflow page may have bytes of an earlier use.
   * @param from where the last call ended; null: start at the beginning
   * @param except a table to leave out
   * @returns the rows, and where to continue; null when no row is left
   */
  findSlack(from: Walk | null, except: string): { rows: StoredRow[]; next: Walk } | null {
    const table = this.#nextTable(from, except);
    if (!table) return null;
    const { name, withoutRowid } = table;
    const columns = this.all<Column & { pk: number }>(
      "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk",
      name,
    );
    const end: Walk = { table: name, after: null };
    const values = longColumns(columns.filter(({ pk }) => pk === 0));
    if (values.length === 0) return { rows: [], next: end };
    const keys = withoutRowid ? columns.filter(({ pk }) => pk > 0).map((column) => quoted(column.name)) : ["rowid"];
    const after = from?.table === name ? `WHERE (${keys.join(", ")}) > (${from.after!.join(", ")})` : "";
    const found = this.all<{ keys: string; lengths: string }>(
      `SELECT json_array(${keys.map((key) => `quote(${key})`).join(", ")}) AS keys, ${lengthsOf(columns)} AS lengths
       FROM ${quoted(name)} ${after} ORDER BY ${keys.join(", ")} LIMIT ${ROWS_AT_ONCE}`,
    );
    const rows: StoredRow[] = [];
    let bytes = 0;
    for (const row of found) {
      const size = storedSize(row.lengths, columns.length);
      if (!mayHaveSlack(size, this.pageBytes, withoutRowid)) continue;
      const key = JSON.parse(row.keys) as string[];
      rows.push({
        table: name,
        where: keys.map((each, i) => `${each} = ${key[i]}`).join(" AND "),
        columns: values,
      });
      bytes += size.lengths.reduce((sum, length) => sum + length, 0);
      if (rows.length >= REWRITES_AT_ONCE || bytes >= REWRITTEN_BYTES)
        return { rows, next: { table: name, after: key } };
    }
    // Rows added after the last one get clean pages.
    const last = found.length < ROWS_AT_ONCE ? null : found.at(-1)!;
    return { rows, next: last ? { table: name, after: JSON.parse(last.keys) as string[] } : end };
  }

  /**
   * Stores a row again: a value of another length moves to other pages, and the old ones are overwritten. Call it in
   * `write`.
   */
  rewrite({ table, where, columns }: StoredRow): void {
    const names = columns.map((column) => quoted(column.name)).join(", ");
    const [stored] = this.all<Row>(`SELECT ${names} FROM ${quoted(table)} WHERE ${where}`);
    // The row may have been deleted.
    if (!stored) return;
    const longest = columns.reduce((a, b) => (lengthOf(stored[b.name]) > lengthOf(stored[a.name]) ? b : a));
    const update = `UPDATE ${quoted(table)} SET ${quoted(longest.name)} = ? WHERE ${where}`;
    this.run(update, longest.type === "TEXT" ? "" : new Uint8Array(0));
    this.run(update, stored[longest.name]!);
  }

  /** Returns the next ordinary table, in order of names. */
  #nextTable(from: Walk | null, except: string): { name: string; withoutRowid: boolean } | null {
    const [found] = this.all<{ name: string; wr: number }>(
      `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ?1 AND (name > ?2 OR name = ?2 AND ?3) ORDER BY name LIMIT 1`,
      except,
      from?.table ?? "",
      from?.after ? 1 : 0,
    );
    return found ? { name: found.name, withoutRowid: found.wr === 1 } : null;
  }

  /** Moves the write-ahead log into the database and truncates it. @returns false while someone else reads or writes */
  truncateLog(): boolean {
    this.#sql.exec("PRAGMA busy_timeout = 0");
    try {
      return this.all<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")[0]!.busy === 0;
    } catch (error) {
      if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) return false;
      throw error;
    } finally {
      this.#sql.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  close(): void {
    this.#writePriority.close();
    this.#sql.close();
  }

  #pragma(name: string): number {
    return Number(Object.values(this.#sql.prepare(`PRAGMA ${name}`).get()!)[0]);
  }
}

const SQLITE_BUSY = 5;

function lengthOf(value: SQLInputValue | undefined): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : 0;
}
