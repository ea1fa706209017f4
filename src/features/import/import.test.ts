import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Browser, createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { runDueJobs } from "../../../test/support/run-jobs.ts";
import { zipFile } from "../../../test/support/zip-file.ts";
import { sweepUploads, uploadParts, uploadRunParts } from "../../app/import.ts";
import { runUpload } from "../../inbound/import/run-upload.ts";
import { type FromImportWorker, type ImportWorker, UploadRunner } from "../../inbound/import/upload-runner.ts";
import { UserError } from "../../kernel/errors.ts";
import { ImportStore } from "../../mailbox/imports/store.ts";
import { CHUNK_BYTES, UploadFiles } from "../../mailbox/imports/upload-files.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { importAppRoutes } from "./app-routes.ts";
import { IMPORT_JOB } from "./service.ts";

setDefaultTimeout(60_000);

let h: Harness;
let mailbox: Mailbox;
let browser: Browser;
/** Bytes that the disk reports as free. */
let free: number;

class TestDisk extends UploadFiles {
  override freeBytes(): number {
    return free;
  }
}

beforeEach(() => {
  free = 100e9;
  h = createHarness({
    appRoutes: (platform) => {
      mailbox = createMailbox(platform);
      return importAppRoutes({ ...uploadParts(platform, mailbox), files: new TestDisk(platform) });
    },
  });
  browser = h.session();
});
afterEach(() => h.close());

const letter = (id: string, body = "hello") =>
  `From: bob@example.net\nTo: ada@example.org\nSubject: ${id}\nMessage-ID: <${id}@x.example>\n\n${body}\n`;
const mbox = (...messages: string[]) =>
  Buffer.from(messages.map((text) => `From x Mon Mar  2 09:00:00 2020\n${text}\n`).join(""));
const takeout = (count: number, prefix = "m") =>
  zipFile([
    {
      name: "Takeout/Mail/All mail.mbox",
      content: mbox(
        ...Array.from({ length: count }, (_, i) => `X-Gmail-Labels: Inbox,Travel\n${letter(`${prefix}${i}`)}`),
      ),
    },
  ]);
/** About 10 MiB in three parts. */
const large = () => mbox(...Array.from({ length: 110 }, (_, i) => letter(`big${i}`, `${i} ${"x".repeat(95_000)}`)));

const about = (bytes: Uint8Array, more: object = {}) => ({
  file_name: "mail.zip",
  file_modified_at: 1_700_000_000_000,
  bytes: bytes.length,
  mailbox: "old mail",
  ...more,
});
const begin = (bytes: Uint8Array, more?: object, by = browser) =>
  by.call("POST", "/imports", { body: about(bytes, more) });
const put = (id: string, offset: number, bytes: Uint8Array, by = browser) =>
  by.call("PUT", `/imports/${id}/data?offset=${offset}`, {
    body: Uint8Array.from(bytes.subarray(offset, offset + CHUNK_BYTES)),
    headers: { "Content-Type": "application/octet-stream" },
  });
const get = async (id: string) => (await browser.call("GET", `/imports/${id}`)).json;

async function upload(bytes: Uint8Array, more?: object): Promise<string> {
  const { status, json } = await begin(bytes, more);
  expect(status).toBe(201);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) expect((await put(json.id, at, bytes)).status).toBe(200);
  return json.id as string;
}

/** Returns a worker that runs on this thread. @param watch is called whenever the free space is asked for */
function workerOn(signal: AbortController, watch: () => void): ImportWorker {
  const listeners: ((event: { data: FromImportWorker }) => void)[] = [];
  const run = async (id: string): Promise<FromImportWorker> => {
    const files = new TestDisk(h.platform);
    const freeBytes = () => {
      watch();
      return free;
    };
    try {
      const parts = { ...uploadRunParts(h.platform), files: Object.assign(files, { freeBytes }) };
      return { type: await runUpload(parts, id, signal.signal) };
    } catch (error) {
      return { type: "failed", sentence: error instanceof UserError ? error.message : null };
    }
  };
  return {
    postMessage(message) {
      if (message.type === "stop") signal.abort();
      else
        void run(message.id).then((data) => {
          for (const listener of listeners) listener({ data });
        });
    },
    addEventListener: (type: string, listener: never) => void (type === "message" && listeners.push(listener)),
    terminate() {},
  } as ImportWorker;
}

