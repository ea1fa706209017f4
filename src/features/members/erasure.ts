import type { Clock } from "../../kernel/clock.ts";
import { notFound, UserError } from "../../kernel/errors.ts";
import type { PartCache } from "../../platform/blobs/cache.ts";
import { removeCopies } from "../../platform/db/before-upgrade.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";

/** Job that resumes an erasure after a crash. */
export const ERASE_JOB = "user-erase";

/** Rows deleted in one transaction, and the pause after it, in which other writers get their turn. */
const BATCH = 200;
const PAUSE_MS = 5;
/** The write-ahead log can be emptied once no reader uses it, which takes moments. */
const CHECKPOINT_TRIES = 100;
const CHECKPOINT_WAIT_MS = 100;
const LOG_IN_USE =
  "All data was deleted, but another process (such as a backup) is still reading an earlier state of the " +
  "database. The last traces are removed when it finishes.";

export interface ErasureParts {
  platform: Platform;
  parts: PartCache;
  /**
   * Disconnects the sync of these users' mailboxes. Mail that still arrives cannot be stored, because the users are
   * deleted.
   */
  disconnectMailboxes(userIds: readonly string[]): Promise<void>;
  /** Deletes a user's full-text index, including one that an earlier version made. */
  dropIndex(user_id: string): Promise<void>;
  /** Deletes part of the remains of dropped indexes. @returns whether none are left */
  sweepDropped(): boolean;
  /** Makes the other threads drop the keys of deleted users. */
  keysDestroyed(): Promise<void>;
  /** Deletes the data of deleted users that other indexes keep outside the tables. */
  sweepIndexes(): void;
}

export interface EraseRequest {
  /** User whose audit log records the erasure: the owner. */
  keptBy: string;
  actor: Actor;
  request_id: string | null;
}

/**
 * Erases a person completely. The person is locked out immediately, in the transaction that queues the remaining work,
 * so that it survives a crash. Then all of the person's rows are deleted and overwritten, all files are removed, and
 * the data keys are destroyed. Without these keys, no copy of the encrypted data can be read. One audit row of the
 * owner remains: who erased the person, when, and how much data there was.
 */
export class Erasure {
  readonly #running = new Map<string, Promise<void>>();

  constructor(private readonly parts: ErasureParts) {}

  /**
   * Locks the person out and queues the work, which `run` does. Call it in a transaction.
   * @throws ApiError not_found; UserError for the owner
   */
  begin(id: string, { keptBy, actor, request_id }: EraseRequest): void {
    const { platform } = this.parts;
    const { db, users, audit, jobs, keys } = platform;
    db.write(() => {
      if (users.get(id) === null) throw notFound("member");
      const after = this.#counts(users.rowsOf(id));
      users.lockOut(id);
      audit.record({ user_id: keptBy, actor, action: "user.erase", target: id, after, request_id });
      jobs.enqueue({ kind: ERASE_JOB, dedupe_key: id, payload: { user_id: id } });
      keys.announce();
    });
  }

  /**
   * Does the remaining work. Concurrent calls share one run; a call without remaining work does nothing.
   * @throws ApiError not_found for anyone whom `begin` has not locked out; UserError while a long-running reader holds
   * the write-ahead log: everything else is then done, and the call can be repeated
   */
  run(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running) return running;
    const work = this.#erase(id).finally(() => this.#running.delete(id));
    this.#running.set(id, work);
    return work;
  }

  async #erase(id: string): Promise<void> {
    const { platform, parts, disconnectMailboxes, dropIndex, sweepDropped, keysDestroyed, sweepIndexes } = this.parts;
    const { db, users } = platform;
    const userIds = users.rowsOf(id);
    if (userIds.length > 0 && !users.removing().includes(id)) throw notFound("removal");
    if (userIds.length > 0) await disconnectMailboxes(userIds);
    // This connection overwrites deleted rows even where SQLite would only unlink their pages.
    db.sql.run("PRAGMA secure_delete = ON");
    try {
      for (const user_id of userIds) {
        // File names are derived from the user's keys, so files are removed before the keys.
        parts.removeUser(user_id);
        await dropIndex(user_id);
        await this.#deleteBatches("messages", user_id);
        await this.#deleteBatches("threads", user_id);
      }
      while (!sweepDropped()) await waited(platform.clock, PAUSE_MS);
      // Otherwise the next flush would write the counters in memory back to the disk.
      platform.meters.forget(userIds);
      if (userIds.length > 0) users.remove(id);
      await keysDestroyed();
      sweepIndexes();
      const copies = removeCopies(platform.config.data_dir);
      if (copies > 0)
        platform.log.info("copies from before upgrades were deleted in the erasure of a user", { copies });
      await this.#emptyLog();
    } finally {
      db.sql.run("PRAGMA secure_delete = FAST");
    }
  }

  /** Deletes large tables in batches, so that no other request waits long. */
  async #deleteBatches(table: "messages" | "threads", user_id: string): Promise<void> {
    const { db, clock } = this.parts.platform;
    const statement = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE user_id = ? LIMIT ${BATCH})`;
    while (db.writeLazily(() => db.sql.query(statement).run(user_id).changes) > 0) await waited(clock, PAUSE_MS);
  }

  /** Checkpoints and truncates the write-ahead log, which still contains the old content of the rows. */
  async #emptyLog(): Promise<void> {
    const { db, clock, log } = this.parts.platform;
    for (let i = 0; i < CHECKPOINT_TRIES; i++) {
      if (truncateLog(db.sql)) return;
      await waited(clock, CHECKPOINT_WAIT_MS);
    }
    log.warn("the write-ahead log could not be emptied after an erasure: a reader is still active");
    throw new UserError(LOG_IN_USE);
  }

  #counts(userIds: readonly string[]): Record<string, number> {
    const { sql } = this.parts.platform.db;
    const ids = JSON.stringify(userIds);
    const count = (table: string) =>
      sql
        .query<{ n: number }, [string]>(
          `SELECT count(*) AS n FROM ${table} WHERE user_id IN (SELECT value FROM json_each(?))`,
        )
        .get(ids)!.n;
    return { accounts: count("accounts"), messages: count("messages"), api_keys: count("api_keys") };
  }
}

/**
 * Truncates the write-ahead log without waiting, because this thread answers requests.
 * @returns false while a reader or writer is in the way
 */
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
