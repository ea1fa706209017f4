import { rmSync } from "node:fs";
import type { InboundStep } from "../inbound/message/arrival.ts";
import type { PartFetcher } from "../inbound/port/part-fetcher.ts";
import { ApiError } from "../kernel/errors.ts";
import { type Account, hasServer } from "../mailbox/accounts/accounts.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { mailboxesWithWaitingFiles } from "../mailbox/search/file-texts.ts";
import type { AttachmentRef } from "../mailbox/store/content-source.ts";
import type { FileText } from "../mailbox/store/file-text.ts";
import { numberOf } from "../mailbox/store/message-numbers.ts";
import type { BlobFiles } from "../platform/blobs/files.ts";
import type { AttemptOutcome } from "../platform/jobs/queue.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { documentKind } from "../wire/documents/kind.ts";
import { extractText } from "../wire/documents/text.ts";
import { invitationText } from "../wire/ical/invitation-text.ts";
import { isCalendar } from "../wire/mime/parts-kept.ts";
import { passagesOf } from "./file-passages.ts";

/** Reads an account's attachments that wait for the full-text index. At most one job per account is pending. */
export const FILES_JOB = "index-files";

/** Larger files are indexed by name only. */
const LARGEST_FILE_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 20;
/** Limit for all files of a message together. */
const MAX_TEXT_CHARS = 256 * 1024;
const BATCH = 10;
const SLICE_MS = 30_000;
const LATER_MS = 30_000;
const NO_BYTES = new Uint8Array(0);

const isReadable = (file: { name: string; mime: string; size: number }): boolean =>
  file.size <= LARGEST_FILE_BYTES && documentKind(file.mime, file.name, NO_BYTES) !== null;

/**
 * Queues attachments with readable text. Their download waits until the mailbox is complete; the text of an invitation,
 * which comes with its message, is kept at once.
 */
export function filesStep({ db, jobs, users }: Platform, { fileTexts, messageQueries }: Mailbox): InboundStep {
  return {
    name: "queue the attachments",
    run: ({ target: { id, user_id }, incoming, imported }) => {
      if (imported.outcome !== "new" || !incoming.attachments.some(isReadable)) return;
      const n = numberOf(db, imported.message_id);
      fileTexts.note(n, id);
      const content = incoming.attachments.find((file) => file.content && isCalendar(file.mime, file.name))?.content;
      const stored = content && messageQueries.get({ user_id, account_id: id }, imported.message_id).attachments;
      const attachment = stored?.find(({ mime, name }) => isCalendar(mime, name));
      if (content && attachment) {
        const text = invitationText(new TextDecoder().decode(content), users.get(user_id)?.timezone ?? "UTC");
        const file = { attachment_id: attachment.id, name: attachment.name, text };
        fileTexts.keep(user_id, { n, message_id: imported.message_id }, [file]);
      }
      jobs.enqueue({ kind: FILES_JOB, dedupe_key: id, user_id, payload: { account_id: id } });
    },
  };
}

/**
 * Queues mail whose attachments must be read again, because only the full-text index held their text. The caller holds
 * the transaction.
 */
export function queueFiles({ db, jobs }: Platform): void {
  // Without a connection nothing can be fetched. A later call finds these messages once the connection is back.
  for (const { id, user_id } of mailboxesWithWaitingFiles(db)) {
    jobs.enqueue({ kind: FILES_JOB, dedupe_key: id, user_id, payload: { account_id: id } });
  }
}

interface Parts {
  platform: Platform;
  mailbox: Mailbox;
  content: Pick<PartFetcher, "fetch">;
  files: BlobFiles;
}

/** Returns the handler of FILES_JOB. */
export function filesHandler(parts: Parts): JobHandler {
  return { concurrency: 1, run: ({ payload }) => run(parts, (payload as { account_id: string }).account_id) };
}

async function run(parts: Parts, account_id: string): Promise<AttemptOutcome> {
  const { platform, mailbox } = parts;
  const { clock } = platform;
  const began = clock.now();
  for (;;) {
    const account = mailbox.accounts.get(account_id);
    if (!account) return { outcome: "done" };
    const later: AttemptOutcome = { outcome: "retry", run_at: clock.now() + LATER_MS };
    if (hasServer(account) && (account.sync.phase !== "live" || account.status !== "active")) return later;
    const waiting = mailbox.fileTexts.waiting(account_id, BATCH);
    if (waiting.length === 0) return { outcome: "done" };
    for (const { n, message_id } of waiting) {
      if (!(await readFiles(parts, account, n, message_id))) return later;
    }
    if (clock.now() - began > SLICE_MS) return { outcome: "retry", run_at: clock.now() };
  }
}

/**
 * Reads the attachments of a message.
 * @returns false when the server cannot be reached, in which case all further reads would fail too
 */
async function readFiles(parts: Parts, account: Account, n: number, message_id: string): Promise<boolean> {
  const { mailbox, platform } = parts;
  const scope = { user_id: account.user_id, account_id: account.id };
  try {
    const { attachments } = mailbox.messageQueries.get(scope, message_id);
    let text = "";
    const kept: FileText[] = [];
    const timezone = platform.users.get(account.user_id)?.timezone ?? "UTC";
    for (const file of attachments.filter(isReadable).slice(0, MAX_FILES)) {
      const { ref } = mailbox.messageQueries.attachment(scope, message_id, file.id);
      const bytes = await fetchBytes(parts, ref);
      const extracted = bytes && (await extractText({ bytes, type: file.mime, fileName: file.name }));
      if (extracted) text += `${extracted}\n`;
      if (!bytes || !extracted) continue;
      const passages = passagesOf({ mime: file.mime, name: file.name, bytes, text: extracted }, timezone);
      kept.push({ attachment_id: file.id, name: file.name, text: passages });
      if (text.length >= MAX_TEXT_CHARS) break;
    }
    mailbox.fileTexts.store(account.user_id, n, text.slice(0, MAX_TEXT_CHARS));
    platform.db.write(() => mailbox.fileTexts.keep(account.user_id, { n, message_id }, kept));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) && (error as Error).name !== "SealBroken") {
      platform.log.info("attachments wait for the mail server", { account: account.id, ...errorFields(error) });
      return false;
    }
    mailbox.fileTexts.failed(n);
    return true;
  }
}

/**
 * Returns the bytes of an attachment and drops what had to be fetched for it. Returns null if the server no longer has
 * it.
 */
async function fetchBytes({ content, files }: Parts, ref: AttachmentRef): Promise<Uint8Array | null> {
  const name = { user_id: ref.user_id, message_id: ref.message_id, part: ref.attachment_id };
  const kept = await files.find(name);
  if (kept) return files.readAll(name, kept);
  try {
    await content.fetch({ kind: "attachment", ref }, () => {}, new AbortController().signal);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
  const fetched = await files.find(name);
  if (!fetched) return null;
  try {
    return fetched.size > LARGEST_FILE_BYTES ? null : await files.readAll(name, fetched);
  } finally {
    if (fetched.root === "cache") rmSync(fetched.path, { force: true });
  }
}
