import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupFixture, createBackupFixture } from "../../test/support/backup-fixture.ts";
import { eventually } from "../../test/support/eventually.ts";
import { UserError } from "../kernel/errors.ts";
import type { ConfigValues } from "../platform/config/table.ts";
import { JobRunner } from "../platform/jobs/runner.ts";
import type { Platform } from "../platform/platform.ts";
import { readChain } from "./chain.ts";
import { BackupLedger, endRunning } from "./ledger.ts";
import { runBackup } from "./run.ts";
import { BACKUP_JOB, BackupService, type BackupWorker, type FromBackupWorker, type ToBackupWorker } from "./service.ts";

setDefaultTimeout(60_000);

let scene: BackupFixture;
let rooms: { stop(): Promise<void> }[];
beforeEach(async () => {
  scene = await createBackupFixture(3);
  rooms = [];
});
afterEach(async () => {
  for (const room of rooms) await room.stop();
  scene.close();
});

/** What the worker does, on this thread. */
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
  const platform = scene.scratch.another({ "backup.incrementals": 2, "backup.keep": 2, ...config });
  const { data_dir } = scene.scratch;
  const room = new BackupService({
    platform,
    sources: { data_dir, env: {} },
    version: "0.0.0",
    startWorker: () => workerOn(platform, fail),
  });
  const runner = new JobRunner(platform.jobs, platform.clock, platform.log, { [BACKUP_JOB]: room.handler });
  room.start();
  runner.start();
  rooms.push(runner);
  return { room, runner, platform };
}

const files = () => {
  const folder = join(scene.scratch.data_dir, "backups");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
const kinds = () => files().map((name) => /-(full|incremental)\.age$/.exec(name)![1]);

/** Asks for a backup and waits for its end. */
async function again({ room, runner }: ReturnType<typeof open>): Promise<void> {
  const before = room.state().runs.filter(({ state }) => state !== "running").length;
  scene.scratch.clock.advance(60_000);
  expect(room.request()).toBe(true);
  runner.wake();
  await eventually(() => room.state().runs.filter(({ state }) => state !== "running").length > before, 30_000);
  await runner.idle();
}

describe("backups on request", () => {
  test("are one full one, then incremental ones, then a full one again; old ones go when nothing leans on them", async () => {
    const openRoom = open({});
    await again(openRoom);
    await again(openRoom);
    await again(openRoom);
    // Two are kept, and the full one that both lean on.
    expect(kinds()).toEqual(["full", "incremental", "incremental"]);
    await again(openRoom);
    expect(kinds()).toEqual(["full", "incremental", "incremental", "full"]);
    await again(openRoom);
    expect(kinds()).toEqual(["full", "incremental"]);
    expect(openRoom.room.present().map(({ kind }) => kind)).toEqual(["incremental", "full"]);
    const newest = join(scene.scratch.data_dir, "backups", files().at(-1)!);
    const secrets = [{ kind: "master key" as const, key: scene.scratch.platform.keyring.master }];
    expect((await readChain(newest, [], secrets, {})).read).toHaveLength(2);
  });

  test("are full when the one to lean on is gone", async () => {
    const openRoom = open({});
    await again(openRoom);
    rmSync(join(scene.scratch.data_dir, "backups"), { recursive: true });
    await again(openRoom);
    expect(kinds()).toEqual(["full"]);
  });

  test("never hold earlier backups", async () => {
    const openRoom = open({ "backup.incrementals": 0 });
    await again(openRoom);
    const [first] = openRoom.room.present();
    await again(openRoom);
    const [second] = openRoom.room.present();
    expect([first!.files, second!.files]).toEqual([0, 0]);
  });

  test("are refused while one is under way", async () => {
    let finish: (answer: FromBackupWorker | null) => void = () => {};
    const { room, runner } = open({}, () => {
      expect(room.state().running).toEqual({ done: 0, total: 0 });
      expect(room.request()).toBe(false);
      finish(null);
      return null;
    });
    const asked = new Promise((resolve) => {
      finish = resolve;
    });
    expect(room.request()).toBe(true);
    expect(room.request()).toBe(false);
    runner.wake();
    await asked;
    await eventually(() => room.state().runs[0]?.state === "done", 30_000);
  });
});

describe("backups by the clock", () => {
  test("are made when they are due, again and again", async () => {
    const { room, runner } = open({ "backup.schedule": "30 2 * * *", "backup.incrementals": 0 });
    const due = room.state().next_at!;
    expect(new Date(due).toISOString()).toEndWith("T02:30:00.000Z");
    for (const day of [1, 2]) {
      scene.scratch.clock.advance(room.state().next_at! - scene.scratch.clock.now() + 1);
      runner.wake();
      await eventually(() => room.state().runs.filter(({ state }) => state === "done").length === day, 30_000);
      await runner.idle();
    }
    expect(room.state().next_at).toBe(due + 2 * 24 * 3_600_000);
  });

  test("that fail are tried again after an hour, three times, and everybody can see why", async () => {
    let tries = 0;
    const { room, runner } = open(
      { "backup.schedule": "30 2 * * *", "backup.folder": join(scene.path("."), "a-file/x") },
      () => {
        tries++;
        return null;
      },
    );
    writeFileSync(scene.path("a-file"), "");
    scene.scratch.clock.advance(room.state().next_at! - scene.scratch.clock.now() + 1);
    for (let i = 0; i < 5; i++) {
      runner.wake();
      await runner.idle();
      scene.scratch.clock.advance(3_600_001);
    }
    // The folder cannot be made, so no worker was started.
    expect(tries).toBe(0);
    expect(scene.scratch.log.filter((line) => line.includes("a backup failed"))).toHaveLength(3);
    const [last] = room.state().runs;
    expect(last).toMatchObject({ state: "failed", error: expect.stringContaining("cannot be used") });
  });
});

test("one that a killed process left is ended at the next start", () => {
  const ledger = new BackupLedger(scene.scratch.platform);
  const id = ledger.begin({ kind: "full", file: "/gone.age", kept: false });
  open({});
  expect(ledger.get(id)).toMatchObject({ state: "failed", error: expect.stringContaining("cut off") });
  const other = ledger.begin({ kind: "full", file: "/restored.age", kept: false });
  endRunning(scene.scratch.platform.db, 5);
  expect(ledger.get(other)).toMatchObject({ state: "failed", ended_at: 5 });
});
