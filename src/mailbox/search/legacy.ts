import type { Database } from "bun:sqlite";
import { isId } from "../../kernel/ids.ts";
import { ScrubConnection, type Walk } from "../../platform/db/scrub.ts";
import type { Platform } from "../../platform/platform.ts";
import { yieldToEventLoop } from "../../platform/process/yielding.ts";

/*
 * The full-text index of versions before 0.2: for each user an FTS5 table `words_<user id>` of tokens, from which most
 * words of the mail can be read without a key. It is removed without a trace, in steps that survive a kill:
 *
 *   claim    free pages of the database file that contain old index data are filled with zeros in a scratch table
 *   drop     the tables of the index are emptied piece by piece, with zeros in their place, and dropped
 *   rewrite  rows whose last overflow page may contain a remainder of an old index page are stored again
 *   release  the scratch table is emptied
 *   empty    the write-ahead log is moved into the database and truncated
 *
 * Why not VACUUM: it holds the write lock until the whole database is written again, and the main thread cannot write
 * during that time. Here a transaction writes some 256 KB. Measured with a database of 48 MB, of which 12 MB were
 * index: 0.3 s in 231 transactions, 99 % of them below 13 ms. The longest, 36 ms, include a checkpoint, which no writer
 * waits for. VACUUM took 0.2 s in one transaction, and this grows with the database. The file does not shrink: its free
 * pages are reused.
 *
 * Why deleting alone is not enough: FTS5 frees pages whenever it merges, and `secure_delete = FAST` leaves their
 * content. When such a page becomes the last overflow page of the text of a message, its end keeps old tokens. One of
 * 2,288 overflow pages did, after 5,000 messages had arrived. SQLite zeroes a page before it becomes a page of any
 * b-tree, with one exception: where a tree grows by a level, less than one row of the copied root's page can keep older
 * bytes, if that page was free before.
 */

/** The virtual table and the tables that hold its data. During the removal, only the latter exist. */
const TABLE = /^words_(usr_[0-9a-z]{26})(?:_(?:data|idx|docsize|config))?$/;
const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'words\\_usr\\_%' ESCAPE '\\'";
/** Exists while a removal is under way. Row 0 has the step and, as JSON, the position; all other rows are filler. */
const SCRATCH = "index_removal";
/** Tables of an index, with their keys, and how many rows one transaction deletes. A row of `data` is one page. */
const PARTS = [
  { part: "data", key: "id", rows: 64 },
  { part: "idx", key: "segid, term", rows: 500 },
  { part: "docsize", key: "id", rows: 2_000 },
  { part: "config", key: "k", rows: 10 },
] as const;
/** Transactions per call. Between calls, other work of this thread has more time. */
const TRANSACTIONS = 100;

type Step = "claim" | "drop" | "rewrite" | "release" | "empty";

/** Returns the ids of users who have an index of the old kind, or a part of one, in an open database. */
export function hasLegacyIndex({ sql }: { sql: Pick<Database, "query"> }): string[] {
  return usersOf(sql.query<{ name: string }, []>(TABLES).all());
}

/**
 * Returns the names of the tables in a database that belong to an index of the old kind or to its removal.
 * @param all runs a statement
 */
export function legacyTables(all: (sql: string) => { name: string }[]): string[] {
  const index = all(TABLES).flatMap(({ name }) => (TABLE.test(name) ? [name] : []));
  return [...index, ...all(`SELECT name FROM sqlite_schema WHERE name = '${SCRATCH}'`).map(({ name }) => name)];
}

function usersOf(tables: readonly { name: string }[]): string[] {
  const users = tables.flatMap(({ name }) => TABLE.exec(name)?.[1] ?? []);
  return [...new Set(users)].sort();
}

/**
 * Returns whether any data of an old index may be in the database file: a table, or data that its removal has not
 * overwritten yet.
 */
export function legacyIndexRemains({ sql }: { sql: Pick<Database, "query"> }): boolean {
  return legacyTables((text) => sql.query<{ name: string }, []>(text).all()).length > 0;
}

/**
 * Deletes and overwrites the index of one user who is being removed. Data that earlier merges left in free pages
 * remains until `removeLegacyIndex` is done. Must not be called within a transaction.
 */
export async function dropLegacyIndex(platform: Pick<Platform, "config">, userId: string): Promise<void> {
  if (!isId("user", userId)) throw new Error("This is not the id of a user.");
  const scrub = new ScrubConnection(platform.config.data_dir);
  try {
    scrub.write(() => detach(scrub, userId));
    scrub.reload();
    while (scrub.write(() => dropSome(scrub, userId))) await yieldToEventLoop();
  } finally {
    scrub.close();
  }
}

