import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createImportFixture, type ImportFixture, large, takeout } from "../../../test/support/import-fixture.ts";
import { runDueJobs } from "../../../test/support/run-jobs.ts";
import { sweepUploads } from "../../app/import.ts";
import { type FromImportWorker, type ImportWorker, UploadRunner } from "../../inbound/import/upload-runner.ts";
import { ImportStore } from "../../mailbox/imports/store.ts";
import { CHUNK_BYTES } from "../../mailbox/imports/upload-files.ts";
import { IMPORT_JOB } from "./service.ts";

setDefaultTimeout(60_000);

let f: ImportFixture;
beforeEach(() => {
  f = createImportFixture();
});
afterEach(() => f.h.close());

describe("an import", () => {
  test("of a Takeout archive creates the mailbox, with counts, labels and an audit row, and deletes the file", async () => {
    const id = await f.upload(takeout(3));
    expect(await f.get(id)).toMatchObject({ state: "waiting", account_id: null });
    await f.work();
    const done = await f.get(id);
    expect(done).toMatchObject({
      state: "done",
      messages: 3,
      duplicates: 0,
      unreadable: 0,
      mailbox: "old mail",
      error: null,
    });
    expect(done.done_bytes).toBe(done.total_bytes);
    const account = f.mailbox.accounts.get(done.account_id)!;
    expect(account).toMatchObject({ provider: "imported", email: "old-mail@imported.invalid" });
    expect(account.sync).toEqual({ phase: "live", done: 3, total: 3 });
    const rows = f.mailbox.threadQueries.list({ user_id: f.h.user.id, account_id: null }, { state: "inbox" }, null, 10);
    expect(rows.map(({ labels }) => labels)).toEqual([["Travel"], ["Travel"], ["Travel"]]);
    expect(f.uploadsOnDisk()).toEqual([]);
    expect(f.actions()).toContain("import.start");
  });

  test("of the same file again counts duplicates; more mail can be added to the same mailbox", async () => {
    await f.upload(takeout(3));
    await f.work();
    const [{ id: account_id }] = (await f.browser.call("GET", "/imports")).json.mailboxes;
    const again = await f.upload(takeout(5), { mailbox: undefined, account_id });
    await f.work();
    expect(await f.get(again)).toMatchObject({ state: "done", messages: 2, duplicates: 3, account_id });
    expect(f.mailbox.accounts.list(f.h.user.id)).toHaveLength(1);
    expect(f.mailbox.accounts.get(account_id)!.sync).toEqual({ phase: "live", done: 5, total: 5 });
  });

  test("of a file that is not mail fails with the reason, and creates no mailbox", async () => {
    const id = await f.upload(Buffer.from("\u0089PNG picture"), { file_name: "cat.png" });
    await f.work();
    expect(await f.get(id)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("cat.png is not a mail file"),
    });
    expect(f.mailbox.accounts.list(f.h.user.id)).toEqual([]);
    expect(f.uploadsOnDisk()).toEqual([]);
  });

  test("stops before the disk is full, and keeps what is imported", async () => {
    const id = await f.upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await f.work(() => {
      if (++saves === 2) f.disk.free = 1e6;
    });
    const failed = await f.get(id);
    expect(failed).toMatchObject({ state: "failed", error: expect.stringContaining("The disk is full") });
    expect(failed.messages).toBeGreaterThan(0);
    expect(f.mailbox.accounts.get(failed.account_id)!.sync).toMatchObject({ phase: "live", total: failed.messages });
    expect(f.stored(failed.account_id)).toBe(failed.messages);
  });
});

describe("canceling", () => {
  test("ends an upload and deletes its bytes; the next import can begin", async () => {
    const file = large();
    const { json } = await f.begin(file);
    await f.put(json.id, 0, file);
    expect((await f.browser.call("DELETE", `/imports/${json.id}`)).json.state).toBe("canceled");
    expect((await f.put(json.id, CHUNK_BYTES, file)).json.state).toBe("canceled");
    await sweepUploads(f.h.platform);
    expect(f.uploadsOnDisk()).toEqual([]);
    expect(f.actions()).toContain("import.cancel");
    // Repeating it changes nothing.
    expect((await f.browser.call("DELETE", `/imports/${json.id}`)).json.state).toBe("canceled");
    expect(f.actions().filter((action) => action === "import.cancel")).toHaveLength(1);
    expect((await f.begin(file)).status).toBe(201);
  });

  test("ends a running import after the current batch, and keeps its messages", async () => {
    const id = await f.upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await f.work(() => {
      if (++saves === 2) void f.browser.call("DELETE", `/imports/${id}`);
    });
    const { state, messages, account_id } = await f.get(id);
    expect(state).toBe("canceled");
    expect(messages).toBeGreaterThan(0);
    expect(messages).toBeLessThan(110);
    expect(f.mailbox.accounts.get(account_id)!.sync.phase).toBe("live");
    expect(f.uploadsOnDisk()).toEqual([]);
  });

  test("deleting the mailbox ends its import", async () => {
    const id = await f.upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await f.work(() => {
      if (++saves === 2) f.mailbox.accounts.remove(f.mailbox.accounts.list(f.h.user.id)[0]!);
    });
    expect((await f.browser.call("GET", `/imports/${id}`)).status).toBe(404);
    expect(f.uploadsOnDisk()).toEqual([]);
  });
});

describe("a restart in the middle", () => {
  test("resumes the import without duplicates and with the right counts", async () => {
    const id = await f.upload(large(), { file_name: "Inbox.mbox" });
    let saves = 0;
    await f.work((runner) => {
      if (++saves === 2) runner.stop();
    });
    const stopped = await f.get(id);
    expect(stopped.state).toBe("importing");
    expect(stopped.messages).toBeGreaterThan(0);
    expect(stopped.messages).toBeLessThan(110);
    expect(f.uploadsOnDisk()).toEqual([id]);
    await sweepUploads(f.h.platform);
    await f.work();
    const done = await f.get(id);
    expect(done).toMatchObject({ state: "done", messages: 110, duplicates: 0 });
    expect(f.stored(done.account_id)).toBe(110);
    expect(f.mailbox.accounts.get(done.account_id)!.sync).toEqual({ phase: "live", done: 110, total: 110 });
  });

  test("fails with the reason if the uploaded file is gone, as after restoring a backup", async () => {
    const id = await f.upload(takeout(2));
    rmSync(join(f.h.platform.config.data_dir, "cache", "uploads"), { recursive: true });
    await f.work();
    expect(await f.get(id)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("no longer on this machine"),
    });
  });
});

test("an internal error is retried, then reported without details", async () => {
  const id = await f.upload(takeout(2));
  const { h, files } = f;
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
    f.h.clock.advance(61_000);
  }
  expect(await f.get(id)).toMatchObject({ state: "failed", error: expect.stringContaining("internal error") });
});
