import type { Db } from "../../platform/db/open.ts";

/**
 * Prepares the sends of a data folder that was restored from a backup or promoted. A send that became due since the
 * backup may have been sent already, so it is marked as submitted: the Dispatcher looks for it on the mail server and
 * never sends it again. So is a send that was claimed, even if it is due later by this machine's clock: that of the other
 * machine may have been ahead. Other sends due later, and those of the sandbox, stay unchanged.
 * @param now Unix ms @returns the number of sends marked
 */
export function markDueSendsSubmitted({ sql }: Pick<Db, "sql">, now: number): number {
  return sql
    .query(
      `UPDATE sends SET status = 'sending', first_attempt_at = coalesce(first_attempt_at, undo_until),
         attempts = max(attempts, 1), next_attempt_at = NULL, handed_over_at = coalesce(handed_over_at, ?1)
       WHERE (status = 'sending' OR (status = 'scheduled' AND undo_until <= ?1))
         AND account_id NOT IN (SELECT id FROM accounts WHERE provider = 'sandbox')`,
    )
    .run(now).changes;
}
