import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupFixture, createBackupFixture } from "../../test/support/backup-fixture.ts";
import { eventually } from "../../test/support/eventually.ts";
import { UserError } from "../kernel/errors.ts";
import type { ConfigValues } from "../platform/config/table.ts";
import { JobRunner } from "../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";
import { readChain } from "./chain.ts";
import { BackupLedger, forgetRunning } from "./ledger.ts";
import { runBackup } from "./run.ts";
import { NO_SCHEDULE, type Schedule } from "./schedule.ts";
import { BACKUP_JOB, BackupService, type BackupWorker, type FromBackupWorker, type ToBackupWorker } from "./service.ts";
import { storeBackupSettings } from "./settings.ts";

setDefaultTimeout(60_000);

let fixture: BackupFixture;
let services: { stop(): Promise<void> }[];
beforeEach(async () => {
  fixture = await createBackupFixture(3);
  services = [];
});
afterEach(async () => {
  for (const service of services) await service.stop();
  fixture.close();
});

/** Returns a worker that runs on this thread. */
function workerOn(platform: Platform, fail: () => FromBackupWorker | null): BackupWorker {
  const listeners: ((event: { data: FromBackupWorker }) => void)[] = [];
  const tell = (data: FromBackupWorker) => {
    for (const listener of listeners) listener({ data });
  };
  const stop = new AbortController();
  const make = async ({ version, next }: ToBackupWorker): Promise<FromBackupWorker> => {
    const failure = fail();
    if (failure) return failure;
    const since = next.since === null ? {} : { since: next.since };
    try {
      const { id } = await runBackup({ platform, version, file: next.file, ...since, kept: true, signal: stop.signal });
      return { type: "done", id };
    } catch (error) {
      return { type: "failed", sentence: error instanceof UserError ? error.message : null };
    }
  };
  return {
    postMessage: (message) => void (message.type === "stop" ? stop.abort() : make(message).then(tell)),
    addEventListener: (type: string, listener: never) => void (type === "message" && listeners.push(listener)),
    terminate() {},
  } as BackupWorker;
}

function open(config: Partial<ConfigValues>, fail: () => FromBackupWorker | null = () => null) {
  const platform = fixture.scratch.another({ "backup.incrementals": 2, "backup.keep": 2, ...config });
  const { data_dir } = fixture.scratch;
  const service = new BackupService({
    platform,
    sources: { data_dir, env: {} },
    version: "0.0.0",
    startWorker: () => workerOn(platform, fail),
  });
  const runner = new JobRunner(platform.jobs, platform.clock, platform.log, { [BACKUP_JOB]: service.handler });
  service.start();
  runner.start();
  services.push(runner);
  return { service, runner, platform };
}

