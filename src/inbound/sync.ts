import type { ImapFlow, MailboxObject } from "imapflow";
import type { Account, Accounts } from "../mailbox/accounts.ts";
import type { Copies } from "../mailbox/copies.ts";
import type { Folder, Folders } from "../mailbox/folders.ts";
import { type Importer, messageIdHmac } from "../mailbox/import.ts";
import type { IncomingMessage } from "../mailbox/incoming.ts";
import type { Platform } from "../platform/platform.ts";
import { flagsHash } from "../wire/imap/flags.ts";
import { keywordToLabel } from "../wire/imap/keywords.ts";
import { changedSince } from "./changes.ts";
import { type Read, type ReadAll, readHere } from "./contents.ts";
import {
  batches,
  type Downloaded,
  download,
  type FetchLimits,
  type Listed,
  listFlags,
  listMessages,
  uidSet,
} from "./fetch.ts";
import { dropFolder, Implausible } from "./folders-sync.ts";
import { NO_FLAGS, readServerWord, type ServerWord } from "./gmail.ts";
import { firstPace, type Pace, walkHistory } from "./history.ts";
import { type Pipeline, toIncoming } from "./pipeline.ts";

/** Messages that commit together: small, so that other writers wait milliseconds. */
const COMMIT_MESSAGES = 25;
/** The log tells how far a first sync is every so many messages. */
const LOG_EVERY = 1_000;
/** Bytes of history after which the garbage of reading it is collected. */
const SWEEP_BYTES = 12 * 1024 * 1024;
/** Batches of history that are fetched ahead of the one being stored, from a server that answers quickly. */
const BATCHES_AHEAD = 2;
const QUICK_FETCH_MS = 1_000;
/** UIDs compared at a time. */
const COMPARE_WINDOW = 2_000;
/** Width of a look for new mail in UIDs. */
const NEW_WINDOW = 5_000;
const WIDEST_WINDOW = 2 ** 31;
/** A window that lists more than this was too wide. */
const WINDOW_MESSAGES = 2_000;

export interface SyncParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  importer: Importer;
  copies: Copies;
  pipeline: Pipeline;
  /** Reads the contents of much mail away from this thread; without it, history is read here. */
  readAside?: ReadAll;
  /** Finds a label of the user by its hashed keyword. */
  labelOfKeyword: (user_id: string, keyword: string) => string | null;
}

/** A folder opened on the server, with our row of it. */
export interface OpenFolder {
  folder: Folder;
  box: MailboxObject;
}

/** Compares folders with the server and fetches what is new, in bounded batches with progress saved in each. */
export class FolderSync {
  readonly #limits: FetchLimits;
  readonly #batch_bytes: number;
  readonly #paces = new Map<string, Pace>();
  /** How many messages of a folder the server counts but will not give. They are asked for again in deep comparisons. */
  #lacking = new Map<string, number>();

