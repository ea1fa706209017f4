import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createImportFixture, type ImportFixture, large, takeout } from "../../../test/support/import-fixture.ts";
import { sweepUploads } from "../../app/import.ts";
import { CHUNK_BYTES } from "../../mailbox/imports/upload-files.ts";

setDefaultTimeout(60_000);

let f: ImportFixture;
beforeEach(() => {
  f = createImportFixture();
});
afterEach(() => f.h.close());

describe("an upload", () => {
  test("continues where it was after a break of the connection, a restart or in a second tab", async () => {
    const file = large();
    const { json } = await f.begin(file, { file_name: "Inbox.mbox" });
    expect((await f.put(json.id, 0, file)).json.received_bytes).toBe(CHUNK_BYTES);
    // The reply was lost, so the browser sends the part again.
    expect((await f.put(json.id, 0, file)).json.received_bytes).toBe(CHUNK_BYTES);
    const tooFar = await f.put(json.id, 2 * CHUNK_BYTES, file);
    expect([tooFar.status, tooFar.json.error.code]).toEqual([409, "upload_offset"]);
    await sweepUploads(f.h.platform);
    const other = f.h.session();
    const { data } = (await other.call("GET", "/imports")).json;
    expect(data[0]).toMatchObject({ id: json.id, state: "uploading", received_bytes: CHUNK_BYTES });
    const both = await Promise.all([f.put(json.id, CHUNK_BYTES, file), f.put(json.id, CHUNK_BYTES, file, other)]);
    expect(both.map((answer) => answer.json.received_bytes)).toEqual([2 * CHUNK_BYTES, 2 * CHUNK_BYTES]);
    expect((await f.put(json.id, 2 * CHUNK_BYTES, file)).json.state).toBe("waiting");
    await f.work();
    expect(await f.get(json.id)).toMatchObject({ state: "done", messages: 110 });
  });

  test("is sealed on the disk, under names that say nothing about it", async () => {
    const file = large();
    const { json } = await f.begin(file);
    await f.put(json.id, 0, file);
    const folder = join(f.h.platform.config.data_dir, "cache", "uploads", json.id);
    expect(readdirSync(folder)).toEqual(["0"]);
    const bytes = readFileSync(join(folder, "0"));
    expect(bytes.includes("bob@example.net")).toBe(false);
    expect(bytes.includes("xxxxxxxxxxxxxxxx")).toBe(false);
  });

  test("of another person is not found", async () => {
    const file = takeout(1);
    const { json } = await f.begin(file);
    const bo = f.h.session("bo@example.org");
    for (const [method, path] of [
      ["GET", `/imports/${json.id}`],
      ["PUT", `/imports/${json.id}/data?offset=0`],
      ["DELETE", `/imports/${json.id}`],
    ] as const) {
      expect([method, (await bo.call(method, path)).status]).toEqual([method, 404]);
    }
    expect((await bo.call("GET", "/imports")).json.data).toEqual([]);
    expect((await f.begin(file, {}, bo)).status).toBe(201);
    expect(await f.get(json.id)).toMatchObject({ state: "uploading", received_bytes: 0 });
  });

  test("needs the header of the settings page and a session", async () => {
    const { json } = await f.begin(takeout(1));
    const path = `//app/api/imports/${json.id}/data?offset=0`;
    const foreign = await f.h.call("PUT", path, { key: null, body: "x", headers: { Cookie: f.browser.cookie } });
    expect([foreign.status, foreign.json.error.code]).toEqual([403, "origin_refused"]);
    expect((await f.h.call("PUT", path, { body: "x", headers: { "X-Postroom-App": "1" } })).status).toBe(401);
  });

  test("with a wrong length, name, size or mailbox is refused", async () => {
    const file = takeout(1);
    const imap = f.mailbox.accounts.add({
      user_id: f.h.user.id,
      provider: "imap",
      email: "ada@example.org",
      connection: null,
    });
    const other = f.h.newUser("bo@example.org");
    const theirs = f.mailbox.accounts.add({
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
      const answer = await f.begin(file, more);
      expect([more, answer.status, answer.json.error.param]).toEqual([more, status, param]);
    }
    const { json } = await f.begin(file);
    const wrong = await f.browser.call("PUT", `/imports/${json.id}/data?offset=0`, { body: "short" });
    expect([wrong.status, wrong.json.error.param]).toEqual([400, "body"]);
    const tooLong = new Uint8Array(CHUNK_BYTES + 1);
    expect((await f.browser.call("PUT", `/imports/${json.id}/data?offset=0`, { body: tooLong })).status).toBe(413);
  });

  test("is refused without enough space, before and while it arrives; a second one at once as well", async () => {
    const file = large();
    f.disk.free = 1e9;
    const refused = await f.begin(file);
    expect([refused.status, refused.json.error.code]).toEqual([507, "storage_full"]);
    expect(refused.json.error.message).toContain("too little space");
    f.disk.free = 100e9;
    const { json } = await f.begin(file);
    const second = await f.begin(file);
    expect([second.status, second.json.error.code]).toEqual([409, "import_running"]);
    f.disk.free = 1e9;
    expect((await f.put(json.id, 0, file)).status).toBe(507);
    f.disk.free = 100e9;
    expect((await f.put(json.id, 0, file)).json.received_bytes).toBe(CHUNK_BYTES);
  });

  test("that is not continued for a day ends, and its bytes are deleted", async () => {
    const file = large();
    const { json } = await f.begin(file);
    await f.put(json.id, 0, file);
    f.h.clock.advance(23 * 3_600_000);
    await sweepUploads(f.h.platform);
    expect(f.uploadsOnDisk()).toEqual([json.id]);
    f.h.clock.advance(2 * 3_600_000);
    await sweepUploads(f.h.platform);
    expect(await f.get(json.id)).toMatchObject({ state: "failed", error: expect.stringContaining("24 hours") });
    expect(f.uploadsOnDisk()).toEqual([]);
    expect((await f.put(json.id, CHUNK_BYTES, file)).json.state).toBe("failed");
  });
});
