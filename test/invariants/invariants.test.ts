import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mailPipeline } from "../../src/app-mail.ts";
import { seedSandbox } from "../../src/inbound/sandbox.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import { type Scratch, scratchPlatform } from "../scratch-platform.ts";
import { findingsOf } from "./broken.ts";
import { asLines, type CheckOptions, checkInvariants } from "./check.ts";
import { sealedColumns } from "./sealed.ts";

/** The sample mail of the sandbox, taken in through every step: threads, labels, contacts, words, files. */
let scratch: Scratch;
let sandbox_id: string;

beforeAll(async () => {
  scratch = scratchPlatform();
  const { platform, user } = scratch;
  const { accounts, folders, places, ...mailbox } = createMailbox(platform);
  sandbox_id = platform.users.sandboxOf(user.id).id;
  const files = new BlobFiles(platform);
  const keepRaw: BlobFiles["storeRaw"] = (...given) => files.storeRaw(...given);
  const pipeline = mailPipeline(platform, { accounts, folders, places, ...mailbox });
  await seedSandbox({ platform, accounts, folders, places, pipeline, keepRaw }, sandbox_id);
}, 60_000);
afterAll(() => scratch.close());

/** Rules that are broken while `damage` stands. */
async function broken(damage: string | (() => void), options?: CheckOptions): Promise<string[]> {
  const lines = await findingsOf(scratch.platform, damage, options);
  return [...new Set(lines.map((line) => line.split(":")[0]!))];
}

test("a healthy data folder has no findings, and everything in it was looked at", async () => {
  const { findings, ...counts } = await checkInvariants(scratch.platform, { settled: false });
  expect(asLines(findings)).toEqual([]);
  expect(counts.messages).toBeGreaterThan(100);
  expect(counts.threads).toBeGreaterThan(50);
  expect(counts.sealed).toBeGreaterThan(3 * counts.messages);
  expect(counts.files).toBe(counts.messages);
});

const FIRST = "(SELECT id FROM messages ORDER BY n LIMIT 1)";
const THREAD = "(SELECT thread_id FROM messages ORDER BY n LIMIT 1)";

for (const [what, damage, rule] of [
  ["a wrong count", `UPDATE threads SET message_count = message_count + 1 WHERE id = ${THREAD}`, "thread counts"],
  ["a wrong time", `UPDATE threads SET last_at = last_at + 1 WHERE id = ${THREAD}`, "thread counts"],
  ["a wrong state", `UPDATE threads SET state = 'spam' WHERE id = ${THREAD} AND state <> 'spam'`, "thread counts"],
  [
    "an unread message in a read thread",
    `UPDATE messages SET unread = 1 - unread WHERE id = ${FIRST}`,
    "thread counts",
  ],
  ["a thread without mail", `UPDATE messages SET thread_id = 'thr_x' WHERE thread_id = ${THREAD}`, "orphan rows"],
  ["a message without a body", "DELETE FROM bodies WHERE n = (SELECT min(n) FROM bodies)", "orphan rows"],
  ["a place of nothing", `UPDATE locations SET message_id = 'msg_x' WHERE message_id = ${FIRST}`, "message places"],
  ["a message in no place", `DELETE FROM locations WHERE message_id = ${FIRST}`, "message places"],
  [
    "a label that only the thread has",
    `INSERT INTO thread_labels SELECT t.id, l.id FROM threads t, labels l
     WHERE NOT EXISTS (SELECT 1 FROM thread_labels x WHERE x.thread_id = t.id AND x.label_id = l.id) LIMIT 1`,
    "labels",
  ],
  ["a wrong contact", "UPDATE contacts SET threads = threads + 1, stale = 0", "contact counts"],
  ["a flipped bit", `UPDATE messages SET head = CAST(head || x'00' AS BLOB) WHERE id = ${FIRST}`, "sealed values"],
  [
    "a value of another row",
    `UPDATE messages SET head = (SELECT head FROM messages ORDER BY n DESC LIMIT 1) WHERE id = ${FIRST}`,
    "sealed values",
  ],
  ["a lost data key", "DELETE FROM data_keys WHERE user_id <> '_system'", "sealed values"],
  [
    "an event of nobody",
    "INSERT INTO events (id, user_id, type, payload, created_at) VALUES ('ntf_x', 'usr_x', 'draft.created', x'00', 0)",
    "orphan rows",
  ],
  [
    "a forgotten vector",
    "DELETE FROM embed_queue WHERE message_n = (SELECT min(message_n) FROM embed_queue)",
    "vectors",
  ],
  [
    "a job that ended and did not",
    "INSERT INTO jobs (id, kind, payload, state, run_at, created_at) VALUES ('job_x', 'x', x'00', 'done', 0, 0)",
    "jobs",
  ],
] as const) {
  test(`${what} is found`, async () => {
    expect(await broken(damage)).toContain(rule);
  });
}

test("a message without words, and words without a message, are found", async () => {
  const { sql } = scratch.platform.db;
  const table = `words_${sandbox_id}`;
  const { n } = sql.query<{ n: number }, []>("SELECT min(n) AS n FROM messages").get()!;
  expect(await broken(`DELETE FROM ${table} WHERE rowid = ${n}`)).toContain("word index");
  expect(await broken(`INSERT INTO ${table} (rowid, subject) VALUES (999999, 'abc')`)).toContain("word index");
});

test("a file of nobody, and a lost file, are found", async () => {
  const files = new BlobFiles(scratch.platform);
  const { id } = scratch.platform.db.sql.query<{ id: string }, []>("SELECT id FROM messages LIMIT 1").get()!;
  const path = files.path("blobs", { user_id: sandbox_id, message_id: id, part: "raw" });
  const stray = join(dirname(path), "0123.4567");
  writeFileSync(stray, "x");
  expect(asLines((await checkInvariants(scratch.platform)).findings)).toEqual([
    expect.stringContaining("orphan files"),
  ]);
  rmSync(stray);
  rmSync(path);
  expect(asLines((await checkInvariants(scratch.platform)).findings)).toEqual([expect.stringContaining("files: raw")]);
});

test("the checker knows how every sealed column of the schema is sealed", () => {
  expect(sealedColumns(scratch).length).toBeGreaterThan(30);
});
