import { afterEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { EMBED_JOB } from "./backfill.ts";
import { isEmbeddingDue, isHeldBack } from "./embed-queue.ts";

let s: Scratch;
afterEach(() => s.close());

test("mail that a killed process was embedding is due again without new mail", () => {
  s = scratchPlatform();
  const { platform, user } = s;
  expect(isEmbeddingDue(platform)).toBe(false);
  platform.jobs.enqueue({ kind: EMBED_JOB, dedupe_key: user.id, user_id: user.id, payload: { user_id: user.id } });
  expect(isEmbeddingDue(platform)).toBe(true);
  // The process that claimed the job was killed and reports no outcome.
  const dead = s.another();
  expect(dead.jobs.claim(EMBED_JOB)).not.toBeNull();
  expect(isEmbeddingDue(platform)).toBe(true);
  platform.jobs.recoverLost([EMBED_JOB]);
  const job = platform.jobs.claim(EMBED_JOB)!;
  platform.jobs.finish(job, { outcome: "retry", run_at: s.clock.now() });
  // Mail that kills one process after another is eventually skipped.
  for (let deaths = 1; deaths < 4; deaths++) {
    s.another().jobs.claim(EMBED_JOB);
    expect(isEmbeddingDue(platform)).toBe(true);
    platform.jobs.recoverLost([EMBED_JOB]);
  }
  s.another().jobs.claim(EMBED_JOB);
  expect(isEmbeddingDue(platform)).toBe(false);
});

test("the check for waiting mail, which runs every second, does not scan all finished jobs", () => {
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
  // Scanning the few accounts is accepted, and running jobs have their own index.
  expect(steps.filter((step) => step.startsWith("SCAN") && !/^SCAN a$|jobs_running/.test(step))).toEqual([]);
});

test("sample mail waits for the first sync of every mailbox, also of other users and in a running worker", () => {
  s = scratchPlatform();
  const { platform, user } = s;
  const other = platform.users.add({ email: "bo@example.org", plan: "autopilot", role: "member", timezone: "UTC" });
  const sandbox = platform.users.sandboxOf(user.id);
  const job = { kind: EMBED_JOB, dedupe_key: sandbox.id, user_id: sandbox.id, payload: { user_id: sandbox.id } };
  platform.jobs.enqueue(job);
  const held = () => [sandbox, user, other].map(({ id }) => isHeldBack(platform.db, id));
  expect([isEmbeddingDue(platform), held()]).toEqual([true, [false, false, false]]);
  const { mailbox, account } = seedMailbox(platform, other.id);
  mailbox.accounts.setProgress(account.id, { phase: "importing", done: 1, total: 9 });
  expect([isEmbeddingDue(platform), held()]).toEqual([false, [true, false, false]]);
  mailbox.accounts.setProgress(account.id, { phase: "live", done: 9, total: 9 });
  expect([isEmbeddingDue(platform), held()]).toEqual([true, [false, false, false]]);
});
