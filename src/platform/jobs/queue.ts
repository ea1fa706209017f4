import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { NewId } from "../ids.ts";
import { SealBroken } from "../sealing/box.ts";
import { type Keyring, SYSTEM } from "../sealing/keyring.ts";
import type { JobRow } from "./tables.ts";

export interface NewJob {
  kind: string;
  /** At most one pending job per kind and key: a second one is dropped, or moves the first to an earlier time. */
  dedupe_key?: string;
  /** The user whose key seals the payload; absent: the system's key. */
  user_id?: string;
  payload?: unknown;
  /** When it is due, ms; absent: now. */
  run_at?: number;
}

export interface Job {
  id: string;
  kind: string;
  dedupe_key: string | null;
  user_id: string | null;
  payload: unknown;
  /** 1 on the first attempt. */
  attempt: number;
}

export type AttemptOutcome =
  | { outcome: "done"; detail?: string }
  | { outcome: "retry"; run_at: number; detail?: string }
  | { outcome: "failed"; detail?: string };

export interface EndedJob {
  job: Job;
  result: AttemptOutcome;
}

type ClaimedRow = Pick<JobRow, "id" | "kind" | "dedupe_key" | "user_id" | "payload" | "attempts">;

/** The durable job table. A job is enqueued in the transaction of the change that requires it. */
export class JobQueue {
  /** Called after this process enqueues a job, so that its runner does not wait for the next poll. */
  onEnqueue: (kind: string) => void = () => {};

  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly newId: NewId,
    private readonly clock: Clock,
    private readonly boot_id: string,
  ) {}

  /** Adds a job in the caller's transaction. @returns its id; null if an equal one is pending */
  enqueue(job: NewJob): string | null {
    const id = this.newId("job");
    const now = this.clock.now();
    const run_at = job.run_at ?? now;
    const payload = this.#sealer(job.user_id ?? null).sealJson(`jobs.payload:${id}`, job.payload ?? null);
    const { changes } = this.db.sql
      .query(
        `INSERT INTO jobs (id, kind, dedupe_key, user_id, payload, state, run_at, created_at)
         VALUES (?, ?, ?, ?, ?, 'pending', ?, ?)
         ON CONFLICT (kind, dedupe_key) WHERE state = 'pending' AND dedupe_key IS NOT NULL DO NOTHING`,
      )
      .run(id, job.kind, job.dedupe_key ?? null, job.user_id ?? null, payload, run_at, now);
    if (changes === 0) {
      this.db.sql
        .query("UPDATE jobs SET run_at = min(run_at, ?) WHERE kind = ? AND dedupe_key = ? AND state = 'pending'")
        .run(run_at, job.kind, job.dedupe_key!);
    }
    this.onEnqueue(job.kind);
    return changes === 0 ? null : id;
  }

  /**
   * Returns the next due job of a kind and records the attempt. A job whose payload no longer opens fails here, because
   * it would otherwise block all others permanently.
   */
  claim(kind: string): Job | null {
    for (;;) {
      const row = this.#take(kind);
      if (!row) return null;
      const { attempts, payload, ...rest } = row;
      const job = { ...rest, attempt: attempts, payload: null };
      try {
        return { ...job, payload: this.#sealer(row.user_id).openJson(`jobs.payload:${row.id}`, payload) };
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        this.finish(job, { outcome: "failed", detail: error.message });
      }
    }
  }

  /** As `claim`, for up to that many jobs in one transaction. */
  claimSeveral(kind: string, most: number): Job[] {
    if (!this.#isDue(kind)) return [];
    return this.db.writeLazily(() => {
      const jobs: Job[] = [];
      for (let job = this.claim(kind); job; job = jobs.length < most ? this.claim(kind) : null) jobs.push(job);
      return jobs;
    });
  }

  #isDue(kind: string): boolean {
    const due = this.nextDue([kind]);
    return due !== null && due <= this.clock.now();
  }

  #take(kind: string): ClaimedRow | null {
    const now = this.clock.now();
    // Usually nothing is due. A read does not wait for another writer, as a transaction would.
    if (!this.#isDue(kind)) return null;
    // If a power failure undoes this, the job is only claimed again.
    return this.db.writeLazily(() => {
      const row = this.db.sql
        .query<ClaimedRow, [string, string, number]>(
          `UPDATE jobs SET state = 'running', attempts = attempts + 1, started_by = ?
           WHERE id = (SELECT id FROM jobs WHERE kind = ? AND state = 'pending' AND run_at <= ? ORDER BY run_at, id LIMIT 1)
           RETURNING id, kind, dedupe_key, user_id, payload, attempts`,
        )
        .get(this.boot_id, kind, now);
      if (!row) return null;
      this.db.sql
        .query("INSERT OR REPLACE INTO job_attempts (job_id, attempt, started_at) VALUES (?, ?, ?)")
        .run(row.id, row.attempts, now);
      return row;
    });
  }

  /**
   * Ends an attempt. If a duplicate with the same key is pending, it replaces a retry and is due no later than the
   * retry would be.
   */
  finish(job: Job, result: AttemptOutcome): void {
    const now = this.clock.now();
    this.db.writeLazily(() => {
      const detail = result.detail
        ? this.#sealer(job.user_id).seal(`job_attempts.detail:${job.id}`, result.detail)
        : null;
      this.db.sql
        .query("UPDATE job_attempts SET ended_at = ?, outcome = ?, detail = ? WHERE job_id = ? AND attempt = ?")
        .run(now, result.outcome, detail, job.id, job.attempt);
      if (result.outcome === "retry" && !this.#mergeIntoPending(job, result.run_at)) {
        this.db.sql.query("UPDATE jobs SET state = 'pending', run_at = ? WHERE id = ?").run(result.run_at, job.id);
      } else {
        const state = result.outcome === "failed" ? "failed" : "done";
        this.db.sql.query("UPDATE jobs SET state = ?, finished_at = ? WHERE id = ?").run(state, now, job.id);
      }
    });
  }

  /** As `finish`, for jobs that ended together. */
  finishSeveral(ended: readonly EndedJob[]): void {
    this.db.writeLazily(() => {
      for (const { job, result } of ended) this.finish(job, result);
    });
  }

  /** Returns when the next pending job of these kinds is due, ms; null if none is pending. */
  nextDue(kinds: readonly string[]): number | null {
    let next: number | null = null;
    for (const kind of kinds) {
      const row = this.db.sql
        .query<{ at: number | null }, [string]>(
          "SELECT min(run_at) AS at FROM jobs WHERE kind = ? AND state = 'pending'",
        )
        .get(kind);
      if (row?.at !== null && row?.at !== undefined && (next === null || row.at < next)) next = row.at;
    }
    return next;
  }

  /**
   * Returns jobs of these kinds that a dead process or thread was running to the queue. The runner of the kinds calls
   * it before it claims any job.
   */
  recoverLost(kinds: readonly string[]): number {
    return this.db.write(() => {
      const now = this.clock.now();
      const lost = this.db.sql
        .query<Pick<JobRow, "id" | "kind" | "dedupe_key" | "attempts">, [string, string]>(
          `SELECT id, kind, dedupe_key, attempts FROM jobs
           WHERE state = 'running' AND started_by <> ? AND kind IN (SELECT value FROM json_each(?))`,
        )
        .all(this.boot_id, JSON.stringify(kinds));
      for (const job of lost) {
        this.db.sql
          .query("UPDATE job_attempts SET ended_at = ?, outcome = 'lost' WHERE job_id = ? AND attempt = ?")
          .run(now, job.id, job.attempts);
        if (this.#mergeIntoPending(job, now)) {
          this.db.sql.query("UPDATE jobs SET state = 'done', finished_at = ? WHERE id = ?").run(now, job.id);
        } else {
          this.db.sql.query("UPDATE jobs SET state = 'pending', run_at = ? WHERE id = ?").run(now, job.id);
        }
      }
      return lost.length;
    });
  }

  /**
   * Corrects due times after the clock was set back. Each job keeps the delay that it had when it was enqueued, or
   * after its last attempt. Jobs for a time of day check the time themselves and keep waiting.
   */
  handleClockSetBack(kinds: readonly string[]): void {
    const now = this.clock.now();
    const last = "(SELECT ended_at FROM job_attempts a WHERE a.job_id = jobs.id AND a.attempt = jobs.attempts)";
    this.db.sql
      .query(
        `UPDATE jobs SET run_at = ?1 + run_at - ${last}
         WHERE state = 'pending' AND attempts > 0 AND ${last} > ?1 AND ${last} <= run_at
           AND kind IN (SELECT value FROM json_each(?2))`,
      )
      .run(now, JSON.stringify(kinds));
    this.db.sql
      .query(
        `UPDATE jobs SET run_at = max(?1, run_at - (created_at - ?1)), created_at = ?1
         WHERE state = 'pending' AND created_at > ?1 AND kind IN (SELECT value FROM json_each(?2))`,
      )
      .run(now, JSON.stringify(kinds));
  }

  /** Removes a pending job. A running one is not stopped. */
  cancel(kind: string, dedupe_key: string): void {
    this.db.sql.query("DELETE FROM jobs WHERE kind = ? AND dedupe_key = ? AND state = 'pending'").run(kind, dedupe_key);
  }

  /** Deletes jobs that finished before `beforeMs`. @returns how many were deleted */
  prune(beforeMs: number): number {
    return this.db.sql.query("DELETE FROM jobs WHERE finished_at < ?").run(beforeMs).changes;
  }

  /** Lets a pending duplicate replace this job, due no later than `run_at`. @returns whether there is a duplicate */
  #mergeIntoPending(job: { id: string; kind: string; dedupe_key: string | null }, run_at: number): boolean {
    if (job.dedupe_key === null) return false;
    const { changes } = this.db.sql
      .query(
        "UPDATE jobs SET run_at = min(run_at, ?) WHERE kind = ? AND dedupe_key = ? AND state = 'pending' AND id <> ?",
      )
      .run(run_at, job.kind, job.dedupe_key, job.id);
    return changes > 0;
  }

  #sealer(user_id: string | null) {
    return this.keyring.forUser(user_id ?? SYSTEM);
  }
}