/** Runs the waiting imports as a new server process does. */
async function work(watch: (runner: UploadRunner) => void = () => {}): Promise<void> {
  const { platform } = h;
  const runner: UploadRunner = new UploadRunner({
    platform,
    sources: { data_dir: platform.config.data_dir, env: {} },
    imports: new ImportStore(platform),
    files: new TestDisk(platform),
    startWorker: () => workerOn(new AbortController(), () => watch(runner)),
  });
  for (let job = platform.jobs.claim(IMPORT_JOB); job; job = platform.jobs.claim(IMPORT_JOB)) {
    const outcome = await runner.handler.run(job);
    platform.jobs.finish(job, outcome);
    if (outcome.outcome === "retry") return;
  }
}

const uploadsOnDisk = () => {
  const root = join(h.platform.config.data_dir, "cache", "uploads");
  return existsSync(root) ? readdirSync(root) : [];
};
const subjects = (account_id: string) =>
  h.platform.db.sql.query("SELECT count(*) AS c FROM messages WHERE account_id = ?").get(account_id) as { c: number };
const actions = () => h.platform.audit.list(h.user.id, { limit: 20 }).map(({ action }) => action);

describe("an import", () => {
  test("of a Takeout archive creates the mailbox, with counts, labels and an audit row, and deletes the file", async () => {
    const id = await upload(takeout(3));
    expect(await get(id)).toMatchObject({ state: "waiting", account_id: null });
    await work();
    const done = await get(id);
    expect(done).toMatchObject({
      state: "done",
      messages: 3,
      duplicates: 0,
      unreadable: 0,
      mailbox: "old mail",
      error: null,
    });
    expect(done.done_bytes).toBe(done.total_bytes);
    const account = mailbox.accounts.get(done.account_id)!;
    expect(account).toMatchObject({ provider: "imported", email: "old-mail@imported.invalid" });
    expect(account.sync).toEqual({ phase: "live", done: 3, total: 3 });
    const rows = mailbox.threadQueries.list({ user_id: h.user.id, account_id: null }, { state: "inbox" }, null, 10);
    expect(rows.map(({ labels }) => labels)).toEqual([["Travel"], ["Travel"], ["Travel"]]);
    expect(uploadsOnDisk()).toEqual([]);
    expect(actions()).toContain("import.start");
  });

  test("of the same file again counts duplicates; more mail can be added to the same mailbox", async () => {
    await upload(takeout(3));
    await work();
    const [{ id: account_id }] = (await browser.call("GET", "/imports")).json.mailboxes;
    const again = await upload(takeout(5), { mailbox: undefined, account_id });
    await work();
    expect(await get(again)).toMatchObject({ state: "done", messages: 2, duplicates: 3, account_id });
    expect(mailbox.accounts.list(h.user.id)).toHaveLength(1);
    expect(mailbox.accounts.get(account_id)!.sync).toEqual({ phase: "live", done: 5, total: 5 });
  });

  test("of a file that is not mail fails with the reason, and creates no mailbox", async () => {
    const id = await upload(Buffer.from("\u0089PNG picture"), { file_name: "cat.png" });
    await work();
    expect(await get(id)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("cat.png is not a mail file"),
    });
    expect(mailbox.accounts.list(h.user.id)).toEqual([]);
    expect(uploadsOnDisk()).toEqual([]);
  });

  test("stops before the disk is full, and keeps what is imported", async () => {
    const id = await upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await work(() => {
      if (++saves === 2) free = 1e6;
    });
    const failed = await get(id);
    expect(failed).toMatchObject({ state: "failed", error: expect.stringContaining("The disk is full") });
    expect(failed.messages).toBeGreaterThan(0);
    expect(mailbox.accounts.get(failed.account_id)!.sync).toMatchObject({ phase: "live", total: failed.messages });
    expect(subjects(failed.account_id).c).toBe(failed.messages);
  });
});

