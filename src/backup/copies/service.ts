import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Progress } from "../make.ts";
import type { BackupServiceParts, BackupWorker, FromBackupWorker } from "../service.ts";
import { backupTarget } from "../target.ts";
import { type CopyStatus, copyStatus } from "./status.ts";

/** Kind of the job that sends backups to the chosen place. */
export const BACKUP_COPY_JOB = "backup-copy";

const ALL = "all";

const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3_600_000;

/** Sends backups to another machine, on a separate thread. A failure is retried until it succeeds. */
export class CopyService {
  #worker: BackupWorker | null = null;
  #progress: Progress | null = null;
  #stopping = false;
  /** Whether another place was chosen during the running upload. */
  #moved = false;

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

  /** Enqueues sending, if a place was chosen. */
  request(): void {
    const { platform } = this.parts;
    if (backupTarget(platform)) platform.jobs.enqueue({ kind: BACKUP_COPY_JOB, dedupe_key: ALL });
  }

  /** Applies another place: ends a running upload, and begins there at once, without the pause of earlier failures. */
  moved(): void {
    this.#moved = this.#worker !== null;
    this.#worker?.postMessage({ type: "stop" });
    this.parts.platform.jobs.cancel(BACKUP_COPY_JOB, ALL);
    this.request();
  }

  /** Returns how far the copies are behind, and the upload that runs; null if there is no place for them. */
  status(): (CopyStatus & { sending: Progress | null }) | null {
    const status = copyStatus(this.parts.platform);
    return status && { ...status, sending: this.#progress };
  }

  readonly handler: JobHandler = { concurrency: 1, run: (job) => this.#run(job) };

  async #run(job: Job): Promise<AttemptOutcome> {
    const { platform } = this.parts;
    const { clock, log } = platform;
    if (!backupTarget(platform)) return { outcome: "done" };
    const result = await this.#send();
    if (result.type === "sent") {
      if (result.count > 0) log.info("backups sent", { count: result.count });
      return { outcome: "done" };
    }
    // A pending job sends to the other place.
    if (this.#moved) return { outcome: "done", detail: "another place was chosen" };
    if (this.#stopping) return { outcome: "retry", run_at: clock.now() };
    const detail = result.sentence ?? "internal error; see the log";
    log.error("backups were not sent", { attempt: job.attempt, reason: detail });
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (job.attempt - 1), LONGEST_RETRY_MS);
    return { outcome: "retry", run_at: clock.now() + delayMs, detail };
  }

  async #send(): Promise<Extract<FromBackupWorker, { type: "sent" | "failed" }>> {
    const { platform, sources, startWorker } = this.parts;
    this.#progress = { done: 0, total: 0 };
    this.#moved = false;
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
