import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { SYSTEM_ACTOR } from "./audit.ts";
import { prune, startRetention } from "./retention.ts";

const DAY_MS = 86_400_000;
let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

const count = (table: string) =>
  scratch.platform.db.sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;

/** Adds one row to each ledger. */
function fill(): void {
  const { events, audit, jobs, db, meters, idempotency } = scratch.platform;
  events.emit("usr_a", "brief.ready", { date: "2026-03-02", needs_reply_count: 0 });
  audit.record({ user_id: "usr_a", actor: SYSTEM_ACTOR, action: "x", target: null });
  jobs.enqueue({ kind: "k" });
  jobs.finish(jobs.claim("k")!, { outcome: "done" });
  db.write(() => meters.spend("sends", "usr_a", 1, null));
  db.write(() => meters.spend("ai_credits", "usr_a", 1, null));
  idempotency.claim({
    user_id: "usr_a",
    method: "POST",
    path: "/v1/x",
    key: "k",
    credential_id: "key_x",
    fingerprint: "{}",
  });
}
const counts = () =>
  Object.fromEntries(["events", "audit", "jobs", "job_attempts", "meters", "idempotency"].map((t) => [t, count(t)]));

test("each ledger is kept for the configured time, and no longer", () => {
  scratch.platform.db.sql.run("DELETE FROM audit");
  fill();
  const fresh = { events: 1, audit: 1, jobs: 1, job_attempts: 1, meters: 2, idempotency: 1 };
  const full = { ...fresh, idempotency: 0 };
  prune(scratch.platform);
  expect(counts()).toEqual(fresh);
  scratch.clock.advance(7 * DAY_MS);
  prune(scratch.platform);
  expect(counts()).toEqual(full);
  scratch.clock.advance(1 * DAY_MS);
  prune(scratch.platform);
  expect(counts()).toEqual({ ...full, jobs: 0, job_attempts: 0 });
  scratch.clock.advance(23 * DAY_MS);
  prune(scratch.platform);
  expect(counts()).toEqual({ events: 0, audit: 1, jobs: 0, job_attempts: 0, meters: 2, idempotency: 0 });
  scratch.clock.advance(335 * DAY_MS);
  prune(scratch.platform);
  expect(counts()).toEqual({ events: 0, audit: 0, jobs: 0, job_attempts: 0, meters: 1, idempotency: 0 });
});

test("retention runs soon after the start and every hour until it is stopped, and a failure does not end it", () => {
  fill();
  scratch.clock.set(scratch.clock.now() + 40 * DAY_MS);
  const stop = startRetention(scratch.platform);
  expect(count("events")).toBe(1);
  scratch.clock.advance(5_000);
  expect(count("events")).toBe(0);
  const { db } = scratch.platform;
  db.sql.run("ALTER TABLE events RENAME TO away");
  scratch.clock.advance(3_600_000);
  expect(scratch.log.join("")).toContain("old rows could not be removed");
  db.sql.run("ALTER TABLE away RENAME TO events");
  fill();
  db.sql.run("UPDATE events SET created_at = 0");
  scratch.clock.advance(3_600_000);
  expect(count("events")).toBe(0);
  stop();
  fill();
  db.sql.run("UPDATE events SET created_at = 0");
  scratch.clock.advance(3_600_000);
  expect(count("events")).toBe(1);
});
