import { afterEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { EMBED_JOB } from "./backfill.ts";
import { isEmbeddingDue } from "./embed-queue.ts";

let s: Scratch;
afterEach(() => s.close());

test("mail that a killed process was embedding is due again, though nothing new comes in", () => {
  s = scratchPlatform();
  const { platform, user } = s;
  expect(isEmbeddingDue(platform)).toBe(false);
  platform.jobs.enqueue({ kind: EMBED_JOB, dedupe_key: user.id, user_id: user.id, payload: { user_id: user.id } });
  expect(isEmbeddingDue(platform)).toBe(true);
  // The process that claimed it never says how it ended.
  const dead = s.another();
  expect(dead.jobs.claim(EMBED_JOB)).not.toBeNull();
  expect(isEmbeddingDue(platform)).toBe(true);
  platform.jobs.recoverLost([EMBED_JOB]);
  const job = platform.jobs.claim(EMBED_JOB)!;
  platform.jobs.finish(job, { outcome: "retry", run_at: s.clock.now() });
  // Mail over which one process after the other dies does not go on doing so.
  for (let deaths = 1; deaths < 4; deaths++) {
    s.another().jobs.claim(EMBED_JOB);
    expect(isEmbeddingDue(platform)).toBe(true);
    platform.jobs.recoverLost([EMBED_JOB]);
  }
  s.another().jobs.claim(EMBED_JOB);
  expect(isEmbeddingDue(platform)).toBe(false);
});

test("whether mail waits, which is asked every second, is not looked for among all jobs that are over", () => {
  s = scratchPlatform();
  const { sql } = s.platform.db;
  const asked: string[] = [];
  const query = (text: string) => {
    asked.push(text);
    return sql.query(text);
  };
  isEmbeddingDue({ ...s.platform, db: { ...s.platform.db, sql: { query } } } as unknown as typeof s.platform);
  const steps = sql
    .query<{ detail: string }, (number | string)[]>(`EXPLAIN QUERY PLAN ${asked[0]}`)
    .all(0, 1, EMBED_JOB)
    .map(({ detail }) => detail);
  expect(steps.join("\n")).toContain("jobs_due");
  // Accounts are few; of jobs, those that run have an index of their own.
  expect(steps.filter((step) => step.startsWith("SCAN") && !/^SCAN a$|jobs_running/.test(step))).toEqual([]);
});
