import type { ImportServiceParts } from "../features/import/service.ts";
import type { RunUploadParts } from "../inbound/import/run-upload.ts";
import { type ImportWorker, UploadRunner } from "../inbound/import/upload-runner.ts";
import { UserError } from "../kernel/errors.ts";
import { importedNameFault, openImported } from "../mailbox/accounts/imported.ts";
import { ImportStore } from "../mailbox/imports/store.ts";
import { UploadFiles } from "../mailbox/imports/upload-files.ts";
import { createMailbox, type Mailbox } from "../mailbox/mailbox.ts";
import type { ConfigSources } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { workerUrl } from "../platform/process/worker-url.ts";
import { createImport } from "./files.ts";

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

/** Returns what the import worker needs. The mail passes the same steps as that of `postroom import`. */
export function uploadRunParts(platform: Platform): RunUploadParts {
  const mailbox = createMailbox(platform);
  const { accounts } = mailbox;
  return {
    platform,
    imports: new ImportStore(platform),
    files: new UploadFiles(platform),
    account({ user_id, account_id, mailbox: name }) {
      const chosen = account_id === null ? null : accounts.get(account_id);
      if (chosen?.user_id === user_id) return chosen;
      const fault = importedNameFault(accounts, user_id, name);
      if (fault) throw new UserError(`The name of the mailbox ${fault}.`);
      return openImported(platform, accounts, user_id, name, { kind: "user", id: user_id });
    },
    createImport: (account, earlier, stored) => createImport(platform, mailbox, account, { earlier, stored }),
  };
}

/** Ends uploads that were not continued, and deletes the files of imports that have ended. */
export async function sweepUploads(platform: Platform): Promise<void> {
  const imports = new ImportStore(platform);
  imports.prune();
  await new UploadFiles(platform).sweep(() => imports.active());
}
