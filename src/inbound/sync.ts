import type { ImapFlow, MailboxObject } from "imapflow";
import type { Account, Accounts } from "../mailbox/accounts.ts";
import type { Copies } from "../mailbox/copies.ts";
import type { Folder, Folders } from "../mailbox/folders.ts";
import { type Importer, messageIdHmac } from "../mailbox/import.ts";
import type { IncomingMessage } from "../mailbox/incoming.ts";
import type { Platform } from "../platform/platform.ts";
import { flagsHash, type MessageFlags, readFlags } from "../wire/imap/flags.ts";
import { keywordToLabel } from "../wire/imap/keywords.ts";
import { changedSince } from "./changes.ts";
import { batches, type Downloaded, download, type FetchLimits, type Listed, listMessages, uidSet } from "./fetch.ts";
import { dropFolder, Implausible } from "./folders-sync.ts";
import { type Pipeline, toIncoming } from "./pipeline.ts";

/** Messages that commit together: small, so that other writers wait milliseconds. */
const COMMIT_MESSAGES = 25;
/** The log tells how far a first sync is every so many messages. */
const LOG_EVERY = 1_000;
/** UIDs compared at a time. */
const COMPARE_WINDOW = 2_000;
/** First width of a look back in UIDs; sparse folders widen it. */
const FIRST_WINDOW = 500;
/** Width of a look for new mail in UIDs. */
const NEW_WINDOW = 5_000;
const WIDEST_WINDOW = 2 ** 31;
/** A window that lists more than this was too wide. */
const WINDOW_MESSAGES = 2_000;

const NO_FLAGS: MessageFlags = { seen: false, flagged: false, answered: false, draft: false, important: false };

