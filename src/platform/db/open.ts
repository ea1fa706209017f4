import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { migrate, type Upgrade } from "./migrate.ts";
import { compileOnce } from "./statements.ts";
import { openWritePriority, type Place } from "./write-priority.ts";

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
  /**
   * The same without waiting for the disk: for what a power cut may undo, because it would be done again. A crash of the
   * process undoes nothing. Inside a `write` it is part of that.
   */
  writeLazily<T>(fn: () => T): T;
  /**
   * Runs `fn`, whose writes do not wait for another writer: for what can be done a little later, on a thread that must not
   * stand still meanwhile. @returns false, and nothing was written, when there is another writer
   */
  unlessBusy(fn: () => void): boolean;
  /** From now on waits so many ms at most for another writer. */
  setBusyTimeout(ms: number): void;
  close(): void;
}

const BUSY_TIMEOUT_MS = 10_000;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
/**
 * Pages in the log at which a commit also moves them into the database. An import writes the same pages again and again,
 * so it moves them seldom; and it comes before the connections that answer requests, which should not have to.
 */
const CHECKPOINT_PAGES: Record<Durability, number> = { normal: 4_000, full: 8_000 };

export interface OpenOptions {
  /** Runs the migrations that are missing; only the first opener does. */
  migrateNow?: boolean;
  /** Before they change a database that has been used; what it throws prevents that. */
  beforeUpgrade?: (sql: Database, upgrade: Upgrade) => void;
  /** Before which other writers this one goes; absent: last. */
  place?: Place;
}

/** Opens the database, creating it when absent. */
export function openDb(path: string, durability: Durability, options: OpenOptions = {}): Db {
  const sql = new Database(path, { create: true, strict: true });
  const endStatements = compileOnce(sql);
  const writePriority = openWritePriority(path, options.place ?? "last");
  const close = () => {
    writePriority.close();
    endStatements();
    sql.close();
  };
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
  sql.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES[durability]}`);
  if (options.migrateNow) {
    try {
      migrate(sql, (upgrade) => options.beforeUpgrade?.(sql, upgrade));
    } catch (error) {
      close();
      throw error;
    }
  }
  let depth = 0;
  const write = <T>(fn: () => T): T => {
    if (depth > 0) return fn();
    writePriority.take(() => sql.run("BEGIN IMMEDIATE"));
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
  };
  return {
    sql,
    orm: drizzle(sql),
    write,
    writeLazily(fn) {
      if (depth > 0 || durability !== "full") return write(fn);
      sql.run("PRAGMA synchronous = NORMAL");
      try {
        return write(fn);
      } finally {
        sql.run("PRAGMA synchronous = FULL");
      }
    },
    unlessBusy(fn) {
      sql.run("PRAGMA busy_timeout = 0");
      try {
        fn();
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code === "SQLITE_BUSY") return false;
        throw error;
      } finally {
        sql.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      }
    },
    setBusyTimeout: (ms) => void sql.run(`PRAGMA busy_timeout = ${Math.floor(ms)}`),
    close,
  };
}
