import { Database } from "bun:sqlite";
import { openWritePriority, type WriteScheduler } from "../db/write-priority.ts";

/** Readers wait only for rare events, such as a recreated log. */
const READER_TIMEOUT_MS = 1_000;
/** Maximum wait for the write lock, which is requested again and again: others may leave it free for microseconds. */
const LOCK_WAIT_MS = 500;
const PAUSE_MS = 0.05;
/** Maximum wait for a checkpoint of another connection. */
const CHECKPOINT_WAIT_MS = 500;
const CHECKPOINT_PAUSE_MS = 1;

/** Frames in the write-ahead log, and how many of them are also in the database file. */
export interface LogState {
  frames: number;
  checkpointed: number;
}

/** The connections of a `PageTracker`. Two take turns at holding a read transaction. */
export class TrackerConnections {
  #held: Database;
  #next: Database;
  /** Has no transaction, because a checkpoint is not possible within one. */
  readonly #control: Database;
  readonly #writer: Database;
  readonly #writePriority: WriteScheduler;

  constructor(path: string) {
    this.#control = new Database(path, { readwrite: true, create: false });
    this.#control.run("PRAGMA wal_autocheckpoint = 0");
    this.#control.run("PRAGMA synchronous = NORMAL");
    this.#control.run(`PRAGMA busy_timeout = ${READER_TIMEOUT_MS}`);
    this.#writer = new Database(path, { readwrite: true, create: false });
    this.#writer.run("PRAGMA busy_timeout = 0");
    this.#held = openReader(path);
    this.#next = openReader(path);
    this.#writePriority = openWritePriority(path, "last");
  }

  get pageSize(): number {
    return this.#held.query<{ page_size: number }, []>("PRAGMA page_size").get()!.page_size;
  }

  /** Pages of the database for the read transaction that began last. */
  get pageCount(): number {
    return this.#next.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
  }

  /**
   * Begins a read transaction, runs `note`, and ends the previous one. If `note` fails, the previous one stays.
   */
  next(note: () => void): void {
    begin(this.#next);
    try {
      note();
    } catch (error) {
      end(this.#next);
      throw error;
    }
    end(this.#held);
    [this.#held, this.#next] = [this.#next, this.#held];
  }

  /** Ends the read transaction. */
  release(): void {
    end(this.#held);
  }

  /** Returns the state of the log. @throws Error if another connection recovers it for long */
  logState(): LogState {
    const deadline = performance.now() + READER_TIMEOUT_MS;
    for (;;) {
      // NOOP only reports. The numbers are those of SQLite's index of the log, thus of committed transactions only.
      const { busy, log, checkpointed } = this.#checkpoint("NOOP");
      if (log >= 0) return { frames: log, checkpointed };
      if (busy === 0) throw new Error("The database has no write-ahead log.");
      // A writer was changing the index at this moment; unlike a read transaction, this does not wait for it.
      if (performance.now() >= deadline) throw new Error("The database is busy.");
      Bun.sleepSync(PAUSE_MS);
    }
  }

  /**
   * Moves the log into the database file as far as readers allow it, without blocking readers or writers. Waits while
   * another connection does it, because that one may stop at an earlier mark of our own reader.
   */
  checkpoint(): void {
    const deadline = performance.now() + CHECKPOINT_WAIT_MS;
    while (this.#checkpoint("PASSIVE").busy !== 0 && performance.now() < deadline) Bun.sleepSync(CHECKPOINT_PAUSE_MS);
  }

  /** Runs `work` while no other connection can write. @returns false, without running it, if others always write */
  whileNoOneWrites(work: () => void): boolean {
    const deadline = performance.now() + LOCK_WAIT_MS;
    while (!this.#lockWrites()) {
      if (performance.now() >= deadline) return false;
      Bun.sleepSync(PAUSE_MS);
    }
    try {
      work();
    } finally {
      end(this.#writer);
    }
    return true;
  }

  /** Takes the write lock without waiting for another writer. @returns false if one is active */
  #lockWrites(): boolean {
    try {
      this.#writePriority.take(() => this.#writer.run("BEGIN IMMEDIATE"));
      return true;
    } catch (error) {
      if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return false;
      throw error;
    }
  }

  close(): void {
    this.#writePriority.close();
    for (const sql of [this.#held, this.#next, this.#writer, this.#control]) {
      end(sql);
      sql.close();
    }
  }

  #checkpoint(mode: "NOOP" | "PASSIVE"): { busy: number; log: number; checkpointed: number } {
    return this.#control
      .query<{ busy: number; log: number; checkpointed: number }, []>(`PRAGMA wal_checkpoint(${mode})`)
      .get()!;
  }
}

function openReader(path: string): Database {
  const sql = new Database(path, { readonly: true });
  sql.run(`PRAGMA busy_timeout = ${READER_TIMEOUT_MS}`);
  return sql;
}

function begin(sql: Database): void {
  sql.run("BEGIN");
  try {
    // The transaction begins with the first read.
    sql.query("SELECT 1 FROM sqlite_schema LIMIT 1").get();
  } catch (error) {
    end(sql);
    throw error;
  }
}

function end(sql: Database): void {
  if (sql.inTransaction) sql.run("ROLLBACK");
}
