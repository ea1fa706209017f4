import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readDrill } from "../../backup/continuous/drill-result.ts";
import { copyingState, lagMs } from "../../backup/continuous/state.ts";
import { copyStatus } from "../../backup/copies/status.ts";
import { SERVERLESS_PROVIDERS } from "../../mailbox/accounts/accounts.ts";
import type { AccountRow } from "../../mailbox/accounts/tables.ts";
import { Counter, type Metric, type MetricSource } from "../../platform/metrics.ts";
import type { Platform } from "../../platform/platform.ts";

type Values = Metric["values"];
type Stored = Pick<Platform, "db" | "clock" | "config" | "keyring" | "grants" | "newId" | "storeCalls">;

const gauge = (name: string, help: string, values: Values): Metric => ({ name, help, type: "gauge", values });

/** Returns metrics from the database and the disk: mailboxes by id, queues, sizes. Never an address or a name. */
export function storedMetrics(platform: Stored): MetricSource {
  const attempts = jobAttempts(platform);
  return () => [
    ...accounts(platform),
    ...jobs(platform),
    attempts(),
    ...sends(platform),
    ...deliveries(platform),
    ...indexing(platform),
    ...failedSteps(platform),
    ...backups(platform),
    ...copies(platform),
    ...continuousCopy(platform),
    ...sizes(platform),
  ];
}

type Mailbox = Pick<AccountRow, "id" | "status" | "last_sync_at" | "created_at" | "sync_done" | "sync_total">;

function accounts({ db, clock }: Stored): Metric[] {
  const rows = db.sql
    .query<Mailbox, []>(
      `SELECT id, status, last_sync_at, created_at, sync_done, sync_total FROM accounts
       WHERE provider NOT IN ${SERVERLESS_PROVIDERS}`,
    )
    .all();
  const now = clock.now();
  const each = (value: (row: Mailbox) => number): Values =>
    rows.map((row) => ({ labels: { account: row.id }, value: value(row) }));
  return [
    gauge(
      "postroom_account_sync_lag_seconds",
      "Time since the last complete sync of a mailbox, or since it was connected if there was none.",
      each(({ last_sync_at, created_at }) => Math.max(0, now - (last_sync_at ?? created_at)) / 1000),
    ),
    gauge(
      "postroom_account_status",
      "1 for the current status of a mailbox.",
      rows.map(({ id, status }) => ({ labels: { account: id, status }, value: 1 })),
    ),
    gauge(
      "postroom_account_import_done_messages",
      "Messages of the first sync that are stored.",
      each(({ sync_done }) => sync_done),
    ),
    gauge(
      "postroom_account_import_total_messages",
      "Messages of the first sync in total.",
      each(({ sync_total }) => sync_total),
    ),
  ];
}

interface Waiting {
  kind: string;
  pending: number;
  retrying: number;
  due: number | null;
}

function jobs({ db, clock }: Stored): Metric[] {
  const now = clock.now();
  const pending = db.sql
    .query<Waiting, [number]>(
      `SELECT kind, count(*) AS pending, sum(attempts > 0) AS retrying, min(CASE WHEN run_at <= ? THEN run_at END) AS due
       FROM jobs WHERE state = 'pending' GROUP BY kind`,
    )
    .all(now);
  const running = db.sql
    .query<{ kind: string; running: number }, []>(
      "SELECT kind, count(*) AS running FROM jobs WHERE state = 'running' GROUP BY kind",
    )
    .all();
  return [
    gauge("postroom_jobs", "Jobs that are waiting or running, by kind.", [
      ...pending.map((row) => ({ labels: { kind: row.kind, state: "pending" }, value: row.pending })),
      ...running.map((row) => ({ labels: { kind: row.kind, state: "running" }, value: row.running })),
    ]),
    gauge(
      "postroom_jobs_retrying",
      "Waiting jobs that have been attempted before, by kind.",
      pending.map(({ kind, retrying }) => ({ labels: { kind }, value: retrying })),
    ),
    gauge(
      "postroom_jobs_overdue_seconds",
      "How long the oldest due job has been waiting, by kind.",
      pending.map(({ kind, due }) => ({ labels: { kind }, value: due === null ? 0 : (now - due) / 1000 })),
    ),
  ];
}

