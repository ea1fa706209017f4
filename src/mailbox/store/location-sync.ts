import type { ThreadAspect } from "../../kernel/events.ts";
import type { Platform } from "../../platform/platform.ts";
import type { PendingChangeRow } from "../changes/tables.ts";
import type { Threads } from "../threading/threads.ts";
import type { IncomingMetadata } from "./incoming.ts";
import type { Labels } from "./labels.ts";
import {
  combineFlags,
  copySeenFromLocal,
  fillUnknownFlags,
  locationFlags,
  packFlags,
  packLabels,
  setLocationFlag,
} from "./location-flags.ts";
import type { LocationRow, MessageLabelRow, MessageRow } from "./tables.ts";

/** The server's data for one UID. */
export type ServerLocation = Required<
  Pick<IncomingMetadata, "folderId" | "uid" | "flags" | "labels" | "views" | "flagsHash">
>;

/** Applies the server's changes to copies: flags, labels and disappearance. The caller opens the transaction. */
export class LocationSync {
  constructor(
    private readonly platform: Platform,
    private readonly threads: Threads,
    private readonly labels: Labels,
  ) {}

  /** Returns the UIDs stored for a folder within [from, to], with the hash of their flags. */
  known(folder_id: string, from: number, to: number): Map<number, number> {
    const rows = this.platform.db.sql
      .query<Pick<LocationRow, "uid" | "flags_hash">, [string, number, number]>(
        "SELECT uid, flags_hash FROM locations WHERE folder_id = ? AND uid BETWEEN ? AND ?",
      )
      .all(folder_id, from, to);
    return new Map(rows.map((row) => [row.uid, row.flags_hash]));
  }

  /** Returns how many copies are stored for a folder; with `below`, only those with smaller UIDs. */
  count(folder_id: string, below = Number.MAX_SAFE_INTEGER): number {
    return this.platform.db.sql
      .query<{ c: number }, [string, number]>("SELECT count(*) AS c FROM locations WHERE folder_id = ? AND uid < ?")
      .get(folder_id, below)!.c;
  }

  /**
   * Applies the server's flags and labels, except for fields with a change that is not on the server yet.
   * @returns the thread to refresh, or null when nothing here changed
   */
  applyFlags(user_id: string, copy: ServerLocation): string | null {
    const { sql } = this.platform.db;
    const row = sql
      .query<Pick<LocationRow, "message_id" | "flags_hash"> & Pick<MessageRow, "thread_id">, [string, number]>(
        `SELECT l.message_id, l.flags_hash, m.thread_id FROM locations l JOIN messages m ON m.id = l.message_id
         WHERE l.folder_id = ? AND l.uid = ?`,
      )
      .get(copy.folderId, copy.uid);
    if (!row || row.flags_hash === copy.flagsHash) return null;
    const labels = packLabels(copy.labels.map((name) => this.labels.ensure(user_id, name)));
    sql
      .query("UPDATE locations SET flags_hash = ?, flags = ?, labels = ? WHERE folder_id = ? AND uid = ?")
      .run(copy.flagsHash, packFlags(copy.flags), labels, copy.folderId, copy.uid);
    this.#setViews(copy, row.message_id);
    this.combine(row.message_id);
    return row.thread_id;
  }

