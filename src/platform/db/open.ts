import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { migrate, type Upgrade } from "./migrate.ts";
import { compileOnce } from "./statements.ts";
import { openWritePriority, type WriterPriority } from "./write-priority.ts";

/**
 * Durability of commits. With `full`, a commit survives a power failure (sends, keys, replies, settings). With
 * `normal`, a power failure may undo the last commits but never damages the database. That is only for mail that the
 * server has.
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
   * Like `write`, but does not wait for the disk: for work that would be repeated if a power failure undid it. A
   * process crash undoes nothing. Inside a `write` it is part of that transaction.
   */
  writeLazily<T>(fn: () => T): T;
  /**
   * Runs `fn` unless another writer is active: for writes that can wait, on a thread that must not block.
   * @returns false, with nothing written, if another writer is active
   */
  unlessBusy(fn: () => void): boolean;
  /** Prevents every write of this connection, or permits writes again. */
  setReadOnly(on: boolean): void;
  /** Sets the maximum wait for another writer, ms; null: the usual one. */
  setBusyTimeout(ms: number | null): void;
  /** Sets how many bytes of the database's pages this connection keeps in memory; at first 16 MiB. */
  setCacheSize(bytes: number): void;
  close(): void;
}

const BUSY_TIMEOUT_MS = 10_000;
const CACHE_BYTES = 16 * 1024 * 1024;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
/**
 * Pages in the log at which a commit also moves them into the database. An import writes the same pages repeatedly, so
 * it rarely checkpoints. Its limit is below that of the connections that serve requests, which should not have to
 * checkpoint.
 */
const CHECKPOINT_PAGES: Record<Durability, number> = { normal: 4_000, full: 8_000 };

export interface OpenOptions {
  /** Runs the missing migrations; of several openers, only the first does. */
  migrateNow?: boolean;
  /** Called before migrations change a database that has been used; an error thrown there prevents the change. */
  beforeUpgrade?: (sql: Database, upgrade: Upgrade) => void;
  /** This connection's write priority; absent: last. */
  writerPriority?: WriterPriority;
}

/** Opens the database and creates it if absent. */
export function openDb(path: string, durability: Durability, options: OpenOptions = {}): Db {
  const sql = new Database(path, { create: true, strict: true });
  const endStatements = compileOnce(sql);
  const writePriority = openWritePriority(path, options.writerPriority ?? "last");
  const close = () => {
    writePriority.close();
    endStatements();
    sql.close();
  };
  // SQLite takes a negative number as KiB.
  const setCacheSize = (bytes: number) => void sql.run(`PRAGMA cache_size = ${-Math.floor(bytes / 1024)}`);
  try {
    // WAL: readers never wait for the writer. busy_timeout: a second writer waits instead of failing.
    sql.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    sql.run("PRAGMA journal_mode = WAL");
    sql.run(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    sql.run("PRAGMA foreign_keys = ON");
    // Overwrite deleted mail instead of only unlinking it.
    sql.run("PRAGMA secure_delete = FAST");
    sql.run("PRAGMA temp_store = MEMORY");
    setCacheSize(CACHE_BYTES);
    sql.run(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
    sql.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES[durability]}`);
    if (options.migrateNow) migrate(sql, (upgrade) => options.beforeUpgrade?.(sql, upgrade));
  } catch (error) {
    close();
    throw error;
  }
  let depth = 0;
  const write = <T>(fn: () => T): T => {
    if (depth > 0) return fn();
    writePriority.take(() => sql.run("BEGIN IMMEDIATE"));
    depth++;
    try {
      const result = fn();
      // Otherwise the transaction would commit now and later writes would run outside it.
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
    setReadOnly: (on) => void sql.run(`PRAGMA query_only = ${on ? "ON" : "OFF"}`),
    setBusyTimeout: (ms) => void sql.run(`PRAGMA busy_timeout = ${Math.floor(ms ?? BUSY_TIMEOUT_MS)}`),
    setCacheSize,
    close,
  };
}
