import type { ImapFlow } from "imapflow";
import type { CancelTimer } from "../../kernel/clock.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import { isDiskFull } from "../../platform/disk-full.ts";
import { errorFields } from "../../platform/log.ts";
import type { ConnectOptions } from "../../wire/imap/connect.ts";
import { explainImapFailure, isRejection } from "../../wire/imap/failures.ts";
import { formatProblem, problem } from "../../wire/problems.ts";
import { backoffMs } from "./backoff.ts";
import { ConnectionQueue, PRIORITY, QueueClosed } from "./connection-queue.ts";
import { orderByPriority, watchedFolder } from "./folder-order.ts";
import { isAsSynced } from "./folder-state.ts";
import { ImplausibleResponse, syncFolderList } from "./folders.ts";
import { connectAccount } from "./login.ts";
import type { SyncParts } from "./parts.ts";
import { FolderSync } from "./sync.ts";

/** A refused sign-in is not retried soon, because providers lock accounts. A new password ends the wait. */
const AUTH_RETRY_MS = 30 * 60_000;
/** IDLE is renewed before 29 minutes (RFC 2177), because middleboxes drop quiet connections sooner. */
const IDLE_RENEW_MS = 9 * 60_000;
/** A renewal unanswered for this long means that the connection is dead. */
const IDLE_ANSWER_MS = 60_000;
/** An IDLE connection that ends sooner than this is not reopened immediately. */
const IDLE_SETTLED_MS = 60_000;
/** Interval of comparing every UID and flag; if MODSEQ reports changes, only flags of the newest messages. */
const DEEP_EVERY_MS = 30 * 60_000;
const DELETE_BATCH = 200;
/** Number of full passes for which deletions wait for a folder that is suddenly refused. */
const REFUSALS_WAITED = 10;

/**
 * Supervises one account: connects, keeps an IDLE connection on the inbox, polls the other folders, and backs off when
 * the server is unreachable. Everything that reads mail runs on the connection queue, so that interactive requests
 * overtake it.
 */
export class Watcher {
  readonly queue: ConnectionQueue;
  readonly #sync: FolderSync;
  readonly #pollMs: number;
  #stopped = false;
  #wake: () => void = () => {};
  #dirty = new Set<string>();
  #listDirty = true;
  #idle: ImapFlow | null = null;
  #waiting: "poll" | "failure" = "poll";
  #idlePending = false;
  #idleFailures = 0;
  #idleNotBefore = 0;
  #failures = 0;
  /** Number of full passes in a row in which a folder was refused. */
  #refusals = new Map<string, number>();
  #deepAt = 0;
  #done: Promise<void> = Promise.resolve();