const files = () => {
  const folder = join(fixture.scratch.data_dir, "backups");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
const kinds = () => files().map((name) => /-(full|incremental)\.age$/.exec(name)![1]);

/** Requests a backup and waits for its end. */
async function again({ service, runner }: ReturnType<typeof open>): Promise<void> {
  const before = service.state().runs.filter(({ state }) => state !== "running").length;
  fixture.scratch.clock.advance(60_000);
  expect(service.request()).toBe(true);
  runner.wake();
  await eventually(() => service.state().runs.filter(({ state }) => state !== "running").length > before, 30_000);
  await runner.idle();
}

describe("backups on request", () => {
  test("alternate between a full one and several incremental ones, and are deleted when no kept one is based on them", async () => {
    const opened = open({});
    await again(opened);
    await again(opened);
    await again(opened);
    // Two are kept, and the full one that both are based on.
    expect(kinds()).toEqual(["full", "incremental", "incremental"]);
    await again(opened);
    expect(kinds()).toEqual(["full", "incremental", "incremental", "full"]);
    await again(opened);
    expect(kinds()).toEqual(["full", "incremental"]);
    expect(opened.service.present().map(({ kind }) => kind)).toEqual(["incremental", "full"]);
    const newest = join(fixture.scratch.data_dir, "backups", files().at(-1)!);
    const secrets = [{ kind: "master key" as const, key: fixture.scratch.platform.keyring.master }];
    expect((await readChain(newest, [], secrets, {})).read).toHaveLength(2);
  });

  test("are full when the base is missing", async () => {
    const opened = open({});
    await again(opened);
    rmSync(join(fixture.scratch.data_dir, "backups"), { recursive: true });
    await again(opened);
    expect(kinds()).toEqual(["full"]);
  });

  test("never contain earlier backups", async () => {
    const opened = open({ "backup.incrementals": 0 });
    await again(opened);
    const [first] = opened.service.present();
    await again(opened);
    const [second] = opened.service.present();
    expect([first!.files, second!.files]).toEqual([0, 0]);
  });

  test("are refused while one is running", async () => {
    let finish: (answer: FromBackupWorker | null) => void = () => {};
    const { service, runner } = open({}, () => {
      expect(service.state().running).toEqual({ done: 0, total: 0 });
      expect(service.request()).toBe(false);
      finish(null);
      return null;
    });
    const asked = new Promise((resolve) => {
      finish = resolve;
    });
    expect(service.request()).toBe(true);
    expect(service.request()).toBe(false);
    runner.wake();
    await asked;
    await eventually(() => service.state().runs[0]?.state === "done", 30_000);
  });
});

describe("scheduled backups", () => {
  test("are created whenever they are due", async () => {
    const { service, runner } = open({ "backup.schedule": "30 2 * * *", "backup.incrementals": 0 });
    const due = service.state().next_at!;
    expect(new Date(due).toISOString()).toEndWith("T02:30:00.000Z");
    for (const day of [1, 2]) {
      fixture.scratch.clock.advance(service.state().next_at! - fixture.scratch.clock.now() + 1);
      runner.wake();
      await eventually(() => service.state().runs.filter(({ state }) => state === "done").length === day, 30_000);
      await runner.idle();
    }
    expect(service.state().next_at).toBe(due + 2 * 24 * 3_600_000);
  });

  test("follow a schedule that is changed while the server runs", async () => {
    const { service, runner, platform } = open({ "backup.incrementals": 0 });
    const { clock } = fixture.scratch;
    const done = () => service.state().runs.filter(({ state }) => state === "done").length;
    const choose = (schedule: Partial<Schedule>) =>
      platform.db.write(() => {
        const by = { user_id: fixture.scratch.user.id, actor: { kind: "user", id: fixture.scratch.user.id } } as const;
        storeBackupSettings(platform, { schedule: { ...NO_SCHEDULE, ...schedule } }, by);
        service.reschedule();
      });
    expect(service.state().next_at).toBeNull();
    choose({ every: "hours", hours: 1 });
    const hourly = service.state().next_at!;
    choose({ every: "day", time: "02:30" });
    const due = service.state().next_at!;
    expect(new Date(due).toISOString()).toEndWith("T02:30:00.000Z");
    expect(due).toBeGreaterThan(hourly);
    clock.advance(hourly + 1 - clock.now());
    runner.wake();
    await runner.idle();
    expect(done()).toBe(0);
    clock.advance(due + 1 - clock.now());
    runner.wake();
    await eventually(() => done() === 1, 30_000);
    await runner.idle();
    choose({ every: "off" });
    expect(service.state().next_at).toBeNull();
    clock.advance(3 * 24 * 3_600_000);
    runner.wake();
    await runner.idle();
    expect(done()).toBe(1);
  });

  test("fail with the name of the drive while it is not mounted, and write nothing to its empty folder", async () => {
    const { service, runner, platform } = open({});
    const mount = fixture.path("usb");
    mkdirSync(join(mount, "backups"), { recursive: true });
    const folder = { path: join(mount, "backups"), mount };
    storeBackupSettings(platform, { folder }, { user_id: fixture.scratch.user.id, actor: SYSTEM_ACTOR });
    service.request();
    runner.wake();
    await runner.idle();
    expect(service.state().runs[0]).toMatchObject({
      state: "failed",
      error: expect.stringContaining(`The drive of ${mount} is not mounted`),
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("are full after the folder was changed, so that a chain is in one folder", async () => {
    const opened = open({});
    await again(opened);
    const path = fixture.path("elsewhere");
    mkdirSync(path);
    const folder = { path, mount: null };
    storeBackupSettings(opened.platform, { folder }, { user_id: fixture.scratch.user.id, actor: SYSTEM_ACTOR });
    await again(opened);
    await again(opened);
    expect(readdirSync(path).map((name) => /-(full|incremental)\.age$/.exec(name)![1])).toEqual([
      "full",
      "incremental",
    ]);
  });

  test("that fail are retried hourly, up to three attempts, and the state shows the reason", async () => {
    let tries = 0;
    const { service, runner } = open(
      { "backup.schedule": "30 2 * * *", "backup.folder": join(fixture.path("."), "a-file/x") },
      () => {
        tries++;
        return null;
      },
    );
    writeFileSync(fixture.path("a-file"), "");
    fixture.scratch.clock.advance(service.state().next_at! - fixture.scratch.clock.now() + 1);
    for (let i = 0; i < 5; i++) {
      runner.wake();
      await runner.idle();
      fixture.scratch.clock.advance(3_600_001);
    }
    // The folder cannot be created, so no worker is started.
    expect(tries).toBe(0);
    expect(fixture.scratch.log.filter((line) => line.includes("a backup failed"))).toHaveLength(3);
    const [last] = service.state().runs;
    expect(last).toMatchObject({ state: "failed", error: expect.stringContaining("cannot be used") });
  });
});

test("a backup of a killed process is marked as failed at the next start", () => {
  const ledger = new BackupLedger(fixture.scratch.platform);
  const id = ledger.begin({ kind: "full", file: "/gone.age", kept: false });
  open({});
  expect(ledger.get(id)).toMatchObject({
    state: "failed",
    error: expect.stringContaining("ended before it was complete"),
  });
});

test("a restored database does not report the backup that it came from as failed", () => {
  const ledger = new BackupLedger(fixture.scratch.platform);
  const earlier = ledger.begin({ kind: "full", file: "/earlier.age", kept: true });
  ledger.failed(earlier, "the disk was full");
  const source = ledger.begin({ kind: "full", file: "/restored.age", kept: true });
  forgetRunning(fixture.scratch.platform.db);
  expect(ledger.get(source)).toBeNull();
  expect(ledger.get(earlier)).toMatchObject({ state: "failed", error: "the disk was full" });
});
