import type { Clock } from "../../kernel/clock.ts";
import { notFound, UserError } from "../../kernel/errors.ts";
import type { Actor } from "../../platform/audit.ts";
import type { PartCache } from "../../platform/blobs/cache.ts";
import { removeCopies } from "../../platform/db/before-upgrade.ts";
import type { Platform } from "../../platform/platform.ts";

/** Goes on with a removal after a crash. */
export const ERASE_JOB = "user-erase";

/** Rows deleted in one transaction, and the pause after it: others must come to write, too. */
const BATCH = 200;
const PAUSE_MS = 5;
/** The log is emptied when no reader stands in it any more, which takes moments. */
const CHECKPOINT_TRIES = 100;
const CHECKPOINT_WAIT_MS = 100;
const LOG_IN_USE =
  "All data was deleted, but another process (such as a backup) is still reading an earlier state of the " +
  "database. The last traces are removed when it finishes.";

export interface ErasureParts {
  platform: Platform;
  parts: PartCache;
  /** Has whoever synchronises the mailboxes of these users let go of them. What still comes in fails, for they are gone. */
  letGo(user_ids: readonly string[]): Promise<void>;
  /** Deletes a user's full-text index, also one that an earlier version made. */
  dropIndex(user_id: string): Promise<void>;
  /** Deletes a little of what dropped indexes leave. @returns whether nothing is left */
  sweepDropped(): boolean;
  /** Has the other threads let go of the keys of somebody who is gone. */
  keysDestroyed(): Promise<void>;
  /** Removes what other indexes keep beside the tables, of users who are gone. */
  sweepIndexes(): void;
}

export interface EraseRequest {
  /** Whose audit log keeps that it was done: the owner's. */
  kept_by: string;
  actor: Actor;
  request_id: string | null;
}

/**
 * Complete erasure of a person. They are locked out at once, in the transaction that makes sure that the rest happens, also
 * after a crash; then every row of theirs is deleted and overwritten, every file removed, and their data keys destroyed, without
 * which no copy of what was sealed for them can be read. What stays is one audit row of the owner: who did it, when, and how
 * much there was.
 */
export class Erasure {
  readonly #running = new Map<string, Promise<void>>();

  constructor(private readonly parts: ErasureParts) {}

  /**
   * Locks the person out and notes the work. Call it in a transaction; `run` does the work.
   * @throws ApiError not_found; UserError for the owner
   */
  begin(id: string, { kept_by, actor, request_id }: EraseRequest): void {
    const { platform } = this.parts;
    const { db, users, audit, jobs, keys } = platform;
    db.write(() => {
      if (users.get(id) === null) throw notFound("member");
      const after = this.#counts(users.rowsOf(id));
      users.lockOut(id);
      audit.record({ user_id: kept_by, actor, action: "user.erase", target: id, after, request_id });
      jobs.enqueue({ kind: ERASE_JOB, dedupe_key: id, payload: { user_id: id } });
      keys.announce();
    });
  }

  /**
   * Does what is left to do. Two at once are one; nothing happens when nothing is left.
   * @throws ApiError not_found for somebody who was not locked out by `begin`; UserError while a long reader keeps the write-ahead log: all but the log is done, and it can be called again
   */
  run(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running) return running;
    const work = this.#erase(id).finally(() => this.#running.delete(id));
    this.#running.set(id, work);
    return work;
  }

  async #erase(id: string): Promise<void> {
    const { platform, parts, letGo, dropIndex, sweepDropped, keysDestroyed, sweepIndexes } = this.parts;
    const { db, users } = platform;
    const user_ids = users.rowsOf(id);
    if (user_ids.length > 0 && !users.removing().includes(id)) throw notFound("removal");
    if (user_ids.length > 0) await letGo(user_ids);
    // Deleted rows are overwritten on this connection even where SQLite would only unlink their pages.
    db.sql.run("PRAGMA secure_delete = ON");
    try {
      for (const user_id of user_ids) {
        // The names of files are made with the user's keys.
        parts.removeUser(user_id);
        await dropIndex(user_id);
        await this.#deleteBatches("messages", user_id);
        await this.#deleteBatches("threads", user_id);
      }
      while (!sweepDropped()) await waited(platform.clock, PAUSE_MS);
      // What is counted in memory would come back with its next flush.
      platform.meters.forget(user_ids);
      if (user_ids.length > 0) users.remove(id);
      await keysDestroyed();
      sweepIndexes();
      const copies = removeCopies(platform.config.data_dir);
      if (copies > 0) platform.log.info("copies from before upgrades were removed with a person", { copies });
      await this.#emptyLog();
    } finally {
      db.sql.run("PRAGMA secure_delete = FAST");
    }
  }

  /** What is large goes a little at a time: nobody else's request waits for it. */
  async #deleteBatches(table: "messages" | "threads", user_id: string): Promise<void> {
    const { db, clock } = this.parts.platform;
    const statement = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE user_id = ? LIMIT ${BATCH})`;
    while (db.writeLazily(() => db.sql.query(statement).run(user_id).changes) > 0) await waited(clock, PAUSE_MS);
  }

  /** Moves the write-ahead log into the database and cuts it to nothing: it still holds what the rows said before. */
  async #emptyLog(): Promise<void> {
    const { db, clock, log } = this.parts.platform;
    for (let i = 0; i < CHECKPOINT_TRIES; i++) {
      if (truncateLog(db.sql)) return;
      await waited(clock, CHECKPOINT_WAIT_MS);
    }
    log.warn("the write-ahead log could not be emptied yet after a removal: somebody reads for long");
    throw new UserError(LOG_IN_USE);
  }

  #counts(user_ids: readonly string[]): Record<string, number> {
    const { sql } = this.parts.platform.db;
    const ids = JSON.stringify(user_ids);
    const count = (table: string) =>
      sql
        .query<{ n: number }, [string]>(
          `SELECT count(*) AS n FROM ${table} WHERE user_id IN (SELECT value FROM json_each(?))`,
        )
        .get(ids)!.n;
    return { accounts: count("accounts"), messages: count("messages"), api_keys: count("api_keys") };
  }
}

/** @returns false while a reader or writer is in the way; waits for nobody, for this thread answers requests */
function truncateLog(sql: Platform["db"]["sql"]): boolean {
  const { timeout } = sql.query<{ timeout: number }, []>("PRAGMA busy_timeout").get()!;
  sql.run("PRAGMA busy_timeout = 0");
  try {
    return sql.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()!.busy === 0;
  } catch (error) {
    if ((error as { code?: unknown }).code === "SQLITE_BUSY") return false;
    throw error;
  } finally {
    sql.run(`PRAGMA busy_timeout = ${timeout}`);
  }
}

function waited(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
