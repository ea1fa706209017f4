import { Database } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import type { StoreAction, StoreCallRecorder, StoreCallTotals } from "./store-calls.ts";

const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;

const SCHEMA = `CREATE TABLE IF NOT EXISTS calls (
  hour      INTEGER NOT NULL,
  action    TEXT NOT NULL,
  host      TEXT NOT NULL,
  calls     INTEGER NOT NULL,
  failed    INTEGER NOT NULL,
  bytes_out INTEGER NOT NULL,
  bytes_in  INTEGER NOT NULL,
  PRIMARY KEY (hour, action, host)
) STRICT, WITHOUT ROWID`;

const fileOf = (data_dir: string) => join(data_dir, "run", "store-calls.db");

/**
 * Counts the requests of the continuous copy by hour, each before it leaves. They are in a file of their own: a row in
 * the database for each request would itself be a change that must be copied, and the copying would never end.
 */
export class FrequentStoreCalls implements StoreCallRecorder {
  readonly #sql: Database;

  /** Creates the file in `run/` if it does not exist. */
  constructor(
    data_dir: string,
    private readonly clock: Clock,
  ) {
    mkdirSync(join(data_dir, "run"), { recursive: true, mode: 0o700 });
    this.#sql = new Database(fileOf(data_dir), { create: true, strict: true });
    this.#sql.run("PRAGMA busy_timeout = 5000");
    this.#sql.run("PRAGMA journal_mode = WAL");
    this.#sql.run("PRAGMA synchronous = NORMAL");
    this.#sql.run(SCHEMA);
    this.#sql.query("DELETE FROM calls WHERE hour < ?").run(Math.floor((clock.now() - KEPT_MS) / HOUR_MS));
  }

  begin(call: { action: StoreAction; host: string; bytes_out: number }) {
    const { action, host, bytes_out } = call;
    const hour = Math.floor(this.clock.now() / HOUR_MS);
    this.#sql
      .query(
        `INSERT INTO calls (hour, action, host, calls, failed, bytes_out, bytes_in) VALUES (?1, ?2, ?3, 1, 0, ?4, 0)
         ON CONFLICT DO UPDATE SET calls = calls + 1, bytes_out = bytes_out + ?4`,
      )
      .run(hour, action, host, bytes_out);
    return ({ result, bytes_in }: { result: string; bytes_in: number }) => {
      const failed = /^[234]/.test(result) ? 0 : 1;
      this.#sql
        .query(
          `UPDATE calls SET failed = failed + ?4, bytes_in = bytes_in + ?5 WHERE hour = ?1 AND action = ?2 AND host = ?3`,
        )
        .run(hour, action, host, failed, bytes_in);
    };
  }

  close(): void {
    this.#sql.close();
  }
}

/** Returns the totals of the continuous copy since a time, ms. */
export function frequentStoreCallTotals(data_dir: string, sinceMs: number): StoreCallTotals {
  const none = { calls: 0, bytes_out: 0, bytes_in: 0 };
  if (!existsSync(fileOf(data_dir))) return none;
  const sql = new Database(fileOf(data_dir), { strict: true });
  try {
    return sql
      .query<StoreCallTotals, [number]>(
        `SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(bytes_out), 0) AS bytes_out,
           coalesce(sum(bytes_in), 0) AS bytes_in FROM calls WHERE hour >= ?`,
      )
      .get(Math.floor(sinceMs / HOUR_MS))!;
  } catch {
    // The server has only created the file so far.
    return none;
  } finally {
    sql.close();
  }
}
