import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import parsePrometheusTextFormat from "parse-prometheus-text-format";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { createSample, sampleRoutes } from "../../../test/support/sample-routes.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import type { MetricSource } from "../../platform/metrics.ts";
import { RunningMetrics } from "./running-metrics.ts";
import { storedMetrics } from "./stored-metrics.ts";

type Family = ReturnType<typeof parsePrometheusTextFormat>[number];

let h: Harness;
let running: RunningMetrics;
afterEach(() => h.close());

function start(): void {
  running = new RunningMetrics();
  let stored: MetricSource = () => [];
  h = createHarness({
    routes: (platform) => {
      stored = storedMetrics(platform);
      return sampleRoutes(createSample())(platform);
    },
    metrics: [() => stored(), running.source],
  });
}

/** Scrapes as Prometheus does, and parses the text with a parser of the format. */
async function scrape(): Promise<Map<string, Family>> {
  const { text, status } = await h.call("GET", "//metrics", { key: null, peer: "127.0.0.1" });
  expect(status).toBe(200);
  const families = parsePrometheusTextFormat(text);
  // Each family occurs once, with its help and type.
  expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  for (const { name } of families) expect(text.split(`# TYPE ${name} `)).toHaveLength(2);
  return new Map(families.map((family) => [family.name, family]));
}

const value = (family: Family | undefined, labels: Record<string, string> = {}) =>
  Number(
    family?.metrics.find((one) => Object.entries(labels).every(([key, text]) => one.labels?.[key] === text))?.value,
  );

test("mailboxes have metrics by id (sync lag, status and first sync) but never an address", async () => {
  start();
  const { accounts } = createMailbox(h.platform);
  const owner = h.platform.users.list()[0]!;
  const { id } = accounts.add({ user_id: owner.id, provider: "imap", email: "secret@mail.test", connection: null });
  accounts.setStatus(id, "auth_failed", "refused");
  h.clock.advance(90_000);
  const families = await scrape();
  expect(value(families.get("postroom_account_sync_lag_seconds"), { account: id })).toBe(90);
  expect(value(families.get("postroom_account_status"), { account: id, status: "auth_failed" })).toBe(1);
  expect(value(families.get("postroom_account_import_done_messages"), { account: id })).toBe(0);
  const { text } = await h.call("GET", "//metrics", { key: null, peer: "127.0.0.1" });
  expect(text).not.toContain("mail.test");
});

test("queues have metrics of waiting, retried and overdue jobs, and of the outcomes of attempts", async () => {
  start();
  await scrape();
  const { jobs } = h.platform;
  for (const n of [1, 2, 3]) jobs.enqueue({ kind: "mirror", dedupe_key: String(n) });
  const [first, second] = [jobs.claim("mirror")!, jobs.claim("mirror")!];
  jobs.finish(first, { outcome: "done" });
  jobs.finish(second, { outcome: "retry", run_at: h.clock.now() + 60_000 });
  h.clock.advance(30_000);
  const families = await scrape();
  expect(value(families.get("postroom_jobs"), { kind: "mirror", state: "pending" })).toBe(2);
  expect(value(families.get("postroom_jobs_retrying"), { kind: "mirror" })).toBe(1);
  expect(value(families.get("postroom_jobs_overdue_seconds"), { kind: "mirror" })).toBe(30);
  const attempts = families.get("postroom_job_attempts_total");
  expect(value(attempts, { kind: "mirror", outcome: "done" })).toBe(1);
  expect(value(attempts, { kind: "mirror", outcome: "retry" })).toBe(1);
  // A scrape does not count an attempt twice.
  h.clock.advance(30_000);
  expect(value((await scrape()).get("postroom_job_attempts_total"), { kind: "mirror", outcome: "done" })).toBe(1);
});

