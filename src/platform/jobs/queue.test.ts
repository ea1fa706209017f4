import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { Job, JobQueue } from "./queue.ts";

let scratch: Scratch;
let jobs: JobQueue;
beforeEach(() => {
  scratch = scratchPlatform();
  jobs = scratch.platform.jobs;
});
afterEach(() => scratch.close());

/** Claims all due jobs and leaves them running. */
function claimAll(kind: string, queue = jobs): Job[] {
  const taken: Job[] = [];
  for (let job = queue.claim(kind); job; job = queue.claim(kind)) taken.push(job);
  return taken;
}
const states = () =>
  scratch.platform.db.sql.query<{ state: string }, []>("SELECT state FROM jobs ORDER BY id").values().flat();
const outcomes = () =>
  scratch.platform.db.sql.query("SELECT outcome FROM job_attempts ORDER BY job_id, attempt").values().flat();

describe("enqueueing", () => {
  test("makes a job that can be claimed once", () => {
    jobs.enqueue({ kind: "k", payload: { thread: "thr_1", n: [1, 2] } });
    const [job, ...more] = claimAll("k");
    expect(job).toMatchObject({ kind: "k", attempt: 1, payload: { thread: "thr_1", n: [1, 2] } });
    expect(more).toEqual([]);
  });

  test("in a transaction that is rolled back does nothing", () => {
    const attempt = () =>
      scratch.platform.db.write(() => {
        jobs.enqueue({ kind: "k" });
        throw new Error("no");
      });
    expect(attempt).toThrow("no");
    expect(claimAll("k")).toEqual([]);
  });

  test("orders jobs by the time they are due, and none can be claimed before", () => {
    const now = scratch.clock.now();
    jobs.enqueue({ kind: "k", payload: "later", run_at: now + 2_000 });
    jobs.enqueue({ kind: "k", payload: "sooner", run_at: now + 1_000 });
    jobs.enqueue({ kind: "other", payload: "now" });
    expect(claimAll("k")).toEqual([]);
    expect(jobs.nextDue(["k"])).toBe(now + 1_000);
    expect(jobs.nextDue(["k", "other"])).toBe(now);
    scratch.clock.advance(2_000);
    expect(claimAll("k").map((job) => job.payload)).toEqual(["sooner", "later"]);
    expect(jobs.nextDue(["k"])).toBeNull();
  });

  test("looking for due work when there is none does not wait for a writer", () => {
    jobs.enqueue({ kind: "k", run_at: scratch.clock.now() + 1_000 });
    const other = scratch.another();
    other.db.sql.run("BEGIN IMMEDIATE");
    scratch.platform.db.sql.run("PRAGMA busy_timeout = 0");
    expect(jobs.claim("k")).toBeNull();
    expect(jobs.claim("unknown")).toBeNull();
    scratch.clock.advance(1_000);
    expect(() => jobs.claim("k")).toThrow("locked");
    other.db.sql.run("ROLLBACK");
    expect(jobs.claim("k")).toMatchObject({ kind: "k", attempt: 1 });
  });

  test("the payload is not readable in the database", () => {
    jobs.enqueue({ kind: "k", user_id: scratch.user.id, payload: "meet me at noon" });
    const [row] = scratch.platform.db.sql.query<{ payload: Uint8Array }, []>("SELECT payload FROM jobs").all();
    expect(Buffer.from(row!.payload).includes("noon")).toBe(false);
  });
});

describe("the same job twice", () => {
  const enqueue = (run_at: number, payload: string) => jobs.enqueue({ kind: "k", dedupe_key: "a", run_at, payload });

  test("is one job, at the earlier of the two times", () => {
    const now = scratch.clock.now();
    expect(enqueue(now + 5_000, "first")).not.toBeNull();
    expect(enqueue(now + 1_000, "second")).toBeNull();
    expect(enqueue(now + 9_000, "third")).toBeNull();
    expect(jobs.nextDue(["k"])).toBe(now + 1_000);
    scratch.clock.advance(9_000);
    expect(claimAll("k").map((job) => job.payload)).toEqual(["first"]);
  });

  test("is two jobs once the first is running, and the second replaces a retry", () => {
    enqueue(0, "first");
    const [first] = claimAll("k");
    expect(enqueue(0, "second")).not.toBeNull();
    jobs.finish(first!, { outcome: "retry", run_at: 0 });
    expect(claimAll("k").map((job) => job.payload)).toEqual(["second"]);
    expect(states()).toEqual(["done", "running"]);
  });

  test("is due at the earlier of the two times if the second replaces a retry", () => {
    const now = scratch.clock.now();
    const dueAfter = (retryAt: number, twinAt: number) => {
      jobs.enqueue({ kind: "k", dedupe_key: "a" });
      const job = jobs.claim("k")!;
      jobs.enqueue({ kind: "k", dedupe_key: "a", run_at: twinAt });
      jobs.finish(job, { outcome: "retry", run_at: retryAt });
      const due = jobs.nextDue(["k"]);
      scratch.platform.db.sql.run("DELETE FROM jobs");
      return due;
    };
    expect(dueAfter(now + 5_000, now + 60_000)).toBe(now + 5_000);
    expect(dueAfter(now + 60_000, now + 5_000)).toBe(now + 5_000);
  });

  test("of another kind or key is another job", () => {
    jobs.enqueue({ kind: "k", dedupe_key: "a" });
    expect(jobs.enqueue({ kind: "k", dedupe_key: "b" })).not.toBeNull();
    expect(jobs.enqueue({ kind: "l", dedupe_key: "a" })).not.toBeNull();
    expect(jobs.enqueue({ kind: "k" })).not.toBeNull();
    expect(jobs.enqueue({ kind: "k" })).not.toBeNull();
  });
});

