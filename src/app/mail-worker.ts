import type { MailPort } from "../inbound/port/port.ts";
import type { FromMailWorker, ToMailWorker } from "../inbound/port/worker-messages.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";

const WORKER_RESTART_MS = 1_000;

export interface MailWorkerParts {
  mail: MailPort;
  /** Until when this server may act (src/backup/lease/held.ts); null: no limit. */
  held: SharedArrayBuffer | null;
  onRestart: () => void;
}

/** Starts the mail worker, and restarts it after a failure, because mail processing must continue. */
export async function startMailWorker(
  platform: Platform,
  sources: ConfigSources,
  { mail, held, onRestart }: MailWorkerParts,
): Promise<{ renew(): void; stop(): Promise<void> }> {
  let stopping = false;
  let current: Worker;
  const start = (): Promise<void> => {
    const worker = new Worker(workerUrl("workers/mail.ts"));
    current = worker;
    return new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<FromMailWorker>) => {
        if (data.type === "events") platform.events.announce();
        if (data.type !== "ready") return;
        mail.connect(worker);
        resolve();
      });
      worker.addEventListener("error", (event) => {
        platform.log.error("the mail worker failed", { reason: event.message });
        reject(new Error("the mail worker failed to start", { cause: event.message }));
      });
      worker.addEventListener("close", () => {
        mail.disconnect();
        if (stopping || current !== worker) return;
        onRestart();
        platform.clock.after(WORKER_RESTART_MS, () => void start().catch(() => {}));
      });
      const inherited = { master_key: platform.keyring.master };
      const env = { ...process.env };
      worker.postMessage({ type: "start", sources: { ...sources, env }, inherited, held } satisfies ToMailWorker);
    });
  };
  await start();
  return {
    /** Ends the worker. Its replacement starts with the current master key. */
    renew: () => current.terminate(),
    async stop() {
      stopping = true;
      await mail.stop().catch(() => {});
      current.terminate();
    },
  };
}
