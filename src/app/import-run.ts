import type { RunUploadParts } from "../inbound/import/run-upload.ts";
import { UserError } from "../kernel/errors.ts";
import { importedNameFault, openImported } from "../mailbox/accounts/imported.ts";
import { ImportStore } from "../mailbox/imports/store.ts";
import { UploadFiles } from "../mailbox/imports/upload-files.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import type { Platform } from "../platform/platform.ts";
import { createImport } from "./files.ts";

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
