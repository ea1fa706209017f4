import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { migrate } from "./migrate.ts";

/**
 * How hard a commit tries to reach the disk. `full` survives a power cut at once (sends, keys, replies, settings);
 * `normal` may lose the last commits then, never consistency, and is only for mail that the server still has.
 */
export type Durability = "full" | "normal";

export type Orm = ReturnType<typeof drizzle>;

export interface Db {
  /** Raw prepared statements, for hot paths. */
  sql: Database;
  /** Typed queries. */
  orm: Orm;
  /** Runs `fn` in one write transaction (BEGIN IMMEDIATE); nested calls join the outer one. */
  write<T>(fn: () => T): T;
  close(): void;
}

const BUSY_TIMEOUT_MS = 10_000;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/** Opens the database, creating it when absent. Migrations run on `migrateNow`, which only the first opener passes. */
export function openDb(path: string, durability: Durability, options: { migrateNow?: boolean } = {}): Db {
  const sql = new Database(path, { create: true, strict: true });
  // WAL: readers never wait for the writer. busy_timeout: a second writer waits instead of failing.
  sql.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  sql.run("PRAGMA journal_mode = WAL");
  sql.run(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
  sql.run("PRAGMA foreign_keys = ON");
  // Deleted mail is overwritten, not merely unlinked.
  sql.run("PRAGMA secure_delete = FAST");
  sql.run("PRAGMA temp_store = MEMORY");
  sql.run("PRAGMA cache_size = -16384");
  sql.run(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
  if (options.migrateNow) migrate(sql);
  let depth = 0;
  return {
    sql,
    orm: drizzle(sql),
    write(fn) {
      if (depth > 0) return fn();
      sql.run("BEGIN IMMEDIATE");
      depth++;
      try {
        const result = fn();
        // It would commit now and go on writing outside.
        if (result instanceof Promise) throw new Error("A write transaction must be synchronous.");
        sql.run("COMMIT");
        return result;
      } catch (error) {
        if (sql.inTransaction) sql.run("ROLLBACK");
        throw error;
      } finally {
        depth--;
      }
    },
    close: () => sql.close(),
  };
}
