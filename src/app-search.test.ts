import { afterEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../test/scratch-platform.ts";
import { isEmbeddingDue } from "./app-search.ts";
import { EMBED_JOB } from "./ml/semantic/backfill.ts";

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
