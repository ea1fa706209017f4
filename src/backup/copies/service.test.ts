import { afterEach, beforeEach, expect, test } from "bun:test";
import { FakeWorker } from "../../../test/support/fake-worker.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { Job } from "../../platform/jobs/queue.ts";
import type { BackupWorker, FromBackupWorker, ToSendingWorker } from "../service.ts";
import { TargetService } from "../target-service.ts";
import { BACKUP_COPY_JOB, CopyService } from "./service.ts";

type Fake = FakeWorker<ToSendingWorker | { type: "stop" }, FromBackupWorker | { type: "stopped" }>;

let scratch: Scratch;
let workers: Fake[];
let copies: CopyService;
let targets: TargetService;
beforeEach(() => {
  scratch = scratchPlatform();
  workers = [];
  const { platform } = scratch;
  copies = new CopyService({
    platform,
    sources: { data_dir: scratch.data_dir, env: {} },
    startWorker() {
      const worker: Fake = new FakeWorker();
      worker.slow = true;
      workers.push(worker);
      return worker as unknown as BackupWorker;
    },
  });
  targets = new TargetService(platform);
  targets.onChanged(() => copies.moved());
});
afterEach(() => scratch.close());

/** Chooses a folder as the settings page does. */
async function choose(path: string | null) {
  const by = { user_id: scratch.user.id, actor: { kind: "system", id: null } } as const;
  targets.choose(path === null ? null : { kind: "folder", path, mount: null }, by);
  await Promise.resolve();
}
const claim = () => scratch.platform.jobs.claim(BACKUP_COPY_JOB);
const due = () => scratch.platform.jobs.nextDue([BACKUP_COPY_JOB]);
async function run(job: Job | null, answer: FromBackupWorker) {
  const running = copies.handler.run(job!);
  workers.at(-1)!.say(answer);
  const outcome = await running;
  scratch.platform.jobs.finish(job!, outcome);
  return outcome;
}

test("nothing is sent until a place is chosen, and then at once", async () => {
  copies.request();
  expect(claim()).toBeNull();
  await choose("/mnt/one");
  expect(await run(claim(), { type: "sent", count: 0 })).toEqual({ outcome: "done" });
  expect(workers).toHaveLength(1);
});

test("another place ends the pause after failures", async () => {
  await choose("/mnt/one");
  for (let attempt = 1; attempt <= 6; attempt++) {
    scratch.clock.advance(3_600_000);
    await run(claim(), { type: "failed", sentence: "The drive is full." });
  }
  expect(due()! - scratch.clock.now()).toBeGreaterThan(30 * 60_000);
  await choose("/mnt/two");
  const job = claim();
  expect(job?.attempt).toBe(1);
  await run(job, { type: "sent", count: 1 });
  expect(due()).toBeNull();
});

test("another place stops the upload that runs, which is no failure, and the next one goes to it", async () => {
  await choose("/mnt/one");
  const job = claim()!;
  const running = copies.handler.run(job);
  await choose("/mnt/two");
  expect(workers[0]!.got.map(({ type }) => type)).toEqual(["send", "stop"]);
  workers[0]!.say({ type: "failed", sentence: null });
  scratch.platform.jobs.finish(job, await running);
  expect(scratch.log.join("")).not.toContain("not sent");
  expect(copies.status()?.place).toBe("/mnt/two");
  expect(await run(claim(), { type: "sent", count: 1 })).toEqual({ outcome: "done" });
  expect(due()).toBeNull();
});

test("copies that are turned off are not sent", async () => {
  await choose("/mnt/one");
  const job = claim()!;
  const running = copies.handler.run(job);
  await choose(null);
  workers[0]!.say({ type: "failed", sentence: null });
  expect(await running).toMatchObject({ outcome: "done" });
  expect([claim(), copies.status()]).toEqual([null, null]);
});
