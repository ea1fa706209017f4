/** Entry point of the backup worker. Creates one backup beside the running server, then ends. */
import { runBackup } from "../backup/run.ts";
import type { FromBackupWorker, ToBackupWorker } from "../backup/service.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { errorFields } from "../platform/log.ts";
import { openPlatform } from "../platform/platform.ts";
import { workInBackground } from "../platform/process/background.ts";

declare const self: Worker;

workInBackground();

/** Interval of progress messages for the settings page. */
const REPORT_EVERY_MS = 500;
const stop = new AbortController();

self.onmessage = ({ data }: MessageEvent<ToBackupWorker | { type: "stop" }>) => {
  if (data.type === "stop") stop.abort();
  else void make(data).then((answer) => self.postMessage(answer satisfies FromBackupWorker));
};

async function make({ sources, inherited, version, next }: ToBackupWorker): Promise<FromBackupWorker> {
  const platform = openPlatform({ config: loadConfig(sources), clock: systemClock, inherited });
  let reportedAt = 0;
  try {
    const { id } = await runBackup({
      platform,
      version,
      file: next.file,
      ...(next.since === null ? {} : { since: next.since }),
      kept: true,
      progress: (progress) => {
        const now = platform.clock.now();
        if (now - reportedAt < REPORT_EVERY_MS) return;
        reportedAt = now;
        self.postMessage({ type: "progress", progress } satisfies FromBackupWorker);
      },
      signal: stop.signal,
    });
    return { type: "done", id };
  } catch (error) {
    if (error instanceof UserError) return { type: "failed", sentence: error.message };
    platform.log.error("a backup failed unexpectedly", errorFields(error));
    return { type: "failed", sentence: null };
  } finally {
    platform.close();
  }
}
