import { UserError } from "../kernel/errors.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import type { AttemptOutcome, Job } from "../platform/jobs/queue.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import type { Platform } from "../platform/platform.ts";
import { BackupLedger, type BackupRun } from "./ledger.ts";
import type { Progress } from "./make.ts";
import { type NextBackup, nextBackup, removeOld } from "./retention.ts";
import { nextOf } from "./schedule.ts";
import { backupSettings } from "./settings.ts";

/** Kind of the job that creates a backup in the folder of the schedule. */
export const BACKUP_JOB = "backup";
const SCHEDULED = "schedule";
const ASKED_FOR = "now";

/** Delay after a scheduled backup failed, for example because of a full disk or a folder that is not mounted. */
const RETRY_MS = 3_600_000;
const MAX_ATTEMPTS = 3;
const LEDGER_MS = 365 * 24 * 3_600_000;

export interface ToBackupWorker {
  type: "start";
  sources: ConfigSources;
  inherited: { master_key: Uint8Array };
  version: string;
  next: NextBackup;
}

export interface ToSendingWorker {
  /** "send": send backups elsewhere; "drill": test the continuous copy. */
  type: "send" | "drill";
  sources: ConfigSources;
  inherited: { master_key: Uint8Array };
}

export type FromBackupWorker =
  | { type: "progress"; progress: Progress }
  | { type: "done"; id: string }
  | { type: "sent"; count: number }
  | { type: "drilled" }
  /** A sentence for people; null for an internal error, which the worker has logged. */
  | { type: "failed"; sentence: string | null };

/** The parts of a Worker that this service uses. */
export interface BackupWorker {
  postMessage(message: ToBackupWorker | ToSendingWorker | { type: "stop" }): void;
  addEventListener(type: "message", listener: (event: { data: FromBackupWorker }) => void): void;
  addEventListener(type: "error" | "close", listener: () => void): void;
  terminate(): void;
}

export interface BackupServiceParts {
  platform: Platform;
  sources: ConfigSources;
  version: string;
  startWorker(): BackupWorker;
  /** Called after each backup, before older ones are removed. */
  made?(): void;
}

/** State of the backups, as the settings page shows it. */
export interface BackupState {
  running: Progress | null;
  next_at: number | null;
  runs: BackupRun[];
}

/** Makes scheduled and requested backups in a running server, one at a time, on a separate thread. */
export class BackupService {
  readonly #ledger: BackupLedger;
  #worker: BackupWorker | null = null;
  #progress: Progress | null = null;
  #stopping = false;

  constructor(private readonly parts: BackupServiceParts) {
    this.#ledger = new BackupLedger(parts.platform);
  }

  /** Ends backups of dead processes and enqueues the next scheduled one. */
  start(): void {
    this.#ledger.endLost();
    this.#enqueueNext();
  }

  /** Ends a running backup, which the next start retries. */
  stop(): void {
    this.#stopping = true;
    this.#worker?.postMessage({ type: "stop" });
  }

  readonly handler: JobHandler = { concurrency: 1, run: (job) => this.#run(job) };

  /** Enqueues a backup. @returns false if one is running or queued */
  request(): boolean {
    if (this.state().running) return false;
    return this.parts.platform.jobs.enqueue({ kind: BACKUP_JOB, dedupe_key: ASKED_FOR }) !== null;
  }

  /** Applies a changed schedule. Call it in the transaction of the change. */
  reschedule(): void {
    this.parts.platform.jobs.cancel(BACKUP_JOB, SCHEDULED);
    this.#enqueueNext();
  }

  /** Returns the current state. Its progress is 0 of 0 if a command in another process is creating a backup. */
  state(): BackupState {
    return {
      running: this.#progress ?? (this.#runsElsewhere() ? { done: 0, total: 0 } : null),
      next_at: this.#nextAt(),
      runs: this.#ledger.list(),
    };
  }

  /** Returns finished backups whose file exists. */
  present(): BackupRun[] {
    return this.#ledger.present();
  }

  /** Deletes old records of failures and removed files. */
  prune(): void {
    this.#ledger.prune(this.parts.platform.clock.now() - LEDGER_MS);
  }

  /** Returns whether a command in another process is creating a backup. */
  #runsElsewhere(): boolean {
    this.#ledger.endLost();
    return this.#ledger.list(10).some(({ state }) => state === "running");
  }

  #enqueueNext(): void {
    const run_at = this.#nextAt();
    if (run_at !== null) this.parts.platform.jobs.enqueue({ kind: BACKUP_JOB, dedupe_key: SCHEDULED, run_at });
  }

  #nextAt(): number | null {
    const { platform } = this.parts;
    return nextOf(backupSettings(platform).schedule, platform.clock.now());
  }

  async #run(job: Job): Promise<AttemptOutcome> {
    const { platform } = this.parts;
    const { clock, log } = platform;
    const scheduled = job.dedupe_key === SCHEDULED;
    // The schedule was turned off after the job was enqueued.
    if (scheduled && backupSettings(platform).schedule.every === "off") return { outcome: "done" };
    const began = clock.now();
    const result = await this.#make();
    if (result.type === "failed" && this.#stopping) return { outcome: "retry", run_at: clock.now() };
    if (result.type === "failed") {
      const detail = result.sentence ?? "internal error; see the log";
      log.error("a backup failed", { job: job.id, attempt: job.attempt });
      if (scheduled && job.attempt < MAX_ATTEMPTS) return { outcome: "retry", run_at: clock.now() + RETRY_MS, detail };
      this.#enqueueNext();
      return { outcome: "failed", detail };
    }
    const { kind, bytes, rows, files } = this.#ledger.get(result.id)!;
    this.parts.made?.();
    const removed = removeOld(backupSettings(platform), this.#ledger).length;
    log.info("backup made", { kind, bytes, rows, files, removed, seconds: Math.round((clock.now() - began) / 1000) });
    this.#enqueueNext();
    return { outcome: "done" };
  }

  async #make(): Promise<Extract<FromBackupWorker, { type: "done" | "failed" }>> {
    const { platform, sources, version, startWorker } = this.parts;
    this.#progress = { done: 0, total: 0 };
    const settings = backupSettings(platform);
    try {
      const kept = this.#ledger.present().filter((run) => run.kept);
      const next = nextBackup(settings, kept, platform.clock.now());
      const worker = startWorker();
      this.#worker = worker;
      return await new Promise((resolve) => {
        worker.addEventListener("message", ({ data }) => {
          if (data.type === "progress") this.#progress = data.progress;
          else if (data.type === "done" || data.type === "failed") resolve(data);
        });
        for (const type of ["error", "close"] as const) {
          worker.addEventListener(type, () => resolve({ type: "failed", sentence: null }));
        }
        const inherited = { master_key: platform.keyring.master };
        worker.postMessage({ type: "start", sources, inherited, version, next });
      });
    } catch (error) {
      // The folder cannot be created: its disk is not mounted, or this user may not write to it.
      const code = (error as NodeJS.ErrnoException).code ?? "unknown";
      const file = settings.folder;
      const sentence =
        error instanceof UserError ? error.message : `The folder for backups cannot be used: ${file} (${code}).`;
      this.#ledger.failed(this.#ledger.begin({ kind: "full", file, kept: true }), sentence);
      return { type: "failed", sentence };
    } finally {
      this.#worker?.terminate();
      this.#worker = null;
      this.#progress = null;
      this.#ledger.endLost();
    }
  }
}