export interface SyncParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  importer: Importer;
  copies: Copies;
  pipeline: Pipeline;
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
  #window = new Map<string, number>();

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
    if (folder.uidvalidity !== null && folder.uidvalidity !== uidvalidity) {
      platform.log.warn("a folder was renumbered by its server", { account: account.id, folder: folder.id });
      folder = folders.supersede(account, folder);
    }
    if (folder.uidvalidity === null) {
      const uidnext = await this.#uidNext(client, box);
      const modseq = box.noModseq ? null : (box.highestModseq ?? null);
      folder = { ...folder, uidvalidity, uidnext, backfill_uid: uidnext, live_uid: uidnext, highestmodseq: modseq };
      folders.save(folder);
    }
    return { folder, box };
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
        taken += await this.#store(account, folder, batch, downloaded, (folder, stored) => {
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
   * Reads history, newest first, until it is complete or `pause` says that somebody waits. The next batch is on its way
   * from the server while this one is parsed and stored.
   * @returns true when the folder is complete
   */
  async backfill(client: ImapFlow, account: Account, folder: Folder, pause: () => boolean): Promise<boolean> {
    let ahead: Promise<[Listed[], Downloaded[]]> | null = null;
    while (folder.backfill_uid > 1) {
      const low = this.#lowerBound(folder);
      const listed = (await listMessages(client, `${low}:${folder.backfill_uid - 1}`))
        .filter(({ uid }) => uid >= low && uid < folder.backfill_uid)
        .sort((a, b) => b.uid - a.uid);
      this.#adapt(folder, listed.length);
      const work = batches(await this.#relink(client, account, folder, listed), this.#batch_bytes, this.#limits);
      const fetch = async (batch: Listed[]): Promise<[Listed[], Downloaded[]]> => [
        batch,
        await download(client, batch, this.#limits),
      ];
      for (let i = 0; i < work.length; i++) {
        ahead ??= fetch(work[i]!);
        const [batch, downloaded] = await ahead;
        const stop = pause();
        ahead = i + 1 < work.length && !stop ? fetch(work[i + 1]!) : null;
        ahead?.catch(() => {}); // reported when it is awaited
        await this.#store(account, folder, batch, downloaded, (folder, stored) => {
          folder.backfill_uid = Math.min(folder.backfill_uid, stored.at(-1)!.uid);
        });
        if (stop) return false;
      }
      folder.backfill_uid = low;
      this.parts.folders.save(folder);
      if (pause() && folder.backfill_uid > 1) return false;
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
    if (modseq !== null && folder.highestmodseq !== null && client.enabled.has("CONDSTORE")) {
      if (modseq > folder.highestmodseq) {
        const { changed, vanished } = await changedSince(client, box, folder.highestmodseq, (from, to) => [
          ...copies.known(folder.id, from, to).keys(),
        ]);
        await this.#applyFlags(account, folder, changed);
        gone.push(...vanished);
      }
    } else {
      await this.#compareFlags(client, account, folder, deep);
    }
    this.#applyVanished(account, folder, gone);
    if (folder.backfill_uid <= 1 && (deep || box.exists !== copies.count(folder.id))) {
      gone.push(...(await this.#compareUids(client, account, folder, box)));
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
    batch: readonly Listed[],
    downloaded: readonly Downloaded[],
    advance: (folder: Folder, stored: readonly Listed[]) => void,
  ): Promise<number> {
    const { platform, pipeline, folders } = this.parts;
    const byUid = new Map(downloaded.map((message) => [message.listed.uid, message]));
    let taken = 0;
    for (let i = 0; i < batch.length; i += COMMIT_MESSAGES) {
      const slice = batch.slice(i, i + COMMIT_MESSAGES);
      const incoming: IncomingMessage[] = [];
      for (const listed of slice) {
        const message = byUid.get(listed.uid);
        if (message) incoming.push(await this.#incoming(account, folder, message));
      }
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

  async #incoming(account: Account, folder: Folder, { listed, parse }: Downloaded): Promise<IncomingMessage> {
    return toIncoming(await parse(), {
      folder_id: folder.id,
      uid: listed.uid,
      internal_date: listed.internal_date,
      size: listed.size,
      flags: {
        ...(readFlags(listed.flags, listed.gmail_labels) ?? NO_FLAGS),
        ...(folder.role === "drafts" ? { draft: true } : {}),
      },
      labels: this.#labels(account, listed.flags),
      flags_hash: flagsHash(listed.flags, listed.gmail_labels),
      server_thread_id: listed.server_thread_id,
    });
  }

  #labels(account: Account, flags: Set<string> | undefined): string[] {
    const lookup = (keyword: string) => this.parts.labelOfKeyword(account.user_id, keyword);
    return [...(flags ?? [])].map((flag) => keywordToLabel(flag, lookup)).filter((label) => label !== null);
  }

  /** Takes messages of a renumbered folder over by Message-ID, size and date, without downloading them again. */
  async #relink(client: ImapFlow, account: Account, folder: Folder, listed: Listed[]): Promise<Listed[]> {
    const { platform, folders, importer, copies } = this.parts;
    const old = folders.list(account).find((candidate) => candidate.replaced_by === folder.id);
    if (!old || listed.length === 0) return listed;
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
        importer.locate({ folder_id: folder.id, uid: message.uid, flags_hash }, found.id);
        const flags = readFlags(message.flags, message.gmail_labels);
        if (flags) copies.takeOver(account.user_id, found.id, { flags, labels: this.#labels(account, message.flags) });
        return false;
      }),
    );
  }

  async #finishReplacement(account: Account, folder: Folder): Promise<void> {
    for (const old of this.parts.folders.list(account)) {
      if (old.replaced_by === folder.id) dropFolder(this.parts, account, old);
    }
  }

  async #applyFlags(account: Account, folder: Folder, changed: readonly Listed[]): Promise<void> {
    const { platform, copies } = this.parts;
    for (let i = 0; i < changed.length; i += COMMIT_MESSAGES) {
      platform.db.write(() => {
        const touched: string[] = [];
        for (const message of changed.slice(i, i + COMMIT_MESSAGES)) {
          const flags = readFlags(message.flags, message.gmail_labels);
          if (!flags) continue;
          if (folder.role === "drafts") flags.draft = true;
          const thread_id = copies.applyFlags(account.user_id, {
            folder_id: folder.id,
            uid: message.uid,
            flags,
            labels: this.#labels(account, message.flags),
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
      const found = await client.fetchAll(`${uids[0]}:${uids.at(-1)}`, { uid: true, flags: true }, { uid: true });
      const changed = found
        .filter((m) => m.flags && known.get(m.uid) !== undefined && known.get(m.uid) !== flagsHash(m.flags, m.labels))
        .map((m) => ({
          uid: m.uid,
          flags: m.flags,
          gmail_labels: m.labels,
          size: 0,
          internal_date: 0,
          server_thread_id: null,
        }));
      await this.#applyFlags(account, folder, changed);
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
        await this.#store(account, folder, batch, await download(client, batch, this.#limits), () => {});
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

  #lowerBound(folder: Folder): number {
    return Math.max(1, folder.backfill_uid - (this.#window.get(folder.id) ?? FIRST_WINDOW));
  }

  /** UID gaps cost round trips, not memory: the window widens over gaps and narrows in dense places. */
  #adapt(folder: Folder, found: number): void {
    const width = this.#window.get(folder.id) ?? FIRST_WINDOW;
    if (found < FIRST_WINDOW / 4) this.#window.set(folder.id, Math.min(width * 4, WIDEST_WINDOW));
    else if (found > WINDOW_MESSAGES) this.#window.set(folder.id, Math.max(FIRST_WINDOW, Math.floor(width / 4)));
  }
}
