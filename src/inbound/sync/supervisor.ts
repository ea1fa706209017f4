import type { ImapFlow } from "imapflow";
import { NoToken } from "../../mailbox/accounts/access-tokens.ts";
import { hasServer } from "../../mailbox/accounts/accounts.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { Platform } from "../../platform/platform.ts";
import { repeatedly } from "../../platform/process/repeat.ts";
import type { ConnectOptions } from "../../wire/imap/connect.ts";
import { keywordToLabel, labelToKeyword } from "../../wire/imap/keywords.ts";
import type { ReadAll } from "../message/parsed-message.ts";
import type { Pipeline } from "../message/pipeline.ts";
import { type ConnectionQueue, type Priority, QueueClosed } from "./connection-queue.ts";
import { NewMailFirst } from "./new-mail-first.ts";
import type { SyncParts } from "./parts.ts";
import { Watcher } from "./watch.ts";

/** Interval at which the accounts are compared, because commands may change them from another process. */
const RECONCILE_MS = 2_000;

/** Used where tokens are not renewed: only passwords can sign in. */
const NO_TOKENS: SyncParts["tokens"] = {
  credentials: async (_account, { username, password, oauth }) => {
    if (oauth) throw new NoToken("client", "tokens are not renewed in this process");
    return { username, password };
  },
};

/** Runs one watcher for every account that has a server and is not paused. */
export class SyncSupervisor {
  readonly #watchers = new Map<string, { watcher: Watcher; connection: string }>();
  readonly parts: SyncParts;
  #cancel = () => {};

  constructor(
    private readonly platform: Platform,
    private readonly mailbox: Mailbox,
    pipeline: Pipeline,
    private readonly options: ConnectOptions,
    readAside?: ReadAll,
    tokens: SyncParts["tokens"] = NO_TOKENS,
  ) {
    const { accounts, folders, importer, locationSync, locations, labels, snooze } = mailbox;
    const labelOf = (user_id: string, keyword: string) =>
      keywordToLabel(keyword, (hashed) => labels.byKeyword(user_id, hashed, labelToKeyword));
    this.parts = {
      platform,
      accounts,
      folders,
      importer,
      locationSync,
      locations,
      pipeline,
      tokens,
      newMailFirst: new NewMailFirst(platform.clock),
      labelOf,
      adoptSnoozed: (account) => void snooze.adopt(account),
      ...(readAside ? { readAside } : {}),
    };
  }

  /** Starts watching, and follows changes to the list of accounts. */
  start(): void {
    const what = "the list of mailboxes could not be read";
    this.#cancel = repeatedly(this.platform, RECONCILE_MS, what, () => this.reconcile());
  }

  async stop(): Promise<void> {
    this.#cancel();
    await Promise.all([...this.#watchers.values()].map(({ watcher }) => watcher.stop()));
    this.#watchers.clear();
  }

  /** Starts, stops and restarts watchers so that they match the accounts table. */
  reconcile(): void {
    const wanted = new Map(
      this.mailbox.accounts
        .list()
        .filter((account) => hasServer(account) && account.status !== "paused")
        .map((account) => [account.id, JSON.stringify(this.mailbox.accounts.connection(account))]),
    );
    for (const [id, { watcher, connection }] of this.#watchers) {
      if (wanted.get(id) === connection) continue;
      this.#watchers.delete(id);
      void watcher.stop();
    }
    for (const [id, connection] of wanted) {
      if (this.#watchers.has(id)) continue;
      const watcher = new Watcher(this.parts, id, this.options);
      this.#watchers.set(id, { watcher, connection });
      watcher.start();
    }
  }

  /** Syncs an account now. */
  syncNow(account_id: string): void {
    this.#watchers.get(account_id)?.watcher.syncNow();
  }

  /** Returns the working connection of an account; null when it is not connected here. */
  connectionQueue(account_id: string): ConnectionQueue | null {
    return this.#watchers.get(account_id)?.watcher.queue ?? null;
  }

  /** Runs a task on the account's working connection. @throws QueueClosed when the account is not connected */
  async withMailbox<T>(account_id: string, priority: Priority, task: (client: ImapFlow) => Promise<T>): Promise<T> {
    const entry = this.#watchers.get(account_id);
    if (!entry) throw new QueueClosed();
    return entry.watcher.queue.run(priority, task);
  }
}
