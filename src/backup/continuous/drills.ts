import { nextRun } from "../../platform/jobs/cron.ts";
import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { forgetDrill } from "../log/drill-folder.ts";
import type { BackupServiceParts, BackupWorker, FromBackupWorker } from "../service.ts";
import { copyingState, copyingTarget } from "./state.ts";

/** Kind of the job that restores the continuous copy for a test. */
export const DRILL_JOB = "backup-drill";

/** Tests on schedule whether the continuous copy can be restored, on a separate thread. */
export class DrillService {
  #worker: BackupWorker | null = null;
  #stopping = false;

  constructor(private readonly parts: Pick<BackupServiceParts, "platform" | "sources" | "startWorker">) {}

  /** Enqueues the next test, and removes what one that was killed has left. */
  start(): void {
    const { config, clock, jobs } = this.parts.platform;
    forgetDrill(config.data_dir);
    jobs.cancel(DRILL_JOB, "schedule");
    if (!copyingTarget(this.parts.platform)) return;
    const run_at = nextRun(config.get("backup.drill"), clock.now());
    if (run_at !== null) jobs.enqueue({ kind: DRILL_JOB, dedupe_key: "schedule", run_at });
  }

  /** Ends a running test. The next start does not repeat it. */
  stop(): void {
    this.#stopping = true;
    this.#worker?.postMessage({ type: "stop" });
  }

  readonly handler: JobHandler = { concurrency: 1, run: (job) => this.#run(job) };

  async #run(job: Job): Promise<AttemptOutcome> {
    const { platform } = this.parts;
    const { log, clock } = platform;
    // Nothing to test before the first complete copy.
    const result = copyingState(platform)?.base ? await this.#drill() : null;
    if (this.#stopping) return { outcome: "retry", run_at: clock.now() };
    if (result) log.info("the continuous copy was tested", { job: job.id, passed: result.type === "drilled" });
    this.start();
    return { outcome: "done" };
  }

  async #drill(): Promise<Extract<FromBackupWorker, { type: "drilled" | "failed" }>> {
    const { platform, sources, startWorker } = this.parts;
    try {
      const worker = startWorker();
      this.#worker = worker;
      return await new Promise((resolve) => {
        worker.addEventListener("message", ({ data }) => {
          if (data.type === "drilled" || data.type === "failed") resolve(data);
        });
        for (const type of ["error", "close"] as const) {
          worker.addEventListener(type, () => resolve({ type: "failed", sentence: null }));
        }
        worker.postMessage({ type: "drill", sources, inherited: { master_key: platform.keyring.master } });
      });
    } finally {
      this.#worker?.terminate();
      this.#worker = null;
    }
  }
}
