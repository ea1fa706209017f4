/**
 * Changes a database in random ways: `bun page-writer.ts PATH SEED [OPERATIONS]`. Without a number of operations, it
 * continues until it is killed.
 *
 * Each transaction ends with a row about the whole content, so that a torn copy can be recognized (`contentOf`).
 */
import { Database } from "bun:sqlite";
import { between, dice, pick } from "../faults/campaign.ts";

const TABLES = ["small", "large", "keyed"];
const MOST_ROWS = 3_000;

/** Creates an empty database for `PageWriter`. */
export function createPagesDatabase(path: string): void {
  const sql = new Database(path);
  sql.run("PRAGMA journal_mode = WAL");
  sql.run("CREATE TABLE small (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  sql.run("CREATE INDEX small_text ON small (text)");
  sql.run("CREATE TABLE large (id INTEGER PRIMARY KEY, text BLOB NOT NULL)");
  sql.run("CREATE TABLE keyed (id INTEGER PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID");
  sql.run("CREATE TABLE content (transactions INTEGER NOT NULL, described TEXT NOT NULL)");
  sql.run(`INSERT INTO content VALUES (0, ${DESCRIBE})`);
  sql.close(true);
}

/** SQL that describes all rows; it differs after any change of them. */
const DESCRIBE = TABLES.map(
  (table) =>
    `(SELECT count(*) || ' ' || coalesce(sum(id * 31 + length(text) * 7 + unicode(hex(substr(text, 1, 2)))), 0) FROM ${table})`,
).join(" || ', ' || ");

/** Returns the row about the whole content, and what it should be. */
export function describedContent(sql: Database): { transactions: number; described: string; computed: string } {
  return sql
    .query<{ transactions: number; described: string; computed: string }, []>(
      `SELECT transactions, described, ${DESCRIBE} AS computed FROM content`,
    )
    .get()!;
}

/** Makes random changes over one connection. */
export class PageWriter {
  readonly #sql: Database;
  readonly #random: () => number;

  constructor(path: string, seed: number) {
    this.#random = dice(seed);
    this.#sql = new Database(path, { readwrite: true, create: false });
    this.#sql.run("PRAGMA busy_timeout = 20000");
    this.#sql.run(`PRAGMA synchronous = ${pick(this.#random, ["FULL", "NORMAL"])}`);
    this.#sql.run(`PRAGMA secure_delete = ${pick(this.#random, ["FAST", "ON", "OFF"])}`);
    // A transaction that needs more pages writes them to the log before it commits.
    this.#sql.run(`PRAGMA cache_size = ${pick(this.#random, [10, 200, -16_384])}`);
    this.#sql.run(`PRAGMA wal_autocheckpoint = ${pick(this.#random, [0, 50, 1_000])}`);
  }

  /** Makes one change: a transaction, a rollback, a checkpoint or a VACUUM. */
  step(): void {
    const choice = this.#random();
    if (choice < 0.02) this.#run("VACUUM");
    else if (choice < 0.12)
      this.#run(`PRAGMA wal_checkpoint(${pick(this.#random, ["PASSIVE", "FULL", "RESTART", "TRUNCATE"])})`, 0);
    else if (choice < 0.2) this.#transaction("ROLLBACK");
    else this.#transaction("COMMIT");
  }

  close(): void {
    this.#sql.close(true);
  }

  #run(statement: string, timeoutMs = 20_000): void {
    this.#sql.run(`PRAGMA busy_timeout = ${timeoutMs}`);
    try {
      this.#sql.run(statement);
    } catch (error) {
      // Another writer or a reader is in the way.
      if (!/^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code))) throw error;
    }
    this.#sql.run("PRAGMA busy_timeout = 20000");
  }

  #transaction(end: "COMMIT" | "ROLLBACK"): void {
    this.#sql.run("BEGIN IMMEDIATE");
    const changes = pick(this.#random, [1, 1, 1, 3, 10]);
    for (let i = 0; i < changes; i++) this.#change();
    this.#sql.run(`UPDATE content SET transactions = transactions + 1, described = ${DESCRIBE}`);
    this.#sql.run(end);
  }

  #change(): void {
    const table = pick(this.#random, TABLES);
    const rows = this.#sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
    const count = pick(this.#random, [1, 1, 5, 50, 400]);
    const length = table === "large" ? between(this.#random, 1, 20_000) : between(this.#random, 1, 300);
    const value = table === "large" ? `randomblob(${length})` : `hex(randomblob(${length}))`;
    const some = `SELECT id FROM ${table} ORDER BY random() LIMIT`;
    const series = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <";
    const choice = this.#random();
    if (rows > MOST_ROWS) this.#sql.run(`DELETE FROM ${table} WHERE id IN (${some} ${Math.floor(rows * 0.8)})`);
    else if (choice < 0.5) {
      const many = table === "large" ? Math.min(count, 50) : count;
      this.#sql.run(
        `${series} ${many}) INSERT INTO ${table} (id, text) SELECT (SELECT coalesce(max(id), 0) FROM ${table}) + i, ${value} FROM n`,
      );
    } else if (choice < 0.75) this.#sql.run(`UPDATE ${table} SET text = ${value} WHERE id IN (${some} ${count})`);
    else if (choice < 0.97) this.#sql.run(`DELETE FROM ${table} WHERE id IN (${some} ${count})`);
    else if (choice < 0.985) this.#sql.run(`DELETE FROM ${table}`);
    else {
      this.#sql.run("DROP INDEX IF EXISTS keyed_text");
      if (choice < 0.995) this.#sql.run("CREATE INDEX keyed_text ON keyed (text)");
    }
  }
}

if (import.meta.main) {
  const [path, seed, operations = "Infinity"] = process.argv.slice(2);
  const writer = new PageWriter(path!, Number(seed));
  for (let i = 0; i < Number(operations); i++) writer.step();
  writer.close();
}
