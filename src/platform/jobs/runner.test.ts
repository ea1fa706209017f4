import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { AttemptOutcome, Job } from "./queue.ts";
import { type JobHandler, JobRunner } from "./runner.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

/** Runs pending promise callbacks and microtasks, without advancing the clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function runnerOf(handlers: Record<string, JobHandler>): JobRunner {
  const { jobs, clock, log } = scratch.platform;
  return new JobRunner(jobs, clock, log, handlers);
}

/** Returns a handler whose runs the test ends one by one. */
function manualHandler(concurrency: number) {
  const running: { job: Job; end(result: AttemptOutcome): void; fail(error: Error): void }[] = [];
  const handler: JobHandler = {
    concurrency,
    run: (job) => new Promise((end, fail) => running.push({ job, end, fail })),
  };
  return { handler, running };
}

const done: AttemptOutcome = { outcome: "done" };

test("a job runs at once if this process enqueues it, and within a second if another process does", async () => {
  const ran: unknown[] = [];
  const runner = runnerOf({
    k: {
      concurrency: 1,
      run: async ({ payload }) => {
        ran.push(payload);
        return done;
      },
    },
  });
  runner.start();
  scratch.platform.jobs.enqueue({ kind: "k", payload: "ours" });
  await settle();
  expect(ran).toEqual(["ours"]);
  scratch.another().jobs.enqueue({ kind: "k", payload: "theirs" });
  await settle();
  expect(ran).toEqual(["ours"]);
  scratch.clock.advance(1_000);
  await settle();
  expect(ran).toEqual(["ours", "theirs"]);
  await runner.stop();
});

test("a job for later runs at its time", async () => {
  const ran: number[] = [];
  const { clock, platform } = scratch;
  const runner = runnerOf({
    k: {
      concurrency: 1,
      run: async () => {
        ran.push(clock.now());
        return done;
      },
    },
  });
  const due = clock.now() + 90_000;
  runner.start();
  platform.jobs.enqueue({ kind: "k", run_at: due });
  for (let s = 0; s < 89; s++) clock.advance(1_000);
  await settle();
  expect(ran).toEqual([]);
  clock.advance(1_000);
  await settle();
  expect(ran).toEqual([due]);
  await runner.stop();
});

test("at most as many jobs run concurrently as the handler allows; the next begins when one ends", async () => {
  const { handler, running } = manualHandler(2);
  const runner = runnerOf({ k: handler });
  for (let i = 0; i < 4; i++) scratch.platform.jobs.enqueue({ kind: "k", payload: i });
  runner.start();
  await settle();
  expect(running.map(({ job }) => job.payload)).toEqual([0, 1]);
  scratch.clock.advance(60_000);
  await settle();
  expect(running).toHaveLength(2);
  running[1]!.end(done);
  await settle();
  expect(running.map(({ job }) => job.payload)).toEqual([0, 1, 2]);
  for (const index of [0, 2]) running[index]!.end(done);
  await settle();
  running[3]!.end(done);
  await runner.stop();
});

test("the job table is only polled while as many jobs run as the handler allows", async () => {
  const { handler, running } = manualHandler(1);
  const runner = runnerOf({ k: handler });
  for (let i = 0; i < 2; i++) scratch.platform.jobs.enqueue({ kind: "k" });
  runner.start();
  await settle();
  let looks = 0;
  const { jobs } = scratch.platform;
  const nextDue = jobs.nextDue.bind(jobs);
  jobs.nextDue = (kinds) => {
    looks++;
    return nextDue(kinds);
  };
  scratch.clock.advance(10_000);
  expect(looks).toBeLessThanOrEqual(11);
  running[0]!.end(done);
  await settle();
  running[1]!.end(done);
  await runner.stop();
});

test("a retry runs when its handler requested it", async () => {
  const attempts: number[] = [];
  const { clock, platform } = scratch;
  const run: JobHandler["run"] = async ({ attempt }) => {
    attempts.push(attempt);
    return attempt < 3 ? { outcome: "retry", run_at: clock.now() + 60_000 } : done;
  };
  const runner = runnerOf({ k: { concurrency: 1, run } });
  platform.jobs.enqueue({ kind: "k" });
  runner.start();
  await settle();
  for (let s = 0; s < 121; s++) {
    clock.advance(1_000);
    await settle();
  }
  expect(attempts).toEqual([1, 2, 3]);
  await runner.stop();
});

test("a handler that throws is tried again after 5 s, 10 s, 20 s, at most an hour later, and does not spin", async () => {
  const { clock, platform } = scratch;
  const start = clock.now();
  const atS: number[] = [];
  const run: JobHandler["run"] = async () => {
    atS.push((clock.now() - start) / 1_000);
    throw new Error("subject: secret plans");
  };
  const runner = runnerOf({ k: { concurrency: 1, run } });
  platform.jobs.enqueue({ kind: "k" });
  runner.start();
  await settle();
  for (let s = 0; s < 80; s++) {
    clock.advance(1_000);
    await settle();
  }
  expect(atS).toEqual([0, 5, 15, 35, 75]);
  expect(scratch.log.filter((line) => line.includes("failed unexpectedly"))).toHaveLength(5);
  expect(scratch.log.join("")).not.toContain("secret plans");
  platform.db.sql.run("UPDATE jobs SET attempts = 40, run_at = 0");
  clock.advance(1_000);
  await settle();
  expect(platform.jobs.nextDue(["k"])).toBe(clock.now() + 3_600_000);
  await runner.stop();
});

