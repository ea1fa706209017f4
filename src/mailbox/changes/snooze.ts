import type { JobHandler } from "../../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ThreadQueries } from "../queries/threads.ts";
import type { ThreadRow } from "../threading/tables.ts";
import { type Changes, markNewestUnread, unsnooze, WAKE_JOB } from "./changes.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a thread waits that another program snoozed. That program has most likely set an earlier time itself. */
const STRAY_WAIT_MS = 7 * DAY_MS;
/** Older threads in Snoozed are effectively archived. Waking all of them would flood the inbox. */
const STRAY_AGE_MS = 30 * DAY_MS;

const BY_TIME = { actor: SYSTEM_ACTOR, request_id: null };

/** Wakes snoozed threads at their time, or when new mail arrives in them (docs/mail.md, "Snooze"). */
export class Snooze {
  constructor(
    private readonly platform: Platform,
    private readonly queries: ThreadQueries,
    private readonly changes: Changes,
  ) {}

  /** Runs the jobs of kind WAKE_JOB. */
  readonly wakeHandler: JobHandler = {
    concurrency: 1,
    run: async ({ payload }) => {
      const { thread_id } = payload as { thread_id: string };
      const waitUntil = this.platform.db.write(() => this.#wakeDue(thread_id));
      return waitUntil === null ? { outcome: "done" } : { outcome: "retry", run_at: waitUntil };
    },
  };

  /**
   * Moves the snoozed messages of a thread to the inbox because new mail was received in it. Call it in the transaction
   * that stored the mail. It does nothing to threads that are not snoozed.
   */
  wakeOnNewMail(thread_id: string): void {
    const status = this.queries.current(thread_id);
    if (!status) return;
    this.changes.apply(status, BY_TIME, "thread.wake", (edits, members) => {
      unsnooze(status, edits, members);
      return false;
    });
  }

  /**
   * Sets a time for snoozed threads that have none, so that none stays hidden forever: another program put them into
   * the Snoozed folder, or their time was lost with a data folder. @returns how many
   */
  adopt(account: { id: string; user_id: string }): number {
    const { db, clock, jobs } = this.platform;
    const now = clock.now();
    return db.write(() => {
      const strays = db.sql
        .query<Pick<ThreadRow, "id">, [number, string, number]>(
          `UPDATE threads SET snooze_until = ? WHERE account_id = ? AND state = 'snoozed' AND last_at > ?
             AND snooze_until IS NULL RETURNING id`,
        )
        .all(now + STRAY_WAIT_MS, account.id, now - STRAY_AGE_MS);
      for (const { id } of strays) {
        const run_at = now + STRAY_WAIT_MS;
        jobs.enqueue({ kind: WAKE_JOB, dedupe_key: id, user_id: account.user_id, payload: { thread_id: id }, run_at });
      }
      return strays.length;
    });
  }

  /** @returns when to run again, if the thread was snoozed again for a later time */
  #wakeDue(thread_id: string): number | null {
    const status = this.queries.current(thread_id);
    if (status?.state !== "snoozed" || status.snooze_until === null) return null;
    if (status.snooze_until > this.platform.clock.now()) return status.snooze_until;
    this.changes.apply(status, BY_TIME, "thread.wake", (edits, members) => {
      unsnooze(status, edits, members);
      markNewestUnread(edits, members);
      return false;
    });
    return null;
  }
}
