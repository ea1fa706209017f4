import type { ImapFlow } from "imapflow";
import type { CancelTimer } from "../../kernel/clock.ts";
import { type Account, hasServer } from "../../mailbox/accounts/accounts.ts";
import type { CompletenessStore, FolderCount } from "../../mailbox/accounts/completeness.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import { errorFields } from "../../platform/log.ts";
import { repeatedly } from "../../platform/process/repeat.ts";
import { ResponseTooLarge } from "../../wire/imap/bounds.ts";
import { explainImapFailure, isRejection } from "../../wire/imap/failures.ts";
import { PRIORITY, type Priority, QueueClosed } from "./connection-queue.ts";
import { ImplausibleResponse, syncFolderList } from "./folders.ts";
import type { SyncParts } from "./parts.ts";
import { FolderSync } from "./sync.ts";
import { countDifferences, rangesOf } from "./uid-ranges.ts";
import { uidWindows } from "./uid-windows.ts";

/** Number of our UIDs that one query to the server covers. */
const WINDOW = 5_000;
/** Interval between comparisons of a mailbox, and the delay after one that did not finish. */
const EVERY_MS = 24 * 3_600_000;
const RETRY_MS = 3_600_000;
/** Interval of the check for due comparisons; also the delay between the first sync and the first comparison. */
const POLL_MS = 30_000;

export interface CheckParts {
  sync: SyncParts;
  store: CompletenessStore;
  withMailbox: <T>(account_id: string, priority: Priority, task: (client: ImapFlow) => Promise<T>) => Promise<T>;
}

/**
 * Verifies that a mailbox is complete: for every folder, compares the server's UIDs with ours. Uses the account's
 * working connection for one folder at a time, so that interactive requests overtake it. Differences are synced
 * at once and compared again.
 */
export class CompletenessCheck {
  readonly #sync: FolderSync;
  readonly #running = new Set<string>();
  /** Folders without ESEARCH whose response was too large. */
  readonly #narrow = new Set<string>();
  #cancel: CancelTimer = () => {};

  constructor(private readonly parts: CheckParts) {
    this.#sync = new FolderSync(parts.sync);
  }

  /** Compares every mailbox once after its first sync, and then daily. */
  start(): void {
    const what = "mailboxes that are due for a comparison could not be found";
    this.#cancel = repeatedly(this.parts.sync.platform, POLL_MS, what, () => this.#checkDue());
  }

  #checkDue(): void {
    const { platform, accounts } = this.parts.sync;
    const now = platform.clock.now();
    for (const id of this.parts.store.due(now - EVERY_MS, now - RETRY_MS)) {
      const account = this.#running.has(id) ? null : accounts.get(id);
      if (account) this.parts.store.request(account);
    }
  }

  stop(): void {
    this.#cancel();
  }

  /** Runs jobs of the kind CHECK_JOB. */
  readonly handler: JobHandler = {
    concurrency: 2,
    run: async ({ payload }) => {
      const account = this.parts.sync.accounts.get((payload as { account_id: string }).account_id);
      if (account && hasServer(account)) await this.check(account);
      return { outcome: "done" };
    },
  };

  /** Compares one mailbox. A server that cannot be reached is recorded, not thrown. */
  async check(account: Account): Promise<void> {
    const { sync, store, withMailbox } = this.parts;
    this.#running.add(account.id);
    try {
      const list = await withMailbox(account.id, PRIORITY.newMail, (client) => syncFolderList(sync, client, account));
      for (const { id } of list) {
        await withMailbox(account.id, PRIORITY.newMail, (client) => this.#checkFolder(client, account, id));
      }
      store.saveEnd(account, null);
    } catch (error) {
      sync.platform.log.warn("a mailbox could not be compared with its server", {
        account: account.id,
        ...errorFields(error),
      });
      store.saveEnd(account, reasonOf(error));
    } finally {
      this.#running.delete(account.id);
    }
  }

  async #checkFolder(client: ImapFlow, account: Account, folder_id: string): Promise<void> {
    const { sync, store } = this.parts;
    const folder = sync.folders.get(account.user_id, folder_id);
    // Renamed, deleted or renumbered in between. The next comparison covers it.
    if (!folder || folder.replaced_by !== null) return;
    let count: FolderCount;
    try {
      count = await this.#compare(client, account, folder);
      if (count.missing + count.extra > 0 && account.sync.phase === "live") {
        await this.#repair(client, account, folder);
        count = await this.#compare(client, account, sync.folders.get(account.user_id, folder_id) ?? folder);
      }
    } catch (error) {
      if (error instanceof ResponseTooLarge) this.#narrow.add(folder_id);
      if (!isRejection(error)) throw error;
      count = {
        server: folder.server_count,
        here: sync.locationSync.count(folder_id),
        missing: 0,
        extra: 0,
        refused: true,
      };
    }
    store.saveFolder(folder_id, count);
  }

  /** Brings the folder up to date as a normal sync does, comparing every UID. */
  async #repair(client: ImapFlow, account: Account, given: Folder): Promise<void> {
    const current = this.parts.sync.accounts.get(account.id) ?? account;
    const open = await this.#sync.open(client, current, given);
    await this.#sync.fetchNew(client, current, open, () => false);
    await this.#sync.fetchChanges(client, current, open, true);
  }

  /**
   * Counts UIDs that only one side has, in windows of our UIDs. Gaps cost nothing, and neither side is held in memory
   * as a whole.
   */
  async #compare(client: ImapFlow, account: Account, given: Folder): Promise<FolderCount> {
    const { locationSync } = this.parts.sync;
    const { folder, box } = await this.#sync.open(client, account, given);
    const count: FolderCount = { server: 0, here: 0, missing: 0, extra: 0, refused: false };
    for (let from = 1; ; ) {
      const here = locationSync.uidsFrom(folder.id, from, WINDOW);
      const last = here.length < WINDOW;
      const to = last ? null : here.at(-1)!;
      count.here += here.length;
      count.extra += here.length;
      for await (const remote of uidWindows(client, from, to, this.#narrow.has(folder.id))) {
        const { left, onlyLeft } = countDifferences(remote, rangesOf(here));
        count.server += left;
        count.missing += onlyLeft;
        count.extra -= left - onlyLeft;
      }
      if (to === null) break;
      from = to + 1;
    }
    // Some servers count messages that they do not list. Those are missing here, too.
    const unlisted = Math.max(0, (client.mailbox ? client.mailbox.exists : box.exists) - count.server);
    return { ...count, server: count.server + unlisted, missing: count.missing + unlisted };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof QueueClosed) return "The mail server cannot be reached right now. Try again later.";
  if (error instanceof ImplausibleResponse) return error.message;
  return explainImapFailure(error).sentence;
}
