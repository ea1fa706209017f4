import type { Db } from "../../platform/db/open.ts";
import type { ContactRow, SettledMailboxRow } from "./tables.ts";

/** The date that a message shows (see mailbox/queries.ts, shownDate). */
const SHOWN_DATE = `CASE WHEN m.sent_date >= 631152000000 AND m.sent_date <= m.internal_date + 86400000
  THEN m.sent_date ELSE m.internal_date END`;
/** The messages that are counted: all except spam and trash. */
const COUNTED = `contact_messages cm JOIN messages m ON m.n = cm.message_n
  JOIN threads t ON t.id = m.thread_id AND t.state NOT IN ('spam', 'trash')
  JOIN contact_addresses a ON a.n = cm.address_n`;
/** Contacts of a mailbox that are counted in one transaction, which limits how long other requests wait. */
const SLICE = 200;

/** Computes `threads`, `last_at` and `counted_n` of a contact from all of its messages. */
const recounted = (contact: string, within = "") => `(threads, last_at, counted_n) = (
    SELECT count(DISTINCT m.thread_id), coalesce(max(${SHOWN_DATE}), 0), coalesce(max(cm.message_n), 0)
    FROM ${COUNTED} WHERE a.contact_n = ${contact} ${within})`;

/**
 * Computes the same from the stored values and the messages after `counted_n`. A thread is added only if none of its
 * messages has been counted yet. A sender with ten years of notices is therefore not recounted from the start.
 */
const withNewMessages = (table: string, contact: string, within = "") => `(threads, last_at, counted_n) = (
    SELECT ${table}.threads + count(DISTINCT CASE WHEN NOT EXISTS (
        SELECT 1 FROM messages o JOIN contact_messages oc ON oc.message_n = o.n JOIN contact_addresses oa ON oa.n = oc.address_n
        WHERE o.thread_id = m.thread_id AND o.n <= ${table}.counted_n AND oa.contact_n = ${contact}) THEN m.thread_id END),
      max(${table}.last_at, coalesce(max(${SHOWN_DATE}), 0)), coalesce(max(cm.message_n), ${table}.counted_n)
    FROM ${COUNTED} WHERE a.contact_n = ${contact} AND cm.message_n > ${table}.counted_n ${within})`;

/**
 * Never counts further than the contact itself was counted: an earlier message can still be linked after a later one,
 * and would be skipped.
 */
const IN_MAILBOX = `AND m.account_id = contact_mailboxes.account_id
  AND cm.message_n <= (SELECT c.counted_n FROM contacts c WHERE c.n = contact_mailboxes.contact_n)`;
const OF_SLICE = "WHERE account_id = $account AND contact_n IN (SELECT value FROM json_each($contacts))";

type Settled = Pick<ContactRow, "n" | "settled" | "settled_anew">;

/**
 * Counts the threads and the last contact of each contact, over all mailboxes and within one. Triggers
 * (0006_people.sql) mark a contact when its mail changes, and the counts are updated on the next read.
 */
export class ContactCounts {
  constructor(private readonly db: Db) {}

  /**
   * Updates the counts of contacts that changed since the last call. New messages are added to the counts; after any
   * other change the contact is recounted.
   */
  settle(user_id: string): void {
    const { sql } = this.db;
    if (!sql.query("SELECT 1 FROM contacts WHERE user_id = ? AND stale > 0 LIMIT 1").get(user_id)) return;
    this.#settle(user_id);
  }

