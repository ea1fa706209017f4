/** Entry point of the import worker. Imports one uploaded file beside the running server, then ends. */
import { uploadRunParts } from "../app/import-run.ts";
import { runUpload } from "../inbound/import/run-upload.ts";
import type { FromImportWorker, ToImportWorker } from "../inbound/import/upload-runner.ts";
import { UserError } from "../kernel/errors.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { errorFields } from "../platform/log.ts";
import { openPlatform } from "../platform/platform.ts";
import { workInBackground } from "../platform/process/background.ts";

declare const self: Worker;

workInBackground();

const stop = new AbortController();

self.onmessage = ({ data }: MessageEvent<ToImportWorker | { type: "stop" }>) => {
  if (data.type === "stop") stop.abort();
  else void run(data).then((answer) => self.postMessage(answer satisfies FromImportWorker));
};

async function run({ sources, inherited, id }: ToImportWorker): Promise<FromImportWorker> {
  const platform = openPlatform({ config: loadConfig(sources), clock: systemClock, inherited });
  try {
    return { type: await runUpload(uploadRunParts(platform), id, stop.signal) };
  } catch (error) {
    if (error instanceof UserError) return { type: "failed", sentence: error.message };
    platform.log.error("an import failed unexpectedly", errorFields(error));
    return { type: "failed", sentence: null };
  } finally {
    platform.close();
  }
}
