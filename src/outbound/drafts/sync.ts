import type { ImapFlow } from "imapflow";
import { type Account, type Accounts, hasServer } from "../../mailbox/accounts/accounts.ts";
import { draftsFolderContents } from "../../mailbox/queries/drafts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { AttemptOutcome, Job } from "../../platform/jobs/queue.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { repeatedly } from "../../platform/process/repeat.ts";
import { isMessageId } from "../../wire/smtp/compose.ts";
import { messageIdFor } from "../../wire/smtp/reply.ts";
import { retryDelay_ms } from "../mirror/plan.ts";
import { senderOf } from "./checks.ts";
import type { DraftCopies } from "./copies.ts";
import { compareDrafts } from "./diff.ts";
import type { DraftFiles } from "./files.ts";
import { appendDraft, draftSource, draftsFolder, listDrafts, makeDraftsFolder, removeDrafts } from "./folder.ts";
import type { DraftIntake } from "./intake.ts";
import { draftMessage } from "./mail.ts";
import { DRAFTS_JOB, type Draft, type DraftStore } from "./store.ts";

export interface DraftSyncParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  store: DraftStore;
  copies: DraftCopies;
  files: DraftFiles;
  intake: DraftIntake;
  /** Runs a task on the account's connection. @throws when the server cannot be reached */
  withMailbox: <T>(account_id: string, task: (client: ImapFlow) => Promise<T>) => Promise<T>;
  /** Requests a sync of the account, so that the message lists are updated. */
  syncNow: (account_id: string) => void;
  /**
   * Time for which a draft may be missing on the server before it counts as deleted. Some programs remove the old
   * version first.
   */
  grace_ms?: number;
}

const GRACE_MS = 10_000;
const PAUSED_MS = 5 * 60_000;
/** Number of drafts that are read, and written, per turn on the connection. */
const BATCH = 20;
/** A larger message than any of ours (25 MiB of files, encoded) stays in the server's Drafts folder only. */
const LARGEST_BYTES = 35 * 1024 * 1024;
/** Number of retries of a draft that the server refuses. */
const TRIES = 10;
/** Interval at which the folders' synced state is checked for changes. */
const POLL_MS = 2_000;

/**
 * Syncs drafts with the server's Drafts folder, in both directions. Runs in the mail worker.
 *
 * A changed draft is appended before the old copy is removed, so that there is a copy at every moment. If both sides
 * changed a draft, both versions are kept: the other program's becomes a separate draft.
 */
export class DraftSync {
  readonly #seen = new Map<string, string>();
  #cancel = () => {};

  constructor(private readonly parts: DraftSyncParts) {}

  /** Runs the jobs of kind DRAFTS_JOB. */
  readonly handler: JobHandler = { concurrency: 4, run: (job) => this.#run(job) };

  /** Starts watching the Drafts folders. The first check covers every account. */
  start(): void {
    const what = "the Drafts folders could not be checked";
    this.#cancel = repeatedly(this.parts.platform, POLL_MS, what, () => this.#syncDue());
  }

  stop(): void {
    this.#cancel();
  }

  /** Queues a job for every account whose Drafts folder has changed since the last check. */
  #syncDue(): void {
    const { platform, accounts } = this.parts;
    for (const [account_id, content] of draftsFolderContents(platform)) {
      if (this.#seen.get(account_id) === content) continue;
      const account = accounts.get(account_id);
      if (account && hasServer(account)) this.#queue(account, platform.clock.now());
      // Set last, so that an account whose job could not be queued is found again.
      this.#seen.set(account_id, content);
    }
  }

  #queue({ id, user_id }: Account, run_at: number): void {
    this.parts.platform.jobs.enqueue({
      kind: DRAFTS_JOB,
      dedupe_key: id,
      user_id,
      payload: { account_id: id },
      run_at,
    });
  }

