import { rows, type Scene } from "./finding.ts";

/** The date that a message shows: its own where that is plausible (mailbox/queries.ts). */
const SHOWN_DATE = `CASE WHEN m.sent_date >= 631152000000 AND m.sent_date <= m.internal_date + 86400000
  THEN m.sent_date ELSE m.internal_date END`;

/** Contacts, sends of a day, vectors and words: each counter against what it counts. */
export function checkCounters(scene: Scene): void {
  checkContacts(scene);
  checkSendMeters(scene);
  checkWords(scene);
  checkMeaning(scene);
}

/** Counts that are marked as stale are counted anew before anybody sees them, so only the others must agree. */
function checkContacts({ platform, miss }: Scene): void {
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
    miss(
      "contact counts",
      `${id} has ${threads} threads until ${last_at}, counted anew ${counted} until ${counted_at}`,
    );
  }
  const bare = rows<{ id: string }>(
    platform,
    "SELECT id FROM contacts c WHERE NOT EXISTS (SELECT 1 FROM contact_addresses a WHERE a.contact_n = c.n)",
  );
  for (const { id } of bare) miss("contact counts", `${id} has no address`);
}

/** The sends of each day that were not taken back on the same day. Sends of a removed mailbox went with it. */
function checkSendMeters({ platform, miss }: Scene): void {
  const removed = rows(platform, "SELECT 1 FROM audit WHERE action = 'account.remove' LIMIT 1").length > 0;
  const wrong = rows<{ id: string; period: string; used: number; counted: number }>(
    platform,
    `SELECT t.user_id AS id, t.period, t.used, coalesce(x.counted, 0) AS counted FROM meters t LEFT JOIN (
       SELECT pool_id, date(created_at / 1000, 'unixepoch') AS day, sum(status <> 'undone'
         OR date(finished_at / 1000, 'unixepoch') <> date(created_at / 1000, 'unixepoch')) AS counted
       FROM sends GROUP BY pool_id, day) x ON x.pool_id = t.user_id AND x.day = t.period
     WHERE t.meter = 'sends' AND t.used <> coalesce(x.counted, 0)`,
  );
  for (const { id, period, used, counted } of wrong) {
    if (removed && used > counted) continue;
    miss("meters", `${id} used ${used} sends on ${period}, counted anew ${counted}`);
  }
}

/** Each user's word index has exactly the numbers of their messages. */
function checkWords({ platform, miss }: Scene): void {
  const tables = rows<{ name: string }>(
    platform,
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'words\\_usr\\_%' ESCAPE '\\' AND sql LIKE '%fts5%'`,
  ).map(({ name }) => name);
  const users = new Set(rows<{ id: string }>(platform, "SELECT DISTINCT user_id AS id FROM messages").map((r) => r.id));
  for (const table of tables) {
    const user_id = table.slice("words_".length);
    users.delete(user_id);
    // Without content, FTS5 keeps the row numbers in its table of sizes alone.
    const missing = rows<{ n: number }>(
      platform,
      `SELECT n FROM messages WHERE user_id = ? EXCEPT SELECT id FROM ${table}_docsize`,
      user_id,
    );
    const extra = rows<{ n: number }>(
      platform,
      `SELECT id AS n FROM ${table}_docsize EXCEPT SELECT n FROM messages WHERE user_id = ?`,
      user_id,
    );
    if (missing.length > 0) miss("word index", `${missing.length} messages of ${user_id} are not indexed`);
    if (extra.length > 0) miss("word index", `${extra.length} rows of ${user_id} belong to no message`);
    try {
      platform.db.sql.run(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
    } catch (error) {
      miss("word index", `that of ${user_id} is damaged: ${(error as Error).message}`);
    }
  }
  for (const user_id of users) miss("word index", `${user_id} has messages and no index`);
}

/** Every message has a vector of the model in use, or waits for one. */
function checkMeaning({ platform, miss }: Scene): void {
  const forgotten = rows<{ c: number }>(
    platform,
    `SELECT count(*) AS c FROM messages m WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.message_n = m.n)
       AND NOT EXISTS (SELECT 1 FROM embed_queue q WHERE q.message_n = m.n)`,
  )[0]!.c;
  if (forgotten > 0) miss("vectors", `${forgotten} messages have no vector and do not wait for one`);
  const foreign = rows<{ c: number }>(
    platform,
    `SELECT (SELECT count(*) FROM vectors v JOIN messages m ON m.n = v.message_n WHERE v.user_id <> m.user_id)
       + (SELECT count(*) FROM embed_queue q JOIN messages m ON m.n = q.message_n
          WHERE q.user_id <> m.user_id OR q.account_id <> m.account_id) AS c`,
  )[0]!.c;
  if (foreign > 0) miss("vectors", `${foreign} rows name another owner than their message`);
}
