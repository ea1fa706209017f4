import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackupLedger } from "../../src/backup/ledger.ts";
import { runBackup } from "../../src/backup/run.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { type S3Server, startS3 } from "../support/s3-server.ts";
import { seedMailbox } from "../support/seed-mail.ts";

/** The real program: its server is killed while it sends a backup, again and again, and what is elsewhere is restored. */
setDefaultTimeout(240_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-copies-kill-"));
const data = join(folder, "data");
const PLACE = "s3://postroom-test/home";
let s3: S3Server;
let env: Record<string, string>;

beforeAll(async () => {
  s3 = await startS3();
  writeFileSync(join(folder, "secret"), "S3RVER\n");
  env = {
    HOME: folder,
    PATH: process.env.PATH ?? "",
    POSTROOM_BACKUP_S3_ENDPOINT: s3.endpoint,
    POSTROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
    POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY_FILE: join(folder, "secret"),
    POSTROOM_HTTP_PORT: "0",
    // Only the copies of backups are tested here.
    POSTROOM_BACKUP_CONTINUOUS: "false",
  };
});
afterAll(async () => {
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function postroom(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, MAIN, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** Rows of every table that the server does not change by itself. */
function content(path: string): Record<string, unknown> {
  const db = new Database(join(path, "postroom.db"), { readonly: true });
  try {
    const tables = ["users", "accounts", "threads", "messages", "bodies", "labels"];
    return Object.fromEntries(tables.map((name) => [name, db.query(`SELECT * FROM ${name} ORDER BY rowid`).all()]));
  } finally {
    db.close();
  }
}

test("a backup arrives whole although the server is killed during its upload, and a restore elsewhere equals the source", async () => {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  const user = platform.users.add({ email: "ada@example.org", plan: "autopilot", role: "owner", timezone: "UTC" });
  const seeded = seedMailbox(platform, user.id, { mailbox: createMailbox(platform) });
  for (let i = 0; i < 5; i++) seeded.deliver({ subject: `Invoice ${i}`, text: `Number ${i}.\n` });
  // Files make the backup large enough for several parts.
  mkdirSync(join(data, "blobs"), { recursive: true });
  for (let i = 0; i < 4; i++) writeFileSync(join(data, "blobs", `filler-${i}`), randomBytes(10 * 1024 * 1024));
  mkdirSync(join(data, "backups"));
  const file = join(data, "backups", "postroom-2026-11-20T02-30-00-full.age");
  const { backup_id } = await runBackup({ platform, version: "0.0.0", file, kept: true });
  const source = content(data);
  platform.close();

  const parts = () => s3.passed.filter(({ path }) => path.includes("partNumber")).length;
  const serve = () =>
    Bun.spawn([process.execPath, MAIN, "serve", "--data", data], {
      env: { ...env, POSTROOM_BACKUP_TO: PLACE },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
  s3.disturb = ({ path }) => (path.includes("partNumber") ? { delayMs: 300 } : null);
  for (let kill = 1; kill <= 3; kill++) {
    const before = parts();
    const child = serve();
    await eventually(() => parts() > before, 60_000);
    child.kill("SIGKILL");
    await child.exited;
    const found = await postroom("restore", PLACE, "--verify", "--key-file", join(data, "keys/master.key"));
    expect(found).toMatchObject({ code: 1, err: expect.stringContaining("has no backups") });
  }
  const last = serve();
  const sent = () => {
    const db = new Database(join(data, "postroom.db"), { readonly: true });
    const { left } = db
      .query<{ left: number }, []>("SELECT count(*) AS left FROM jobs WHERE kind = 'backup-copy' AND state <> 'done'")
      .get()!;
    db.close();
    return left === 0;
  };
  await eventually(sent, 120_000);
  last.kill("SIGTERM");
  await last.exited;
  // Six parts, and at most one of each killed upload again.
  expect(parts()).toBeLessThanOrEqual(6 + 3);

  const key = ["--key-file", join(data, "keys/master.key")];
  const verified = await postroom("restore", PLACE, "--verify", ...key);
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining("is intact: full backup of") });
  const elsewhere = join(folder, "elsewhere");
  const restored = await postroom("restore", PLACE, "--data", elsewhere, ...key);
  expect(restored).toMatchObject({
    code: 0,
    err: expect.stringContaining("the newest of 1 in s3://postroom-test/home"),
  });
  expect(content(elsewhere)).toEqual(source);
  const again = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  expect(new BackupLedger(again).present().map((run) => run.backup_id)).toEqual([backup_id]);
  again.close();
});