  constructor(private readonly parts: SyncParts) {
    const { config } = parts.platform;
    this.#limits = {
      full_source_bytes: config.get("mail.full_source_bytes"),
      text_part_bytes: config.get("mail.text_part_bytes"),
    };
    this.#batch_bytes = config.get("mail.batch_bytes");
  }

  /** Selects a folder afresh (read-only) and follows a change of its UIDVALIDITY. */
  async open(client: ImapFlow, account: Account, given: Folder): Promise<OpenFolder> {
    const { folders, platform } = this.parts;
    const box = await client.mailboxOpen(given.path, { readOnly: true });
    if (!box) throw new Implausible("The folder did not open.");
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
    return { folder, box };
  }

  /** UIDNEXT never falls, unless a server was restored from a backup: then it will give the UIDs above it again. */
  #goBack(account: Account, folder: Folder, uidnext: number): void {
    const { copies, folders, platform } = this.parts;
    platform.log.warn("a folder went back in time", { account: account.id, folder: folder.id });
    for (;;) {
      const void_uids = copies.uidsFrom(folder.id, uidnext, COMPARE_WINDOW);
      if (void_uids.length === 0) break;
      this.#applyVanished(account, folder, void_uids);
    }
    folder.uidnext = uidnext;
    folder.backfill_uid = Math.min(folder.backfill_uid, uidnext);
    folder.live_uid = Math.min(folder.live_uid, uidnext);
    folders.save(folder);
  }

  /** Fetches everything that arrived since the last look, oldest first. @returns how many messages */
  async fetchNew(client: ImapFlow, account: Account, { folder, box }: OpenFolder): Promise<number> {
    const next = await this.#uidNext(client, box);
    if (next <= folder.uidnext && !this.#mayHaveMore(folder, box)) return 0;
    let taken = 0;
    // In windows: after a year away there may be a hundred thousand. The last one is open, for servers without UIDNEXT.
    // Over a gap in the UIDs they widen.
    let width = NEW_WINDOW;
    let last = false;
    for (let low = folder.uidnext; !last; ) {
      const end = low + width;
      last = end >= next;
      const listed = await listMessages(client, `${low}:${last ? "*" : end - 1}`);
      const fresh = listed.filter(({ uid }) => uid >= folder.uidnext).sort((a, b) => a.uid - b.uid);
      for (const batch of batches(fresh, this.#batch_bytes, this.#limits)) {
        const downloaded = await download(client, batch, this.#limits);
        taken += await this.#store(account, folder, commitsOf(batch, downloaded, null), (folder, stored) => {
          folder.uidnext = Math.max(folder.uidnext, stored.at(-1)!.uid + 1);
        });
      }
      low = end;
      width = fresh.length > 0 ? NEW_WINDOW : Math.min(width * 4, WIDEST_WINDOW);
    }
    if (next > folder.uidnext) {
      folder.uidnext = next;
      this.parts.folders.save(folder);
    }
    return taken;
  }

  /**
   * Reads history, newest first, until it is complete or `pause` says that somebody waits. The next batches are on their
   * way from the server, or being read, while this one is stored.
   * @returns true when the folder is complete
   */
  async backfill(client: ImapFlow, account: Account, folder: Folder, pause: () => boolean): Promise<boolean> {
    const { clock } = this.parts.platform;
    // An empty list starts the thread while the first batch is on its way.
    void this.parts.readAside?.([]);
    const replacing = folder.backfill_uid > 1 && this.#replacedBy(account, folder) !== null;
    const pace = this.#paces.get(folder.id) ?? firstPace();
    this.#paces.set(folder.id, pace);
    const walk = walkHistory({
      client,
      below: folder.backfill_uid,
      limits: this.#limits,
      batch_bytes: this.#batch_bytes,
      pace,
      wanted: (listed) => this.#relink(client, account, folder, listed),
      mayFetchTogether: !replacing,
    });
    const next = async () => {
      const began = clock.now();
      const { done, value: stretch } = await walk.next();
      if (done) return null;
      const { batch, downloaded, reaches } = stretch;
      const bytes = batch.reduce((sum, { size }) => sum + Math.min(size, this.#limits.text_part_bytes), 0);
      const commits = commitsOf(batch, downloaded, this.parts.readAside ?? null);
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
    return true;
  }

  /**
   * Follows flags, labels and deletions of mail that is here already. `deep` compares every UID.
   * @returns how many messages vanished from the folder
   */
  async fetchChanges(client: ImapFlow, account: Account, { folder, box }: OpenFolder, deep: boolean): Promise<number> {
    const { copies, folders, platform } = this.parts;
    const modseq = box.noModseq ? null : (box.highestModseq ?? null);
    const gone: number[] = [];
    const known = folder.highestmodseq;
    if (modseq !== null && known !== null && modseq >= known && client.enabled.has("CONDSTORE")) {
      if (modseq > known) {
        const { changed, vanished } = await changedSince(client, box, known, (from, to) => [
          ...copies.known(folder.id, from, to).keys(),
        ]);
        await this.#applyFlags(account, folder, changed);
        gone.push(...vanished);
      }
    } else {
      // A MODSEQ that fell is of no use for comparing.
      await this.#compareFlags(client, account, folder, deep || (modseq !== null && known !== null && modseq < known));
    }
    this.#applyVanished(account, folder, gone);
    const lacking = () => box.exists - copies.count(folder.id);
    if (folder.backfill_uid <= 1 && (deep || lacking() !== (this.#lacking.get(folder.id) ?? 0))) {
      gone.push(...(await this.#compareUids(client, account, folder, box)));
      this.#lacking.set(folder.id, lacking());
    }
    folder.highestmodseq = modseq;
    folder.server_count = box.exists;
    folder.checked_at = platform.clock.now();
    folders.save(folder);
    return gone.length;
  }

  async #store(
    account: Account,
    folder: Folder,
    commits: readonly Commit[],
    advance: (folder: Folder, stored: readonly Listed[]) => void,
  ): Promise<number> {
    const { platform, pipeline, folders } = this.parts;
    const views = folders.viewsOf(account.user_id, folder.id);
    let taken = 0;
    for (const { slice, present, read } of commits) {
      const contents = await read();
      const incoming = present.map((listed, n) => this.#incoming(account, folder, views, listed, contents[n]!));
      platform.db.write(() => {
        taken += pipeline.take(account, folder, incoming).taken;
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
    return taken;
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
    { contents, fault }: Read,
  ): IncomingMessage {
    if (fault) {
      const which = { account: account.id, folder: folder.id, uid: listed.uid };
      this.parts.platform.log.error("a message could not be read in full", { ...which, ...fault });
    }
    const { flags, ...word } = this.#read(account, folder, views, listed);
    return toIncoming(contents, {
      ...word,
      folder_id: folder.id,
      uid: listed.uid,
      internal_date: listed.internal_date,
      size: listed.size,
      flags: flags ?? { ...NO_FLAGS, draft: folder.role === "drafts" },
      flags_hash: flagsHash(listed.flags, listed.gmail_labels),
      server_thread_id: listed.server_thread_id,
    });
  }

  #read(account: Account, folder: Folder, views: readonly Folder[], listed: Listed): ServerWord {
    const lookup = (keyword: string) => this.parts.labelOfKeyword(account.user_id, keyword);
    return readServerWord(folder, views, listed, (keyword) => keywordToLabel(keyword, lookup));
  }

  /** Takes messages of a renumbered folder over by Message-ID, size and date, without downloading them again. */
  async #relink(client: ImapFlow, account: Account, folder: Folder, listed: Listed[]): Promise<Listed[]> {
    const { platform, folders, importer, copies } = this.parts;
    const old = this.#replacedBy(account, folder);
    if (!old || listed.length === 0) return listed;
    const shown = folders.viewsOf(account.user_id, folder.id);
    const sealer = platform.keyring.forUser(account.user_id);
    const query = { uid: true, headers: ["message-id"] };
    const headers = await client.fetchAll(uidSet(listed.map(({ uid }) => uid)), query, { uid: true });
    const ids = new Map(
      headers.map((m) => [m.uid, /^message-id:\s*(\S.*?)\s*$/ims.exec(String(m.headers ?? ""))?.[1]]),
    );
    const find = platform.db.sql.query<{ id: string }, [Uint8Array, string, number, number, string, string]>(
      `SELECT m.id FROM messages m WHERE m.msgid_hmac = ? AND m.account_id = ? AND m.size = ? AND m.internal_date = ?
         AND EXISTS (SELECT 1 FROM locations l WHERE l.message_id = m.id AND l.folder_id = ?)
         AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.message_id = m.id AND l.folder_id = ?) LIMIT 1`,
    );
    return platform.db.write(() =>
      listed.filter((message) => {
        const message_id = ids.get(message.uid)?.replace(/\r?\n[ \t]/g, " ");
        if (!message_id) return true;
        const hmac = messageIdHmac(sealer, message_id);
        const found = find.get(hmac, account.id, message.size, message.internal_date, old.id, folder.id);
        if (!found) return true;
        const flags_hash = flagsHash(message.flags, message.gmail_labels);
        const { flags, labels, views } = this.#read(account, folder, shown, message);
        importer.locate({ folder_id: folder.id, uid: message.uid, flags_hash, views }, found.id);
        if (flags) copies.takeOver(account.user_id, found.id, { flags, labels });
        return false;
      }),
    );
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

  async #applyFlags(account: Account, folder: Folder, changed: readonly Listed[]): Promise<void> {
    const { platform, copies, folders } = this.parts;
    const shown = folders.viewsOf(account.user_id, folder.id);
    for (let i = 0; i < changed.length; i += COMMIT_MESSAGES) {
      platform.db.write(() => {
        const touched: string[] = [];
        for (const message of changed.slice(i, i + COMMIT_MESSAGES)) {
          const { flags, labels, views } = this.#read(account, folder, shown, message);
          if (!flags) continue;
          const thread_id = copies.applyFlags(account.user_id, {
            folder_id: folder.id,
            uid: message.uid,
            flags,
            labels,
            views,
            flags_hash: flagsHash(message.flags, message.gmail_labels),
          });
          if (thread_id) touched.push(thread_id);
        }
        copies.refreshAll(account.user_id, touched, account.sync.phase === "live");
      });
      await Bun.sleep(0);
    }
  }

  #applyVanished(account: Account, folder: Folder, uids: readonly number[]): void {
    const { platform, copies } = this.parts;
    for (let i = 0; i < uids.length; i += COMMIT_MESSAGES) {
      platform.db.write(() => {
        const slice = uids.slice(i, i + COMMIT_MESSAGES);
        const touched = slice.map((uid) => copies.vanished(folder.id, uid, account.pass)).filter((id) => id !== null);
        copies.refreshAll(account.user_id, touched, true);
      });
    }
  }

  /** Without CONDSTORE: compares the flags of the newest messages, or of all. */
  async #compareFlags(client: ImapFlow, account: Account, folder: Folder, deep: boolean): Promise<void> {
    let from = deep ? folder.backfill_uid : Math.max(folder.backfill_uid, folder.uidnext - COMPARE_WINDOW);
    for (;;) {
      const uids = this.parts.copies.uidsFrom(folder.id, from, COMPARE_WINDOW);
      if (uids.length === 0) return;
      const known = this.parts.copies.known(folder.id, uids[0]!, uids.at(-1)!);
      const listed = await listFlags(client, `${uids[0]}:${uids.at(-1)}`);
      const changed = ({ uid, flags, gmail_labels }: Listed) =>
        known.has(uid) && known.get(uid) !== flagsHash(flags, gmail_labels);
      await this.#applyFlags(account, folder, listed.filter(changed));
      from = uids.at(-1)! + 1;
    }
  }

  /** Finds what vanished by asking which UIDs there are. An answer that does not add up changes nothing. */
  async #compareUids(client: ImapFlow, account: Account, folder: Folder, box: MailboxObject): Promise<number[]> {
    const { copies } = this.parts;
    const gone: number[] = [];
    let present = 0;
    for (let from = 0; ; ) {
      const uids = copies.uidsFrom(folder.id, from, COMPARE_WINDOW);
      if (uids.length === 0) break;
      const found = await client.search({ uid: `${uids[0]}:${uids.at(-1)}` }, { uid: true });
      if (!found) throw new Implausible("The server did not answer which messages there are.");
      const there = new Set(found);
      for (const uid of uids) if (!there.has(uid)) gone.push(uid);
      present += uids.length;
      from = uids.at(-1)! + 1;
    }
    if (gone.length > 0 && present - gone.length > box.exists) {
      throw new Implausible("The server's UIDs and its message count do not agree.");
    }
    if (gone.length > 0 && gone.length === present && box.exists > 0) {
      throw new Implausible("The server denies every message, yet counts some.");
    }
    this.#applyVanished(account, folder, gone);
    const missing = box.exists - copies.count(folder.id);
    if (missing > 0) await this.#fetchOverlooked(client, account, folder, missing);
    return gone;
  }

  /** The server has messages below our mark that are not here: they were overlooked or came back. */
  async #fetchOverlooked(client: ImapFlow, account: Account, folder: Folder, missing: number): Promise<void> {
    const { copies, platform } = this.parts;
    const found = await client.search({ uid: `1:${Math.max(1, folder.uidnext - 1)}` }, { uid: true });
    if (!found) return;
    const wanted: number[] = [];
    for (let i = 0; i < found.length; i += COMPARE_WINDOW) {
      const window = found.slice(i, i + COMPARE_WINDOW);
      const known = copies.known(folder.id, window[0]!, window.at(-1)!);
      wanted.push(...window.filter((uid) => !known.has(uid)));
    }
    if (wanted.length === 0) return;
    platform.log.warn("fetching messages that an earlier look missed", {
      folder: folder.id,
      missing,
      found: wanted.length,
    });
    for (let i = 0; i < wanted.length; i += WINDOW_MESSAGES) {
      const listed = await listMessages(client, uidSet(wanted.slice(i, i + WINDOW_MESSAGES)));
      for (const batch of batches(listed, this.#batch_bytes, this.#limits)) {
        const downloaded = await download(client, batch, this.#limits);
        await this.#store(account, folder, commitsOf(batch, downloaded, null), () => {});
      }
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

/** Messages that commit together, `present` those of them that the server gave, and what these say. */
interface Commit {
  slice: readonly Listed[];
  present: readonly Listed[];
  read: () => Promise<Read[]>;
}

/** Cuts a batch into commits. Read aside, all of it is read from now on; read here, each commit in its turn. */
function commitsOf(batch: readonly Listed[], downloaded: readonly Downloaded[], aside: ReadAll | null): Commit[] {
  const rawOf = new Map(downloaded.map(({ listed, raw }) => [listed.uid, raw]));
  const commits: Commit[] = [];
  for (let i = 0; i < batch.length; i += COMMIT_MESSAGES) {
    const slice = batch.slice(i, i + COMMIT_MESSAGES);
    const present = slice.filter(({ uid }) => rawOf.has(uid));
    const raws = present.map(({ uid }) => rawOf.get(uid)!);
    const reading = aside?.(raws);
    reading?.catch(() => {}); // reported when it is awaited
    commits.push({ slice, present, read: () => reading ?? readHere(raws) });
  }
  return commits;
}

/** Some servers send no UIDVALIDITY, or 0, now and then: that tells nothing. */
function renumbered(before: number, now: number): boolean {
  return before !== 0 && now !== 0 && before !== now;
}
