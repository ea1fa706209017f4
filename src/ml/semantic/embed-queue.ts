import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../../platform/db/open.ts";
import { EMBED_JOB } from "./backfill.ts";

/**
 * Queues a message for embedding. Call it in the transaction that stores the message. @param at when the message was
 * received, ms
 */
export function queueEmbedding({ sql }: Pick<Db, "sql">, message_id: string, account_id: string, at: number): void {
  sql
    .query(
      `INSERT OR IGNORE INTO embed_queue (message_n, user_id, account_id, at)
       SELECT n, user_id, ?, ? FROM messages WHERE id = ?`,
    )
    .run(account_id, at, message_id);
}

/** Condition on `accounts a`: the mailbox is, or will soon be, in its first sync. */
const IN_FIRST_SYNC = "a.provider <> 'sandbox' AND a.sync_phase <> 'live' AND a.status IN ('active', 'connecting')";

/**
 * Returns whether a user's mail waits, even in a worker that already runs: sample mail waits for the first sync of all
 * mailboxes.
 */
export function isHeldBack({ sql }: Pick<Db, "sql">, user_id: string): boolean {
  return (
    sql
      .query(
        `SELECT 1 FROM users u WHERE u.id = ? AND u.role = 'sandbox'
           AND EXISTS (SELECT 1 FROM accounts a WHERE ${IN_FIRST_SYNC})`,
      )
      .get(user_id) !== null
  );
}

/** A job during which so many workers died does not start a worker. A worker that another job starts retries it. */
const MAX_DEATHS = 4;

/**
 * Returns whether queued mail can be embedded now. A user's mail waits for the first sync of their mailboxes, and the
 * sample mail for the first sync of all mailboxes, so that the model uses no memory until then. Call this only while no
 * semantic worker runs: a job in state `running` then belongs to a dead worker.
 */
export function isEmbeddingDue({ db, clock }: { db: Pick<Db, "sql">; clock: Clock }): boolean {
  // Runs every second. Each half uses an index of the few unfinished jobs.
  const due = db.sql
    .query(
      `SELECT 1 FROM (
           SELECT user_id FROM jobs WHERE kind = ?3 AND state = 'pending' AND run_at <= ?1
           UNION ALL
           SELECT user_id FROM jobs r WHERE kind = ?3 AND state = 'running'
             AND (SELECT count(*) FROM job_attempts l WHERE l.job_id = r.id AND l.outcome = 'lost') < ?2
         ) j JOIN users u ON u.id = j.user_id
         WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE ${IN_FIRST_SYNC} AND (u.role = 'sandbox' OR a.user_id = u.id))
         LIMIT 1`,
    )
    .get(clock.now(), MAX_DEATHS, EMBED_JOB);
  return due !== null;
}
