import type { JobHandler } from "../../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ThreadQueries } from "../queries/threads.ts";
import { type Changes, markNewestUnread, unsnooze, WAKE_JOB } from "./changes.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a thread waits that was put into Snoozed elsewhere: whoever did that has most likely set an earlier time. */
const STRAY_WAIT_MS = 7 * DAY_MS;
/** What has lain there for longer is an archive by another name; waking all of it would flood the inbox. */
const STRAY_AGE_MS = 30 * DAY_MS;

const BY_TIME = { actor: SYSTEM_ACTOR, request_id: null };

/** Brings snoozed threads back: at their time, or when new mail arrives in them (docs/mail.md, "Snooze"). */
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
   * New mail was received in a thread: what waits in Snoozed returns to the inbox with it. Call it in the transaction that
   * stored the mail; it does nothing to threads that are not snoozed.
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
   * Gives threads that wait without a time one, so that none is out of sight for ever: another program put them into the
   * Snoozed folder, or their time went with a data folder that was lost. @returns how many
   */
  adopt(account: { id: string; user_id: string }): number {
    const { db, clock, jobs } = this.platform;
    const now = clock.now();
    return db.write(() => {
      const strays = db.sql
        .query<{ id: string }, [number, string, number]>(
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

  /** @returns when to look again: the thread was snoozed anew for a later time */
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
