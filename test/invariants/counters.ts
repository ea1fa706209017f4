import { type Fixture, rows } from "./finding.ts";

/** The date that a message shows: its own where that is plausible (mailbox/queries.ts). */
const SHOWN_DATE = `CASE WHEN m.sent_date >= 631152000000 AND m.sent_date <= m.internal_date + 86400000
  THEN m.sent_date ELSE m.internal_date END`;

/**
 * Checks contacts, over all mailboxes and within one, sends of a day and vectors: each counter against what it counts.
 */
export function checkCounters(fixture: Fixture): void {
  checkContacts(fixture);
  checkContactsOfMailboxes(fixture);
  checkSendMeters(fixture);
  checkSemantic(fixture);
}

/** Counts that are marked as stale are recomputed before anyone sees them, so only the others must agree. */
function checkContacts({ platform, miss }: Fixture): void {
  const wrong = rows<{ id: string; threads: number; last_at: number; counted: number; counted_at: number }>(
    platform,
    `SELECT c.id, c.threads, c.last_at, coalesce(x.threads, 0) AS counted, coalesce(x.last_at, 0) AS counted_at
     FROM contacts c LEFT JOIN (
       SELECT a.contact_n, count(DISTINCT m.thread_id) AS threads, max(${SHOWN_DATE}) AS last_at
       FROM contact_messages cm JOIN contact_addresses a ON a.n = cm.address_n JOIN messages m ON m.n = cm.message_n
         JOIN threads t ON t.id = m.thread_id AND t.state NOT IN ('spam', 'trash') GROUP BY a.contact_n) x ON x.contact_n = c.n
     WHERE c.stale = 0 AND (c.threads <> coalesce(x.threads, 0) OR c.last_at <> coalesce(x.last_at, 0))`,
  );
  for (const { id, threads, last_at, counted, counted_at } of wrong) {
    miss("contact counts", `${id} has ${threads} threads until ${last_at}, recomputed ${counted} until ${counted_at}`);
  }
  const bare = rows<{ id: string }>(
    platform,
    "SELECT id FROM contacts c WHERE NOT EXISTS (SELECT 1 FROM contact_addresses a WHERE a.contact_n = c.n)",
  );
  for (const { id } of bare) miss("contact counts", `${id} has no address`);
}

/**
 * Checks the same within one mailbox that has been viewed: a mailbox follows the settlings of its user's contacts up to
 * a number, and a contact that was settled later is counted there before anyone sees it. No row equals zero.
 */
function checkContactsOfMailboxes({ platform, miss }: Fixture): void {
  const wrong = rows<{ id: string; at: string; threads: number; last_at: number; counted: number; counted_at: number }>(
    platform,
    `WITH recount AS (
       SELECT a.contact_n, m.account_id, count(DISTINCT m.thread_id) AS threads, max(${SHOWN_DATE}) AS last_at
       FROM contact_messages cm JOIN contact_addresses a ON a.n = cm.address_n JOIN messages m ON m.n = cm.message_n
         JOIN threads t ON t.id = m.thread_id AND t.state NOT IN ('spam', 'trash') GROUP BY a.contact_n, m.account_id)
     SELECT c.id, s.account_id AS at, coalesce(k.threads, 0) AS threads, coalesce(k.last_at, 0) AS last_at,
       coalesce(x.threads, 0) AS counted, coalesce(x.last_at, 0) AS counted_at
     FROM contact_mailboxes_settled s JOIN accounts o ON o.id = s.account_id
       JOIN contacts c ON c.user_id = o.user_id AND c.stale = 0 AND c.settled <= s.settled
       LEFT JOIN contact_mailboxes k ON k.contact_n = c.n AND k.account_id = s.account_id
       LEFT JOIN recount x ON x.contact_n = c.n AND x.account_id = s.account_id
     WHERE coalesce(k.threads, 0) <> coalesce(x.threads, 0) OR coalesce(k.last_at, 0) <> coalesce(x.last_at, 0)`,
  );
  for (const { id, at, threads, last_at, counted, counted_at } of wrong) {
    const words = `${threads} threads until ${last_at}, recomputed ${counted} until ${counted_at}`;
    miss("contact counts", `${id} has wrong counts in ${at}: ${words}`);
  }
  const foreign = rows<{ id: string; at: string }>(
    platform,
    `SELECT c.id, k.account_id AS at FROM contact_mailboxes k JOIN contacts c ON c.n = k.contact_n
       JOIN accounts o ON o.id = k.account_id WHERE o.user_id <> c.user_id`,
  );
  for (const { id, at } of foreign) miss("contact counts", `${id} is counted in ${at}, which is another user's`);
}

/**
 * Checks the sends of each day that were not cancelled on the same day. Those of a removed mailbox, or person, were
 * removed with it.
 */
function checkSendMeters({ platform, miss }: Fixture): void {
  const wrong = rows<{ id: string; period: string; used: number; counted: number }>(
    platform,
    `SELECT t.user_id AS id, t.period, t.used, coalesce(x.counted, 0) AS counted FROM meters t LEFT JOIN (
       SELECT pool_id, date(created_at / 1000, 'unixepoch') AS day, sum(status <> 'undone'
         OR date(finished_at / 1000, 'unixepoch') <> date(created_at / 1000, 'unixepoch')) AS counted
       FROM sends GROUP BY pool_id, day) x ON x.pool_id = t.user_id AND x.day = t.period
     WHERE t.meter = 'sends' AND t.used <> coalesce(x.counted, 0) AND NOT (t.used > coalesce(x.counted, 0) AND EXISTS (
       SELECT 1 FROM audit WHERE action IN ('account.disconnect', 'user.erase')
         AND date(at / 1000, 'unixepoch') >= t.period))`,
  );
  for (const { id, period, used, counted } of wrong) {
    miss("meters", `${id} used ${used} sends on ${period}, recomputed ${counted}`);
  }
}

/** Checks that every message has a vector of the model in use, or waits for one. */
function checkSemantic({ platform, miss }: Fixture): void {
  const forgotten = rows<{ c: number }>(
    platform,
    `WITH used AS (SELECT id FROM embedding_models ORDER BY adopted_at DESC, id LIMIT 1)
     SELECT count(*) AS c FROM messages m
     WHERE NOT EXISTS (SELECT 1 FROM vectors v JOIN used ON used.id = v.model WHERE v.message_n = m.n)
       AND NOT EXISTS (SELECT 1 FROM embed_queue q WHERE q.message_n = m.n)`,
  )[0]!.c;
  if (forgotten > 0) miss("vectors", `${forgotten} messages have neither a vector nor a place in the queue`);
  const foreign = rows<{ c: number }>(
    platform,
    `SELECT (SELECT count(*) FROM vectors v JOIN messages m ON m.n = v.message_n WHERE v.user_id <> m.user_id)
       + (SELECT count(*) FROM embed_queue q JOIN messages m ON m.n = q.message_n
          WHERE q.user_id <> m.user_id OR q.account_id <> m.account_id) AS c`,
  )[0]!.c;
  if (foreign > 0) miss("vectors", `${foreign} rows have another owner than their message`);
}
