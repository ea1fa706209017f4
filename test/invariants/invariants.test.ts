import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createImport, importedAccount } from "../../src/app/files.ts";
import { mailPipeline } from "../../src/app/mail.ts";
import { createPeople } from "../../src/app/people.ts";
import { seedSandbox } from "../../src/inbound/import/local-delivery.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { mailText } from "../support/mail-text.ts";
import { type Scratch, scratchPlatform } from "../support/scratch-platform.ts";
import { findingsOf } from "./broken.ts";
import { asLines, type CheckOptions, checkInvariants } from "./check.ts";
import { sealedColumns } from "./sealed.ts";

/**
 * The sample mail of the sandbox, processed through every step: threads, labels, contacts, words, files. The contacts
 * of its mailbox have been viewed, and a file is in its context.
 */
let scratch: Scratch;
let sandboxId: string;
let fileId: string;

beforeAll(async () => {
  scratch = scratchPlatform();
  const { platform, user } = scratch;
  const { accounts, folders, locations, ...mailbox } = createMailbox(platform);
  sandboxId = platform.users.sandboxOf(user.id).id;
  const files = new BlobFiles(platform);
  const keepRaw: BlobFiles["storeRaw"] = (...given) => files.storeRaw(...given);
  const pipeline = mailPipeline(platform, { accounts, folders, locations, ...mailbox });
  await seedSandbox({ platform, accounts, folders, locations, pipeline, keepRaw }, sandboxId);
  const people = createPeople(platform, { accounts, folders, locations, ...mailbox });
  await people.contacts.queries.settle({ user_id: sandboxId, account_id: accounts.list(sandboxId)[0]!.id });
  const writer = { user_id: sandboxId, actor: SYSTEM_ACTOR, request_id: null };
  const file = { name: "offer.txt", type: "text/plain", bytes: Buffer.from("Two nights"), profile_id: null };
  fileId = (await people.contextFiles.add(writer, file, (write) => write())).id;
}, 60_000);
afterAll(() => scratch.close());

/** Returns rules that are violated while `damage` is applied. */
async function broken(damage: string | (() => unknown), options?: CheckOptions): Promise<string[]> {
  const lines = await findingsOf(scratch.platform, damage, options);
  return [...new Set(lines.map((line) => line.split(":")[0]!))];
}

test("a healthy data folder has no findings, and everything in it was checked", async () => {
  const { findings, ...counts } = await checkInvariants(scratch.platform, { settled: false });
  expect(asLines(findings)).toEqual([]);
  expect(counts.messages).toBeGreaterThan(100);
  expect(counts.threads).toBeGreaterThan(50);
  expect(counts.sealed).toBeGreaterThan(3 * counts.messages);
  expect(counts.files).toBe(counts.messages + 1);
});

