import type { ImapFlow, MailboxObject } from "imapflow";
import type { AccessTokens } from "../mailbox/access-tokens.ts";
import type { Account, Accounts } from "../mailbox/accounts.ts";
import type { Copies } from "../mailbox/copies.ts";
import type { Folder, Folders } from "../mailbox/folders.ts";
import type { Importer } from "../mailbox/import.ts";
import type { IncomingMessage } from "../mailbox/incoming.ts";
import type { Places } from "../mailbox/places.ts";
import type { Platform } from "../platform/platform.ts";
import { flagsHash } from "../wire/imap/flags.ts";
import { type Commit, commitsOf } from "./commits.ts";
import type { Read, ReadAll } from "./contents.ts";
import { batches, download, type FetchLimits, type Listed, listMessages, uidSet } from "./fetch.ts";
import { dropFolder, Implausible } from "./folders-sync.ts";
import { Follower } from "./follow.ts";
import { NO_FLAGS, readServerWord } from "./gmail.ts";
import { firstPace, type Pace, walkHistory } from "./history.ts";
import { type Pipeline, toIncoming } from "./pipeline.ts";
import { relink } from "./relink.ts";
import { listable, SAFE_WINDOW } from "./uid-windows.ts";

/** The log tells how far a first sync is every so many messages. */
const LOG_EVERY = 1_000;
/** Bytes of history after which the garbage of reading it is collected. */
const SWEEP_BYTES = 2 * 1024 * 1024;
/** Batches of history that are fetched ahead of the one being stored, from a server that answers quickly. */
const BATCHES_AHEAD = 2;
const QUICK_FETCH_MS = 1_000;
/** Width of a look for new mail in UIDs. */
const NEW_WINDOW = 5_000;
const WIDEST_WINDOW = 2 ** 31;
/** Messages listed at a time, of those that an earlier look missed. */
const WINDOW_MESSAGES = 2_000;

export interface SyncParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  importer: Importer;
  copies: Copies;
  places: Places;
  pipeline: Pipeline;
  /** What accounts log in with. */
  tokens: Pick<AccessTokens, "credentials">;
  /** Reads the contents of much mail away from this thread; without it, history is read here. */
  readAside?: ReadAll;
  /** Gives threads a time to wake that the server alone put aside. */
  adoptSnoozed: (account: Account) => void;
  /** The label that a keyword stands for; null for keywords that are no label of the user's. */
  labelOf: (user_id: string, keyword: string) => string | null;
}

/** A folder opened on the server, with our row of it. */
export interface OpenFolder {
  folder: Folder;
  /** Goes on: EXISTS and EXPUNGE, which a server may tell with any answer, change its count; UIDNEXT stays. */
  box: MailboxObject;
  /** How many messages it had when it was opened: with UIDs below the UIDNEXT of that moment. */
  opened_with: number;
}

/** Compares folders with the server and fetches what is new, in bounded batches with progress saved in each. */
export class FolderSync {
  readonly #limits: FetchLimits;
  readonly #batch_bytes: number;
  readonly #paces = new Map<string, Pace>();
  readonly #follower: Follower;

