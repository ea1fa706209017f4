import type { ImapFlow } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { PendingChange } from "../../mailbox/changes/pending-changes.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import { isGmail } from "../../wire/imap/gmail.ts";
import { createFolder, flagsOf, openForWriting, Refusal } from "./commands.ts";
import type { CopyLocation, MirrorLedger, PendingMessage } from "./ledger.ts";
import type { Mover } from "./mover.ts";
import { copiesToMove } from "./plan.ts";
import type { Results } from "./results.ts";

/** Names of folders that have to be created. Other programs recognize them by these names. */
export const FOLDER_NAMES = {
  inbox: "INBOX",
  archive: "Archive",
  snoozed: "Snoozed",
  trash: "Trash",
  spam: "Junk",
} as const satisfies Partial<Record<FolderRole, string>>;

/** One MOVE: messages of a folder, with the changes that ask for it. */
export interface MoveGroup {
  from: Folder;
  to: Folder;
  entries: { uid: number; change: PendingChange }[];
}

/** Replays moves between folders. */
export class MoveReplay {
  readonly #targets = new Map<string, Folder | null>();

  constructor(
    private readonly client: ImapFlow,
    private readonly account: Account,
    private readonly folders: Folders,
    private readonly ledger: MirrorLedger,
    private readonly mover: Mover,
    private readonly results: Results,
  ) {}

  async run(messages: readonly PendingMessage[]): Promise<void> {
    const groups = new Map<string, MoveGroup>();
    for (const { changes, copies } of messages) {
      const change = changes.find(({ field }) => field === "folder");
      if (!change) continue;
      const role = change.value as FolderRole;
      const sources = this.#toMove(copies, role);
      if (copies.length === 0) this.results.wait([change], "missing");
      else if (sources.length === 0) await this.#stay(copies, change);
      if (sources.length === 0) continue;
      const to = await this.target(role);
      // Without such a folder the state is kept here: the pending change outweighs the server's state (docs/mail.md,
      // "Mirroring to the mail server").
      if (!to) continue;
      for (const { folder: from, uid } of sources) {
        if (from.id === to.id) continue;
        const key = `${from.id} ${to.id}`;
        const group = groups.get(key) ?? { from, to, entries: [] };
        groups.set(key, group);
        group.entries.push({ uid, change });
      }
    }
    for (const group of groups.values()) await this.move(group);
  }

  /** Returns copies that have to move, and those that an earlier attempt copied and did not yet remove. */
  #toMove(copies: readonly CopyLocation[], role: FolderRole): CopyLocation[] {
    const wanted = copiesToMove(copies, role, isGmail(this.client));
    const to = this.ledger.folderOfRole(role);
    if (!to) return wanted;
    const isHalf = ({ folder, uid }: CopyLocation) => this.mover.isHalfDone(folder, uid, to);
    return copies.filter((copy) => wanted.includes(copy) || isHalf(copy));
  }

  /** Handles a message that is already in its target: an earlier move away from there is canceled. */
  async #stay(copies: readonly CopyLocation[], change: PendingChange): Promise<void> {
    try {
      for (const { folder, uid } of copies) {
        if (this.mover.isIncomplete(folder, uid)) await this.mover.stay(this.client, folder, [uid]);
      }
      this.results.accept([change]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.results.wait([change], "unavailable");
    }
  }

  /** Moves messages, and records the server's response for each change. */
  async move(group: MoveGroup): Promise<void> {
    const { from, entries } = group;
    const changes = entries.map(({ change }) => change);
    try {
      const box = await openForWriting(this.client, from.path);
      if (Number(box.uidValidity) !== from.uidvalidity) return this.results.wait(changes, "missing");
      if (box.readOnly) return this.results.refuse(changes, "The folder is read-only.");
      await this.#command(group);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.temporary) this.results.wait(changes, "unavailable");
      else if (error.missing) this.results.wait(changes, "missing");
      else await this.#refuse(group, error);
    }
  }

  async #command({ from, to, entries }: MoveGroup): Promise<void> {
    const uids = entries.map(({ uid }) => uid);
    const send = () => this.mover.move(this.client, from, uids, to);
    const { to: copied, left } = await send().catch(async (error: unknown) => {
      if (!(error instanceof Refusal) || !error.missing) throw error;
      await createFolder(this.client, to.path);
      return send();
    });
    const stays = new Set(left);
    const moved = entries.filter(({ uid }) => !stays.has(uid));
    if (!copied) {
      // The server does not report the new location. The change waits, and keeps the state, until the next sync finds
      // the copies.
      this.ledger.gone(
        from,
        moved.map(({ uid }) => uid),
      );
      this.results.wait(
        moved.map(({ change }) => change),
        "missing",
      );
      return;
    }
    for (const uid of stays) copied.uids.delete(uid);
    const alone = isGmail(this.client) && (to.role === "trash" || to.role === "spam");
    const isRecorded = this.ledger.moved(from, to, copied, alone);
    const isPlaced = ({ uid }: { uid: number }) => isRecorded && copied.uids.has(uid);
    this.results.accept(moved.filter(isPlaced).map(({ change }) => change));
    this.results.wait(
      moved.filter((entry) => !isPlaced(entry)).map(({ change }) => change),
      "missing",
    );
  }

  /** Records a refusal, only for messages that still exist. */
  async #refuse({ entries }: MoveGroup, refusal: Refusal): Promise<void> {
    const found = await flagsOf(
      this.client,
      entries.map(({ uid }) => uid),
    );
    const changesWhere = (present: boolean) =>
      entries.filter(({ uid }) => found.has(uid) === present).map(({ change }) => change);
    this.results.wait(changesWhere(false), "missing");
    this.results.refuse(changesWhere(true), refusal.words || refusal.message);
  }

  /** Returns the folder for a role, created if it is missing; null if the server does not allow it. */
  async target(role: FolderRole): Promise<Folder | null> {
    const known = this.#targets.get(role);
    if (known !== undefined) return known;
    const have = this.ledger.folderOfRole(role) ?? (role === "archive" ? this.ledger.folderOfRole("all") : null);
    const target = have ?? (await this.#create(role));
    this.#targets.set(role, target);
    return target;
  }

  async #create(role: FolderRole): Promise<Folder | null> {
    const name = (FOLDER_NAMES as Partial<Record<FolderRole, string>>)[role];
    if (!name) return null;
    const personal = this.client.namespace;
    // Some servers allow folders only below INBOX, with names that start with "INBOX." (RFC 2342).
    const path = name === "INBOX" ? name : `${personal?.prefix ?? ""}${name}`;
    // Mail in an excluded folder would seem to be gone.
    if (this.account.exclude.includes(path)) return null;
    try {
      await createFolder(this.client, path);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return null;
    }
    return this.folders.upsert(this.account, path, personal?.delimiter ?? null, role);
  }
}