const NO_FLAGS = { seen: true, flagged: false, answered: false, draft: false };
const FIRST = "(SELECT id FROM messages ORDER BY n LIMIT 1)";
/** A contact of one mailbox with mail in it. */
const ONE = "WHERE contact_n = (SELECT contact_n FROM contact_mailboxes WHERE threads > 0 LIMIT 1)";
const ANOTHER_ACCOUNT = `INSERT INTO accounts (id, user_id, provider, profile, email_hmac, is_primary, status, created_at)
  SELECT 'acc_x', user_id, provider, profile, x'00', 1, status, created_at FROM accounts`;
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
  [
    "a location without a message",
    `UPDATE locations SET message_id = 'msg_x' WHERE message_id = ${FIRST}`,
    "message locations",
  ],
  ["a message without a location", `DELETE FROM locations WHERE message_id = ${FIRST}`, "message locations"],
  [
    "a label that only the thread has",
    `INSERT INTO thread_labels SELECT t.id, l.id, t.account_id FROM threads t, labels l
     WHERE NOT EXISTS (SELECT 1 FROM thread_labels x WHERE x.thread_id = t.id AND x.label_id = l.id) LIMIT 1`,
    "labels",
  ],
  ["a wrong contact", "UPDATE contacts SET threads = threads + 1, stale = 0", "contact counts"],
  ["a contact without an address", "UPDATE contact_addresses SET contact_n = -1", "contact counts"],
  ["a wrong contact of a mailbox", `UPDATE contact_mailboxes SET threads = threads + 1 ${ONE}`, "contact counts"],
  ["a wrong time of it", `UPDATE contact_mailboxes SET last_at = last_at + 1 ${ONE}`, "contact counts"],
  ["a contact that a mailbox lost", `DELETE FROM contact_mailboxes ${ONE}`, "contact counts"],
  ["a contact of a stranger's mailbox", "UPDATE contacts SET user_id = 'usr_x'", "contact counts"],
  ["a folder that shows one that is not there", "UPDATE folders SET view_of = 'fld_x'", "folders"],
  ["a folder that is replaced by none", "UPDATE folders SET replaced_by = 'fld_x'", "folders"],
  ["no primary mailbox", "UPDATE accounts SET is_primary = 0", "accounts"],
  ["two primary mailboxes", ANOTHER_ACCOUNT, "accounts"],
  ["a flipped bit", `UPDATE messages SET head = CAST(head || x'00' AS BLOB) WHERE id = ${FIRST}`, "sealed values"],
  [
    "a value of another row",
    `UPDATE messages SET head = (SELECT head FROM messages ORDER BY n DESC LIMIT 1) WHERE id = ${FIRST}`,
    "sealed values",
  ],
  ["a tag of another Message-ID", `UPDATE messages SET msgid_hmac = x'0000' WHERE id = ${FIRST}`, "tags"],
  ["a tag of another content", `UPDATE messages SET content_hmac = x'' WHERE id = ${FIRST}`, "tags"],
  ["a tag of another sender", `UPDATE messages SET sender_hmac = x'0001' WHERE id = ${FIRST}`, "tags"],
  ["a tag of another subject", `UPDATE messages SET subject_hmac = x'' WHERE id = ${FIRST}`, "tags"],
  [
    "mail of a correspondent that is not marked",
    "UPDATE messages SET from_correspondent = 1 - from_correspondent",
    "tags",
  ],
  ["a lost data key", "DELETE FROM data_keys WHERE user_id <> '_system'", "sealed values"],
  [
    "an event without a user",
    "INSERT INTO events (id, user_id, type, payload, created_at) VALUES ('ntf_x', 'usr_x', 'draft.created', x'00', 0)",
    "orphan rows",
  ],
  [
    "a message without a vector that is not queued",
    "DELETE FROM embed_queue WHERE message_n = (SELECT min(message_n) FROM embed_queue)",
    "vectors",
  ],
  ["a queued vector of another user", "UPDATE embed_queue SET user_id = 'usr_x'", "vectors"],
  ["a message in another user's account", `UPDATE messages SET user_id = 'usr_x' WHERE id = ${FIRST}`, "orphan rows"],
  ["a reference to a deleted row", "INSERT INTO thread_aliases VALUES ('thr_y', 'usr_x', 'thr_x')", "orphan rows"],
  [
    "a job with contradictory end fields",
    "INSERT INTO jobs (id, kind, payload, state, run_at, created_at) VALUES ('job_x', 'x', x'00', 'done', 0, 0)",
    "jobs",
  ],
] as const) {
  test(`${what} is detected`, async () => {
    expect(await broken(damage)).toContain(rule);
  });
}

test("a folder that holds less than the server counts is detected when all work should be done", async () => {
  const { sql } = scratch.platform.db;
  const damage = () => {
    sql.run("UPDATE folders SET server_count = 7, checked_at = 1");
    sql.run("UPDATE accounts SET provider = 'imap'");
  };
  expect(await broken(damage, { settled: true })).toContain("folders");
  expect(await broken(damage)).not.toContain("folders");
});

test("contacts that will be recomputed before anyone sees them may be wrong", async () => {
  const { sql } = scratch.platform.db;
  const wrong = `UPDATE contact_mailboxes SET threads = threads + 1 ${ONE}`;
  const lines = (later: string) =>
    broken(() => {
      sql.run(wrong);
      sql.run(later);
    });
  expect(await lines("UPDATE contacts SET stale = 2")).toEqual([]);
  expect(await lines("UPDATE contacts SET settled = settled + 1")).toEqual([]);
  expect(await lines("DELETE FROM contact_mailboxes_settled")).toEqual([]);
});

/** A copy of the data folder, as on another disk; `work` gets it closed, and its result is checked. */
async function inCopy(work: (data_dir: string) => void | Promise<void>): Promise<string[]> {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-copy-"));
  try {
    scratch.platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
    cpSync(scratch.data_dir, data_dir, { recursive: true });
    await work(data_dir);
    const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: scratch.clock });
    try {
      return asLines((await checkInvariants(platform)).findings);
    } finally {
      platform.close();
    }
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** Returns findings about a copy in which the first page of a table or an index is noise. */
function damaged(name: string): Promise<string[]> {
  const { sql } = scratch.platform.db;
  const { page_size } = sql.query<{ page_size: number }, []>("PRAGMA page_size").get()!;
  const { page } = sql
    .query<{ page: number }, [string]>("SELECT rootpage AS page FROM sqlite_schema WHERE name = ?")
    .get(name)!;
  return inCopy((data_dir) => {
    const file = openSync(join(data_dir, "postroom.db"), "r+");
    writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, (page - 1) * page_size + 8);
    closeSync(file);
  });
}