  constructor(
    private readonly parts: SyncParts,
    private readonly account_id: string,
    private readonly options: ConnectOptions,
  ) {
    this.queue = new ConnectionQueue(() => this.#connect(), parts.platform.clock);
    this.#sync = new FolderSync(parts);
    this.#pollMs = parts.platform.config.get("mail.poll_seconds") * 1000;
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Stops and resolves when the last batch is committed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.parts.newMailFirst.settled(this.account_id);
    this.#wake();
    this.#idle?.close();
    this.queue.close();
    await this.#done;
  }

  /** Syncs all folders now; also ends a wait after a failure. */
  syncNow(): void {
    this.#listDirty = true;
    this.#wake();
  }

  async #run(): Promise<void> {
    const { accounts, platform } = this.parts;
    while (!this.#stopped) {
      const account = accounts.get(this.account_id);
      if (!account || account.status === "paused") return;
      try {
        await this.#cycle(account);
        this.#failures = 0;
      } catch (error) {
        this.parts.newMailFirst.settled(this.account_id);
        if (this.#stopped) return;
        const waitMs = this.#noteFailure(account, error);
        platform.log.warn("mailbox not synced", {
          account: account.id,
          retry_in_s: Math.round(waitMs / 1000),
          ...errorFields(error),
        });
        await this.#sleep(waitMs, "failure");
        this.#listDirty = true;
        continue;
      }
      if (this.#dirty.size === 0 && !this.#listDirty && !this.#stopped) {
        await this.#sleep(this.#pollMs, "poll");
      }
    }
  }

  /** Syncs everything that may have changed; during the first sync, also a batch of history. */
  async #cycle(account: Account): Promise<void> {
    const { accounts, folders, platform } = this.parts;
    const full = this.#listDirty || this.#dirty.size === 0;
    this.#listDirty = false;
    if (full) account.pass = accounts.beginPass(account.id);
    const dirty = this.#dirty;
    this.#dirty = new Set();
    const deep = platform.clock.now() >= this.#deepAt;
    let list = full
      ? await this.queue.run(PRIORITY.newMail, (client) => syncFolderList(this.parts, client, account))
      : folders.real(account);
    void this.#ensureIdle(account);
    if (account.status !== "active") accounts.setStatus(account.id, "active", null);
    if (full) list = orderByPriority(list);
    const refused = new Set<string>();
    for (const folder of list) {
      if (this.#stopped) return;
      if (!full && !dirty.has(folder.path)) continue;
      const isSynced = await this.#guard(account, folder, async () => {
        for (let complete = false; !complete && !this.#stopped; ) {
          complete = await this.queue.run(PRIORITY.newMail, (client) =>
            this.#syncFolder(client, account, folder, deep),
          );
        }
      });
      if (!isSynced) refused.add(folder.id);
      else if (account.sync.phase === "waiting") await this.#readNewest(account, folder);
    }
    if (this.#dirty.size === 0) this.parts.newMailFirst.settled(account.id);
    if (account.sync.phase === "importing") this.#countImport(account);
    if (deep && full) this.#deepAt = platform.clock.now() + DEEP_EVERY_MS;
    accounts.noteSynced(account.id);
    const complete = await this.#readHistory(account, refused);
    if (!complete || !full) return;
    if (!this.#hidesMail(account, refused)) this.#endPass(account);
    this.parts.adoptSnoozed(account);
  }

  /** Keeps a refused folder from blocking the others; the inbox is required. @returns false when it was refused */
  async #guard(account: Account, folder: Folder, look: () => Promise<void>): Promise<boolean> {
    try {
      await look();
      return true;
    } catch (error) {
      if (folder.role === "inbox" || !(isRejection(error) || error instanceof ImplausibleResponse)) throw error;
      this.parts.platform.log.warn("a folder cannot be read", {
        account: account.id,
        folder: folder.id,
        ...errorFields(error),
      });
      return false;
    }
  }