  #setViews({ folderId, uid, views, flagsHash }: ServerLocation, message_id: string): void {
    const { sql } = this.platform.db;
    const wanted = views.map((view) => view.folderId);
    sql
      .query(
        `DELETE FROM locations WHERE uid = ? AND folder_id IN (SELECT id FROM folders WHERE view_of = ?)
           AND folder_id NOT IN (SELECT value FROM json_each(?))`,
      )
      .run(uid, folderId, JSON.stringify(wanted));
    for (const view of wanted) {
      sql
        .query("INSERT OR REPLACE INTO locations (folder_id, uid, message_id, flags_hash) VALUES (?, ?, ?, ?)")
        .run(view, uid, message_id, flagsHash);
    }
  }

  /** Includes the flags of another copy of a stored message. The copy must be stored at this location already. */
  linked(message_id: string, at: Pick<IncomingMetadata, "folderId" | "uid" | "flagsUnknown">): void {
    const { sql } = this.platform.db;
    if (!at.flagsUnknown) fillUnknownFlags(sql, message_id);
    copySeenFromLocal(sql, at);
    this.combine(message_id);
  }

  /**
   * Sets a message's flags and labels to the combination of its copies, except for fields with a change that is not on
   * the server yet. Call it when a copy was added, changed, moved or removed.
   */
  combine(message_id: string): void {
    const { sql } = this.platform.db;
    const combined = combineFlags(locationFlags(sql, message_id));
    if (!combined) return;
    const pending = new Set(
      sql
        .query<Pick<PendingChangeRow, "field">, [string]>("SELECT field FROM pending_changes WHERE message_id = ?")
        .all(message_id)
        .map((change) => change.field),
    );
    const { unread, starred, answered, draft, important } = combined;
    sql
      .query(
        `UPDATE messages SET unread = coalesce(?, unread), starred = coalesce(?, starred), answered = ?, is_draft = ?,
           important = ? WHERE id = ?`,
      )
      .run(
        unread === null || pending.has("seen") ? null : Number(unread),
        pending.has("flagged") ? null : Number(starred),
        Number(answered),
        Number(draft),
        Number(important),
        message_id,
      );
    this.#setLabels(message_id, new Set(combined.labels), pending);
  }

  #setLabels(message_id: string, wanted: ReadonlySet<string>, pending: ReadonlySet<string>): void {
    const { sql } = this.platform.db;
    const present = new Set(
      sql
        .query<Pick<MessageLabelRow, "label_id">, [string]>("SELECT label_id FROM message_labels WHERE message_id = ?")
        .all(message_id)
        .map((label) => label.label_id),
    );
    for (const id of wanted) {
      if (present.has(id) || pending.has(`label:${id}`)) continue;
      sql.query("INSERT INTO message_labels (message_id, label_id) VALUES (?, ?)").run(message_id, id);
    }
    for (const id of present) {
      if (wanted.has(id) || pending.has(`label:${id}`) || this.#keptHere(message_id)) continue;
      sql.query("DELETE FROM message_labels WHERE message_id = ? AND label_id = ?").run(message_id, id);
    }
  }

  /** Applies a change that the server has accepted to all copies, before they are read again. */
  mirrored(change: { message_id: string; field: string; value: string }): void {
    setLocationFlag(this.platform.db.sql, change.message_id, change.field, change.value);
    this.combine(change.message_id);
  }

  /**
   * Handles a UID that vanished from a folder. The message may have moved, so it counts as missing until a full pass
   * over the account that started later has not found it elsewhere.
   * @returns the thread to refresh, or null when the UID was not known
   */
  vanished(folder_id: string, uid: number, pass: number): string | null {
    const { sql } = this.platform.db;
    const row = sql
      .query<Pick<LocationRow, "message_id">, [string, number]>(
        "DELETE FROM locations WHERE folder_id = ? AND uid = ? RETURNING message_id",
      )
      .get(folder_id, uid);
    if (!row) return null;
    sql
      .query("DELETE FROM locations WHERE uid = ? AND folder_id IN (SELECT id FROM folders WHERE view_of = ?)")
      .run(uid, folder_id);
    sql
      .query(
        // Set even where other copies remain: a change made now waits until this copy may have been found elsewhere.
        "UPDATE messages SET missing_pass = ? WHERE id = ?",
      )
      .run(pass, row.message_id);
    this.combine(row.message_id);
    return (
      sql
        .query<Pick<MessageRow, "thread_id">, [string]>("SELECT thread_id FROM messages WHERE id = ?")
        .get(row.message_id)?.thread_id ?? null
    );
  }

  /** Returns UIDs of a folder in ascending order, starting at `from`, at most `limit`. */
  uidsFrom(folder_id: string, from: number, limit: number): number[] {
    return this.platform.db.sql
      .query<Pick<LocationRow, "uid">, [string, number, number]>(
        "SELECT uid FROM locations WHERE folder_id = ? AND uid >= ? ORDER BY uid LIMIT ?",
      )
      .all(folder_id, from, limit)
      .map((row) => row.uid);
  }

  /**
   * Treats copies that vanished before `pass` as deleted where the message has other copies, so that no change waits
   * for them any longer.
   */
  forgetMissingCopies(account_id: string, pass: number): void {
    this.platform.db.sql
      .query(
        `UPDATE messages SET missing_pass = NULL WHERE account_id = ? AND missing_pass < ?
           AND EXISTS (SELECT 1 FROM locations l WHERE l.message_id = messages.id)`,
      )
      .run(account_id, pass);
  }

  /**
   * Deletes messages that vanished before `pass` and were not seen again since; at most `limit`.
   * @returns the threads to refresh
   */
  deleteMissing(account_id: string, pass: number, limit: number): string[] {
    const rows = this.platform.db.sql
      .query<Pick<MessageRow, "thread_id">, [string, string, number, number]>(
        `DELETE FROM messages WHERE account_id = ? AND id IN (
           SELECT id FROM messages m WHERE account_id = ? AND missing_pass < ?
             AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.message_id = m.id) LIMIT ?)
         RETURNING thread_id`,
      )
      .all(account_id, account_id, pass, limit);
    return [...new Set(rows.map((row) => row.thread_id))];
  }

  /** Refreshes the threads and announces the visible changes (docs/webhooks.md, "Changed threads"). */
  refreshAll(user_id: string, threadIds: Iterable<string>, announce: boolean): void {
    for (const thread_id of new Set(threadIds)) {
      const { existed, gone, changed } = this.threads.refresh(thread_id);
      if (announce && existed && !gone && changed.length > 0) {
        this.platform.events.emit(user_id, "thread.updated", { thread_id, changed: changed as ThreadAspect[] });
      }
    }
  }

  /** Returns whether the labels exist only here, because the server of a folder stores no keywords. */
  #keptHere(message_id: string): boolean {
    return (
      this.platform.db.sql
        .query(
          `SELECT 1 FROM locations l JOIN folders f ON f.id = l.folder_id
           WHERE l.message_id = ? AND f.keywords_ok = 0 LIMIT 1`,
        )
        .get(message_id) !== null
    );
  }
}