describe("an upload", () => {
  test("continues where it was after a break of the connection, a restart or in a second tab", async () => {
    const file = large();
    const { json } = await begin(file, { file_name: "Inbox.mbox" });
    expect((await put(json.id, 0, file)).json.received_bytes).toBe(CHUNK_BYTES);
    // The reply was lost, so the browser sends the part again.
    expect((await put(json.id, 0, file)).json.received_bytes).toBe(CHUNK_BYTES);
    const tooFar = await put(json.id, 2 * CHUNK_BYTES, file);
    expect([tooFar.status, tooFar.json.error.code]).toEqual([409, "upload_offset"]);
    await sweepUploads(h.platform);
    const other = h.session();
    const { data } = (await other.call("GET", "/imports")).json;
    expect(data[0]).toMatchObject({ id: json.id, state: "uploading", received_bytes: CHUNK_BYTES });
    const both = await Promise.all([put(json.id, CHUNK_BYTES, file), put(json.id, CHUNK_BYTES, file, other)]);
    expect(both.map((answer) => answer.json.received_bytes)).toEqual([2 * CHUNK_BYTES, 2 * CHUNK_BYTES]);
    expect((await put(json.id, 2 * CHUNK_BYTES, file)).json.state).toBe("waiting");
    await work();
    expect(await get(json.id)).toMatchObject({ state: "done", messages: 110 });
  });

  test("is sealed on the disk, under names that say nothing about it", async () => {
    const file = large();
    const { json } = await begin(file);
    await put(json.id, 0, file);
    const folder = join(h.platform.config.data_dir, "cache", "uploads", json.id);
    expect(readdirSync(folder)).toEqual(["0"]);
    const bytes = readFileSync(join(folder, "0"));
    expect(bytes.includes("bob@example.net")).toBe(false);
    expect(bytes.includes("xxxxxxxxxxxxxxxx")).toBe(false);
  });

  test("of another person is not found", async () => {
    const file = takeout(1);
    const { json } = await begin(file);
    const bo = h.session("bo@example.org");
    for (const [method, path] of [
      ["GET", `/imports/${json.id}`],
      ["PUT", `/imports/${json.id}/data?offset=0`],
      ["DELETE", `/imports/${json.id}`],
    ] as const) {
      expect([method, (await bo.call(method, path)).status]).toEqual([method, 404]);
    }
    expect((await bo.call("GET", "/imports")).json.data).toEqual([]);
    expect((await begin(file, {}, bo)).status).toBe(201);
    expect(await get(json.id)).toMatchObject({ state: "uploading", received_bytes: 0 });
  });

  test("needs the header of the settings page and a session", async () => {
    const { json } = await begin(takeout(1));
    const path = `//app/api/imports/${json.id}/data?offset=0`;
    const foreign = await h.call("PUT", path, { key: null, body: "x", headers: { Cookie: browser.cookie } });
    expect([foreign.status, foreign.json.error.code]).toEqual([403, "origin_refused"]);
    expect((await h.call("PUT", path, { body: "x", headers: { "X-Postroom-App": "1" } })).status).toBe(401);
  });

  test("with a wrong length, name, size or mailbox is refused", async () => {
    const file = takeout(1);
    const imap = mailbox.accounts.add({
      user_id: h.user.id,
      provider: "imap",
      email: "ada@example.org",
      connection: null,
    });
    const other = h.newUser("bo@example.org");
    const theirs = mailbox.accounts.add({
      user_id: other.id,
      provider: "imported",
      email: "b@x.org",
      connection: null,
    });
    const cases: [object, number, string][] = [
      [{ mailbox: undefined }, 400, "mailbox"],
      [{ mailbox: " " }, 400, "mailbox"],
      [{ mailbox: "ada@example.org" }, 400, "mailbox"],
      [{ mailbox: undefined, account_id: imap.id }, 400, "account_id"],
      [{ mailbox: undefined, account_id: theirs.id }, 404, "account_id"],
      [{ bytes: 0 }, 400, "bytes"],
      [{ file_name: "a\nb" }, 400, "file_name"],
    ];
    for (const [more, status, param] of cases) {
      const answer = await begin(file, more);
      expect([more, answer.status, answer.json.error.param]).toEqual([more, status, param]);
    }
    const { json } = await begin(file);
    const wrong = await browser.call("PUT", `/imports/${json.id}/data?offset=0`, { body: "short" });
    expect([wrong.status, wrong.json.error.param]).toEqual([400, "body"]);
    const tooLong = new Uint8Array(CHUNK_BYTES + 1);
    expect((await browser.call("PUT", `/imports/${json.id}/data?offset=0`, { body: tooLong })).status).toBe(413);
  });

  test("is refused without enough space, before and while it arrives; a second one at once as well", async () => {
    const file = large();
    free = 1e9;
    const refused = await begin(file);
    expect([refused.status, refused.json.error.code]).toEqual([507, "storage_full"]);
    expect(refused.json.error.message).toContain("too little space");
    free = 100e9;
    const { json } = await begin(file);
    const second = await begin(file);
    expect([second.status, second.json.error.code]).toEqual([409, "import_running"]);
    free = 1e9;
    expect((await put(json.id, 0, file)).status).toBe(507);
    free = 100e9;
    expect((await put(json.id, 0, file)).json.received_bytes).toBe(CHUNK_BYTES);
  });

  test("that is not continued for a day ends, and its bytes are deleted", async () => {
    const file = large();
    const { json } = await begin(file);
    await put(json.id, 0, file);
    h.clock.advance(23 * 3_600_000);
    await sweepUploads(h.platform);
    expect(uploadsOnDisk()).toEqual([json.id]);
    h.clock.advance(2 * 3_600_000);
    await sweepUploads(h.platform);
    expect(await get(json.id)).toMatchObject({ state: "failed", error: expect.stringContaining("24 hours") });
    expect(uploadsOnDisk()).toEqual([]);
    expect((await put(json.id, CHUNK_BYTES, file)).json.state).toBe("failed");
  });
});