test("a database with a damaged page is reported, and the rest is checked nevertheless", async () => {
  expect(await inCopy(() => {})).toEqual([]);
  for (const name of ["messages_thread", "messages", "locations"]) {
    expect(await damaged(name)).toContainEqual(expect.stringMatching(/^database: /));
  }
});

test("a sealed column without an entry in the checker is detected", async () => {
  const { sql } = scratch.platform.db;
  expect(await broken(() => void sql.run("ALTER TABLE bodies ADD COLUMN summary BLOB"))).toEqual(["sealed values"]);
});

test("keys of removed mailboxes and counts of removed persons are detected; revoked keys and dissolved teams are not reported", async () => {
  const { platform, user } = scratch;
  const key = (revoked = false) => {
    const bound = { user_id: user.id, name: "key", scopes: [], test: false, account_id: "acc_x" };
    const { write } = platform.db;
    // Inside the transaction of the damage.
    platform.db.write = (fn) => fn();
    try {
      const { id } = platform.keys.create(bound).key;
      if (revoked) platform.keys.revoke(id);
    } finally {
      platform.db.write = write;
    }
  };
  const { sql } = platform.db;
  const used = (id: string) => void sql.query("INSERT INTO meters VALUES (?, 'requests', '2026-03-02', 1)").run(id);
  expect(await broken(() => void key())).toEqual(["orphan rows"]);
  expect(await broken(() => key(true))).toEqual([]);
  expect(await broken(() => used("usr_x"))).toEqual(["orphan rows"]);
  expect(await broken(() => used("tea_x"))).toEqual([]);
});

test("an orphan file and a lost file are detected", async () => {
  const files = new BlobFiles(scratch.platform);
  const { id } = scratch.platform.db.sql.query<{ id: string }, []>("SELECT id FROM messages LIMIT 1").get()!;
  const path = files.path("blobs", { user_id: sandboxId, message_id: id, part: "raw" });
  const stray = join(dirname(path), "0123.4567");
  writeFileSync(stray, "x");
  expect(asLines((await checkInvariants(scratch.platform)).findings)).toEqual([
    expect.stringContaining("orphan files"),
  ]);
  rmSync(stray);
  const bytes = readFileSync(path);
  rmSync(path);
  try {
    const { findings } = await checkInvariants(scratch.platform);
    expect(asLines(findings)).toEqual([expect.stringContaining("files: raw")]);
  } finally {
    writeFileSync(path, bytes);
  }
});

test("a lost or damaged context file is detected", async () => {
  const files = new BlobFiles(scratch.platform);
  const path = files.path("blobs", { user_id: sandboxId, message_id: fileId, part: "raw" });
  const bytes = readFileSync(path);
  try {
    writeFileSync(path, bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1));
    expect(asLines((await checkInvariants(scratch.platform)).findings)).toEqual([
      `files: raw of ${fileId} does not open`,
    ]);
    rmSync(path);
    expect(asLines((await checkInvariants(scratch.platform)).findings)).toEqual([
      `files: raw of ${fileId} is not on the disk`,
    ]);
  } finally {
    writeFileSync(path, bytes);
  }
});

test("imported mail is checked like other mail, and missing sources are detected", async () => {
  const { platform, user } = scratch;
  const mailbox = createMailbox(platform);
  const account = importedAccount(platform, mailbox, user.id, "old mail");
  const read = { folder: "Old", received_at: 1, flags: NO_FLAGS, labels: [], cut: false };
  const sources = ["One", "Two"].map((subject) => Buffer.from(mailText({ id: subject, subject, text: "Hello." })));
  const source = {
    total_bytes: 2,
    async *messages() {
      for (const source of sources) yield { ...read, source };
    },
  };
  await createImport(platform, mailbox, account).run(source, () => {});
  expect(asLines((await checkInvariants(platform, { settled: true })).findings)).toEqual([]);
  const { id } = platform.db.sql
    .query<{ id: string }, [string]>("SELECT max(id) AS id FROM messages WHERE account_id = ?")
    .get(account.id)!;
  rmSync(new BlobFiles(platform).path("blobs", { user_id: user.id, message_id: id, part: "raw" }));
  expect(asLines((await checkInvariants(platform)).findings)).toContain(`files: raw of ${id} is not on the disk`);
});

test("the checker has the seal of every sealed column of the schema", () => {
  expect(sealedColumns(scratch).length).toBeGreaterThan(30);
});
