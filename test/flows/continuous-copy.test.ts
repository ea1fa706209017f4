import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { type S3Server, startS3 } from "../support/s3-server.ts";
import { install, type Served, serve } from "../support/served-program.ts";
import { deadPort } from "../support/smtp-server.ts";

/** The real program without standbys: it is killed, and what it has sent is restored elsewhere. */
setDefaultTimeout(240_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");
const PLACE = "s3://postroom-test/alone";
const folder = mkdtempSync(join(tmpdir(), "postroom-continuous-"));
let s3: S3Server;
let served: Served | null = null;

beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  served?.kill();
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function postroom(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    POSTROOM_BACKUP_S3_ENDPOINT: s3.endpoint,
    POSTROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
    POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
  };
  const child = Bun.spawn([process.execPath, MAIN, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

const settings = () => `[backup]
to = "${PLACE}"
[backup.s3]
endpoint = "${s3.endpoint}"
access_key_id = "S3RVER"
secret_access_key = "S3RVER"
`;

/** Rows of the tables that hold what people have, and the stored files. */
function content(data: string): Record<string, unknown> {
  const db = new Database(join(data, "postroom.db"), { readonly: true });
  const tables = ["users", "api_keys", "threads", "messages", "bodies", "labels", "attachments", "sends", "drafts"];
  try {
    const rows = tables.map((name) => [name, db.query(`SELECT * FROM ${name} ORDER BY rowid`).all()]);
    const files = readdirSync(join(data, "blobs"), { recursive: true, withFileTypes: true });
    const blobs = files.filter((file) => file.isFile()).map(({ name, parentPath }) => join(parentPath, name));
    const hashed = blobs.map((path) => [path.slice(data.length), Bun.hash(readFileSync(path)).toString(16)]);
    return { ...Object.fromEntries(rows), blobs: hashed.sort() };
  } finally {
    db.close();
  }
}

const copied = (data: string) =>
  existsSync(join(data, "run/copying.json"))
    ? (JSON.parse(readFileSync(join(data, "run/copying.json"), "utf8")) as Record<string, number | string | null>)
    : null;

test("what was written at least 10 s before a kill is restored elsewhere, which takes over only when told", async () => {
  const data = join(folder, "data");
  const port = await deadPort();
  const { testKey } = install(data, port, port);
  writeFileSync(join(data, "postroom.toml"), settings());
  served = await serve(data);
  const call = async (method: string, path: string, body?: object) => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await served!.fetch(path, testKey, { method, headers, ...sent });
    return (await response.json()) as Record<string, unknown>;
  };
  // The sandbox has its mail, and everything is copied.
  await eventually(() => content(data).threads !== undefined && (content(data).threads as []).length > 50, 60_000);
  await eventually(() => copied(data)?.base !== null && copied(data)?.pending_since === null, 60_000);
  const early = new Date();
  await call("POST", "/labels", { name: "Later" });
  await call("POST", "/drafts", { to: ["bob@example.org"], subject: "Kept", body: "Text." });
  await Bun.sleep(10_000); // The promise: changes leave within 10 seconds.
  served.kill();
  const source = content(data);
  expect((source.labels as []).length).toBeGreaterThan(0);

  const key = ["--key-file", join(data, "keys/master.key")];
  expect(await postroom("restore", PLACE, "--verify", ...key)).toMatchObject({ code: 0 });
  const elsewhere = join(folder, "elsewhere");
  expect(await postroom("restore", PLACE, "--data", elsewhere, ...key)).toMatchObject({ code: 0 });
  expect(content(elsewhere)).toEqual(source);

  const before = join(folder, "before");
  const restored = await postroom("restore", PLACE, "--at", early.toISOString(), "--data", before, ...key);
  expect(restored).toMatchObject({ code: 0 });
  const earlier = content(before);
  expect((earlier.drafts as unknown[]).length).toBe((source.drafts as unknown[]).length - 1);

  // A test of a restore does not replace the server.
  served = await serve(elsewhere);
  expect((await fetch(`${served.url}/readyz`)).status).toBe(503);
  expect(await call("POST", "/labels", { name: "Too early" })).toMatchObject({ error: { code: "server_paused" } });
  await served.stop();
  expect(await postroom("promote", "--data", elsewhere)).toMatchObject({
    code: 1,
    err: expect.stringContaining("repeat the command with --primary-is-off"),
  });
  expect(await postroom("promote", "--data", elsewhere, "--primary-is-off")).toMatchObject({ code: 0 });
  served = await serve(elsewhere);
  await eventually(async () => (await fetch(`${served!.url}/readyz`)).status === 200);
  expect((await call("POST", "/labels", { name: "Here now" })).id).toBeString();
  await eventually(() => copied(elsewhere)?.pending_since === null && copied(elsewhere)?.failures === 0, 60_000);
  await served.stop();

  // The other folder notices it, and stays paused.
  served = await serve(data);
  expect((await fetch(`${served.url}/readyz`)).status).toBe(503);
  expect(copied(data)).toMatchObject({ lease: "taken_over", holder: { name: expect.any(String) } });
  await served.stop();
});

test("an idle server sends nothing, and stops within the usual time", async () => {
  const data = join(folder, "idle");
  const port = await deadPort();
  install(data, port, port);
  writeFileSync(join(data, "postroom.toml"), settings().replace("alone", "idle"));
  served = await serve(data);
  await eventually(() => (content(data).threads as []).length > 50, 60_000);
  await eventually(() => copied(data)?.base !== null && copied(data)?.pending_since === null, 60_000);
  const { ms, code } = await served.stop();
  expect(code).toBe(0);
  expect(ms).toBeLessThan(5_000);
  served = await serve(data);
  await eventually(() => copied(data)?.last !== null && copied(data)?.pending_since === null, 60_000);
  // The mailbox, whose server is away, is tried again now and then; nothing else changes.
  const writes = () => s3.passed.filter(({ method }) => method === "PUT").length;
  const before = writes();
  await Bun.sleep(20_000);
  expect(writes() - before).toBeLessThan(12);
  // A restart sends the difference, not everything.
  expect(copied(data)?.bytes as number).toBeLessThan(1_000_000);
  await served.stop();
});

test("a store that does not answer delays acting for some seconds, and answers for one", async () => {
  const data = join(folder, "silent");
  const port = await deadPort();
  const { testKey } = install(data, port, port);
  writeFileSync(join(data, "postroom.toml"), settings().replace("alone", "silent"));
  s3.disturb = () => ({ delayMs: 30_000 });
  try {
    served = await serve(data);
    expect((await fetch(`${served.url}/readyz`)).status).toBe(503);
    expect((await served.fetch("/threads", testKey)).status).toBe(200);
    const refused = await served.fetch("/labels", testKey, { method: "POST", body: "{}" });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, expect.any(String)]);
    expect(served.log()).toContain("this server starts paused");
    await eventually(async () => (await fetch(`${served!.url}/readyz`)).status === 200, 20_000);
    expect((await served.stop()).code).toBe(0);
  } finally {
    s3.disturb = () => null;
  }
});