describe("canceling", () => {
  test("ends an upload and deletes its bytes; the next import can begin", async () => {
    const file = large();
    const { json } = await begin(file);
    await put(json.id, 0, file);
    expect((await browser.call("DELETE", `/imports/${json.id}`)).json.state).toBe("canceled");
    expect((await put(json.id, CHUNK_BYTES, file)).json.state).toBe("canceled");
    await sweepUploads(h.platform);
    expect(uploadsOnDisk()).toEqual([]);
    expect(actions()).toContain("import.cancel");
    // Repeating it changes nothing.
    expect((await browser.call("DELETE", `/imports/${json.id}`)).json.state).toBe("canceled");
    expect(actions().filter((action) => action === "import.cancel")).toHaveLength(1);
    expect((await begin(file)).status).toBe(201);
  });

  test("ends a running import after the current batch, and keeps its messages", async () => {
    const id = await upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await work(() => {
      if (++saves === 2) void browser.call("DELETE", `/imports/${id}`);
    });
    const { state, messages, account_id } = await get(id);
    expect(state).toBe("canceled");
    expect(messages).toBeGreaterThan(0);
    expect(messages).toBeLessThan(110);
    expect(mailbox.accounts.get(account_id)!.sync.phase).toBe("live");
    expect(uploadsOnDisk()).toEqual([]);
  });

  test("deleting the mailbox ends its import", async () => {
    const id = await upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await work(() => {
      if (++saves === 2) mailbox.accounts.remove(mailbox.accounts.list(h.user.id)[0]!);
    });
    expect((await browser.call("GET", `/imports/${id}`)).status).toBe(404);
    expect(uploadsOnDisk()).toEqual([]);
  });
});

describe("a restart in the middle", () => {
  test("resumes the import without duplicates and with the right counts", async () => {
    const id = await upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await work((runner) => {
      if (++saves === 2) runner.stop();
    });
    const stopped = await get(id);
    expect(stopped.state).toBe("importing");
    expect(stopped.messages).toBeGreaterThan(0);
    expect(stopped.messages).toBeLessThan(110);
    expect(uploadsOnDisk()).toEqual([id]);
    await sweepUploads(h.platform);
    await work();
    const done = await get(id);
    expect(done).toMatchObject({ state: "done", messages: 110, duplicates: 0 });
    expect(subjects(done.account_id).c).toBe(110);
    expect(mailbox.accounts.get(done.account_id)!.sync).toEqual({ phase: "live", done: 110, total: 110 });
  });

  test("fails with the reason if the uploaded file is gone, as after restoring a backup", async () => {
    const id = await upload(takeout(2));
    rmSync(join(h.platform.config.data_dir, "cache", "uploads"), { recursive: true });
    await work();
    expect(await get(id)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("no longer on this machine"),
    });
  });
});

test("an internal error is retried, then reported without details", async () => {
  const id = await upload(takeout(2));
  const { platform } = h;
  const worker = () => {
    const listeners: ((event: { data: FromImportWorker }) => void)[] = [];
    return {
      postMessage: () => {
        platform.db.sql.query("UPDATE imports SET state = 'importing' WHERE id = ?").run(id);
        for (const listener of listeners) listener({ data: { type: "failed", sentence: null } });
      },
      addEventListener: (type: string, listener: never) => void (type === "message" && listeners.push(listener)),
      terminate() {},
    } as ImportWorker;
  };
  const files = new TestDisk(platform);
  const sources = { data_dir: platform.config.data_dir, env: {} };
  const runner = new UploadRunner({
    platform,
    sources,
    imports: new ImportStore(platform),
    files,
    startWorker: worker,
  });
  for (let i = 0; i < 5; i++) {
    await runDueJobs(platform, { [IMPORT_JOB]: runner.handler });
    h.clock.advance(61_000);
  }
  expect(await get(id)).toMatchObject({ state: "failed", error: expect.stringContaining("internal error") });
});