/**
 * Removes the old index of all users, and every trace of it in the database file and its log. Does one portion of the
 * work and yields in between; nothing may use the old index any more. A kill loses at most one transaction. Must not be
 * called within a transaction.
 * @returns "again" while work is left, or while another connection reads an older state: call it again a little later
 * @throws SQLite errors, such as for a full disk; the next call continues
 */
export async function removeLegacyIndex(platform: Pick<Platform, "config" | "db">): Promise<"done" | "again"> {
  if (!legacyIndexRemains(platform.db)) return "done";
  const scrub = new ScrubConnection(platform.config.data_dir);
  try {
    for (let i = 0; i < TRANSACTIONS; i++) {
      const step = stepOf(scrub);
      if (step === "empty") return emptyLog(scrub) ? "done" : "again";
      if (step === "rewrite") rewriteNext(scrub);
      else scrub.write(() => advance(scrub, step));
      if (step === null) scrub.reload();
      await yieldToEventLoop();
    }
    return "again";
  } finally {
    scrub.close();
  }
}

function stepOf(scrub: ScrubConnection): Step | null {
  if (scrub.all("SELECT 1 FROM sqlite_schema WHERE name = ?", SCRATCH).length === 0) return null;
  return scrub.all<{ step: Step }>(`SELECT step FROM ${SCRATCH} WHERE n = 0`)[0]?.step ?? null;
}

/** Runs one transaction of the work. The work and the progress commit together. */
function advance(scrub: ScrubConnection, step: Step | null): void {
  if (step === null) begin(scrub);
  else if (step === "claim" && !scrub.claimPages(SCRATCH)) startStep(scrub, "drop");
  else if (step === "drop" && !dropNext(scrub)) startStep(scrub, "rewrite");
  else if (step === "release" && !release(scrub)) startStep(scrub, "empty");
}

/**
 * Starts the removal. From now on nothing writes the old index, so its pages become free only when we overwrite them.
 */
function begin(scrub: ScrubConnection): void {
  scrub.run(`CREATE TABLE IF NOT EXISTS ${SCRATCH} (n INTEGER PRIMARY KEY, step TEXT, place TEXT, filler BLOB)`);
  scrub.run(`INSERT OR REPLACE INTO ${SCRATCH} (n, step) VALUES (0, 'claim')`);
  for (const userId of usersOf(scrub.all(TABLES))) detach(scrub, userId);
}

/**
 * Detaches the data of a virtual table. SQLite checks it together with the database, and would report half-deleted data
 * as damaged.
 */
function detach(scrub: ScrubConnection, userId: string): void {
  scrub.run(`DROP TRIGGER IF EXISTS words_${userId}_gone`);
  scrub.detach(`words_${userId}`);
}

function startStep(scrub: ScrubConnection, step: Step): void {
  scrub.run(`UPDATE ${SCRATCH} SET step = ?, place = NULL WHERE n = 0`, step);
}

/**
 * Rewrites some rows. Reads outside of a transaction, because rows on a cold disk would block other writers for too
 * long.
 */
function rewriteNext(scrub: ScrubConnection): void {
  const [at] = scrub.all<{ place: string | null }>(`SELECT place FROM ${SCRATCH} WHERE n = 0`);
  const found = scrub.findSlack(at?.place ? (JSON.parse(at.place) as Walk) : null, SCRATCH);
  scrub.write(() => {
    if (found === null) return startStep(scrub, "release");
    for (const row of found.rows) scrub.rewrite(row);
    scrub.run(`UPDATE ${SCRATCH} SET place = ? WHERE n = 0`, JSON.stringify(found.next));
  });
}

function dropNext(scrub: ScrubConnection): boolean {
  const [userId] = usersOf(scrub.all(TABLES));
  if (userId === undefined) return false;
  dropSome(scrub, userId);
  return true;
}

/** Deletes some rows of a user's index, or drops a table that has none. @returns false when nothing is left */
function dropSome(scrub: ScrubConnection, userId: string): boolean {
  const tables = new Set(scrub.all<{ name: string }>(TABLES).map(({ name }) => name));
  const next = PARTS.find(({ part }) => tables.has(`words_${userId}_${part}`));
  if (!next) return false;
  const name = `words_${userId}_${next.part}`;
  const { key, rows } = next;
  const deleted = scrub.run(`DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} LIMIT ${rows})`);
  if (deleted === 0) scrub.run(`DROP TABLE ${name}`);
  return true;
}

/** Deletes one filler row. @returns false when none is left */
function release(scrub: ScrubConnection): boolean {
  return scrub.run(`DELETE FROM ${SCRATCH} WHERE n = (SELECT max(n) FROM ${SCRATCH} WHERE n > 0)`) > 0;
}

function emptyLog(scrub: ScrubConnection): boolean {
  if (!scrub.truncateLog()) return false;
  scrub.write(() => scrub.run(`DROP TABLE ${SCRATCH}`));
  return true;
}
