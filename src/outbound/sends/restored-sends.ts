import type { Db } from "../../platform/db/open.ts";

/**
 * For a data folder that was restored from a backup. Whatever fell due since the backup was made may have left already, so
 * it is marked as handed over: it is then looked for on the mail server, and never sent again by itself (Dispatcher). What
 * falls due later, and what never leaves (the sandbox), stays as it is.
 * @param now Unix ms @returns how many sends
 */
export function doubtDueSends({ sql }: Pick<Db, "sql">, now: number): number {
  return sql
    .query(
      `UPDATE sends SET status = 'sending', first_attempt_at = coalesce(first_attempt_at, undo_until),
         attempts = max(attempts, 1), next_attempt_at = NULL, handed_over_at = coalesce(handed_over_at, ?1)
       WHERE status IN ('scheduled', 'sending') AND undo_until <= ?1
         AND account_id NOT IN (SELECT id FROM accounts WHERE provider = 'sandbox')`,
    )
    .run(now).changes;
}
