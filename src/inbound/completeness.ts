import type { ImapFlow } from "imapflow";
import type { CancelTimer } from "../kernel/clock.ts";
import { type Account, hasServer } from "../mailbox/accounts.ts";
import type { CompletenessStore, FolderCount } from "../mailbox/completeness.ts";
import type { Folder } from "../mailbox/folders.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import { errorFields } from "../platform/log.ts";
import { repeatedly } from "../platform/repeat.ts";
import { AnswerTooLarge } from "../wire/imap/bounds.ts";
import { explainImapFailure, isRejection } from "../wire/imap/failures.ts";
import { Implausible, syncFolderList } from "./folders-sync.ts";
import { LaneClosed, PRIORITY, type Priority } from "./lane.ts";
import { FolderSync, type SyncParts } from "./sync.ts";
import { countDifferences, rangesOf } from "./uid-ranges.ts";
import { uidWindows } from "./uid-windows.ts";

/** UIDs of ours that one question to the server covers. */
const WINDOW = 5_000;
/** A mailbox is compared this often, and after one that did not come to its end this much sooner. */
const EVERY_MS = 24 * 3_600_000;
const AGAIN_MS = 3_600_000;
/** How often is looked whether one is due; also how soon after the first sync it is compared. */
const LOOK_MS = 30_000;

export interface CheckParts {
  sync: SyncParts;
  store: CompletenessStore;
  withMailbox: <T>(account_id: string, priority: Priority, task: (client: ImapFlow) => Promise<T>) => Promise<T>;
}

/**
 * Proves that all of a mailbox is here: for every folder the server's UIDs are compared with ours, over the account's working
 * connection, a folder a turn, so that people overtake it. What differs is synchronised at once and compared again.
 */
export class CompletenessCheck {
  readonly #sync: FolderSync;
  readonly #running = new Set<string>();
  /** Folders without ESEARCH whose answer was beyond bounds. */
  readonly #narrow = new Set<string>();
  #cancel: CancelTimer = () => {};

  constructor(private readonly parts: CheckParts) {
    this.#sync = new FolderSync(parts.sync);
  }

  /** Compares every mailbox once after its first sync, and then daily. */
  start(): void {
    const what = "mailboxes that are due for a comparison could not be found";
    this.#cancel = repeatedly(this.parts.sync.platform, LOOK_MS, what, () => this.#look());
  }

  #look(): void {
    const { platform, accounts } = this.parts.sync;
    const now = platform.clock.now();
    for (const id of this.parts.store.due(now - EVERY_MS, now - AGAIN_MS)) {
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

  /** Compares one mailbox; a server that cannot be reached is noted, not thrown. */
  async check(account: Account): Promise<void> {
    const { sync, store, withMailbox } = this.parts;
    this.#running.add(account.id);
    try {
      const list = await withMailbox(account.id, PRIORITY.fresh, (client) => syncFolderList(sync, client, account));
      for (const { id } of list) {
        await withMailbox(account.id, PRIORITY.fresh, (client) => this.#checkFolder(client, account, id));
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
    // Renamed, deleted or renumbered meanwhile: the next comparison has it.
    if (!folder || folder.replaced_by !== null) return;
    let count: FolderCount;
    try {
      count = await this.#compare(client, account, folder);
      if (count.missing + count.extra > 0 && account.sync.phase === "live") {
        await this.#repair(client, account, folder);
        count = await this.#compare(client, account, sync.folders.get(account.user_id, folder_id) ?? folder);
      }
    } catch (error) {
      if (error instanceof AnswerTooLarge) this.#narrow.add(folder_id);
      if (!isRejection(error)) throw error;
      count = { server: folder.server_count, here: sync.copies.count(folder_id), missing: 0, extra: 0, refused: true };
    }
    store.saveFolder(folder_id, count);
  }

  /** Brings the folder up to date as synchronisation does, every UID compared. */
  async #repair(client: ImapFlow, account: Account, given: Folder): Promise<void> {
    const fresh = this.parts.sync.accounts.get(account.id) ?? account;
    const open = await this.#sync.open(client, fresh, given);
    await this.#sync.fetchNew(client, fresh, open, () => false);
    await this.#sync.fetchChanges(client, fresh, open, true);
  }

  /** Counts what one side has and the other has not, over windows of our UIDs: gaps cost nothing, and neither side is held in whole. */
  async #compare(client: ImapFlow, account: Account, given: Folder): Promise<FolderCount> {
    const { copies } = this.parts.sync;
    const { folder, box } = await this.#sync.open(client, account, given);
    const count: FolderCount = { server: 0, here: 0, missing: 0, extra: 0, refused: false };
    for (let from = 1; ; ) {
      const here = copies.uidsFrom(folder.id, from, WINDOW);
      const last = here.length < WINDOW;
      const to = last ? null : here.at(-1)!;
      count.here += here.length;
      count.extra += here.length;
      for await (const there of uidWindows(client, from, to, this.#narrow.has(folder.id))) {
        const { left, only_left } = countDifferences(there, rangesOf(here));
        count.server += left;
        count.missing += only_left;
        count.extra -= left - only_left;
      }
      if (to === null) break;
      from = to + 1;
    }
    // Some servers count messages that they do not list: these are missing here, too.
    const unlisted = Math.max(0, (client.mailbox ? client.mailbox.exists : box.exists) - count.server);
    return { ...count, server: count.server + unlisted, missing: count.missing + unlisted };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof LaneClosed) return "The mail server cannot be reached right now. Try again later.";
  if (error instanceof Implausible) return error.message;
  return explainImapFailure(error).sentence;
}
