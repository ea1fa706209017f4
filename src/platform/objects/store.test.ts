import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type S3Server, startS3 } from "../../../test/support/s3-server.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { type SftpServer, SSHD, startSftp } from "../../../test/support/sftp-server.ts";
import { systemClock } from "../clock.ts";
import { FolderStore } from "./folder-store.ts";
import type { S3Options } from "./s3-client.ts";
import { S3Store } from "./s3-store.ts";
import { SftpStore } from "./sftp-store.ts";
import type { ObjectStore, StoreFault, UploadState } from "./store.ts";

setDefaultTimeout(30_000);

let s3: S3Server;
let sftp: SftpServer | null = null;
let scratch: Scratch;
let folder: string;
const opened: ObjectStore[] = [];
beforeAll(async () => {
  s3 = await startS3();
  if (SSHD) sftp = await startSftp();
  scratch = scratchPlatform();
  folder = mkdtempSync(join(tmpdir(), "postroom-store-"));
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  s3.disturb = () => null;
});
afterAll(async () => {
  scratch.close();
  rmSync(folder, { recursive: true });
  await s3.close();
  await sftp?.close();
});

const bucket = (prefix: string, more: Partial<S3Options & { partBytes: number }> = {}) => {
  const calls = scratch.platform.storeCalls;
  const store = new S3Store({ ...s3.options(prefix), clock: systemClock, calls, partBytes: 5 * 1024 * 1024, ...more });
  opened.push(store);
  return store;
};
const source = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  read: async (at: number, length: number) => bytes.subarray(at, at + length),
});
const fresh = { resume: null, saved: () => {} };
const text = (words: string) => Buffer.from(words);
const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => error as StoreFault);

