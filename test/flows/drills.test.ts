import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readDrill } from "../../src/backup/continuous/drill-result.ts";
import { DRILL_JOB, DrillService } from "../../src/backup/continuous/drills.ts";
import { copyingTarget, writeCopyingState } from "../../src/backup/continuous/state.ts";
import type { BackupWorker } from "../../src/backup/service.ts";
import { copyingFindings } from "../../src/features/diagnostics/copying.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { workerUrl } from "../../src/platform/process/worker-url.ts";
import { copyingStateAt } from "../support/copying-state.ts";
import { LogFixture, type RunningLog } from "../support/log-fixture.ts";
import { runDueJobs } from "../support/run-jobs.ts";

/** Test restores of the continuous copy, on schedule, by the worker that the server uses. */
setDefaultTimeout(60_000);

const DAY_MS = 86_400_000;

let fixture: LogFixture;
let running: RunningLog;
let platform: Platform;
let drills: DrillService;
beforeEach(async () => {
  fixture = await LogFixture.open(null, 3);
  running = await fixture.start();
  fixture.deliver();
  await running.settle();
  const { scratch } = fixture.backup;
  const { place } = fixture.store;
  platform = scratch.another({ "backup.to": place });
  mkdirSync(join(scratch.data_dir, "run"), { recursive: true });
  drills = new DrillService({
    platform,
    sources: { data_dir: scratch.data_dir, env: { POSTROOM_BACKUP_TO: place } },
    startWorker: () => new Worker(workerUrl("workers/backup.ts")) as unknown as BackupWorker,
  });
});
afterEach(() => {
  running.kill();
  fixture.close();
});

/** Runs what is due. The server reports the state of its copy in between. */
function run(): Promise<string[]> {
  const { id: placeId, text: place } = copyingTarget(platform)!;
  writeCopyingState(platform.config.data_dir, copyingStateAt(platform.clock.now(), { placeId, place }));
  return runDueJobs(platform, { [DRILL_JOB]: drills.handler });
}
const result = () => readDrill(platform.config.data_dir, copyingTarget(platform)!.id);
const finding = () => copyingFindings(platform).find(({ check }) => check === "test restore");

test("each week the copy is restored, verified and removed, and doctor says so", async () => {
  drills.start();
  expect(await run()).toEqual([]);
  fixture.backup.scratch.clock.advance(7 * DAY_MS);
  expect(await run()).toEqual([DRILL_JOB]);
  expect(result()).toMatchObject({ ok: true, restored: true, error: null });
  expect(finding()).toMatchObject({ result: "ok" });
  expect(readdirSync(join(platform.config.data_dir, "cache"), { recursive: true })).not.toContain("log/drill");
  expect(await run()).toEqual([]);
  fixture.backup.scratch.clock.advance(7 * DAY_MS);
  expect(await run()).toEqual([DRILL_JOB]);
});

test("what a test that was killed has left is removed at the next start", () => {
  const left = join(platform.config.data_dir, "cache/log/drill");
  mkdirSync(left, { recursive: true });
  drills.start();
  expect(existsSync(left)).toBe(false);
});

test("a copy that could not be restored is a fault that names the object", async () => {
  drills.start();
  for await (const { key } of fixture.store.list("log/")) rmSync(join(fixture.store.place, key));
  fixture.backup.scratch.clock.advance(7 * DAY_MS);
  expect(await run()).toEqual([DRILL_JOB]);
  expect(result()).toMatchObject({ ok: false, error: expect.stringMatching(/log\/[0-9a-f]{64}.* is missing/) });
  expect(finding()).toMatchObject({ result: "FAULT" });
});

test("before the first complete copy, nothing is tested; without a place, nothing is queued", async () => {
  drills.start();
  fixture.backup.scratch.clock.advance(7 * DAY_MS);
  expect(await runDueJobs(platform, { [DRILL_JOB]: drills.handler })).toEqual([DRILL_JOB]);
  expect(result()).toBeNull();
  const { scratch } = fixture.backup;
  const none = scratch.another({ "backup.to": "" });
  new DrillService({
    platform: none,
    sources: { data_dir: scratch.data_dir, env: {} },
    startWorker: () => fail(),
  }).start();
  fixture.backup.scratch.clock.advance(30 * DAY_MS);
  expect(await runDueJobs(none, { [DRILL_JOB]: drills.handler })).toEqual([]);
});

function fail(): never {
  throw new Error("no worker is needed");
}
