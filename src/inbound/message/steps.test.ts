import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import type { Arrival, InboundStep } from "./arrival.ts";
import { pruneFailedSteps } from "./failed-steps.ts";
import { readOnThisThread } from "./parsed-message.ts";
import { Pipeline, toIncoming } from "./pipeline.ts";

let scratch: Scratch;
let mailbox: Mailbox;
let account: Account;
let folder: Folder;

beforeEach(() => {
  scratch = scratchPlatform();
  mailbox = createMailbox(scratch.platform);
  const { id } = mailbox.accounts.add({
    user_id: scratch.user.id,
    provider: "imap",
    email: "ada@example.org",
    connection: null,
  });
  mailbox.accounts.setProgress(id, { phase: "live", done: 0, total: 0 });
  account = mailbox.accounts.get(id)!;
  folder = mailbox.folders.upsert(account, "INBOX", "/", "inbox");
  scratch.platform.db.sql.run("CREATE TABLE notes (step TEXT, subject TEXT)");
});
afterEach(() => scratch.close());

const MAIL = (subject: string) =>
  `From: Bob <bob@example.net>\r\nTo: ada@example.org\r\nMessage-ID: <${subject}@example.net>\r\nSubject: ${subject}\r\n` +
  "X-Kept: yes\r\nDate: Mon, 02 Mar 2026 09:00:00 +0000\r\nMIME-Version: 1.0\r\n" +
  'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Text of it.</p>\r\n' +
  "--b\r\nContent-Type: text/calendar; name=invite.ics\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n--b--\r\n";

async function take(
  steps: readonly InboundStep[],
  subjects: readonly string[],
  parts: Partial<Scratch> = {},
  more = {},
) {
  const { platform } = { ...scratch, ...parts };
  const read = await readOnThisThread(subjects.map((subject) => ({ source: Buffer.from(MAIL(subject)) })));
  const batch = read.map(({ contents }, i) =>
    toIncoming(contents, {
      folderId: folder.id,
      uid: 1 + i,
      internalDate: scratch.clock.now() + i,
      size: 100,
      flags: { seen: false, flagged: true, answered: false, draft: false, important: false },
      labels: ["Work"],
      flagsHash: 0,
      serverThreadId: null,
      ...more,
    }),
  );
  const pipeline = new Pipeline({ version: "1", platform, ...createMailbox(platform), steps });
  const taken = platform.db.write(() => pipeline.take(account, folder, batch));
  return { pipeline, taken };
}

const notes = () =>
  scratch.platform.db.sql
    .query<{ step: string; subject: string }, []>("SELECT step, subject FROM notes")
    .all()
    .map(({ step, subject }) => `${step} ${subject}`);

const write = (name: string, { incoming }: Arrival) =>
  scratch.platform.db.sql.query("INSERT INTO notes VALUES (?, ?)").run(name, incoming.subject);

const noting = (name: string): InboundStep => ({ name, run: (arrival) => void write(name, arrival) });

/** Returns a step that writes and then fails for these subjects, this many times. */
function failing(name: string, subjects: readonly string[], times = 1, fault = () => new Error("broken")): InboundStep {
  const left = new Map(subjects.map((subject) => [subject, times]));
  // Its first run for a whole batch is repeated message by message.
  const tried = new Set<string>();
  return {
    name,
    run(arrival) {
      write(name, arrival);
      const { subject } = arrival.incoming;
      const n = left.get(subject) ?? 0;
      if (n === 0) return;
      if (tried.has(subject)) left.set(subject, n - 1);
      tried.add(subject);
      throw fault();
    },
  };
}

const failed = () => scratch.platform.db.sql.query("SELECT step, attempts FROM failed_steps ORDER BY step").all();

test("a step that fails for one message affects neither the batch nor other steps, and leaves nothing half done", async () => {
  const steps = [noting("first"), failing("broken", ["b"]), noting("last")];
  const { taken } = await take(steps, ["a", "b", "c"]);
  expect(taken).toEqual({ taken: 3, failed: 0 });
  expect(mailbox.locationSync.uidsFrom(folder.id, 1, 10)).toEqual([1, 2, 3]);
  expect(notes()).toEqual([
    ...["a", "b", "c"].map((subject) => `first ${subject}`),
    "broken a",
    "broken c",
    ...["a", "b", "c"].map((subject) => `last ${subject}`),
  ]);
  expect(scratch.log.filter((line) => line.includes("a step failed for a message"))).toHaveLength(1);
});

