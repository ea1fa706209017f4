import type { Db } from "../../platform/db/open.ts";

/** The date that a message shows (see mailbox/queries.ts, shownDate). */
const SHOWN_DATE = `CASE WHEN m.sent_date >= 631152000000 AND m.sent_date <= m.internal_date + 86400000
  THEN m.sent_date ELSE m.internal_date END`;
/** What counts: mail that is neither spam nor thrown away. */
const COUNTED = `contact_messages cm JOIN messages m ON m.n = cm.message_n
  JOIN threads t ON t.id = m.thread_id AND t.state NOT IN ('spam', 'trash')
  JOIN contact_addresses a ON a.n = cm.address_n`;
/** Contacts that are counted for a mailbox in one go; nobody waits for longer than that. */
const SLICE = 200;

/** `threads`, `last_at` and `counted_n` of a contact, from all of its messages. */
const anew = (contact: string, within = "") => `(threads, last_at, counted_n) = (
    SELECT count(DISTINCT m.thread_id), coalesce(max(${SHOWN_DATE}), 0), coalesce(max(cm.message_n), 0)
    FROM ${COUNTED} WHERE a.contact_n = ${contact} ${within})`;

/**
 * The same from what is there and the messages after `counted_n`: a thread counts that has none of those which were counted.
 * A sender of ten years' notices is not counted from the start.
 */
const later = (table: string, contact: string, within = "") => `(threads, last_at, counted_n) = (
    SELECT ${table}.threads + count(DISTINCT CASE WHEN NOT EXISTS (
        SELECT 1 FROM messages o JOIN contact_messages oc ON oc.message_n = o.n JOIN contact_addresses oa ON oa.n = oc.address_n
        WHERE o.thread_id = m.thread_id AND o.n <= ${table}.counted_n AND oa.contact_n = ${contact}) THEN m.thread_id END),
      max(${table}.last_at, coalesce(max(${SHOWN_DATE}), 0)), coalesce(max(cm.message_n), ${table}.counted_n)
    FROM ${COUNTED} WHERE a.contact_n = ${contact} AND cm.message_n > ${table}.counted_n ${within})`;

/** No further than the contact itself was counted: what is later may be followed by an earlier one, which would be passed over. */
const IN_MAILBOX = `AND m.account_id = contact_mailboxes.account_id
  AND cm.message_n <= (SELECT c.counted_n FROM contacts c WHERE c.n = contact_mailboxes.contact_n)`;
const OF_SLICE = "WHERE account_id = $account AND contact_n IN (SELECT value FROM json_each($contacts))";

interface Settled {
  n: number;
  settled: number;
  settled_anew: number;
}

/**
 * The threads and the last contact of each contact, over all mailboxes and within one. What changes them marks the contact
 * (triggers of 0006_people.sql); they are counted when somebody looks.
 */
export class ContactCounts {
  constructor(private readonly db: Db) {}

  /** Counts what has changed since somebody last looked: what is new is added, and all is counted where more has changed. */
  settle(user_id: string): void {
    const { sql } = this.db;
    if (!sql.query("SELECT 1 FROM contacts WHERE user_id = ? AND stale > 0 LIMIT 1").get(user_id)) return;
    this.db.write(() => {
      const settled = this.#newest(user_id) + 1;
      sql
        .query(
          `UPDATE contacts SET stale = 0, settled = ?, ${later("contacts", "contacts.n")}
           WHERE user_id = ? AND stale = 1 AND counted_n > 0`,
        )
        .run(settled, user_id);
      sql
        .query(
          `UPDATE contacts SET stale = 0, settled = ?1, settled_anew = ?1, ${anew("contacts.n")}
           WHERE user_id = ?2 AND stale > 0`,
        )
        .run(settled, user_id);
    });
  }

  /**
   * The same for one mailbox, a slice with each step: the first look at 100,000 messages took 1.3 s in one go.
   * @param account_id a mailbox of the user
   */
  *settleIn(user_id: string, account_id: string): Generator<void> {
    this.settle(user_id);
    const { sql } = this.db;
    const settled = this.#newest(user_id);
    const before = sql
      .query<{ settled: number }, [string]>("SELECT settled FROM contact_mailboxes_settled WHERE account_id = ?")
      .get(account_id);
    if (before !== null && before.settled >= settled) return;
    const changed = sql
      .query<Settled, [string, number]>(
        "SELECT n, settled, settled_anew FROM contacts WHERE user_id = ? AND settled > ? ORDER BY settled",
      )
      .all(user_id, before?.settled ?? -1);
    for (let at = 0; at < changed.length; at += SLICE) {
      if (at > 0) yield;
      const slice = changed.slice(at, at + SLICE);
      const onlyLater = before === null ? [] : slice.filter((contact) => contact.settled_anew <= before.settled);
      this.#count(account_id, slice, new Set(onlyLater));
    }
    const followed = changed.length <= SLICE ? settled : this.#lastKept(changed);
    if (followed === null) return;
    sql
      .query(
        `INSERT INTO contact_mailboxes_settled VALUES (?1, ?2)
         ON CONFLICT (account_id) DO UPDATE SET settled = max(settled, excluded.settled)`,
      )
      .run(account_id, followed);
  }

  /**
   * Between two slices contacts may go, and leave their numbers to later settlings. Up to one that its contact has still, none
   * was given twice. @returns null when there is none
   */
  #lastKept(changed: readonly Settled[]): number | null {
    const now = this.db.sql.query<{ settled: number }, [number]>("SELECT settled FROM contacts WHERE n = ?");
    return changed.findLast(({ n, settled }) => now.get(n)?.settled === settled)?.settled ?? null;
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
          `UPDATE contact_mailboxes SET ${later("contact_mailboxes", "contact_mailboxes.contact_n", IN_MAILBOX)} ${OF_SLICE}`,
        )
        .run({ account, contacts: numbers([...onlyLater]) });
      sql
        .query(`UPDATE contact_mailboxes SET ${anew("contact_mailboxes.contact_n", IN_MAILBOX)} ${OF_SLICE}`)
        .run({ account, contacts: numbers(slice.filter((contact) => !onlyLater.has(contact))) });
    });
  }

  /** The number of the last settling. The contact that had it may be gone; a mailbox that followed it knows it still. */
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
