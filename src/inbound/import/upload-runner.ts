import type { ImportStore } from "../../mailbox/imports/store.ts";
import type { UploadFiles } from "../../mailbox/imports/upload-files.ts";
import type { ConfigSources } from "../../platform/config/load.ts";
import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Platform } from "../../platform/platform.ts";
import type { UploadOutcome } from "./run-upload.ts";

export interface ToImportWorker {
  type: "start";
  sources: ConfigSources;
  inherited: { master_key: Uint8Array };
  /** Id of the import. */
  id: string;
}

export type FromImportWorker =
  | { type: UploadOutcome }
  /** A sentence for people; null for an internal error, which the worker has logged. */
  | { type: "failed"; sentence: string | null };

/** The parts of a Worker that the runner uses. */
export interface ImportWorker {
  postMessage(message: ToImportWorker | { type: "stop" }): void;
  addEventListener(type: "message", listener: (event: { data: FromImportWorker }) => void): void;
  addEventListener(type: "error" | "close", listener: () => void): void;
  terminate(): void;
}

export interface UploadRunnerParts {
  platform: Platform;
  sources: ConfigSources;
  imports: ImportStore;
  files: UploadFiles;
  startWorker(): ImportWorker;
}

/** After this many internal errors an import fails. */
const MAX_FAULTS = 5;
const RETRY_MS = 60_000;
const INTERNAL = "The import failed because of an internal error. See the log for details, then import the file again.";

/** Runs imports of uploaded files in a running server, one at a time, each on its own thread. */
export class UploadRunner {
  #worker: ImportWorker | null = null;
  #stopping = false;
  /** Internal errors by import, in this process. A crash of the process is not one. */
  readonly #faults = new Map<string, number>();

  constructor(private readonly parts: UploadRunnerParts) {}

  /** Ends a running import, which the next start resumes. */
  stop(): void {
    this.#stopping = true;
    this.#worker?.postMessage({ type: "stop" });
  }

  readonly handler: JobHandler = { concurrency: 1, run: (job) => this.#run(job) };

  async #run(job: Job): Promise<AttemptOutcome> {
    const { platform, imports, files } = this.parts;
    const { clock, log } = platform;
    const { id } = job.payload as { id: string };
    const state = imports.get(id)?.state;
    if (state === "waiting" || state === "importing") {
      const result = await this.#work(id);
      if (this.#stopping && result.type !== "done") return { outcome: "retry", run_at: clock.now() };
      if (result.type === "failed") {
        if (result.sentence === null) log.error("an import failed", { job: job.id, import: id });
        const faults = (this.#faults.get(id) ?? 0) + 1;
        this.#faults.set(id, faults);
        if (result.sentence === null && faults < MAX_FAULTS && imports.get(id)?.state === "importing") {
          return { outcome: "retry", run_at: clock.now() + RETRY_MS };
        }
        imports.move(id, "failed", result.sentence ?? INTERNAL);
      }
    }
    this.#faults.delete(id);
    await files.remove(id);
    const ended = imports.get(id);
    if (ended) log.info("an import ended", { import: id, state: ended.state, messages: ended.taken_count });
    return { outcome: "done" };
  }

  async #work(id: string): Promise<FromImportWorker> {
    const { platform, sources, startWorker } = this.parts;
    const worker = startWorker();
    this.#worker = worker;
    try {
      return await new Promise((resolve) => {
        worker.addEventListener("message", ({ data }) => resolve(data));
        for (const type of ["error", "close"] as const) {
          worker.addEventListener(type, () => resolve({ type: "failed", sentence: null }));
        }
        const inherited = { master_key: platform.keyring.master };
        worker.postMessage({ type: "start", sources, inherited, id });
      });
    } finally {
      worker.terminate();
      this.#worker = null;
    }
  }
}