test("durations are histograms, and failures without a response have a separate label", async () => {
  start();
  const answer = ({ status }: { status: number }) => `${status / 100}xx`;
  await running.webhooks.time(answer, async () => ({ status: 200 }));
  await running.webhooks.time(answer, () => Promise.reject(new Error("cut"))).catch(() => {});
  running.submissions.observe("accepted", 0.3);
  running.submissions.observe("accepted", 10_000);
  running.restarts.add("mail");
  const families = await scrape();
  expect(families.get("postroom_webhook_attempt_duration_seconds")!.type).toBe("HISTOGRAM");
  const { text } = await h.call("GET", "//metrics", { key: null, peer: "127.0.0.1" });
  const samples = (name: string) => text.split("\n").filter((line) => line.startsWith(`${name}{`));
  expect(samples("postroom_webhook_attempt_duration_seconds_count")).toEqual([
    'postroom_webhook_attempt_duration_seconds_count{answer="2xx"} 1',
    'postroom_webhook_attempt_duration_seconds_count{answer="error"} 1',
  ]);
  const name = "postroom_smtp_submission_duration_seconds";
  const buckets = samples(`${name}_bucket`).map((line) => line.replace(/^.*le="/, "").replace('"}', ""));
  expect(buckets).toEqual(expect.arrayContaining(["0.25 0", "0.5 1", "900 1", "+Inf 2"]));
  expect(samples(`${name}_sum`)).toEqual([`${name}_sum{outcome="accepted"} 10000.3`]);
  expect(value(families.get("postroom_worker_restarts_total"), { worker: "mail" })).toBe(1);
  expect(value(families.get("postroom_worker_restarts_total"), { worker: "semantic" })).toBe(0);
});

test("the lag of the event loop is measured, and sizes match the disk", async () => {
  start();
  const stop = running.watchLoop(h.clock);
  h.clock.advance(500);
  h.clock.advance(500);
  stop();
  const families = await scrape();
  const { text } = await h.call("GET", "//metrics", { key: null, peer: "127.0.0.1" });
  expect(text).toContain('postroom_event_loop_lag_seconds_count{thread="main"} 2');
  const stored = value(families.get("postroom_database_bytes")) + value(families.get("postroom_database_wal_bytes"));
  expect(stored).toBeGreaterThan(4096);
  expect(value(families.get("postroom_disk_free_bytes"))).toBeGreaterThan(0);
  expect(value(families.get("postroom_disk_size_bytes"))).toBeGreaterThan(
    value(families.get("postroom_disk_free_bytes")),
  );
});

test("backups have metrics: the age of the last successful one, and the failures since", async () => {
  start();
  const none = await scrape();
  expect(none.get("postroom_backup_age_seconds")?.metrics ?? []).toEqual([]);
  expect(value(none.get("postroom_backup_failures"))).toBe(0);
  const add = (id: string, state: string) => {
    const { sql } = h.platform.db;
    const row = "INSERT INTO backups (id, state, kind, file, kept, started_by, started_at, ended_at)";
    sql.query(`${row} VALUES (?, ?, 'full', '/backup', 1, 'boot', ?, ?)`).run(id, state, h.clock.now(), h.clock.now());
    h.clock.advance(60_000);
  };
  for (const [id, state] of [
    ["bak_1", "failed"],
    ["bak_2", "done"],
    ["bak_3", "failed"],
  ] as const)
    add(id, state);
  const families = await scrape();
  expect(value(families.get("postroom_backup_age_seconds"))).toBe(120);
  expect(value(families.get("postroom_backup_failures"))).toBe(1);
});

test("docs/operations.md lists exactly the existing families, each with its type", async () => {
  start();
  const families = await scrape();
  const page = readFileSync(join(import.meta.dir, "../../../docs/operations.md"), "utf8");
  const rows = [...page.matchAll(/^\| `((?:postroom|process)_\w+)`[^|]*\| (counter|gauge|histogram) \|/gm)];
  const documented = rows.map(([, name, type]) => `${name} ${type}`);
  const exposed = [...families.values()].map(({ name, type }) => `${name} ${type.toLowerCase()}`);
  expect(documented.sort()).toEqual(exposed.sort());
});
