import type { ImapFlow } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import type { LocationSync } from "../../mailbox/store/location-sync.ts";
import { ResponseTooLarge } from "../../wire/imap/bounds.ts";
import { flagsHash } from "../../wire/imap/flags.ts";
import { changedSince } from "./changed-since.ts";
import { type Listed, listFlags } from "./fetch.ts";
import { ImplausibleResponse } from "./folders.ts";
import { readServerMetadata } from "./gmail.ts";
import type { OpenFolder, SyncParts } from "./parts.ts";
import { type Range, slicesOf } from "./uid-ranges.ts";
import { existingUids, uidWindows } from "./uid-windows.ts";
import { WRITE_BATCH_MESSAGES } from "./write-batches.ts";

/** UIDs compared at a time. */
const COMPARE_WINDOW = 2_000;
/** Limit against a server that reports billions of messages. */
const MAX_WINDOWS = 2_000;

/** Fetches messages below the mark that are missing here. */
type FetchOverlooked = (client: ImapFlow, account: Account, folder: Folder, uids: readonly number[]) => Promise<void>;

/** Tracks changes to stored mail: flags, labels and deletions. */
export class FlagSync {
  /**
   * Number of messages in a folder that the server counts but does not return. They are requested again in deep
   * comparisons.
   */
  readonly #withheld = new Map<string, number>();
  /** Folders with missing messages that might still be fetched. */
  readonly #short = new Set<string>();
  /** Folders with more changes at once than one response may hold. The next comparison uses windows. */
  readonly #flooded = new Set<string>();
  /** Folders without ESEARCH in which many messages follow a gap in the UIDs. */
  readonly #narrow = new Set<string>();

  constructor(
    private readonly parts: SyncParts,
    private readonly fetchOverlooked: FetchOverlooked,
  ) {}

  /**
   * Brings a folder's flags and deletions up to date and saves the new state.
   * @param deep compares every UID and every flag; if MODSEQ reports changes, only the flags of the newest messages
   * @returns how many messages vanished from the folder
   */
  async follow(client: ImapFlow, account: Account, open: OpenFolder, deep: boolean): Promise<number> {
    const { folder, box } = open;
    const { locationSync, folders, platform } = this.parts;
    const modseq = box.noModseq ? null : (box.highestModseq ?? null);
    const gone: number[] = [];
    const known = folder.highestmodseq;
    const flooded = this.#flooded.has(folder.id);
    const usesCondstore =
      !flooded && modseq !== null && known !== null && modseq >= known && client.enabled.has("CONDSTORE");
    if (usesCondstore && modseq > known) {
      const { changed, vanished } = await changedSince(client, box, known, (from, to) => [
        ...locationSync.known(folder.id, from, to).keys(),
      ]).catch((error: unknown) => {
        if (error instanceof ResponseTooLarge) this.#flooded.add(folder.id);
        throw error;
      });
      await this.#applyFlags(account, folder, changed);
      gone.push(...vanished);
    }
    // A MODSEQ that decreased cannot be used for comparing.
    const fell = modseq !== null && known !== null && modseq < known;
    if (!usesCondstore || deep)
      await this.#compareFlags(client, account, folder, !usesCondstore && (deep || fell || flooded));
    this.#applyVanished(account, folder, gone);
    const refused = this.#refused(folder);
    if (
      folder.backfill_uid <= 1 &&
      (deep || flooded || !missingCounts(open, locationSync).some((count) => count() === refused))
    ) {
      gone.push(...(await this.#compareUids(client, account, folder, box.exists)));
      const missing = smallestOf(missingCounts(open, locationSync).map((count) => count()));
      if (missing > 0) {
        await this.#findMissed(client, account, folder, missing).catch((error: unknown) => {
          if (error instanceof ResponseTooLarge) this.#narrow.add(folder.id);
          throw error;
        });
      }
      this.#withheld.set(folder.id, smallestOf(missingCounts(open, locationSync).map((count) => count())));
    }
    folder.highestmodseq = modseq;
    // Mail that arrived during the sync may be here before the server counts it.
    folder.server_count = box.uidNext ? Math.max(box.exists, locationSync.count(folder.id)) : box.exists;
    this.noteRead(folder);
    folder.checked_at = platform.clock.now();
    folders.save(folder);
    this.#flooded.delete(folder.id);
    return gone.length;
  }

  /**
   * Records, after a folder was read completely, whether messages are missing that the server counted and has not
   * refused. It may have left them out of one response. A folder whose history is still being read is not checked.
   */
  noteRead(folder: Folder): void {
    const { id, backfill_uid, server_count } = folder;
    if (backfill_uid <= 1 && server_count - this.parts.locationSync.count(id) > this.#refused(folder))
      this.#short.add(id);
    else this.#short.delete(id);
  }

  /** Returns whether messages were missing when the folder was last read. */
  lacks({ id }: Folder): boolean {
    return this.#short.has(id);
  }

  #refused({ id }: Folder): number {
    return this.#withheld.get(id) ?? 0;
  }

  /** Voids every UID from `uid` on, because the server will reuse them for other messages. */
  voidFrom(account: Account, folder: Folder, uid: number): void {
    for (;;) {
      const uids = this.parts.locationSync.uidsFrom(folder.id, uid, COMPARE_WINDOW);
      if (uids.length === 0) return;
      this.#applyVanished(account, folder, uids);
    }
  }

