import type { ImportServiceParts } from "../features/import/service.ts";
import { type ImportWorker, UploadRunner } from "../inbound/import/upload-runner.ts";
import { ImportStore } from "../mailbox/imports/store.ts";
import { UploadFiles } from "../mailbox/imports/upload-files.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";

/** Opens the imports of uploaded files, which run on a separate worker (`src/workers/import.ts`). */
export function openUploadRunner(platform: Platform, sources: ConfigSources): UploadRunner {
  return new UploadRunner({
    platform,
    sources: { ...sources, env: { ...process.env } },
    imports: new ImportStore(platform),
    files: new UploadFiles(platform),
    startWorker: () => new Worker(workerUrl("workers/import.ts"), { smol: true }) as unknown as ImportWorker,
  });
}

/** Returns what the routes of uploads need. */
export function uploadParts(platform: Platform, mailbox: Mailbox): ImportServiceParts {
  return { platform, mailbox, imports: new ImportStore(platform), files: new UploadFiles(platform) };
}

/** Ends uploads that were not continued, and deletes the files of imports that have ended. */
export async function sweepUploads(platform: Platform): Promise<void> {
  const imports = new ImportStore(platform);
  imports.prune();
  await new UploadFiles(platform).sweep(() => imports.active());
}