  /** Returns whether a refused folder may hold vanished mail. One that stays refused does not delay deletions forever. */
  #hidesMail(account: Account, refused: ReadonlySet<string>): boolean {
    const before = this.#refusals;
    this.#refusals = new Map([...refused].map((id) => [id, (before.get(id) ?? 0) + 1]));
    const waitsFor = (id: string) => this.#refusals.has(id) && this.#refusals.get(id)! <= REFUSALS_WAITED;
    return this.parts.folders.real(account).some(({ id, uidvalidity }) => uidvalidity !== null && waitsFor(id));
  }

  /** Fetches new mail, then changes. @returns false when there is more and another task waits for the connection */
  async #syncFolder(client: ImapFlow, account: Account, folder: Folder, deep: boolean): Promise<boolean> {
    if (!deep && (await this.#unchanged(client, folder))) return true;
    const open = await this.#sync.open(client, account, folder);
    const complete = await this.#sync.fetchNew(client, account, open, () => this.queue.wanted(PRIORITY.newMail));
    if (!complete) return false;
    const vanished = await this.#sync.fetchChanges(client, account, open, deep);
    // A full pass is needed to distinguish a move from a deletion.
    if (vanished > 0) this.#listDirty = true;
    return true;
  }

  /** Returns whether STATUS, which is cheaper than opening a folder, shows no change. If unsure, returns false. */
  async #unchanged(client: ImapFlow, folder: Folder): Promise<boolean> {
    if (folder.role === "inbox" || folder.uidvalidity === null || folder.highestmodseq === null) return false;
    if (this.#sync.lacks(folder)) return false;
    const status = await client.status(folder.path, {
      messages: true,
      uidNext: true,
      uidValidity: true,
      highestModseq: true,
    });
    return status !== false && isAsSynced(folder, status);
  }

  /** Reads a folder's newest mail, so that people with hundreds of folders see some mail early. */
  async #readNewest(account: Account, { id }: Folder): Promise<void> {
    const folder = this.parts.folders.get(account.user_id, id);
    if (!folder || folder.backfill_uid <= 1) return;
    this.#beginImport(account);
    await this.#readBatch(account, folder, () => true);
  }

  /** Reads a folder's history until `pause` or `interrupt`. @returns false when the folder was refused */
  #readBatch(account: Account, folder: Folder, pause: () => boolean, interrupt?: () => boolean): Promise<boolean> {
    return this.#guard(account, folder, () =>
      this.queue.run(PRIORITY.backfill, async (client) => {
        const open = await this.#sync.open(client, account, folder);
        await this.#sync.backfill(client, account, open.folder, pause, interrupt);
      }),
    );
  }

  /** Reads history folder by folder until it is complete or something more urgent waits. */
  async #readHistory(account: Account, refused: Set<string>): Promise<boolean> {
    const { accounts, folders } = this.parts;
    const pollAt = this.parts.platform.clock.now() + this.#pollMs;
    const mustPause = () => {
      // A long import does not delay the polling of other folders.
      if (this.parts.platform.clock.now() >= pollAt) this.#listDirty = true;
      return this.#stopped || this.#listDirty || this.#dirty.size > 0 || this.queue.wanted(PRIORITY.backfill);
    };
    for (;;) {
      const list = folders.list(account);
      const replacements = new Set(list.map(({ replaced_by }) => replaced_by));
      const hasHistory = ({ id, replaced_by, uidvalidity, backfill_uid }: Folder) =>
        replaced_by === null && uidvalidity !== null && (backfill_uid > 1 || replacements.has(id));
      const folder = orderByPriority(list.filter((folder) => !refused.has(folder.id) && hasHistory(folder)))[0];
      if (!folder) break;
      if (account.sync.phase === "waiting") this.#beginImport(account);
      const read = await this.#readBatch(account, folder, mustPause, mustPause);
      if (!read) refused.add(folder.id);
      if (this.#stopped || this.#listDirty || this.#dirty.size > 0) return false;
    }
    if (account.sync.phase !== "live") {
      account.sync = { phase: "live", done: account.sync.total, total: account.sync.total };
      accounts.setProgress(account.id, account.sync);
      this.parts.platform.log.info("mailbox complete", { account: account.id, messages: account.sync.total });
    }
    return true;
  }

  #beginImport(account: Account): void {
    this.#countImport(account);
    this.parts.platform.log.info("first sync begins", { account: account.id, messages: account.sync.total });
  }

  /** Updates the progress of the first sync from the folders seen so far. */
  #countImport(account: Account): void {
    const { accounts, folders, locationSync } = this.parts;
    const list = folders.real(account);
    const total = list.reduce((sum, folder) => sum + folder.server_count, 0);
    const done = list.reduce((sum, folder) => sum + locationSync.count(folder.id), 0);
    account.sync = { phase: "importing", done, total };
    accounts.setProgress(account.id, account.sync);
  }

  /** Deletes what this pass has not found anywhere (docs/mail.md, "Deleted and moved messages"). */
  #endPass(account: Account): void {
    const { locationSync, platform } = this.parts;
    platform.db.write(() => locationSync.forgetMissingCopies(account.id, account.pass));
    if (account.on_server_delete === "keep") return;
    for (;;) {
      const touched = platform.db.write(() => {
        const threads = locationSync.deleteMissing(account.id, account.pass, DELETE_BATCH);
        locationSync.refreshAll(account.user_id, threads, true);
        return threads.length;
      });
      if (touched === 0) return;
    }
  }

  /** Keeps one IDLE connection on the inbox. It reads nothing and only signals that the inbox has changed. */
  async #ensureIdle(account: Account): Promise<void> {
    const { folders, platform } = this.parts;
    const { clock } = platform;
    if (this.#idle || this.#idlePending || this.#stopped || clock.now() < this.#idleNotBefore) return;
    this.#idlePending = true;
    let client: ImapFlow;
    try {
      client = await this.#connect(this.options.idleMs ?? IDLE_RENEW_MS);
    } catch {
      this.#postponeIdle();
      return; // A later cycle tries again; until then the folder is polled.
    } finally {
      this.#idlePending = false;
    }
    if (this.#stopped) return client.close();
    const began = clock.now();
    this.#idle = client;
    const watched = watchedFolder(folders, account);
    const dirty = () => {
      this.#dirty.add(watched);
      this.parts.newMailFirst.announced(account.id);
      this.#nudge();
    };
    client.on("exists", dirty);
    client.on("expunge", ({ earlier, count = 0 }: { earlier?: boolean; count?: number }) => {
      // The library counts EXPUNGE but not VANISHED (RFC 7162), so it would ignore the next message.
      if (!earlier && client.mailbox) client.mailbox.exists = Math.max(0, client.mailbox.exists - count);
      dirty();
    });
    client.on("flags", dirty);
    client.once("close", () => {
      if (this.#idle === client) this.#idle = null;
      if (clock.now() - began < IDLE_SETTLED_MS) this.#postponeIdle();
      else this.#idleFailures = 0;
      // Changes may have been missed without a connection.
      this.#listDirty = true;
      this.#nudge();
    });
    try {
      const box = await client.mailboxOpen(watched, { readOnly: true });
      // Something may have changed before this connection listened. If nothing has, history is not interrupted.
      const known = folders.real(account).find(({ path }) => path === watched);
      if (!known || !isAsSynced(known, { ...box, messages: box.exists })) dirty();
      while (client.usable && !this.#stopped) {
        if ((await client.idle()) === false) break;
      }
    } catch (error) {
      platform.log.debug("IDLE ended", errorFields(error));
    }
    client.close();
  }

  #postponeIdle(): void {
    this.#idleNotBefore = this.parts.platform.clock.now() + backoffMs(++this.#idleFailures);
  }

  async #connect(idleMs?: number): Promise<ImapFlow> {
    const { accounts } = this.parts;
    const account = accounts.get(this.account_id);
    const connection = account && accounts.connection(account);
    if (this.#stopped || !account || !connection) throw new QueueClosed();
    const idling = idleMs ? { idleMs, socketTimeoutMs: idleMs + IDLE_ANSWER_MS } : {};
    return connectAccount(this.parts.tokens, account, connection, { ...this.options, ...idling });
  }

  #noteFailure(account: Account, error: unknown): number {
    const { accounts } = this.parts;
    this.queue.close();
    // The mailbox is not at fault. The server stops this thread, too.
    if (this.options.mayAct?.() === false) return backoffMs(1);
    const { status, sentence } = isDiskFull(error)
      ? ({ status: "unreachable", sentence: formatProblem(problem("disk_full")) } as const)
      : explainImapFailure(error, accounts.connection(account)?.imap);
    this.#failures++;
    try {
      accounts.setStatus(account.id, status, sentence);
    } catch (failed) {
      // The disk may be too full to record this. The next attempt tries again.
      this.parts.platform.log.warn("the state of a mailbox could not be saved", {
        account: account.id,
        ...errorFields(failed),
      });
    }
    if (status === "auth_failed") return AUTH_RETRY_MS;
    return backoffMs(this.#failures);
  }

  /** Signals that something may have changed. Ends a wait between polls, but not the wait after a failure. */
  #nudge(): void {
    if (this.#waiting === "poll") this.#wake();
  }

  /** Waits for the time, or for a reason to continue sooner. */
  #sleep(ms: number, why: "poll" | "failure"): Promise<void> {
    this.#waiting = why;
    return new Promise((resolve) => {
      let cancel: CancelTimer = () => {};
      this.#wake = () => {
        cancel();
        this.#wake = () => {};
        resolve();
      };
      cancel = this.parts.platform.clock.after(ms, this.#wake);
      if (this.#stopped) this.#wake();
    });
  }
}
