import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Platform } from "../../platform/platform.ts";
import { ContactCounts } from "./counts.ts";

/** Kind of the job that counts the mail of contacts; payload { user_id, account_id }, one per caller's mailboxes. */
export const COUNT_JOB = "contact-counts";

/** Queues the counting of a user's contacts; with `account_id`, also within this mailbox. */
export function queueCounting({ db, jobs }: Platform, { user_id, account_id }: MailScope): void {
  const dedupe_key = `${user_id} ${account_id ?? ""}`;
  // A power failure may undo it: the next request queues it again.
  db.writeLazily(() => jobs.enqueue({ kind: COUNT_JOB, dedupe_key, user_id, payload: { user_id, account_id } }));
}

/** Returns the job's handler, for the mail worker: counting a new mailbox of 100,000 messages takes seconds. */
export function countHandler(platform: Platform): JobHandler {
  const counts = new ContactCounts(platform.db);
  return {
    concurrency: 1,
    run: async ({ payload }) => {
      const { user_id, account_id } = payload as MailScope;
      for (const _ of counts.settleInSlices(user_id, account_id)) await new Promise((next) => setImmediate(next));
      return { outcome: "done" };
    },
  };
}