/** Longer than any write is delayed, so that every attempt that ended before this time is stored. */
const SETTLED_MS = 15_000;

/** Counts the job attempts of all threads since this process began to count. */
function jobAttempts({ db, clock }: Stored): () => Metric {
  const totals = new Map<string, Counter>();
  const described = { name: "", help: "", label: "outcome" };
  let seen = clock.now() - SETTLED_MS;
  return () => {
    const until = clock.now() - SETTLED_MS;
    const rows = db.sql
      .query<{ kind: string; outcome: string; n: number }, [number, number]>(
        `SELECT j.kind, a.outcome, count(*) AS n FROM job_attempts a JOIN jobs j ON j.id = a.job_id
         WHERE a.ended_at > ? AND a.ended_at <= ? GROUP BY j.kind, a.outcome`,
      )
      .all(seen, until);
    // After the clock is set back, counting resumes from that time.
    seen = until;
    for (const { kind, outcome, n } of rows) {
      const counter = totals.get(kind) ?? new Counter(described);
      totals.set(kind, counter);
      counter.add(outcome, n);
    }
    return {
      name: "postroom_job_attempts_total",
      help: "Completed job attempts, by kind and outcome (done, retry, failed, lost). Updated with a delay of 15 seconds.",
      type: "counter",
      values: [...totals].flatMap(([kind, counter]) =>
        counter.metric().values.map(({ labels, value }) => ({ labels: { kind, ...labels }, value })),
      ),
    };
  };
}

function sends({ db, clock }: Stored): Metric[] {
  const rows = db.sql
    .query<{ status: string; n: number; due: number }, []>(
      `SELECT status, count(*) AS n, min(undo_until) AS due FROM sends WHERE status IN ('scheduled', 'sending') GROUP BY status`,
    )
    .all();
  const now = clock.now();
  const overdue = Math.max(0, ...rows.map(({ due }) => (now - due) / 1000));
  return [
    gauge(
      "postroom_sends",
      "Messages not sent yet: scheduled (including those in the undo window) and sending.",
      rows.map(({ status, n }) => ({ labels: { status }, value: n })),
    ),
    gauge("postroom_sends_overdue_seconds", "How long the oldest overdue message has been waiting.", [
      { value: overdue },
    ]),
  ];
}

function deliveries({ db }: Stored): Metric[] {
  const row = db.sql
    .query<{ pending: number; retrying: number | null }, []>(
      "SELECT count(*) AS pending, sum(attempts > 0) AS retrying FROM webhook_deliveries WHERE status = 'pending'",
    )
    .get();
  return [
    gauge(
      "postroom_webhook_deliveries",
      "Pending webhook deliveries, and those of them that have been attempted before.",
      [
        { labels: { state: "pending" }, value: row?.pending ?? 0 },
        { labels: { state: "retrying" }, value: row?.retrying ?? 0 },
      ],
    ),
  ];
}

