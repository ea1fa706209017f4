/**
 * The lower bound of storing and listing: SQLite alone, the same mail unencrypted, without any of our code in between:
 * bun raw-sqlite.ts FILE SEED SIZE... A row for each message, its text, its location and its thread, and FTS5 over
 * subject and text, a hundred messages a transaction; then the list, 25 threads a page, and the messages of threads.
 * Prints a `RawStore` for each size.
 */
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import type { Filled } from "./filled-mailbox.ts";
import { syntheticSource } from "./synthetic-source.ts";

/** Cost in SQLite alone for this many messages; lists in ms, each query with all of its rows. */
export interface RawStore {
  messages: number;
  stored: { ms: number; cpu_ms: number };
  list_ms: number[];
  thread_ms: number[];
  /** Found by one word, the best 25 by BM25. */
  word_ms: number[];
  disk_bytes: number;
}

const BATCH = 100;
const PAGES = 60;
const THREADS = 120;

const [file, seed, ...sizes] = process.argv.slice(2) as [string, string, ...string[]];
const message = await syntheticSource(Number(seed));
const db = new Database(file, { create: true, strict: true });
db.run("PRAGMA journal_mode = WAL");
db.run("PRAGMA synchronous = NORMAL");
for (const table of [
  "messages (n INTEGER PRIMARY KEY, thread INTEGER NOT NULL, message_id TEXT, at INTEGER NOT NULL, sender TEXT, subject TEXT, size INTEGER)",
  "bodies (n INTEGER PRIMARY KEY, text TEXT, html TEXT)",
  "places (folder INTEGER NOT NULL, uid INTEGER NOT NULL, n INTEGER NOT NULL, seen INTEGER, PRIMARY KEY (folder, uid)) WITHOUT ROWID",
  "threads (id INTEGER PRIMARY KEY, last_at INTEGER NOT NULL, count INTEGER NOT NULL, subject TEXT, sender TEXT)",
  "senders (email TEXT PRIMARY KEY, name TEXT, count INTEGER NOT NULL) WITHOUT ROWID",
]) {
  db.run(`CREATE TABLE ${table}`);
}
db.run("CREATE INDEX messages_identity ON messages (message_id)");
db.run("CREATE INDEX messages_thread ON messages (thread, at)");
db.run("CREATE INDEX threads_list ON threads (last_at DESC, id DESC)");
db.run("CREATE VIRTUAL TABLE words USING fts5(subject, text, content='', contentless_delete=1)");

const parent = db.query<{ thread: number }, [string]>("SELECT thread FROM messages WHERE message_id = ?");
const addThread = db.query(
  `INSERT INTO threads (id, last_at, count, subject, sender) VALUES (?1, ?2, 1, ?3, ?4)
   ON CONFLICT (id) DO UPDATE SET last_at = max(last_at, ?2), count = count + 1, sender = ?4`,
);
const addMessage = db.query("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)");
const addBody = db.query("INSERT INTO bodies VALUES (?, ?, ?)");
const addPlace = db.query("INSERT INTO places VALUES (1, ?, ?, 0)");
const addSender = db.query("INSERT INTO senders VALUES (?, ?, 1) ON CONFLICT (email) DO UPDATE SET count = count + 1");
const addWords = db.query("INSERT INTO words (rowid, subject, text) VALUES (?, ?, ?)");

const store = db.transaction((first: number, batch: readonly Filled[]) => {
  for (const [i, { contents, size, at }] of batch.entries()) {
    const n = first + i + 1;
    const { messageId, inReplyTo, references, subject, from, text, html } = contents;
    const ids = [...inReplyTo, ...references.toReversed()];
    const thread = ids.map((id) => parent.get(id)?.thread).find((found) => found !== undefined) ?? n;
    addThread.run(thread, at, subject, from.name);
    addMessage.run(n, thread, messageId, at, `${from.name} <${from.email}>`, subject, size);
    addBody.run(n, text, html);
    addPlace.run(n, n);
    addSender.run(from.email, from.name);
    addWords.run(n, subject, text);
  }
});

const results: RawStore[] = [];
const stored = { ms: 0, cpu_ms: 0 };
let done = 0;
for (const size of sizes.map(Number)) {
  while (done < size) {
    const batch = Array.from({ length: Math.min(BATCH, size - done) }, (_, i) => message(done + i));
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    store(done, batch);
    const { user, system } = process.cpuUsage(cpu);
    stored.ms += performance.now() - began;
    stored.cpu_ms += (user + system) / 1_000;
    done += batch.length;
  }
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  results.push({ messages: size, stored: { ...stored }, ...ask(), disk_bytes: statSync(file).size });
}
db.close();
console.log(JSON.stringify(results));

function ask(): Pick<RawStore, "list_ms" | "thread_ms" | "word_ms"> {
  const page = db.query<{ id: number; last_at: number }, [number, number]>(
    "SELECT id, last_at, count, subject, sender FROM threads WHERE (last_at, id) < (?, ?) ORDER BY last_at DESC, id DESC LIMIT 25",
  );
  const thread = db.query<object, [number]>(
    "SELECT m.*, b.text FROM messages m JOIN bodies b ON b.n = m.n WHERE m.thread = ? ORDER BY m.at",
  );
  const word = db.query<object, [string]>(
    "SELECT m.* FROM (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 25) w JOIN messages m ON m.n = w.rowid",
  );
  const ids: number[] = [];
  let last: [number, number] = [Number.MAX_SAFE_INTEGER, 0];
  const list_ms = timed(PAGES, () => {
    const rows = page.all(...last);
    ids.push(...rows.map(({ id }) => id));
    const end = rows.at(-1);
    if (end) last = [end.last_at, end.id];
  });
  const thread_ms = timed(THREADS, (i) => thread.all(ids[(i * 31) % ids.length]!));
  const words = ids.map((id) =>
    db.query<{ subject: string }, [number]>("SELECT subject FROM threads WHERE id = ?").get(id),
  );
  const terms = words.flatMap((row) => row?.subject.match(/\b[a-z]{4,12}\b/gi) ?? []);
  return { list_ms, thread_ms, word_ms: timed(THREADS, (i) => word.all(`"${terms[(i * 31) % terms.length]}"`)) };
}

function timed(times: number, work: (i: number) => unknown): number[] {
  return Array.from({ length: times }, (_, i) => {
    const began = performance.now();
    work(i);
    return performance.now() - began;
  });
}
