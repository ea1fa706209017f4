/** Mailboxes as files: imports and exports from the command line, with or without a running server. */
import { rmSync } from "node:fs";
import { MailExport } from "../features/export/mail-export.ts";
import { type ImportCounts, MailImport } from "../inbound/import/import-mail.ts";
import { type ImportSource, maildirSource, mboxSource } from "../inbound/import/source.ts";
import { PartFetcher } from "../inbound/port/part-fetcher.ts";
import { ConnectionQueue } from "../inbound/sync/connection-queue.ts";
import { connectAccount } from "../inbound/sync/login.ts";
import { ApiError, UserError } from "../kernel/errors.ts";
import { type Account, hasServer } from "../mailbox/accounts/accounts.ts";
import { importedNameFault, openImported } from "../mailbox/accounts/imported.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { INDEX_SIZES } from "../mailbox/search/fulltext-index.ts";
import type { ContentSource } from "../mailbox/store/content-source.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import { readCaFile } from "../platform/egress/ca-file.ts";
import type { Platform } from "../platform/platform.ts";
import { isServed } from "../platform/process/lock.ts";
import { yieldInSlices } from "../platform/process/yielding.ts";
import { connectEgress, createTokens } from "./connect.ts";
import { mailPipeline } from "./mail.ts";

/**
 * Returns the account for mail imported from files. Reuses the account of this name if an earlier import created it.
 */
export function importedAccount(platform: Platform, { accounts }: Mailbox, user_id: string, name: string): Account {
  const fault = importedNameFault(accounts, user_id, name);
  if (fault) throw new UserError(`--name ${fault}.`);
  return openImported(platform, accounts, user_id, name);
}

/** Opens the source of an import. @throws UserError when a folder is not a Maildir */
export function importSource(from: { mbox: readonly string[]; folder?: string } | { maildir: string }): ImportSource {
  if ("mbox" in from) return mboxSource(from.mbox, from.folder);
  const source = maildirSource(from.maildir);
  if (source.folders === 0) throw new UserError(`${from.maildir} is not a Maildir: it has no folder 'cur'.`);
  return source;
}

/** Builds the export of a mailbox. @param content the sources of its messages */
export function createExport(
  platform: Platform,
  mailbox: Mailbox,
  account: Account,
  content: MailboxContent["content"],
): MailExport {
  return new MailExport({ platform, mailbox, content }, account);
}

/** How an import continues, and what is called when a batch of its messages is stored. */
export interface ImportOptions {
  earlier?: ImportCounts;
  stored?: (counts: ImportCounts) => void;
}

/** Builds the import into an account. Run it with a source. */
export function createImport(
  platform: Platform,
  mailbox: Mailbox,
  account: Account,
  { earlier, stored }: ImportOptions = {},
): MailImport {
  const { accounts, folders, locations, importer } = mailbox;
  const files = new BlobFiles(platform);
  const pipeline = mailPipeline(platform, mailbox);
  const settle = (counts: ImportCounts) => {
    stored?.(counts);
    return indexImported(platform, mailbox, account.user_id);
  };
  return new MailImport(
    { platform, accounts, folders, locations, importer, pipeline, files, settle },
    account,
    earlier,
  );
}

/** Builds segments for imported mail if no server runs. Otherwise each search would scan all of this mail. */
async function indexImported({ config }: Platform, { fullText }: Mailbox, user_id: string): Promise<void> {
  if (fullText.pendingCount(user_id) < INDEX_SIZES.flushFrom || isServed(config.data_dir)) return;
  await fullText.maintain(user_id, { rest: yieldInSlices() });
}

/** The sources of a mailbox's messages: the stored copy, otherwise the mail server over a separate connection. */
export interface MailboxContent {
  content: Pick<ContentSource, "raw">;
  close(): void;
}

/** Opens the sources of a mailbox's messages. @param offline if true, only stored sources are available */
export function openMailboxContent(
  platform: Platform,
  mailbox: Mailbox,
  account: Account,
  offline: boolean,
): MailboxContent {
  const { accounts, locations } = mailbox;
  const files = new BlobFiles(platform);
  const connection = offline || !hasServer(account) ? null : accounts.connection(account);
  const egress = connection ? connectEgress(platform) : null;
  const queue = connection && egress ? queueOf(platform, account, connection, egress) : null;
  const fetcher = new PartFetcher({ platform, accounts, locations, files, connectionQueue: () => queue });
  return {
    content: {
      async raw(ref) {
        const name = { user_id: ref.user_id, message_id: ref.message_id, part: "raw" };
        const kept = await files.find(name);
        if (kept) return { size: kept.size, read: (start, end) => files.readFound(name, kept, start, end) };
        if (!queue) throw new ApiError("not_found", "The source of this message is not stored here.");
        await fetchRaw(fetcher, ref);
        const found = await files.find(name);
        if (!found) throw new ApiError("not_found", "The mail server no longer has this message.");
        // The file is read completely and then deleted, because the cache of a running server has no record of it.
        const bytes = await files.readAll(name, found);
        if (found.root === "cache") rmSync(found.path, { force: true });
        const read = (start = 0, end = bytes.length) => new Blob([bytes.slice(start, end)]).stream();
        return { size: bytes.length, read };
      },
    },
    close() {
      queue?.close();
      egress?.close();
    },
  };
}

async function fetchRaw(fetcher: PartFetcher, ref: Parameters<ContentSource["raw"]>[0]): Promise<void> {
  try {
    await fetcher.fetch({ kind: "raw", ref }, () => {}, new AbortController().signal);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("provider_unavailable", "The mail server cannot be reached right now. Try again later.", {
      cause: error,
    });
  }
}

function queueOf(
  platform: Platform,
  account: Account,
  connection: NonNullable<ReturnType<Mailbox["accounts"]["connection"]>>,
  egress: ReturnType<typeof connectEgress>,
): ConnectionQueue {
  const ca = readCaFile("mail.ca_file", platform.config.get("mail.ca_file"));
  return new ConnectionQueue(
    () => connectAccount(createTokens(platform, egress), account, connection, { ca }),
    platform.clock,
  );
}