function indexing({ db }: Stored): Metric[] {
  const waiting = (queue: string): Values => [
    { value: db.sql.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${queue}`).get()!.n },
  ];
  return [
    gauge(
      "postroom_embedding_backlog_messages",
      "Messages that are not in the semantic index yet.",
      waiting("embed_queue"),
    ),
    gauge(
      "postroom_full_text_backlog_messages",
      "Messages of an earlier version whose text has not been indexed again yet.",
      waiting("search_queue"),
    ),
  ];
}

function failedSteps({ db }: Stored): Metric[] {
  const rows = db.sql
    .query<{ step: string; state: string; n: number }, []>(
      `SELECT step, CASE WHEN next_at IS NULL THEN 'given_up' ELSE 'waiting' END AS state, count(*) AS n
       FROM failed_steps GROUP BY step, state`,
    )
    .all();
  const values = rows.map(({ step, state, n }) => ({ labels: { step, state }, value: n }));
  const help = "Failed processing steps for new mail, by step: waiting for a retry, and given up.";
  return [gauge("postroom_failed_steps", help, values)];
}

function backups({ db, clock }: Stored): Metric[] {
  const { done, failed } = db.sql
    .query<{ done: number | null; failed: number }, []>(
      `WITH good AS (SELECT max(started_at) AS started, max(ended_at) AS ended FROM backups WHERE state = 'done')
       SELECT (SELECT ended FROM good) AS done, count(*) AS failed FROM backups
       WHERE state = 'failed' AND started_at > coalesce((SELECT started FROM good), 0)`,
    )
    .get()!;
  return [
    gauge(
      "postroom_backup_age_seconds",
      "Time since the last successful backup ended. Missing if there was none.",
      done === null ? [] : [{ value: (clock.now() - done) / 1000 }],
    ),
    gauge("postroom_backup_failures", "Failed backups since the last successful one.", [{ value: failed }]),
  ];
}

function copies(platform: Stored): Metric[] {
  const status = copyStatus(platform);
  const of = (value: number | undefined) => (value === undefined ? [] : [{ value }]);
  const sent = status?.last ? (platform.clock.now() - status.last.at) / 1000 : undefined;
  return [
    gauge(
      "postroom_backup_copy_age_seconds",
      "Time since a backup was last sent to the place for copies. Missing if none was.",
      of(sent),
    ),
    gauge(
      "postroom_backup_copy_lag_seconds",
      "Age of the oldest backup that is still to be sent. Missing if no place is chosen.",
      of(status ? status.lagMs / 1000 : undefined),
    ),
    gauge(
      "postroom_backup_copy_failures",
      "Failed attempts to send backups since the last successful one. Missing if no place is chosen.",
      of(status?.failures),
    ),
  ];
}

function continuousCopy(platform: Stored): Metric[] {
  const { config, clock } = platform;
  const state = copyingState(platform);
  const drill = state && readDrill(config.data_dir, state.placeId);
  const of = (value: number | null | undefined) => (value === undefined || value === null ? [] : [{ value }]);
  const now = clock.now();
  return [
    gauge(
      "postroom_continuous_copy_lag_seconds",
      "Age of the oldest change that is not in the place for copies; 0 if all are. Missing without a continuous copy.",
      of(state && lagMs(state, now) / 1000),
    ),
    gauge(
      "postroom_continuous_copy_last_timestamp_seconds",
      "Unix time of the newest state that is completely in the place for copies.",
      of(state?.last && state.last / 1000),
    ),
    gauge(
      "postroom_continuous_copy_failures",
      "Failed attempts to copy changes since the last successful one.",
      of(state?.failures),
    ),
    gauge("postroom_continuous_copy_bytes", "Bytes of changes sent since the start.", of(state?.bytes)),
    gauge(
      "postroom_lease_held",
      "1 while this server holds the lease that permits it to act, 0 while it is paused. Missing unless `backup.standby` is set.",
      of(state?.standby ? (state.lease === "held" ? 1 : 0) : undefined),
    ),
    gauge(
      "postroom_test_restore_timestamp_seconds",
      "Unix time of the last successful test restore. Missing if the last one failed.",
      of(drill?.ok ? drill.at / 1000 : undefined),
    ),
  ];
}

function sizes({ config }: Stored): Metric[] {
  const { data_dir } = config;
  const disk = statfsSync(data_dir);
  const size = (name: string) => statSync(join(data_dir, name), { throwIfNoEntry: false })?.size ?? 0;
  return [
    gauge("postroom_database_bytes", "Size of the database.", [{ value: size("postroom.db") }]),
    gauge("postroom_database_wal_bytes", "Size of the database's write-ahead log.", [
      { value: size("postroom.db-wal") },
    ]),
    gauge("postroom_disk_free_bytes", "Free space of the disk that holds the data folder.", [
      { value: disk.bavail * disk.bsize },
    ]),
    gauge("postroom_disk_size_bytes", "Size of the disk that holds the data folder.", [
      { value: disk.blocks * disk.bsize },
    ]),
  ];
}