const KINDS = ["a bucket", "a folder", ...(SSHD ? ["a folder over SSH"] : [])];
describe.each(KINDS)("%s", (kind) => {
  let number = 0;
  const open = (): ObjectStore => {
    const name = `p${number++}`;
    if (kind === "a bucket") return bucket(`deep/${name}`);
    if (kind === "a folder") return new FolderStore(join(folder, name), systemClock);
    const store = new SftpStore({ ...sftp!.options(name), clock: systemClock, calls: scratch.platform.storeCalls });
    opened.push(store);
    return store;
  };

  test("returns what was put, in whole and in part, until it is deleted", async () => {
    const store = open();
    expect(await store.get("index", 100)).toBeNull();
    expect(await store.head("index")).toBeNull();
    await store.put("index", text("hello world"));
    expect(Buffer.from((await store.get("index", 100))!.bytes).toString()).toBe("hello world");
    expect(Buffer.from(await store.read("index", 6, 5)).toString()).toBe("world");
    expect(await store.head("index")).toMatchObject({ key: "index", bytes: 11 });
    expect((await faultOf(store.read("index", 6, 50)))?.reason).toBe("missing");
    expect(await store.delete("index")).toBe("deleted");
    expect(await store.delete("index")).toBe("deleted");
    expect(await store.get("index", 100)).toBeNull();
  });

  test("writes on a condition only if it holds", async () => {
    const store = open();
    const first = await store.put("index", text("one"), { absent: true });
    expect((await faultOf(store.put("index", text("two"), { absent: true })))?.reason).toBe("conflict");
    const second = await store.put("index", text("three"), { etag: first });
    expect((await store.get("index", 100))!.etag).toBe(second);
    expect((await faultOf(store.put("index", text("four"), { etag: first })))?.reason).toBe("conflict");
    expect(Buffer.from((await store.get("index", 100))!.bytes).toString()).toBe("three");
  });

  test("lets one of many writers win", async () => {
    const store = open();
    const writers = Array.from({ length: 8 }, (_, i) => store.put("index", text(`writer ${i}`), { absent: true }));
    const outcomes = await Promise.allSettled(writers);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("stores large objects, and lists a folder", async () => {
    const store = open();
    const bytes = randomBytes(12 * 1024 * 1024 + 7);
    await store.upload("objects/aa", source(bytes), fresh);
    await store.upload("objects/bb", source(text("small")), fresh);
    const listed = await Array.fromAsync(store.list("objects/"));
    expect(listed.map(({ key, bytes }) => [key, bytes])).toEqual([
      ["objects/aa", bytes.length],
      ["objects/bb", 5],
    ]);
    expect(listed.every(({ modifiedAt }) => Math.abs(modifiedAt - systemClock.now()) < 60_000)).toBe(true);
    expect(Buffer.compare(await store.read("objects/aa", 0, bytes.length), bytes)).toBe(0);
  });
});

describe("a bucket in trouble", () => {
  test("is asked again after errors, cuts, delays and lost answers", async () => {
    const store = bucket("trouble");
    let count = 0;
    const faults = [
      { status: 503, code: "SlowDown" },
      "cut",
      { status: 500, code: "InternalError" },
      "lost",
      { delayMs: 20 },
    ] as const;
    s3.disturb = () => (count++ % 2 === 0 ? faults[(count >> 1) % faults.length]! : null);
    const bytes = randomBytes(17 * 1024 * 1024);
    await store.upload("objects/aa", source(bytes), fresh);
    const etag = await store.put("index", text("one"), { absent: true });
    await store.put("index", text("two"), { etag });
    s3.disturb = () => null;
    expect(Buffer.compare(await store.read("objects/aa", 0, bytes.length), bytes)).toBe(0);
    expect(Buffer.from((await store.get("index", 10))!.bytes).toString()).toBe("two");
  });

  test("counts a conditional write as done if only its answer was lost", async () => {
    const store = bucket("lost");
    let lose = true;
    s3.disturb = ({ method }) => {
      const now = lose && method === "PUT";
      if (now) lose = false;
      return now ? "lost" : null;
    };
    await store.put("index", text("one"), { absent: true });
    expect(Buffer.from((await store.get("index", 10))!.bytes).toString()).toBe("one");
  });

  test("continues an upload with the part after the last one that it has", async () => {
    const store = bucket("resume");
    const bytes = randomBytes(16 * 1024 * 1024);
    const stop = new AbortController();
    let state: UploadState | null = null;
    const saved = (now: UploadState) => {
      state = structuredClone(now);
      if (now.etags.length === 2) stop.abort();
    };
    expect(
      await faultOf(store.upload("objects/aa", source(bytes), { resume: null, saved, signal: stop.signal })),
    ).not.toBeNull();
    expect(await store.head("objects/aa")).toBeNull();
    s3.passed.length = 0;
    await bucket("resume").upload("objects/aa", source(bytes), { resume: state, saved: () => {} });
    expect(s3.passed.filter(({ path }) => path.includes("partNumber")).length).toBe(2);
    expect(Buffer.compare(await store.read("objects/aa", 0, bytes.length), bytes)).toBe(0);
  });

  test("starts an upload again that the store has given up", async () => {
    const store = bucket("gone");
    const bytes = randomBytes(11 * 1024 * 1024);
    const resume = { uploadId: "0123456789abcdef", partBytes: 5 * 1024 * 1024, etags: [] };
    s3.disturb = ({ path }) => (path.includes(resume.uploadId) ? { status: 404, code: "NoSuchUpload" } : null);
    await store.upload("objects/aa", source(bytes), { resume, saved: () => {} });
    expect((await store.head("objects/aa"))?.bytes).toBe(bytes.length);
  });

  test("without conditional writes gets unconditional ones", async () => {
    s3.disturb = ({ conditional }) => (conditional ? { status: 501, code: "NotImplemented" } : null);
    const store = bucket("plain");
    const etag = await store.put("index", text("one"), { absent: true });
    await store.put("index", text("two"), { etag });
    expect(Buffer.from((await store.get("index", 10))!.bytes).toString()).toBe("two");
  });

  test("compares tags without quotes, or with them", async () => {
    for (const bareTags of [true, false]) {
      s3.bareTags = bareTags;
      const store = bucket("tags");
      const first = await store.put("index", text("one"));
      const second = await store.put("index", text("two"), { etag: first });
      expect(await faultOf(store.put("index", text("three"), { etag: first }))).toMatchObject({ reason: "conflict" });
      await store.put("index", text("four"), { etag: second });
    }
    s3.disturb = ({ conditional }) => (conditional ? { status: 412, code: "PreconditionFailed" } : null);
    const store = bucket("tags");
    const etag = await store.put("index", text("one"));
    const fault = await faultOf(store.put("index", text("two"), { etag }));
    expect(fault?.message).toContain("refuses every conditional write");
  });

  test("that stays away is unavailable", async () => {
    s3.disturb = () => ({ status: 503, code: "SlowDown" });
    const fault = await faultOf(bucket("away").get("index", 10));
    expect(fault).toMatchObject({ reason: "unavailable", message: expect.stringContaining("answers SlowDown") });
  });

  test("keeps objects that are locked", async () => {
    s3.disturb = ({ method }) => (method === "DELETE" ? { status: 403, code: "AccessDenied" } : null);
    const store = bucket("locked");
    await store.put("objects/aa", text("locked"));
    expect(await store.delete("objects/aa")).toBe("kept");
  });

  test("every request is in the ledger before it leaves", async () => {
    const before = scratch.platform.storeCalls.totals(0);
    const seen: number[] = [];
    s3.disturb = () => {
      seen.push(scratch.platform.storeCalls.totals(0).calls - before.calls);
      return null;
    };
    const store = bucket("ledger");
    await store.put("index", text("12345"));
    await store.get("index", 10);
    expect(seen).toEqual([1, 2]);
    const after = scratch.platform.storeCalls.totals(0);
    expect([after.bytes_out - before.bytes_out, after.bytes_in - before.bytes_in]).toEqual([5, 5]);
  });
});

describe("what is wrong is said", () => {
  const message = async (more: Partial<S3Options>) => (await faultOf(bucket("said", more).get("index", 10)))?.message;

  test("a wrong key, a wrong secret, a bucket that does not exist", async () => {
    expect(await message({ access_key_id: "OTHER" })).toContain("backup.s3.access_key_id");
    // The server of these tests accepts requests with a wrong signature.
    s3.disturb = () => ({ status: 403, code: "SignatureDoesNotMatch" });
    expect(await message({})).toContain("backup.s3.secret_access_key");
    s3.disturb = () => null;
    expect(await message({ bucket: "no-such-bucket" })).toContain("There is no bucket no-such-bucket");
  });

  test("a clock that is wrong", async () => {
    const wrong = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
    expect(await message({ clock: wrong })).toMatch(/The clocks of this machine and of .* (60 minutes ahead|differ)/);
  });

  test("a bucket in another region", async () => {
    s3.disturb = () => ({ status: 301, code: "PermanentRedirect</Code><Region>eu-west-9</Region><Code>" });
    expect(await message({})).toContain("is in the region eu-west-9, not in us-east-1");
  });

  test("http:// beyond the home network, and a server that is not there", async () => {
    expect(await message({ endpoint: "http://192.0.2.1:9000" })).toContain("cannot be reached");
    expect(await message({ endpoint: "http://93.184.215.14:9000" })).toContain("use https://");
    expect(await message({ endpoint: "http://127.0.0.1:1" })).toContain("nothing is listening");
  });
});