test("a failed step is run once more, with the same arrival, even by another process", async () => {
  const seen: Arrival[] = [];
  const { pipeline } = await take([failing("broken", ["b"], 1), noting("last")], ["a", "b"]);
  const reborn = scratch.another();
  const watch: InboundStep = { name: "broken", run: (arrival) => void seen.push(arrival) };
  const again = new Pipeline({ version: "1", platform: reborn, ...createMailbox(reborn), steps: [watch] });
  // Not before it is due.
  expect(again.steps.retry()).not.toBeNull();
  expect(seen).toEqual([]);
  scratch.clock.advance(60_000);
  expect(again.steps.retry()).toBeNull();
  expect(seen).toHaveLength(1);
  const [arrival] = seen;
  expect(arrival).toMatchObject({ live: true, importing: false, retried: true, own: false, announced: false });
  expect(arrival!.roles).toEqual(["inbox"]);
  expect(arrival!.imported.outcome).toBe("new");
  const { incoming } = arrival!;
  expect(incoming).toMatchObject({ subject: "b", uid: 2, labels: ["Work"], from: { email: "bob@example.net" } });
  expect(incoming.flags).toMatchObject({ seen: false, flagged: true });
  expect(incoming.headers.get("x-kept")).toEqual(["yes"]);
  expect([incoming.text.trim(), incoming.html?.includes("<p>")]).toEqual(["Text of it.", true]);
  expect(Buffer.from(incoming.attachments[0]!.content!).toString()).toContain("BEGIN:VCALENDAR");
  scratch.clock.advance(86_400_000);
  expect([again.steps.retry(), pipeline.steps.retry(), seen.length]).toEqual([null, null, 1]);
  expect(failed()).toEqual([]);
});

test("a step that never succeeds is retried with growing delays, then given up until another version starts", async () => {
  const { pipeline } = await take([failing("broken", ["a"], 1_000)], ["a"]);
  let waits = 0;
  for (let next = pipeline.steps.retry(); next !== null; next = pipeline.steps.retry()) {
    scratch.clock.advance(next - scratch.clock.now());
    if (++waits > 100) break;
  }
  expect(waits).toBeGreaterThan(4);
  expect(waits).toBeLessThan(20);
  expect(failed()).toEqual([{ step: "broken", attempts: waits + 1 }]);
  expect(notes()).toEqual([]);
  pipeline.steps.resume();
  expect(pipeline.steps.retry()).toBeNull();
  scratch.platform.db.sql.run("UPDATE failed_steps SET version = '0.0.1'");
  const fixed = new Pipeline({ version: "1", platform: scratch.platform, ...mailbox, steps: [noting("broken")] });
  fixed.steps.resume();
  expect(fixed.steps.retry()).toBeNull();
  expect([notes(), failed()]).toEqual([["broken a"], []]);
});

test("the failed steps of a message are retried in order, and one that fails again does not stop the others", async () => {
  const steps = [failing("one", ["a"], 1), failing("two", ["a"], 2), failing("three", ["a"], 1)];
  const { pipeline } = await take(steps, ["a"]);
  expect(notes()).toEqual([]);
  scratch.clock.advance(60_000);
  expect(pipeline.steps.retry()).not.toBeNull();
  expect(notes()).toEqual(["one a", "three a"]);
  scratch.clock.advance(3_600_000);
  expect(pipeline.steps.retry()).toBeNull();
  expect(notes()).toEqual(["one a", "three a", "two a"]);
});

test("deleting a message deletes its failed steps, and a step that no longer exists is dropped", async () => {
  const { pipeline } = await take([failing("broken", ["a", "b"], 9)], ["a", "b"]);
  expect(failed()).toHaveLength(2);
  scratch.platform.db.sql.run("DELETE FROM messages WHERE id = (SELECT min(id) FROM messages)");
  expect(failed()).toHaveLength(1);
  scratch.clock.advance(60_000);
  expect(new Pipeline({ version: "1", platform: scratch.platform, ...mailbox, steps: [] }).steps.retry()).toBeNull();
  expect([failed(), pipeline.steps.retry()]).toEqual([[], null]);
});

test("a step that was given up is deleted after 90 days; one that waits is not", async () => {
  await take([failing("broken", ["a", "b"], 9)], ["a", "b"]);
  const { db } = scratch.platform;
  db.sql.run("UPDATE failed_steps SET next_at = NULL WHERE message_id = (SELECT min(message_id) FROM failed_steps)");
  const dayMs = 86_400_000;
  scratch.clock.advance(90 * dayMs);
  expect([pruneFailedSteps(scratch.platform), failed().length]).toEqual([0, 2]);
  scratch.clock.advance(1);
  expect([pruneFailedSteps(scratch.platform), failed().length]).toEqual([1, 1]);
});

