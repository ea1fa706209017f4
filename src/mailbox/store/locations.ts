import type { Platform } from "../../platform/platform.ts";
import { messageIdTag } from "../threading/identity.ts";
import { tryOpenEnvelope } from "./envelope.ts";
import type { Folder, Folders } from "./folders.ts";
import type { LocationRow, MessageRow } from "./tables.ts";

/** A copy of a message on its server. In a view (Gmail), the UID is that of the folder that the view shows. */
export interface ServerCopy {
  folder: Folder;
  uid: number;
}

/** The server's data about a message in a renumbered folder, before its content is read. */
export interface MessageFingerprint {
  /** The Message-ID header. */
  message_id: string;
  size: number;
  internal_date: number;
}

type DeletedLocation = Pick<LocationRow, "message_id" | "flags_hash" | "flags" | "labels">;

/** Stores the locations of messages on their servers. The caller opens the transaction for changes. */
export class Locations {
  constructor(
    private readonly platform: Platform,
    private readonly folders: Folders,
  ) {}

  /**
   * Returns the copies by message, including views. Leaves out folders whose UIDs are not valid on the server, yet or
   * any longer.
   */
  ofMessages(account: { id: string; user_id: string }, message_ids: readonly string[]): Map<string, ServerCopy[]> {
    const all = new Map(this.folders.list(account).map((folder) => [folder.id, folder]));
    const isOpen = (folder: Folder | undefined) => folder && folder.replaced_by === null && folder.uidvalidity !== null;
    const rows = this.platform.db.sql
      .query<Pick<LocationRow, "message_id" | "folder_id" | "uid">, [string]>(
        `SELECT message_id, folder_id, uid FROM locations
         WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY folder_id, uid`,
      )
      .all(JSON.stringify(message_ids));
    const found = new Map<string, ServerCopy[]>();
    for (const { message_id, folder_id, uid } of rows) {
      const folder = all.get(folder_id);
      if (!folder || !isOpen(folder.view_of === null ? folder : all.get(folder.view_of))) continue;
      const list = found.get(message_id) ?? [];
      list.push({ folder, uid });
      found.set(message_id, list);
    }
    return found;
  }

  /**
   * Returns those of the messages of which a copy vanished during this pass or the previous one, and may still appear
   * elsewhere.
   */
  missing(message_ids: readonly string[]): Set<string> {
    const rows = this.platform.db.sql
      .query<Pick<MessageRow, "id">, [string]>(
        "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?)) AND missing_pass IS NOT NULL",
      )
      .all(JSON.stringify(message_ids));
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns the message under a UID. */
  at(folder_id: string, uid: number): { message_id: string; thread_id: string } | null {
    return this.platform.db.sql
      .query<Pick<LocationRow, "message_id"> & Pick<MessageRow, "thread_id">, [string, number]>(
        `SELECT l.message_id, m.thread_id FROM locations l JOIN messages m ON m.id = l.message_id
         WHERE l.folder_id = ? AND l.uid = ?`,
      )
      .get(folder_id, uid);
  }

  /** Returns the highest UID in use in a folder; 0 in an empty one. */
  highestUid(folder_id: string): number {
    return this.platform.db.sql
      .query<{ highest: number }, [string]>(
        "SELECT coalesce(max(uid), 0) AS highest FROM locations WHERE folder_id = ?",
      )
      .get(folder_id)!.highest;
  }

  /** Returns the RFC822.SIZE of the messages under some UIDs. */
  sizes(folder_id: string, uids: readonly number[]): Map<number, number> {
    const rows = this.platform.db.sql
      .query<Pick<LocationRow, "uid"> & Pick<MessageRow, "size">, [string, string]>(
        `SELECT l.uid, m.size FROM locations l JOIN messages m ON m.id = l.message_id
         WHERE l.folder_id = ? AND l.uid IN (SELECT value FROM json_each(?))`,
      )
      .all(folder_id, JSON.stringify(uids));
    return new Map(rows.map(({ uid, size }) => [uid, size]));
  }

  /**
   * Returns a message of `old` that matches `like` and has no location yet in `replacement`, the folder that replaces `old`.
   */
  findLikelyMatch(
    account: { id: string; user_id: string },
    old: Folder,
    replacement: Folder,
    like: MessageFingerprint,
  ): string | null {
    const sealer = this.platform.keyring.forUser(account.user_id);
    const candidates = this.platform.db.sql
      .query<Pick<MessageRow, "id" | "head">, [Uint8Array, string, number, number, string, string]>(
        `SELECT m.id, m.head FROM messages m
         WHERE m.msgid_hmac = ? AND m.account_id = ? AND m.size = ? AND m.internal_date = ?
           AND EXISTS (SELECT 1 FROM locations l WHERE l.message_id = m.id AND l.folder_id = ?)
           AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.message_id = m.id AND l.folder_id = ?) ORDER BY m.n`,
      )
      .all(messageIdTag(sealer, like.message_id), account.id, like.size, like.internal_date, old.id, replacement.id);
    return (
      candidates.find(({ id, head }) => tryOpenEnvelope(sealer, id, head)?.message_id === like.message_id)?.id ?? null
    );
  }

  /**
   * Moves messages between folders, from old UIDs to new ones. A copy in a view of the old folder is removed.
   * @param alone the message is in no other folder any more (Gmail's Trash and Spam)
   */
  move(from: Folder, to: Folder, uids: ReadonlyMap<number, number>, alone: boolean): void {
    const { sql } = this.platform.db;
    const deleteOne = sql.query<DeletedLocation, [string, number]>(
      "DELETE FROM locations WHERE folder_id = ? AND uid = ? RETURNING message_id, flags_hash, flags, labels",
    );
    const deleteViews = sql.query(
      "DELETE FROM locations WHERE uid = ? AND folder_id IN (SELECT id FROM folders WHERE view_of = ?)",
    );
    const deleteAll = sql.query("DELETE FROM locations WHERE message_id = ?");
    const arrive = sql.query(
      "INSERT OR REPLACE INTO locations (folder_id, uid, message_id, flags_hash, flags, labels) VALUES (?, ?, ?, ?, ?, ?)",
    );
    for (const [uid, newUid] of uids) {
      const left = deleteOne.get(from.id, uid);
      if (!left) continue;
      deleteViews.run(uid, from.id);
      if (alone) deleteAll.run(left.message_id);
      arrive.run(to.id, newUid, left.message_id, left.flags_hash, left.flags, left.labels);
    }
  }

  /**
   * Shows messages of a folder in `views`, and no longer in `hidden` (Gmail's labels).
   * @returns their threads, to be refreshed
   */
  show(holder: Folder, uids: readonly number[], views: readonly Folder[], hidden: readonly Folder[]): string[] {
    const { sql } = this.platform.db;
    const show = sql.query(
      `INSERT OR REPLACE INTO locations (folder_id, uid, message_id, flags_hash)
       SELECT ?, uid, message_id, flags_hash FROM locations WHERE folder_id = ? AND uid = ?`,
    );
    const hide = sql.query("DELETE FROM locations WHERE folder_id = ? AND uid = ?");
    for (const uid of uids) {
      for (const view of views) show.run(view.id, holder.id, uid);
      for (const view of hidden) hide.run(view.id, uid);
    }
    return uids.map((uid) => this.at(holder.id, uid)?.thread_id).filter((id) => id !== undefined);
  }
}