  async #run(job: Job): Promise<AttemptOutcome> {
    const { platform, accounts } = this.parts;
    const account = accounts.get((job.payload as { account_id: string }).account_id);
    if (!account || !hasServer(account) || accounts.connection(account) === null) return { outcome: "done" };
    const now = platform.clock.now();
    if (account.status === "paused") return { outcome: "retry", run_at: now + PAUSED_MS, detail: "paused" };
    try {
      const { againAt, refused } = await this.parts.withMailbox(account.id, (client) =>
        this.#turn(client, account, job.attempt),
      );
      if (againAt !== null) this.#queue(account, againAt);
      return refused ? { outcome: "retry", run_at: now + retryDelay_ms(job.attempt) } : { outcome: "done" };
    } catch (error) {
      platform.log.debug("drafts not mirrored", { account: account.id, attempt: job.attempt, ...errorFields(error) });
      return { outcome: "retry", run_at: platform.clock.now() + retryDelay_ms(job.attempt), detail: String(error) };
    }
  }

  /**
   * Runs one turn. @returns when there is more to do, ms (null: both sides are equal), and whether the server refused a
   * draft
   */
  async #turn(
    client: ImapFlow,
    account: Account,
    attempt: number,
  ): Promise<{ againAt: number | null; refused: boolean }> {
    const { platform, folders, copies, syncNow } = this.parts;
    const writes = !account.read_only;
    const waits = () => writes && copies.pending(account.id, 1).length > 0;
    let folder = draftsFolder(account, folders);
    if (!folder && waits()) folder = await makeDraftsFolder(client, account, folders);
    if (!folder) return { againAt: null, refused: false };
    const taken = await this.#importNew(client, account, folder);
    const put = writes ? await this.#upload(client, account, folder, attempt) : { done: false, refused: false };
    const removed = writes && (await this.#removeRemains(client, account, folder));
    if (put.done || removed) syncNow(account.id);
    const more = taken.more || (!put.refused && waits());
    return { againAt: more ? platform.clock.now() : taken.againAt, refused: put.refused || taken.failed };
  }

  /** Imports the changes on the server. */
  async #importNew(
    client: ImapFlow,
    account: Account,
    folder: Folder,
  ): Promise<{ more: boolean; againAt: number | null; failed: boolean }> {
    const { platform, copies, intake, grace_ms = GRACE_MS } = this.parts;
    const { uidvalidity, listed } = await listDrafts(client, folder.path);
    const known = copies.known(account);
    const server = listed.map(({ uid, message_id }) => ({
      uid,
      message_key: copies.keyOf(account.user_id, message_id),
    }));
    const remains = new Set(copies.pendingRemovals(account.id, uidvalidity));
    const { present, edited, added, missing } = compareDrafts(known, server, uidvalidity, remains);
    const wasMissing = new Map(known.map(({ id, missing_at }) => [id, missing_at]));
    for (const id of present) if (wasMissing.get(id) !== null) copies.setMissing(id, null);
    const byUid = new Map(listed.map((one) => [one.uid, one]));
    const wanted = [...edited, ...added.map((uid) => ({ draft_id: null, uid }))]
      .map((one) => ({ ...one, ...byUid.get(one.uid)! }))
      .filter(({ size }) => size <= LARGEST_BYTES);
    const gone = new Set(missing);
    let [taken, failed] = [0, false];
    for (const { draft_id, uid, date } of wanted.slice(0, BATCH)) {
      const raw = await draftSource(client, uid);
      // It may have been removed in the meantime.
      if (!raw) continue;
      const found = { draft_id, raw, location: { uidvalidity, uid }, date, missing: gone };
      try {
        gone.delete(await intake.take(account, found));
        taken++;
      } catch (error) {
        // An unreadable draft must not hold up the others.
        failed = true;
        platform.log.warn("a draft could not be imported from the Drafts folder", { uid, ...errorFields(error) });
      }
    }
    const left = wanted.length > BATCH;
    let againAt: number | null = null;
    const now = platform.clock.now();
    // A draft that failed may be the next version of a missing one.
    for (const id of left || failed ? [] : gone) {
      const since = wasMissing.get(id) ?? null;
      if (since !== null && now >= since + grace_ms) intake.noteDeleted(account, id);
      else {
        if (since === null) copies.setMissing(id, now);
        againAt = Math.min(againAt ?? Number.POSITIVE_INFINITY, (since ?? now) + grace_ms);
      }
    }
    // The next turn follows at once only if this one made progress.
    return { more: left && taken > 0, againAt, failed };
  }

  /** Writes local changes to the server. */
  async #upload(
    client: ImapFlow,
    account: Account,
    folder: Folder,
    attempt: number,
  ): Promise<{ done: boolean; refused: boolean }> {
    const { platform, store, copies } = this.parts;
    let [done, refused] = [false, false];
    for (const id of copies.pending(account.id, BATCH)) {
      const draft = store.get(id);
      if (!draft) continue;
      try {
        await this.#put(client, account, folder, draft);
        done = true;
      } catch (error) {
        if (!client.usable) throw error;
        platform.log.warn("a draft could not be stored in the Drafts folder", {
          draft: id,
          attempt,
          ...errorFields(error),
        });
        if (attempt >= TRIES) copies.giveUp(draft);
        else refused = true;
      }
    }
    return { done, refused };
  }

  async #put(client: ImapFlow, account: Account, folder: Folder, draft: Draft): Promise<void> {
    const { platform, store, copies, files } = this.parts;
    const from = senderOf(account, draft.from).email;
    const hasOne = draft.message_id !== null && isMessageId(draft.message_id);
    const message_id = hasOne ? draft.message_id! : messageIdFor(platform.newId("draft"), from);
    const raw = await draftMessage(draft, account, message_id, await files.open(draft));
    const location = await appendDraft(client, folder.path, raw, message_id, draft.updated_at);
    platform.db.write(() => {
      const now = store.get(draft.id);
      // It may have been sent, deleted or moved to another mailbox while it was being uploaded.
      if (now?.account_id === account.id) copies.recordCopy(now, draft.revision, location, message_id);
      else copies.markForRemoval(account.id, location);
    });
  }

  async #removeRemains(client: ImapFlow, account: Account, folder: Folder): Promise<boolean> {
    const { copies } = this.parts;
    if (!copies.hasPendingRemovals(account.id)) return false;
    const { uidvalidity } = await listDrafts(client, folder.path);
    const uids = copies.pendingRemovals(account.id, uidvalidity);
    if (uids.length === 0) return false;
    await removeDrafts(client, folder.path, uids);
    copies.removed(account.id, uidvalidity, uids);
    return true;
  }
}
