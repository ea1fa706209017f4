import type { ImapFlow, MailboxObject } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import { flagsHash } from "../../wire/imap/flags.ts";
import type { Read } from "../message/parsed-message.ts";
import { toIncoming } from "../message/pipeline.ts";
import { batches, download, type FetchLimits, type Listed, listMessages, uidSet } from "./fetch.ts";
import { FlagSync } from "./flag-sync.ts";
import { dropFolder, ImplausibleResponse } from "./folders.ts";
import { NO_FLAGS, readServerMetadata } from "./gmail.ts";
import { type BatchSize, firstBatchSize, walkHistory } from "./history.ts";
import type { OpenFolder, SyncParts } from "./parts.ts";
import { listable, SAFE_WINDOW } from "./uid-windows.ts";
import { remapUids } from "./uidvalidity-remap.ts";
import { type WriteBatch, writeBatchesOf } from "./write-batches.ts";

/** The progress of a first sync is logged every so many messages. */
const LOG_EVERY = 1_000;
/** Garbage is collected after this many bytes of history. */
const SWEEP_BYTES = 2 * 1024 * 1024;
/** Batches of history that are fetched ahead while another is stored, if the server responds quickly. */
const BATCHES_AHEAD = 2;
const QUICK_FETCH_MS = 1_000;
/** Width of a window for new mail in UIDs. */
const NEW_WINDOW = 5_000;
const WIDEST_WINDOW = 2 ** 31;
/** Messages listed at a time when fetching those that an earlier sync missed. */
const WINDOW_MESSAGES = 2_000;

/** A batch of history that is fetched and being read. */
interface BatchRead {
  commits: WriteBatch[];
  /** Once they are stored, everything from this UID up is here. */
  reaches: number;
  bytes: number;
  fetchMs: number;
}

/** Compares folders with the server and fetches new mail in bounded batches, each of which saves its progress. */
export class FolderSync {
  readonly #limits: FetchLimits;
  readonly #batchBytes: number;
  readonly #paces = new Map<string, BatchSize>();
  readonly #flagSync: FlagSync;
  /** Folders of whose history the last turn stored nothing. */
  readonly #fruitless = new Set<string>();