describe("the end of an attempt", () => {
  test("is recorded, with its detail sealed", () => {
    jobs.enqueue({ kind: "k" });
    jobs.finish(claimAll("k")[0]!, { outcome: "retry", run_at: scratch.clock.now() + 60_000, detail: "451 try later" });
    expect(claimAll("k")).toEqual([]);
    scratch.clock.advance(60_000);
    const [second] = claimAll("k");
    expect(second?.attempt).toBe(2);
    jobs.finish(second!, { outcome: "failed", detail: "550 no" });
    expect([states(), outcomes()]).toEqual([["failed"], ["retry", "failed"]]);
    const [row] = scratch.platform.db.sql.query<{ detail: Uint8Array }, []>("SELECT detail FROM job_attempts").all();
    expect(Buffer.from(row!.detail).includes("451")).toBe(false);
  });
});

describe("a job of a dead process", () => {
  test("returns to the queue at the next start, and counts as an attempt", () => {
    jobs.enqueue({ kind: "k", payload: "half done" });
    claimAll("k");
    const next = scratch.another().jobs;
    expect(claimAll("k", next)).toEqual([]);
    expect(next.recoverLost(["other"])).toBe(0);
    expect(next.recoverLost(["k"])).toBe(1);
    expect(claimAll("k", next)).toMatchObject([{ payload: "half done", attempt: 2 }]);
    expect(outcomes()).toEqual(["lost", null]);
  });

  test("is replaced by a pending duplicate", () => {
    jobs.enqueue({ kind: "k", dedupe_key: "a", payload: "old" });
    claimAll("k");
    jobs.enqueue({ kind: "k", dedupe_key: "a", payload: "new" });
    const next = scratch.another().jobs;
    next.recoverLost(["k"]);
    expect(claimAll("k", next).map((job) => job.payload)).toEqual(["new"]);
  });

  test("makes the duplicate that replaces it due at once", () => {
    jobs.enqueue({ kind: "k", dedupe_key: "a", payload: "old" });
    claimAll("k");
    jobs.enqueue({ kind: "k", dedupe_key: "a", payload: "new", run_at: scratch.clock.now() + 60_000 });
    const next = scratch.another().jobs;
    next.recoverLost(["k"]);
    expect(claimAll("k", next).map((job) => job.payload)).toEqual(["new"]);
  });

  test("is distinguished from running jobs of this process", () => {
    jobs.enqueue({ kind: "k" });
    claimAll("k");
    expect(jobs.recoverLost(["k"])).toBe(0);
  });
});

test("two processes never get the same job", () => {
  for (let i = 0; i < 40; i++) jobs.enqueue({ kind: "k", payload: i });
  const other = scratch.another().jobs;
  const taken: unknown[] = [];
  for (let i = 0; i < 50; i++) taken.push((i % 2 ? jobs : other).claim("k")?.payload);
  expect(taken.filter((payload) => payload !== undefined)).toEqual(Array.from({ length: 40 }, (_, i) => i));
});

test("a job that cannot be read fails and does not block the others", () => {
  jobs.enqueue({ kind: "k", payload: "damaged" });
  scratch.platform.db.sql.run("UPDATE jobs SET payload = zeroblob(40)");
  jobs.enqueue({ kind: "k", payload: "whole" });
  expect(claimAll("k").map((job) => job.payload)).toEqual(["whole"]);
  expect(states()).toEqual(["failed", "running"]);
});

test("finished jobs are deleted with their attempts after their retention; others stay", () => {
  for (const kind of ["done", "pending", "running"]) jobs.enqueue({ kind });
  jobs.finish(claimAll("done")[0]!, { outcome: "done" });
  claimAll("running");
  scratch.clock.advance(1_000);
  expect(jobs.prune(scratch.clock.now())).toBe(1);
  expect(states()).toEqual(["pending", "running"]);
  expect(outcomes()).toEqual([null]);
});
