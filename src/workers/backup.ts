/** Entry point of the backup worker. Creates one backup, sends backups elsewhere, or tests the continuous copy, then ends. */
import { runDrill } from "../backup/continuous/drill.ts";
import { sendCopies } from "../backup/copies/send.ts";
import type { Progress } from "../backup/make.ts";
import { runBackup } from "../backup/run.ts";
import type { FromBackupWorker, ToBackupWorker, ToSendingWorker } from "../backup/service.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { errorFields } from "../platform/log.ts";
import { StoreFault } from "../platform/objects/store.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";
import { workInBackground } from "../platform/process/background.ts";

declare const self: Worker;

workInBackground();

/** Interval of progress messages for the settings page. */
const REPORT_EVERY_MS = 500;
const stop = new AbortController();

self.onmessage = ({ data }: MessageEvent<ToBackupWorker | ToSendingWorker | { type: "stop" }>) => {
  if (data.type === "stop") stop.abort();
  else void work(data).then((answer) => self.postMessage(answer satisfies FromBackupWorker));
};

async function work(order: ToBackupWorker | ToSendingWorker): Promise<FromBackupWorker> {
  const { sources, inherited } = order;
  const platform = openPlatform({ config: loadConfig(sources), clock: systemClock, inherited });
  try {
    if (order.type === "start") return await make(platform, order);
    if (order.type === "send") return await send(platform);
    await runDrill(platform, stop.signal);
    return { type: "drilled" };
  } catch (error) {
    if (error instanceof UserError || error instanceof StoreFault) return { type: "failed", sentence: error.message };
    if (!stop.signal.aborted) platform.log.error("a backup failed unexpectedly", errorFields(error));
    return { type: "failed", sentence: null };
  } finally {
    platform.close();
  }
}

async function make(platform: Platform, { version, next }: ToBackupWorker): Promise<FromBackupWorker> {
  const { id } = await runBackup({
    platform,
    version,
    file: next.file,
    ...(next.since === null ? {} : { since: next.since }),
    kept: true,
    progress: reporter(platform),
    signal: stop.signal,
  });
  return { type: "done", id };
}

async function send(platform: Platform): Promise<FromBackupWorker> {
  const report = reporter(platform);
  const count = await sendCopies({
    platform,
    progress: (done, total) => report({ done, total }),
    signal: stop.signal,
  });
  return { type: "sent", count };
}

function reporter({ clock }: Platform): (progress: Progress) => void {
  let reportedAt = 0;
  return (progress) => {
    const now = clock.now();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    self.postMessage({ type: "progress", progress } satisfies FromBackupWorker);
  };
}
