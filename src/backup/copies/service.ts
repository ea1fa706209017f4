import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Progress } from "../make.ts";
import type { BackupServiceParts, BackupWorker, FromBackupWorker } from "../service.ts";
import { type CopyStatus, copyStatus } from "./status.ts";

/** Kind of the job that sends backups to the place of `backup.to`. */
export const BACKUP_COPY_JOB = "backup-copy";

const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3_600_000;

/** Sends backups to another machine, on a separate thread. A failure is retried until it succeeds. */
export class CopyService {
  #worker: BackupWorker | null = null;
  #progress: Progress | null = null;
  #stopping = false;

  constructor(private readonly parts: Pick<BackupServiceParts, "platform" | "sources" | "startWorker">) {}

  /** Enqueues what was not sent before the last stop. */
  start(): void {
    const status = copyStatus(this.parts.platform);
    if (status && status.pending > 0) this.request();
  }

  /** Ends a running upload, which the next start continues. */
  stop(): void {
    this.#stopping = true;
    this.#worker?.postMessage({ type: "stop" });
  }

  /** Enqueues sending, if `backup.to` is set. */
  request(): void {
    const { config, jobs } = this.parts.platform;
    if (config.get("backup.to") !== "") jobs.enqueue({ kind: BACKUP_COPY_JOB, dedupe_key: "all" });
  }

  /** Returns how far the copies are behind, and the upload that runs; null if there is no place for them. */
  status(): (CopyStatus & { sending: Progress | null }) | null {
    const status = copyStatus(this.parts.platform);
    return status && { ...status, sending: this.#progress };
  }

  readonly handler: JobHandler = { concurrency: 1, run: (job) => this.#run(job) };

  async #run(job: Job): Promise<AttemptOutcome> {
    const { config, clock, log } = this.parts.platform;
    if (config.get("backup.to") === "") return { outcome: "done" };
    const result = await this.#send();
    if (result.type === "sent") {
      if (result.count > 0) log.info("backups sent", { count: result.count });
      return { outcome: "done" };
    }
    if (this.#stopping) return { outcome: "retry", run_at: clock.now() };
    const detail = result.sentence ?? "internal error; see the log";
    log.error("backups were not sent", { attempt: job.attempt, reason: detail });
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (job.attempt - 1), LONGEST_RETRY_MS);
    return { outcome: "retry", run_at: clock.now() + delayMs, detail };
  }

  async #send(): Promise<Extract<FromBackupWorker, { type: "sent" | "failed" }>> {
    const { platform, sources, startWorker } = this.parts;
    this.#progress = { done: 0, total: 0 };
    try {
      const worker = startWorker();
      this.#worker = worker;
      return await new Promise((resolve) => {
        worker.addEventListener("message", ({ data }) => {
          if (data.type === "progress") this.#progress = data.progress;
          else if (data.type === "sent" || data.type === "failed") resolve(data);
        });
        for (const type of ["error", "close"] as const) {
          worker.addEventListener(type, () => resolve({ type: "failed", sentence: null }));
        }
        worker.postMessage({ type: "send", sources, inherited: { master_key: platform.keyring.master } });
      });
    } finally {
      this.#worker?.terminate();
      this.#worker = null;
      this.#progress = null;
    }
  }
}