  #settle(user_id: string, only = "", values: readonly string[] = []): void {
    const { sql } = this.db;
    this.db.write(() => {
      const settled = this.#newest(user_id) + 1;
      sql
        .query(
          `UPDATE contacts SET stale = 0, settled = ?1, ${withNewMessages("contacts", "contacts.n")}
           WHERE user_id = ?2 AND stale = 1 AND counted_n > 0 ${only}`,
        )
        .run(settled, user_id, ...values);
      sql
        .query(
          `UPDATE contacts SET stale = 0, settled = ?1, settled_anew = ?1, ${recounted("contacts.n")}
           WHERE user_id = ?2 AND stale > 0 ${only}`,
        )
        .run(settled, user_id, ...values);
    });
  }

  /** Returns whether there is mail that is not counted yet. @param account_id also within this mailbox; null: only overall */
  isStale(user_id: string, account_id: string | null): boolean {
    const { sql } = this.db;
    if (sql.query("SELECT 1 FROM contacts WHERE user_id = ? AND stale > 0 LIMIT 1").get(user_id) !== null) return true;
    return account_id !== null && (this.#settledOf(account_id) ?? -1) < this.#newest(user_id);
  }

  /** Updates the counts in slices, each in one transaction. @param account_id also within this mailbox; null: only overall */
  *settleInSlices(user_id: string, account_id: string | null): Generator<void> {
    while (this.#settleSlice(user_id)) yield;
    if (account_id !== null) yield* this.settleIn(user_id, account_id);
  }

  #settleSlice(user_id: string): boolean {
    const { sql } = this.db;
    const rows = sql
      .query<{ n: number }, [string, number]>("SELECT n FROM contacts WHERE user_id = ? AND stale > 0 LIMIT ?")
      .all(user_id, SLICE);
    if (rows.length === 0) return false;
    this.#settle(user_id, "AND n IN (SELECT value FROM json_each(?3))", [JSON.stringify(rows.map(({ n }) => n))]);
    return rows.length === SLICE;
  }

  /**
   * Updates the counts of one mailbox, one slice for each step: the first count of 100,000 messages took 1.3 s in one
   * transaction.
   * @param account_id a mailbox of the user
   */
  *settleIn(user_id: string, account_id: string): Generator<void> {
    this.settle(user_id);
    const { sql } = this.db;
    const settled = this.#newest(user_id);
    const before = this.#settledOf(account_id);
    if (before !== null && before >= settled) return;
    const changed = sql
      .query<Settled, [string, number]>(
        "SELECT n, settled, settled_anew FROM contacts WHERE user_id = ? AND settled > ? ORDER BY settled",
      )
      .all(user_id, before ?? -1);
    for (let at = 0; at < changed.length; at += SLICE) {
      if (at > 0) yield;
      const slice = changed.slice(at, at + SLICE);
      const onlyLater = before === null ? [] : slice.filter((contact) => contact.settled_anew <= before);
      this.#count(account_id, slice, new Set(onlyLater));
    }
    const settledUpTo = changed.length <= SLICE ? settled : this.#lastKept(changed);
    if (settledUpTo === null) return;
    sql
      .query(
        `INSERT INTO contact_mailboxes_settled VALUES (?1, ?2)
         ON CONFLICT (account_id) DO UPDATE SET settled = max(settled, excluded.settled)`,
      )
      .run(account_id, settledUpTo);
  }

  /**
   * Returns the number up to which the mailbox is settled after several slices. Contacts can be deleted between two
   * slices, and their numbers are then reused by later settlings. A number whose contact still has it has not been
   * reused.
   * @returns null when there is none
   */
  #lastKept(changed: readonly Settled[]): number | null {
    const now = this.db.sql.query<Pick<ContactRow, "settled">, [number]>("SELECT settled FROM contacts WHERE n = ?");
    return changed.findLast(({ n, settled }) => now.get(n)?.settled === settled)?.settled ?? null;
  }

  #settledOf(account_id: string): number | null {
    const row = this.db.sql
      .query<Pick<SettledMailboxRow, "settled">, [string]>(
        "SELECT settled FROM contact_mailboxes_settled WHERE account_id = ?",
      )
      .get(account_id);
    return row?.settled ?? null;
  }

  #count(account: string, slice: readonly { n: number }[], onlyLater: ReadonlySet<{ n: number }>): void {
    const { sql } = this.db;
    const numbers = (of: readonly { n: number }[]) => JSON.stringify(of.map(({ n }) => n));
    this.db.write(() => {
      sql
        .query(
          `INSERT OR IGNORE INTO contact_mailboxes (contact_n, account_id)
           SELECT n, $account FROM contacts WHERE n IN (SELECT value FROM json_each($contacts))`,
        )
        .run({ account, contacts: numbers(slice) });
      sql
        .query(
          `UPDATE contact_mailboxes SET ${withNewMessages("contact_mailboxes", "contact_mailboxes.contact_n", IN_MAILBOX)} ${OF_SLICE}`,
        )
        .run({ account, contacts: numbers([...onlyLater]) });
      sql
        .query(`UPDATE contact_mailboxes SET ${recounted("contact_mailboxes.contact_n", IN_MAILBOX)} ${OF_SLICE}`)
        .run({ account, contacts: numbers(slice.filter((contact) => !onlyLater.has(contact))) });
    });
  }

  /**
   * Returns the number of the last settling. Its contact may be deleted; a mailbox that was settled up to it still has
   * the number.
   */
  #newest(user_id: string): number {
    return this.db.sql
      .query<{ settled: number }, [string]>(
        `SELECT max(coalesce((SELECT max(settled) FROM contacts WHERE user_id = ?1), 0), coalesce((
           SELECT max(s.settled) FROM accounts a JOIN contact_mailboxes_settled s ON s.account_id = a.id
           WHERE a.user_id = ?1), 0)) AS settled`,
      )
      .get(user_id)!.settled;
  }
}
