import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sendCopies } from "../../src/backup/copies/send.ts";
import { runBackup } from "../../src/backup/run.ts";
import { isoTime } from "../../src/kernel/clock.ts";
import { contentOf, LogFixture, type RunningLog } from "../support/log-fixture.ts";

/** The command `postroom restore` with a place that has a continuous copy, backups or both. */
setDefaultTimeout(60_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");

let fixture: LogFixture;
let running: RunningLog;
let key: string;
beforeEach(async () => {
  fixture = await LogFixture.open(null, 3);
  key = fixture.backup.path("key");
  writeFileSync(key, Buffer.from(fixture.platform.keyring.master).toString("hex"));
  running = await fixture.start();
  await running.settle();
});
afterEach(() => {
  running.kill();
  fixture.close();
});

const nameOf = (data_dir: string) => JSON.stringify(contentOf(data_dir));
const source = () => fixture.backup.scratch.data_dir;
const { clock } = { clock: () => fixture.backup.scratch.clock };

async function restore(...args: string[]): Promise<{ code: number; out: string; err: string; data: string }> {
  const data = fixture.backup.path(`data-${fixture.number++}`);
  const command = [process.execPath, MAIN, "restore", fixture.store.place, "--key-file", key, "--data", data, ...args];
  const env = { HOME: fixture.backup.path("."), PATH: process.env.PATH ?? "" };
  const child = Bun.spawn(command, { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err, data };
}

async function change(): Promise<string> {
  clock().advance(60_000);
  fixture.deliver();
  await running.writer.flush();
  return nameOf(source());
}

/** Makes a backup and sends it to the same place. @returns the content of the source at that time */
async function back(): Promise<string> {
  clock().advance(60_000);
  const before = nameOf(source());
  const platform = fixture.backup.scratch.another({ "backup.to": fixture.store.place });
  const file = fixture.backup.path(`b${fixture.number++}.age`);
  await runBackup({ platform, version: "0.0.0", file, kept: true });
  await sendCopies({ platform, store: fixture.store });
  return before;
}

test("the newest state, the one of a time, and what is verified are named by their times", async () => {
  const first = await change();
  const at = isoTime(clock().now());
  const second = await change();
  const verified = await restore("--verify");
  expect(verified.out).toContain(`is intact up to ${isoTime(clock().now())}`);
  expect(existsSync(verified.data)).toBe(false);
  const newest = await restore();
  expect(newest).toMatchObject({ code: 0 });
  expect(newest.err).toContain(`reaches at least ${isoTime(clock().now())}`);
  expect(newest.out).toContain(`Restored the state of ${isoTime(clock().now())}`);
  expect(nameOf(newest.data)).toBe(second);
  const earlier = await restore("--at", at, "--json");
  expect(JSON.parse(earlier.out)).toMatchObject({ made_at: at, custody: "file" });
  expect(nameOf(earlier.data)).toBe(first);
});

test("a time before everything in a place is refused with the earliest one", async () => {
  await change();
  const before = await restore("--at", "2001-01-01T00:00Z");
  expect(before).toMatchObject({ code: 1, out: "" });
  expect(before.err).toContain("goes back to");
  expect(before.err).not.toContain("no object index");
});

test("of a continuous copy and backups, the newer one is restored", async () => {
  await change();
  await back();
  const newer = await restore("--json");
  expect(JSON.parse(newer.out).rows).toBeGreaterThan(0);
  expect(newer.err).toContain("The backup of");
  const copied = await change();
  const continuous = await restore();
  expect(continuous.err).toContain("The continuous copy in");
  expect(nameOf(continuous.data)).toBe(copied);
  const backup = await restore("--only-backups", "--json");
  expect(JSON.parse(backup.out).rows).toBe(JSON.parse(newer.out).rows);
});

test("damage is named with a way to the backups, and nothing is restored", async () => {
  await back();
  await change();
  const primary = join(fixture.store.place, "primary");
  const original = readFileSync(primary);
  rmSync(primary);
  const missing = await restore();
  expect(missing).toMatchObject({ code: 1, out: "" });
  expect(missing.err).toContain("primary is missing. To restore the newest backup in this place, use --only-backups.");
  writeFileSync(primary, original);
  for (const name of readdirSync(join(fixture.store.place, "log"))) rmSync(join(fixture.store.place, "log", name));
  const empty = await restore();
  expect(empty.err).toMatch(/log\/[0-9a-f]{64} \(base 1\) is missing/);
  expect(existsSync(empty.data)).toBe(false);
  expect((await restore("--only-backups")).code).toBe(0);
});

test("a continuous copy whose keys someone deleted is mentioned when a backup takes its place", async () => {
  await back();
  await change();
  for (const name of ["keys", "primary"]) rmSync(join(fixture.store.place, name));
  const older = await restore("--json");
  expect(older.code).toBe(0);
  expect(older.err).toMatch(/has parts of a continuous copy \(log\/[0-9a-f]{64}\), but the objects keys and primary/);
  expect(older.err).toContain("The backup of");
});
