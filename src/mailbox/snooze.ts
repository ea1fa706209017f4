import { SYSTEM_ACTOR } from "../platform/audit.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import type { Platform } from "../platform/platform.ts";
import { type Changes, markNewestUnread, moveSnoozedToInbox } from "./changes.ts";
import type { ThreadQueries } from "./queries-threads.ts";

const BY_TIME = { actor: SYSTEM_ACTOR, request_id: null };

/** Brings snoozed threads back: at their time, or when new mail arrives in them (decisions, "Threads, messages, state"). */
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
      const wait_until = this.platform.db.write(() => this.#wakeDue(thread_id));
      return wait_until === null ? { outcome: "done" } : { outcome: "retry", run_at: wait_until };
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
      moveSnoozedToInbox(edits, members);
      return false;
    });
  }

  /** @returns when to look again: the thread was snoozed anew for a later time */
  #wakeDue(thread_id: string): number | null {
    const status = this.queries.current(thread_id);
    if (status?.state !== "snoozed" || status.snooze_until === null) return null;
    if (status.snooze_until > this.platform.clock.now()) return status.snooze_until;
    this.changes.apply(status, BY_TIME, "thread.wake", (edits, members) => {
      moveSnoozedToInbox(edits, members);
      markNewestUnread(edits, members);
      return false;
    });
    return null;
  }
}