test("a failed step is kept while its mailbox does not count, and runs once it counts again", async () => {
  const { pipeline } = await take([failing("broken", ["a"], 1)], ["a"]);
  const { sql } = scratch.platform.db;
  sql.run("UPDATE accounts SET read_only = 1 - read_only");
  scratch.clock.advance(60_000);
  pipeline.steps.retry();
  expect([failed().length, notes().length]).toEqual([1, 0]);
  sql.run("UPDATE accounts SET read_only = 1 - read_only");
  scratch.clock.advance(3_600_000);
  pipeline.steps.retry();
  expect([failed().length, notes().length]).toEqual([0, 1]);
});

test.each([
  "SQLITE_FULL",
  "SQLITE_IOERR_WRITE",
  "SQLITE_BUSY",
  "SQLITE_CORRUPT",
  "SQLITE_READONLY",
  "ENOSPC",
  "EMFILE",
])("%s ends the batch, wherever it happens: no step is to blame", async (code) => {
  const fault = () => Object.assign(new Error(code), { code });
  const wrapped = () => new Error("query failed", { cause: fault() });
  for (const make of [fault, wrapped]) {
    await expect(take([noting("first"), failing("broken", ["b"], 9, make)], ["a", "b"])).rejects.toThrow();
    expect([mailbox.locationSync.uidsFrom(folder.id, 1, 10), notes(), failed()]).toEqual([[], [], []]);
  }
  // The same holds for a retry.
  const { pipeline } = await take([failing("broken", ["a"], 1)], ["a"]);
  const again = new Pipeline({
    version: "1",
    platform: scratch.platform,
    ...mailbox,
    steps: [failing("broken", ["a"], 9, fault)],
  });
  scratch.clock.advance(60_000);
  expect(() => again.steps.retry()).toThrow();
  expect(failed()).toEqual([{ step: "broken", attempts: 1 }]);
  expect(pipeline.steps.retry()).toBeNull();
});

test("a disk fault while a message is stored ends the batch instead of leaving the message out", async () => {
  const { sql } = scratch.platform.db;
  const query = sql.query.bind(sql);
  sql.query = ((text: string) => {
    if (text.includes("INSERT INTO bodies")) throw Object.assign(new Error("full"), { code: "SQLITE_FULL" });
    return query(text);
  }) as typeof sql.query;
  await expect(take([], ["a"])).rejects.toThrow("full");
  sql.query = query;
  expect(mailbox.locationSync.uidsFrom(folder.id, 1, 10)).toEqual([]);
});

test.each([
  ["a constraint", "INSERT INTO labels (id) VALUES (NULL)"],
  ["a mistake in a statement", "SELECT nothing FROM nowhere"],
])("%s is the step's own fault", async (_what, text) => {
  const step: InboundStep = { name: "broken", run: () => void scratch.platform.db.sql.run(text) };
  const { taken } = await take([step, noting("last")], ["a"]);
  expect([taken.taken, notes(), failed()]).toEqual([1, ["last a"], [{ step: "broken", attempts: 1 }]]);
});

test("the stored data of an arrival keeps the names under which earlier versions wrote it", async () => {
  const views = [{ folderId: folder.id, role: "inbox" }];
  await take([failing("broken", ["a"], 9)], ["a"], {}, { flagsUnknown: true, views });
  const row = scratch.platform.db.sql
    .query<{ message_id: string; arrival: Uint8Array }, []>("SELECT message_id, arrival FROM failed_steps")
    .get()!;
  const sealer = scratch.platform.keyring.forUser(scratch.user.id);
  expect(sealer.openJson(`failed_steps.arrival:${row.message_id}:broken`, row.arrival)).toMatchObject({
    folder_id: folder.id,
    uid: 1,
    flags_hash: 0,
    flags_untold: true,
    server_thread_id: null,
    views: [{ folder_id: folder.id, role: "inbox" }],
  });
});

test("the stored data of an arrival is sealed", async () => {
  await take([failing("broken", ["secret-subject"], 9)], ["secret-subject"]);
  const { arrival } = scratch.platform.db.sql
    .query<{ arrival: Uint8Array }, []>("SELECT arrival FROM failed_steps")
    .get()!;
  expect(Buffer.from(arrival).toString("latin1")).not.toMatch(/VCALENDAR|x-kept|Work/);
});