  async #applyFlags(account: Account, folder: Folder, changed: readonly Listed[]): Promise<void> {
    const { platform, locationSync, folders, labelOf } = this.parts;
    const shown = folders.viewsOf(account.user_id, folder.id);
    for (let i = 0; i < changed.length; i += WRITE_BATCH_MESSAGES) {
      platform.db.write(() => {
        const touched: string[] = [];
        for (const message of changed.slice(i, i + WRITE_BATCH_MESSAGES)) {
          const word = readServerMetadata(folder, shown, message, (keyword) => labelOf(account.user_id, keyword));
          if (!word.flags) continue;
          const thread_id = locationSync.applyFlags(account.user_id, {
            folderId: folder.id,
            uid: message.uid,
            flags: word.flags,
            labels: word.labels,
            views: word.views,
            flagsHash: flagsHash(message.flags, message.gmailLabels),
          });
          if (thread_id) touched.push(thread_id);
        }
        locationSync.refreshAll(account.user_id, touched, account.sync.phase === "live");
      });
      await Bun.sleep(0);
    }
  }

  /** Compares the flags of the newest messages, or of all. */
  async #compareFlags(client: ImapFlow, account: Account, folder: Folder, all: boolean): Promise<void> {
    let from = all ? folder.backfill_uid : Math.max(folder.backfill_uid, folder.uidnext - COMPARE_WINDOW);
    for (;;) {
      const uids = this.parts.locationSync.uidsFrom(folder.id, from, COMPARE_WINDOW);
      if (uids.length === 0) return;
      const known = this.parts.locationSync.known(folder.id, uids[0]!, uids.at(-1)!);
      const listed = await listFlags(client, `${uids[0]}:${uids.at(-1)}`);
      const changed = ({ uid, flags, gmailLabels }: Listed) =>
        known.has(uid) && known.get(uid) !== flagsHash(flags, gmailLabels);
      await this.#applyFlags(account, folder, listed.filter(changed));
      from = uids.at(-1)! + 1;
    }
  }

  #applyVanished(account: Account, folder: Folder, uids: readonly number[]): void {
    const { platform, locationSync } = this.parts;
    for (let i = 0; i < uids.length; i += WRITE_BATCH_MESSAGES) {
      platform.db.write(() => {
        const slice = uids.slice(i, i + WRITE_BATCH_MESSAGES);
        const touched = slice
          .map((uid) => locationSync.vanished(folder.id, uid, account.pass))
          .filter((id) => id !== null);
        locationSync.refreshAll(account.user_id, touched, true);
      });
    }
  }

  /**
   * Finds vanished messages by asking which UIDs exist. An inconsistent response changes nothing.
   * @param exists how many messages the server counts. @throws Implausible
   */
  async #compareUids(client: ImapFlow, account: Account, folder: Folder, exists: number): Promise<number[]> {
    const { locationSync } = this.parts;
    const gone: number[] = [];
    let present = 0;
    for (let from = 0; ; ) {
      const uids = locationSync.uidsFrom(folder.id, from, COMPARE_WINDOW);
      if (uids.length === 0) break;
      let i = 0;
      for await (const ranges of existingUids(client, uids)) {
        for (const [first, last] of ranges) {
          for (; i < uids.length && uids[i]! < first; i++) gone.push(uids[i]!);
          while (i < uids.length && uids[i]! <= last) i++;
        }
      }
      gone.push(...uids.slice(i));
      present += uids.length;
      from = uids.at(-1)! + 1;
    }
    if (gone.length > 0 && present - gone.length > exists) {
      throw new ImplausibleResponse("The server's UIDs and its message count do not match.");
    }
    if (gone.length > 0 && gone.length === present && exists > 0) {
      throw new ImplausibleResponse("The server lists no messages but counts some.");
    }
    this.#applyVanished(account, folder, gone);
    return gone;
  }

  /** Searches for messages below our mark that are missing here: they were overlooked, or came back. */
  async #findMissed(client: ImapFlow, account: Account, folder: Folder, missing: number): Promise<void> {
    const { locationSync, platform } = this.parts;
    let found = 0;
    let windows = 0;
    const narrow = this.#narrow.has(folder.id);
    for await (const ranges of uidWindows(client, 1, Math.max(1, folder.uidnext - 1), narrow)) {
      // What is not found now is searched for again in the next deep comparison.
      if (++windows > MAX_WINDOWS) break;
      for (const range of ranges) {
        for (const slice of slicesOf(range, COMPARE_WINDOW)) {
          const wanted = unknownIn(slice, locationSync.known(folder.id, ...slice));
          if (wanted.length === 0) continue;
          if (found === 0) {
            platform.log.warn("fetching messages that an earlier sync missed", { folder: folder.id, missing });
          }
          found += wanted.length;
          await this.fetchOverlooked(client, account, folder, wanted);
        }
      }
    }
  }
}

const unknownIn = ([first, last]: Range, known: ReadonlyMap<number, unknown>): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((uid) => !known.has(uid));

/**
 * Returns how many messages are missing here, by the server's current count and by its count when the folder was
 * opened. While mail arrives and is deleted, one of the two may be off, because counted messages may not be listed yet.
 */
function missingCounts({ folder, box, openedWith }: OpenFolder, locationSync: LocationSync): (() => number)[] {
  const now = () => box.exists - locationSync.count(folder.id);
  const then = () => openedWith - locationSync.count(folder.id, box.uidNext);
  return box.uidNext ? [now, then] : [now];
}

const smallestOf = (counts: readonly number[]): number => counts.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