  constructor(private readonly parts: SyncParts) {
    const { config } = parts.platform;
    this.#limits = {
      full_source_bytes: config.get("mail.full_source_bytes"),
      text_part_bytes: config.get("mail.text_part_bytes"),
      text_read_bytes: config.get("mail.text_read_bytes"),
    };
    this.#batch_bytes = config.get("mail.batch_bytes");
    this.#follower = new Follower(parts, (...overlooked) => this.#fetchOverlooked(...overlooked));
  }

  /** Selects a folder afresh (read-only) and follows a change of its UIDVALIDITY. */
  async open(client: ImapFlow, account: Account, given: Folder): Promise<OpenFolder> {
    const { folders, platform } = this.parts;
    const box = await client.mailboxOpen(given.path, { readOnly: true });
    if (!box) throw new Implausible("The folder could not be opened.");
    const opened_with = box.exists;
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
    if (box.uidNext && box.uidNext < folder.uidnext) this.#goBack(account, folder, box.uidNext);
    return { folder, box, opened_with };
  }

  /** UIDNEXT never falls, unless a server was restored from a backup: then it will give the UIDs above it again. */
  #goBack(account: Account, folder: Folder, uidnext: number): void {
    const { folders, platform } = this.parts;
    platform.log.warn("a folder went back in time", { account: account.id, folder: folder.id });
    this.#follower.voidFrom(account, folder, uidnext);
    folder.uidnext = uidnext;
    folder.backfill_uid = Math.min(folder.backfill_uid, uidnext);
    folder.live_uid = Math.min(folder.live_uid, uidnext);
    folders.save(folder);
  }

  /**
   * Fetches everything that arrived since the last look, oldest first, until that is all or `pause` says that somebody waits.
   * @returns whether that is all
   */
  async fetchNew(
    client: ImapFlow,
    account: Account,
    { folder, box }: OpenFolder,
    pause: () => boolean,
  ): Promise<boolean> {
    const next = await this.#uidNext(client, box);
    if (next <= folder.uidnext && !this.#mayHaveMore(folder, box)) return true;
    // In windows: after a year away there may be a hundred thousand. The last one is open, for servers without UIDNEXT.
    // Over a gap in the UIDs they widen.
    let width = NEW_WINDOW;
    let last = false;
    for (let low = folder.uidnext; !last; ) {
      const [, high] = await listable(client, [low, low + width - 1], "low", SAFE_WINDOW);
      const end = high + 1;
      last = end >= next;
      const listed = await listMessages(client, `${low}:${last ? "*" : end - 1}`);
      const fresh = listed.filter(({ uid }) => uid >= folder.uidnext).sort((a, b) => a.uid - b.uid);
      for (const batch of batches(fresh, this.#batch_bytes, this.#limits)) {
        const downloaded = await download(client, batch, this.#limits);
        await this.#store(account, folder, commitsOf(batch, downloaded, null), (folder, stored) => {
          folder.uidnext = Math.max(folder.uidnext, stored.at(-1)!.uid + 1);
        });
        if (pause()) return false;
      }
      low = end;
      width = fresh.length > 0 ? NEW_WINDOW : Math.min(width * 4, WIDEST_WINDOW);
    }
    if (next > folder.uidnext) {
      folder.uidnext = next;
      this.parts.folders.save(folder);
    }
    return true;
  }

  /**
   * Reads history, newest first, until it is complete or `pause` says that somebody waits. The next batches are on their
   * way from the server, or being read, while this one is stored.
   * @returns true when the folder is complete
   */
  async backfill(client: ImapFlow, account: Account, folder: Folder, pause: () => boolean): Promise<boolean> {
    const { clock } = this.parts.platform;
    // An empty list starts the thread while the first batch is on its way.
    const aside = this.parts.readAside;
    void aside?.([]);
    const old = this.#replacedBy(account, folder);
    const pace = this.#paces.get(folder.id) ?? firstPace();
    this.#paces.set(folder.id, pace);
    const walk = walkHistory({
      client,
      below: folder.backfill_uid,
      limits: this.#limits,
      batch_bytes: this.#batch_bytes,
      pace,
      wanted: async (listed) => (old ? relink(this.parts, client, account, old, folder, listed) : listed),
      mayFetchTogether: old === null,
    });
    const next = async () => {
      const began = clock.now();
      const { done, value: stretch } = await walk.next();
      if (done) return null;
      const { batch, downloaded, reaches } = stretch;
      const bytes = batch.reduce((sum, { size }) => sum + Math.min(size, this.#limits.text_part_bytes), 0);
      const commits = commitsOf(batch, downloaded, aside ?? null);
      return { reaches, bytes, commits, fetch_ms: clock.now() - began };
    };
    let unswept = 0;
    const ahead = [next()];
    for (;;) {
      const stretch = await ahead.shift()!;
      if (!stretch) break;
      const stop = pause() && stretch.reaches > 1;
      // On a slow line somebody who waits should not wait for two batches.
      while (!stop && ahead.length < (stretch.fetch_ms < QUICK_FETCH_MS ? BATCHES_AHEAD : 1)) {
        const later = next();
        later.catch(() => {}); // reported when it is awaited
        ahead.push(later);
      }
      await this.#store(account, folder, stretch.commits, (folder, stored) => {
        folder.backfill_uid = Math.min(folder.backfill_uid, stored.at(-1)!.uid);
      });
      folder.backfill_uid = stretch.reaches;
      this.parts.folders.save(folder);
      if (stop) {
        // Whoever waits gets a connection on which nothing is under way.
        await Promise.allSettled(ahead);
        return false;
      }
      unswept += stretch.bytes;
      if (unswept >= SWEEP_BYTES) {
        unswept = 0;
        // Left alone, the heap grows to several times what it holds before it is swept.
        Bun.gc(true);
      }
    }
    await this.#finishReplacement(account, folder);
    this.#follower.noteRead(folder);
    return true;
  }

  /**
   * Follows flags, labels and deletions of mail that is here already. `deep` compares every UID.
   * @returns how many messages vanished from the folder
   */
  fetchChanges(client: ImapFlow, account: Account, open: OpenFolder, deep: boolean): Promise<number> {
    return this.#follower.follow(client, account, open, deep);
  }

  /** Whether messages are lacking that the server has shown to have: then it is worth a look, whatever its STATUS says. */
  lacks(folder: Folder): boolean {
    return this.#follower.lacks(folder);
  }

  async #fetchOverlooked(client: ImapFlow, account: Account, folder: Folder, uids: readonly number[]): Promise<void> {
    for (let i = 0; i < uids.length; i += WINDOW_MESSAGES) {
      const listed = await listMessages(client, uidSet(uids.slice(i, i + WINDOW_MESSAGES)));
      for (const batch of batches(listed, this.#batch_bytes, this.#limits)) {
        const downloaded = await download(client, batch, this.#limits);
        await this.#store(account, folder, commitsOf(batch, downloaded, null), () => {});
      }
    }
  }

  async #store(
    account: Account,
    folder: Folder,
    commits: readonly Commit[],
    advance: (folder: Folder, stored: readonly Listed[]) => void,
  ): Promise<void> {
    const { platform, pipeline, folders } = this.parts;
    const views = folders.viewsOf(account.user_id, folder.id);
    for (const { slice, present, read } of commits) {
      const contents = await read();
      const incoming = present.map((listed, n) => this.#incoming(account, folder, views, listed, contents[n]!));
      platform.db.write(() => {
        pipeline.take(account, folder, incoming);
        advance(folder, slice);
        folders.save(folder);
        if (account.sync.phase !== "live") {
          this.#tellProgress(account, slice.length);
          this.parts.accounts.setProgress(account.id, account.sync);
        }
      });
      // The main thread writes, too: leave the lock free between commits.
      await Bun.sleep(0);
    }
  }

  #tellProgress(account: Account, more: number): void {
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
    const { flags, ...word } = readServerWord(folder, views, listed, labelOf);
    const incoming = toIncoming(contents, {
      ...word,
      folder_id: folder.id,
      uid: listed.uid,
      internal_date: listed.internal_date,
      size: listed.size,
      flags: flags ?? { ...NO_FLAGS, draft: folder.role === "drafts" },
      flags_untold: listed.untold === true,
      flags_hash: flagsHash(listed.flags, listed.gmail_labels),
      server_thread_id: listed.server_thread_id,
    });
    return terms ? { ...incoming, terms } : incoming;
  }

  /** The folder whose UIDs became void and which this one stands for until it has been read anew. */
  #replacedBy(account: Account, folder: Folder): Folder | null {
    return this.parts.folders.list(account).find((candidate) => candidate.replaced_by === folder.id) ?? null;
  }

  async #finishReplacement(account: Account, folder: Folder): Promise<void> {
    for (const old of this.parts.folders.list(account)) {
      if (old.replaced_by === folder.id) dropFolder(this.parts, account, old);
    }
  }

  /** A server may leave UIDNEXT out of its answer. */
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

/** Some servers send no UIDVALIDITY, or 0, now and then: that tells nothing. */
function renumbered(before: number, now: number): boolean {
  return before !== 0 && now !== 0 && before !== now;
}
