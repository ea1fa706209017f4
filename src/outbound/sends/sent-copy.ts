import type { ImapFlow } from "imapflow";
import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import type { Folders } from "../../mailbox/store/folders.ts";
import type { BlobFiles } from "../../platform/blobs/files.ts";
import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { retryDelay_ms } from "../mirror/plan.ts";
import { SETTLE_JOB } from "./dispatch.ts";
import { appendTo, filesSentMail, folderHasMessage, isOnServer, sentFolder } from "./server-copies.ts";
import type { Send, SendStore } from "./store.ts";

const PAUSED_MS = 5 * 60_000;
/** Attempts over about a day. The local copy is kept in any case. */
const COPY_TRIES = 300;
/** When the server is searched for a message that may have been sent. Providers file their copy within seconds. */
const SEARCH_DELAYS_MS = [0, 20_000, 60_000];
/** Maximum wait for an unreachable server before the outcome counts as unknown. */
const SEARCH_MS = 24 * 3_600_000;

export interface SentCopyParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  sends: SendStore;
  files: BlobFiles;
  /** Runs a task on the account's connection. @throws when the server cannot be reached */
  withMailbox: <T>(account_id: string, task: (client: ImapFlow) => Promise<T>) => Promise<T>;
  /** Requests a sync of the account, so that the server's copy is linked soon. */
  syncNow: (account_id: string) => void;
}

/**
 * The IMAP work for sends, in the mail worker: files the copy in Sent, and searches for messages whose delivery is
 * unknown.
 */
export class SentCopies {
  constructor(private readonly parts: SentCopyParts) {}

  /** Runs the jobs of kind COPY_JOB and FIND_JOB. */
  readonly copyHandler: JobHandler = {
    concurrency: 4,
    run: (job) => this.#guarded(job, (send) => this.#copy(job, send)),
  };
  readonly findHandler: JobHandler = {
    concurrency: 4,
    run: (job) => this.#guarded(job, (send) => this.#find(send)),
  };

  async #guarded(job: Job, work: (send: Send) => Promise<AttemptOutcome>): Promise<AttemptOutcome> {
    const { platform, sends } = this.parts;
    const send = sends.get((job.payload as { send_id: string }).send_id);
    if (!send) return { outcome: "done" };
    try {
      return await work(send);
    } catch (error) {
      const { attempt } = job;
      platform.log.debug("the mail server could not be reached", {
        send: send.id,
        kind: job.kind,
        attempt,
        ...errorFields(error),
      });
      return { outcome: "retry", run_at: platform.clock.now() + retryDelay_ms(attempt), detail: String(error) };
    }
  }

  async #copy(job: Job, send: Send): Promise<AttemptOutcome> {
    const { platform, accounts, files, sends, withMailbox, syncNow } = this.parts;
    if (send.copy !== "wanted" || send.message_id === null) return { outcome: "done" };
    const account = accounts.get(send.account_id)!;
    if (account.read_only) return { outcome: "done" };
    if (account.status === "paused") return { outcome: "retry", run_at: platform.clock.now() + PAUSED_MS };
    if (job.attempt > COPY_TRIES) return { outcome: "failed", detail: "the server did not take the copy" };
    const name = { user_id: send.user_id, message_id: send.message_id, part: "raw" };
    const found = await files.find(name);
    if (!found) return { outcome: "failed", detail: "the message's source is not here any more" };
    const raw = await files.readAll(name, found);
    await withMailbox(account.id, (client) => this.#storeCopy(client, account, send, raw));
    sends.markCopied(send.id);
    syncNow(account.id);
    return { outcome: "done" };
  }

  /** Files the copy. Repeatable: the copy of an interrupted attempt is found by its Message-ID. */
  async #storeCopy(client: ImapFlow, account: Account, send: Send, raw: Uint8Array): Promise<void> {
    if (filesSentMail(client, account)) return;
    const folder = await sentFolder(client, account, this.parts.folders);
    if (!folder) throw new Error("The server has no Sent folder and cannot create one.");
    if (await folderHasMessage(client, folder.path, send.message_id_header)) return;
    const placed = await appendTo(client, folder.path, raw, ["\\Seen"], send.finished_at ?? send.created_at);
    if (!placed) throw new Error("The server rejected the copy for the Sent folder.");
  }

  async #find(send: Send): Promise<AttemptOutcome> {
    const { platform, accounts, folders, withMailbox } = this.parts;
    if (send.status !== "sending" || send.handed_over_at === null) return { outcome: "done" };
    const account = accounts.get(send.account_id)!;
    const now = platform.clock.now();
    let found = false;
    try {
      found = await withMailbox(account.id, (client) => isOnServer(client, account, folders, send.message_id_header));
    } catch (error) {
      if (now < send.handed_over_at + SEARCH_MS) throw error;
    }
    const next = found ? undefined : SEARCH_DELAYS_MS.map((ms) => send.handed_over_at! + ms).find((at) => at > now);
    if (next !== undefined) return { outcome: "retry", run_at: next, detail: "not there yet" };
    const payload = { send_id: send.id, found };
    platform.jobs.enqueue({ kind: SETTLE_JOB, dedupe_key: send.id, user_id: send.user_id, payload });
    return { outcome: "done", detail: found ? "it arrived" : "it is not there" };
  }
}