describe("stopping", () => {
  test("waits for running jobs and begins no new ones", async () => {
    const { handler, running } = manualHandler(1);
    const runner = runnerOf({ k: handler });
    for (let i = 0; i < 2; i++) scratch.platform.jobs.enqueue({ kind: "k" });
    runner.start();
    await settle();
    let stopped = false;
    const stop = runner.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    running[0]!.end(done);
    await stop;
    expect(running).toHaveLength(1);
    // The job that did not run is still pending for the next start.
    expect(scratch.platform.jobs.nextDue(["k"])).not.toBeNull();
  });
});

test("starting recovers jobs of a dead process", async () => {
  const { platform } = scratch;
  platform.jobs.enqueue({ kind: "k", payload: "half done" });
  platform.jobs.claim("k");
  const ran: Job[] = [];
  const next = scratch.another();
  const run: JobHandler["run"] = async (job) => {
    ran.push(job);
    return done;
  };
  const runner = new JobRunner(next.jobs, next.clock, next.log, { k: { concurrency: 1, run } });
  runner.start();
  await settle();
  expect(ran).toMatchObject([{ payload: "half done", attempt: 2 }]);
  await runner.stop();
});

test("a temporary database failure is logged; work resumes afterwards", async () => {
  const ran: unknown[] = [];
  const runner = runnerOf({
    k: {
      concurrency: 1,
      run: async ({ payload }) => {
        ran.push(payload);
        return done;
      },
    },
  });
  runner.start();
  const { db, jobs } = scratch.platform;
  jobs.enqueue({ kind: "k", payload: "waiting" });
  db.sql.run("ALTER TABLE jobs RENAME TO jobs_away");
  await settle();
  scratch.clock.advance(1_000);
  expect(scratch.log.join("")).toContain("the job table could not be read");
  db.sql.run("ALTER TABLE jobs_away RENAME TO jobs");
  scratch.clock.advance(1_000);
  await settle();
  expect(ran).toEqual(["waiting"]);
  await runner.stop();
});

test("an outcome that could not be stored, as on a full disk, is stored when there is space, and the retry runs", async () => {
  let runs = 0;
  const { clock, platform } = scratch;
  const { db, jobs } = platform;
  const runner = runnerOf({
    k: {
      concurrency: 1,
      run: async () => {
        runs++;
        // Nothing can be written from now on.
        if (runs === 1) db.sql.run("PRAGMA query_only = ON");
        return runs === 1 ? { outcome: "retry", run_at: clock.now() + 10_000 } : done;
      },
    },
  });
  runner.start();
  const id = jobs.enqueue({ kind: "k" });
  const state = () => db.sql.query<{ state: string }, [string]>("SELECT state FROM jobs WHERE id = ?").get(id!)?.state;
  await settle();
  clock.advance(1_000);
  expect([runs, state()]).toEqual([1, "running"]);
  expect(scratch.log.filter((line) => line.includes("could not be stored"))).toHaveLength(1);
  db.sql.run("PRAGMA query_only = OFF");
  clock.advance(1_000);
  expect(state()).toBe("pending");
  clock.advance(10_000);
  await settle();
  expect([runs, state()]).toEqual([2, "done"]);
  await runner.stop();
});

test("a job that was enqueued while the clock was ahead does not wait for that time", async () => {
  const ran: unknown[] = [];
  const { clock, platform } = scratch;
  const right = clock.now();
  const runner = runnerOf({
    k: {
      concurrency: 1,
      run: async ({ payload }) => {
        ran.push(payload);
        return done;
      },
    },
  });
  runner.start();
  platform.jobs.enqueue({ kind: "k", payload: "in two days", run_at: right + 2 * 86_400_000 });
  clock.set(right + 26 * 3_600_000);
  platform.jobs.enqueue({ kind: "k", payload: "in a while", run_at: clock.now() + 10_000 });
  await settle();
  clock.set(right);
  // Real timers do not follow the clock: the next poll is within a second.
  runner.wake();
  await settle();
  expect(ran).toEqual([]);
  clock.advance(10_000);
  await settle();
  expect(ran).toEqual(["in a while"]);
  await runner.stop();
});

test("a job that failed while the clock was ahead is retried after the intended delay", async () => {
  const ran: number[] = [];
  const { clock, platform } = scratch;
  const run: JobHandler["run"] = async () => {
    ran.push(clock.now());
    return ran.length === 1 ? { outcome: "retry", run_at: clock.now() + 60_000 } : done;
  };
  const runner = runnerOf({ k: { concurrency: 1, run } });
  const right = clock.now();
  platform.jobs.enqueue({ kind: "k" });
  clock.set(right + 5 * 86_400_000);
  runner.start();
  await settle();
  clock.set(right);
  runner.wake();
  // Setting the clock back a second time makes no difference.
  clock.set(right - 10_000);
  runner.wake();
  clock.set(right);
  clock.advance(49_000);
  await settle();
  expect(ran).toHaveLength(1);
  clock.advance(12_000);
  await settle();
  expect(ran).toHaveLength(2);
  await runner.stop();
});

test("starting on a full disk is not fatal: jobs of a dead process resume when there is space", async () => {
  const { sql } = scratch.platform.db;
  scratch.another().jobs.enqueue({ kind: "k", payload: "lost" });
  const dead = scratch.another();
  dead.jobs.claim("k");
  const ran: unknown[] = [];
  const run: JobHandler["run"] = async ({ payload }) => {
    ran.push(payload);
    return done;
  };
  sql.run("CREATE TEMP TRIGGER full BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'full'); END");
  const runner = runnerOf({ k: { concurrency: 1, run } });
  runner.start();
  await settle();
  expect(ran).toEqual([]);
  sql.run("DROP TRIGGER full");
  scratch.clock.advance(1_000);
  await settle();
  expect(ran).toEqual(["lost"]);
  await runner.stop();
});