  constructor(private readonly parts: SyncParts) {
    const { config } = parts.platform;
    this.#limits = {
      full_source_bytes: config.get("mail.full_source_bytes"),
      text_part_bytes: config.get("mail.text_part_bytes"),
      text_read_bytes: config.get("mail.text_read_bytes"),
    };
    this.#batchBytes = config.get("mail.batch_bytes");
    this.#flagSync = new FlagSync(parts, (...overlooked) => this.#fetchOverlooked(...overlooked));
  }

  /** Selects a folder again (read-only) and handles a change of its UIDVALIDITY. */
  async open(client: ImapFlow, account: Account, given: Folder): Promise<OpenFolder> {
    const { folders, platform } = this.parts;
    const box = await client.mailboxOpen(given.path, { readOnly: true });
    if (!box) throw new ImplausibleResponse("The folder could not be opened.");
    const openedWith = box.exists;
    const uidvalidity = Number(box.uidValidity ?? 0);
    let folder = folders.get(account.user_id, given.id) ?? given;
    if (folder.uidvalidity !== null && renumbered(folder.uidvalidity, uidvalidity)) {
      platform.log.warn("a folder was renumbered by its server", { account: account.id, folder: folder.id });
      folder = folders.supersede(account, folder);
    }
    if (folder.uidvalidity === null) {
      const uidnext = await this.#uidNext(client, box);
      const modseq = box.noModseq ? null : (box.highestModseq ?? null);
      folder = { ...folder, uidvalidity, uidnext, backfill_uid: uidnext, live_uid: uidnext, highestmodseq: modseq };
      folders.save(folder);
    }
    if (box.uidNext && box.uidNext < folder.uidnext) this.#voidReusedUids(account, folder, box.uidNext);
    return { folder, box, openedWith };
  }

  /**
   * Voids UIDs above UIDNEXT. UIDNEXT only decreases when a server was restored from a backup, and the server will then
   * reuse those UIDs.
   */
  #voidReusedUids(account: Account, folder: Folder, uidnext: number): void {
    const { folders, platform } = this.parts;
    platform.log.warn("a folder went back in time", { account: account.id, folder: folder.id });
    this.#flagSync.voidFrom(account, folder, uidnext);
    folder.uidnext = uidnext;
    folder.backfill_uid = Math.min(folder.backfill_uid, uidnext);
    folder.live_uid = Math.min(folder.live_uid, uidnext);
    folders.save(folder);
  }

  /**
   * Fetches everything that arrived since the last sync, oldest first, until done or until `pause` reports a waiting
   * task.
   * @returns whether everything was fetched
   */
  async fetchNew(
    client: ImapFlow,
    account: Account,
    { folder, box }: OpenFolder,
    pause: () => boolean,
  ): Promise<boolean> {
    const next = await this.#uidNext(client, box);
    if (next <= folder.uidnext && !this.#mayHaveMore(folder, box)) return true;
    // In windows, which widen over gaps in the UIDs: after a year there may be a hundred thousand messages. The last
    // window is open-ended, for servers without UIDNEXT.
    let width = NEW_WINDOW;
    let last = false;
    for (let low = folder.uidnext; !last; ) {
      const [, high] = await listable(client, [low, low + width - 1], "low", SAFE_WINDOW);
      const end = high + 1;
      last = end >= next;
      const listed = await listMessages(client, `${low}:${last ? "*" : end - 1}`);
      const added = listed.filter(({ uid }) => uid >= folder.uidnext).sort((a, b) => a.uid - b.uid);
      for (const batch of batches(added, this.#batchBytes, this.#limits)) {
        const downloaded = await download(client, batch, this.#limits);
        await this.#store(account, folder, writeBatchesOf(batch, downloaded, null), (folder, stored) => {
          folder.uidnext = Math.max(folder.uidnext, stored.at(-1)!.uid + 1);
        });
        if (pause()) return false;
      }
      low = end;
      width = added.length > 0 ? NEW_WINDOW : Math.min(width * 4, WIDEST_WINDOW);
    }
    if (next > folder.uidnext) {
      folder.uidnext = next;
      this.parts.folders.save(folder);
    }
    return true;
  }

  /**
   * Reads history, newest first, until it is complete, or `pause` ends it after a batch, or `interrupt` before a commit.
   * New mail of the account interrupts it sooner: what is being read on the other thread is then no longer wanted. What
   * was fetched and not stored is fetched again. A turn in which nothing is stored is followed by one that stores
   * something. The next batches are fetched and read while this one is stored.
   * @returns true when the folder is complete
   */
  async backfill(
    client: ImapFlow,
    account: Account,
    folder: Folder,
    pause: () => boolean,
    interrupt: () => boolean = () => false,
  ): Promise<boolean> {
    const { newMailFirst } = this.parts;
    const stop = new AbortController();
    let mayEnd = !this.#fruitless.has(folder.id);
    this.#fruitless.add(folder.id);
    const stopListening = newMailFirst.onAnnounced(account.id, () => {
      if (mayEnd) stop.abort();
    });
    const turn = async () => {
      await newMailFirst.turnOfHistory(account.id);
      return !stop.signal.aborted && !(mayEnd && interrupt());
    };
    const reach = (folder: Folder, uid: number) => {
      folder.backfill_uid = Math.min(folder.backfill_uid, uid);
      this.#fruitless.delete(folder.id);
      mayEnd = true;
    };
    const advance = (folder: Folder, stored: readonly Listed[]) => reach(folder, stored.at(-1)!.uid);
    const ahead: Promise<BatchRead | null>[] = [];
    try {
      const next = this.#historyBatches(client, account, folder, stop.signal);
      ahead.push(next());
      let unswept = 0;
      for (;;) {
        const batchRead = await ahead.shift()!;
        if (!batchRead) break;
        const isLast = pause() && batchRead.reaches > 1;
        // On a slow connection, a waiting task should not wait for two batches.
        while (!isLast && ahead.length < (batchRead.fetchMs < QUICK_FETCH_MS ? BATCHES_AHEAD : 1)) {
          const later = next();
          later.catch(() => {}); // reported when it is awaited
          ahead.push(later);
        }
        if (!(await this.#store(account, folder, batchRead.commits, advance, turn))) return false;
        reach(folder, batchRead.reaches);
        this.parts.folders.save(folder);
        if (isLast) return false;
        unswept += batchRead.bytes;
        if (unswept >= SWEEP_BYTES && !interrupt()) {
          unswept = 0;
          await newMailFirst.turnOfHistory(account.id);
          // Otherwise the heap grows to several times what it holds before garbage is collected.
          Bun.gc(true);
        }
      }
    } finally {
      stopListening();
      stop.abort();
      // A waiting task gets an idle connection, after what is being fetched.
      await Promise.allSettled(ahead);
    }
    if (folder.backfill_uid > 1) return false;
    await this.#finishReplacement(account, folder);
    this.#flagSync.noteRead(folder);
    return true;
  }

  /** Returns a function that fetches the next batch of history; null at its end, or when `signal` has ended it. */
  #historyBatches(
    client: ImapFlow,
    account: Account,
    folder: Folder,
    signal: AbortSignal,
  ): () => Promise<BatchRead | null> {
    const { clock } = this.parts.platform;
    // An empty list starts the thread while the first batch is being fetched.
    const aside = this.parts.readAside;
    void aside?.([]);
    const old = this.#replacedBy(account, folder);
    const batchSize = this.#paces.get(folder.id) ?? firstBatchSize();
    this.#paces.set(folder.id, batchSize);
    const walk = walkHistory({
      client,
      below: folder.backfill_uid,
      isEnded: () => signal.aborted,
      limits: this.#limits,
      batch_bytes: this.#batchBytes,
      batchSize,
      wanted: async (listed) => (old ? remapUids(this.parts, client, account, old, folder, listed) : listed),
      mayFetchTogether: old === null,
    });
    return async () => {
      const began = clock.now();
      const { done, value } = await walk.next();
      if (done) return null;
      const { batch, downloaded, reaches } = value;
      const bytes = batch.reduce((sum, { size }) => sum + Math.min(size, this.#limits.text_part_bytes), 0);
      const commits = writeBatchesOf(batch, downloaded, aside ?? null, signal);
      return { reaches, bytes, commits, fetchMs: clock.now() - began };
    };
  }

  /**
   * Updates flags, labels and deletions of stored mail. `deep` compares every UID.
   * @returns how many messages vanished from the folder
   */
  fetchChanges(client: ImapFlow, account: Account, open: OpenFolder, deep: boolean): Promise<number> {
    return this.#flagSync.follow(client, account, open, deep);
  }

  /**
   * Returns whether messages are missing that the server has reported, in which case the folder is synced whatever its
   * STATUS says.
   */
  lacks(folder: Folder): boolean {
    return this.#flagSync.lacks(folder);
  }

  async #fetchOverlooked(client: ImapFlow, account: Account, folder: Folder, uids: readonly number[]): Promise<void> {
    for (let i = 0; i < uids.length; i += WINDOW_MESSAGES) {
      const listed = await listMessages(client, uidSet(uids.slice(i, i + WINDOW_MESSAGES)));
      for (const batch of batches(listed, this.#batchBytes, this.#limits)) {
        const downloaded = await download(client, batch, this.#limits);
        await this.#store(account, folder, writeBatchesOf(batch, downloaded, null), () => {});
      }
    }
  }

  /**
   * Stores messages.
   * @param turn awaited before each commit; false ends it
   * @returns whether all are stored
   */
  async #store(
    account: Account,
    folder: Folder,
    commits: readonly WriteBatch[],
    advance: (folder: Folder, stored: readonly Listed[]) => void,
    turn: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<boolean> {
    const { platform, pipeline, folders } = this.parts;
    const views = folders.viewsOf(account.user_id, folder.id);
    for (const { slice, present, read } of commits) {
      const contents = await read();
      if (contents === null || !(await turn())) return false;
      const incoming = present.map((listed, n) => this.#incoming(account, folder, views, listed, contents[n]!));
      platform.db.write(() => {
        pipeline.take(account, folder, incoming);
        advance(folder, slice);
        folders.save(folder);
        if (account.sync.phase !== "live") {
          this.#reportProgress(account, slice.length);
          this.parts.accounts.setProgress(account.id, account.sync);
        }
      });
      // The main thread writes, too, so the lock is released between commits.
      await Bun.sleep(0);
    }
    return true;
  }

  #reportProgress(account: Account, more: number): void {
    const { sync } = account;
    const before = sync.done;
    sync.done += more;
    if (Math.floor(before / LOG_EVERY) === Math.floor(sync.done / LOG_EVERY)) return;
    this.parts.platform.log.info("first sync", { account: account.id, done: sync.done, total: sync.total });
  }

  #incoming(
    account: Account,
    folder: Folder,
    views: readonly Folder[],
    listed: Listed,
    { contents, terms, fault }: Read,
  ): IncomingMessage {
    if (fault) {
      const which = { account: account.id, folder: folder.id, uid: listed.uid };
      this.parts.platform.log.error("a message could not be read in full", { ...which, ...fault });
    }
    const labelOf = (keyword: string) => this.parts.labelOf(account.user_id, keyword);
    const { flags, ...word } = readServerMetadata(folder, views, listed, labelOf);
    const incoming = toIncoming(contents, {
      ...word,
      folderId: folder.id,
      uid: listed.uid,
      internalDate: listed.internalDate,
      size: listed.size,
      flags: flags ?? { ...NO_FLAGS, draft: folder.role === "drafts" },
      flagsUnknown: listed.flagsUnknown === true,
      flagsHash: flagsHash(listed.flags, listed.gmailLabels),
      serverThreadId: listed.serverThreadId,
    });
    return terms ? { ...incoming, terms } : incoming;
  }

  /** Returns the folder whose UIDs became void and which this one replaces until it has been read again. */
  #replacedBy(account: Account, folder: Folder): Folder | null {
    return this.parts.folders.list(account).find((candidate) => candidate.replaced_by === folder.id) ?? null;
  }

  async #finishReplacement(account: Account, folder: Folder): Promise<void> {
    for (const old of this.parts.folders.list(account)) {
      if (old.replaced_by === folder.id) dropFolder(this.parts, account, old);
    }
  }

  /** Returns UIDNEXT even if a server left it out of its response. */
  async #uidNext(client: ImapFlow, box: MailboxObject): Promise<number> {
    if (box.uidNext) return box.uidNext;
    if (box.exists === 0) return 1;
    const last = await client.fetchOne("*", { uid: true });
    return last ? last.uid + 1 : 1;
  }

  #mayHaveMore(folder: Folder, box: MailboxObject): boolean {
    return folder.backfill_uid <= 1 && !box.uidNext && box.exists > folder.server_count;
  }
}

/** Compares UIDVALIDITY values. Some servers occasionally send none, or 0, which means nothing. */
function renumbered(before: number, now: number): boolean {
  return before !== 0 && now !== 0 && before !== now;
}
