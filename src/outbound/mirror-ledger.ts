import type { Account } from "../mailbox/accounts.ts";
import type { Copies } from "../mailbox/copies.ts";
import type { Folder, Folders } from "../mailbox/folders.ts";
import type { Labels } from "../mailbox/labels.ts";
import { SYSTEM_ACTOR } from "../platform/audit.ts";
import type { Platform } from "../platform/platform.ts";
import type { CopyUid } from "./mirror-commands.ts";

/** A change made here that the server does not have yet: one message, one field. */
export interface PendingChange {
  message_id: string;
  thread_id: string;
  /** seen | flagged | folder | label:<id> */
  field: string;
  /** '1', '0' or a folder role. */
  value: string;
  previous: string;
  stamp: number;
  request_id: string | null;
}

/** A copy on the server. */
export interface CopyPlace {
  folder: Folder;
  role: Folder["role"];
  uid: number;
}

/** A message with changes to bring to the server, and where it lies there. */
export interface PendingMessage {
  id: string;
  changes: PendingChange[];
  copies: CopyPlace[];
}

/** A position in the list of changes, oldest first. */
export type Cursor = [created_at: number, message_id: string];

export interface PendingPage {
  messages: PendingMessage[];
  /** Null: this was the end. */
  next: Cursor | null;
}

interface LedgerParts {
  platform: Platform;
  folders: Folders;
  labels: Labels;
  copies: Copies;
}

/** The pending changes of an account, and what becomes of them here once the server has answered. */
export class MirrorLedger {
  constructor(
    private readonly parts: LedgerParts,
    private readonly account: Account,
  ) {}

  /** The next messages with changes, at most `limit`, the oldest change first. */
  page(after: Cursor | null, limit: number): PendingPage {
    const { sql } = this.parts.platform.db;
    const rows = sql
      .query<{ message_id: string; created_at: number }, [string, number, string, number]>(
        `SELECT message_id, created_at FROM pending_changes WHERE account_id = ? AND (created_at, message_id) > (?, ?)
         GROUP BY created_at, message_id ORDER BY created_at, message_id LIMIT ?`,
      )
      .all(this.account.id, after?.[0] ?? 0, after?.[1] ?? "", limit);
    const last = rows.at(-1);
    const ids = [...new Set(rows.map((row) => row.message_id))];
    const changes = Map.groupBy(this.#changes(ids), (change) => change.message_id);
    const copies = this.#copies(ids);
    return {
      messages: ids.map((id) => ({ id, changes: changes.get(id) ?? [], copies: copies.get(id) ?? [] })),
      next: rows.length < limit || !last ? null : [last.created_at, last.message_id],
    };
  }

  folderOfRole(role: string): Folder | null {
    const { folders } = this.parts;
    return folders.list(this.account).find((folder) => folder.role === role && folder.replaced_by === null) ?? null;
  }

  /** Notes that the server keeps no keywords in a folder: labels live only here (mailbox/copies). */
  noKeywords(folder: Folder): void {
    const { folders } = this.parts;
    const current = folders.get(this.account.user_id, folder.id);
    if (current?.keywords_ok) folders.save({ ...current, keywords_ok: false });
  }

  /** The server has these changes. One that was changed again meanwhile stays. */
  settle(changes: readonly PendingChange[]): void {
    if (changes.length === 0) return;
    const { platform } = this.parts;
    platform.db.write(() => {
      const touched = changes.filter((change) => this.#remove(change)).map((change) => change.thread_id);
      this.#refresh(touched);
    });
  }

  /** The server refuses these changes for good: they are taken back here, with an event and an audit row. */
  refuse(changes: readonly PendingChange[], reason: string): void {
    if (changes.length === 0) return;
    const { platform } = this.parts;
    platform.db.write(() => {
      const taken = changes.filter((change) => this.#remove(change));
      for (const change of taken) this.#revert(change);
      this.#refresh(taken.map((change) => change.thread_id));
      const groups = Map.groupBy(taken, ({ thread_id, field, value }) => `${thread_id} ${field} ${value}`);
      for (const group of groups.values()) this.#audit(group, reason);
    });
  }

  /**
   * Messages were moved on the server and have new UIDs: the places follow at once, so that they never seem to be gone.
   * The changes that asked for it still are to be settled; a crash before that finds them done.
   */
  moved(from: Folder, to: Folder, copied: CopyUid, gmail: boolean): void {
    const { platform, folders } = this.parts;
    const { sql } = platform.db;
    platform.db.write(() => {
      const target = folders.get(this.account.user_id, to.id);
      if (!target || (target.uidvalidity !== null && target.uidvalidity !== copied.uidvalidity)) {
        this.gone(from, [...copied.uids.keys()]);
        return;
      }
      for (const [uid, new_uid] of copied.uids) {
        const row = sql
          .query<{ message_id: string; flags_hash: number }, [string, number]>(
            "DELETE FROM locations WHERE folder_id = ? AND uid = ? RETURNING message_id, flags_hash",
          )
          .get(from.id, uid);
        if (!row) continue;
        // On Gmail what goes to the trash or to spam leaves every other view, All Mail included.
        if (gmail && (to.role === "trash" || to.role === "spam")) {
          sql.query("DELETE FROM locations WHERE message_id = ?").run(row.message_id);
        }
        sql
          .query("INSERT OR REPLACE INTO locations (folder_id, uid, message_id, flags_hash) VALUES (?, ?, ?, ?)")
          .run(to.id, new_uid, row.message_id, row.flags_hash);
      }
      this.#advance(target, [...copied.uids.values()]);
    });
  }

  /** Messages left a folder for a place that the server did not tell; the next look at their new folder finds them. */
  gone(folder: Folder, uids: readonly number[]): void {
    const { platform, copies } = this.parts;
    platform.db.write(() => {
      const touched = uids.map((uid) => copies.vanished(folder.id, uid, this.account.pass)).filter((id) => id !== null);
      this.#refresh(touched);
    });
  }

  /** When all new UIDs follow what has been read of the target, that much more has been read of it. */
  #advance(target: Folder, uids: number[]): void {
    const sorted = uids.sort((a, b) => a - b);
    const adjoins = target.uidvalidity !== null && sorted.every((uid, i) => uid === target.uidnext + i);
    if (adjoins) this.parts.folders.save({ ...target, uidnext: target.uidnext + sorted.length });
  }

  #changes(message_ids: string[]): PendingChange[] {
    return this.parts.platform.db.sql
      .query<PendingChange, [string]>(
        `SELECT p.message_id, m.thread_id, p.field, p.value, p.previous, p.stamp, p.request_id
         FROM pending_changes p JOIN messages m ON m.id = p.message_id
         WHERE p.message_id IN (SELECT value FROM json_each(?)) ORDER BY p.message_id, p.field`,
      )
      .all(JSON.stringify(message_ids));
  }

  #copies(message_ids: string[]): Map<string, CopyPlace[]> {
    const folders = new Map(this.parts.folders.list(this.account).map((folder) => [folder.id, folder]));
    const rows = this.parts.platform.db.sql
      .query<{ message_id: string; folder_id: string; uid: number }, [string]>(
        `SELECT message_id, folder_id, uid FROM locations
         WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY folder_id, uid`,
      )
      .all(JSON.stringify(message_ids));
    const found = new Map<string, CopyPlace[]>();
    for (const { message_id, folder_id, uid } of rows) {
      const folder = folders.get(folder_id);
      // UIDs of a folder that was renumbered, or that was never opened, mean nothing on the server.
      if (!folder || folder.replaced_by !== null || folder.uidvalidity === null) continue;
      const list = found.get(message_id) ?? [];
      list.push({ folder, role: folder.role, uid });
      found.set(message_id, list);
    }
    return found;
  }

  /** @returns whether it was there still, as it was replayed */
  #remove({ message_id, field, stamp }: PendingChange): boolean {
    return (
      this.parts.platform.db.sql
        .query("DELETE FROM pending_changes WHERE message_id = ? AND field = ? AND stamp = ?")
        .run(message_id, field, stamp).changes > 0
    );
  }

  #revert({ message_id, field, previous }: PendingChange): void {
    const { sql } = this.parts.platform.db;
    const was = previous === "1";
    if (field === "seen") sql.query("UPDATE messages SET unread = ? WHERE id = ?").run(Number(!was), message_id);
    else if (field === "flagged")
      sql.query("UPDATE messages SET starred = ? WHERE id = ?").run(Number(was), message_id);
    else if (field.startsWith("label:")) {
      const change = was
        ? "INSERT OR IGNORE INTO message_labels (message_id, label_id) VALUES (?, ?)"
        : "DELETE FROM message_labels WHERE message_id = ? AND label_id = ?";
      sql.query(change).run(message_id, labelId(field));
    }
    // Where a message lies follows from its places, now that nothing is pending.
  }

  #refresh(thread_ids: Iterable<string>): void {
    this.parts.copies.refreshAll(this.account.user_id, thread_ids, true);
  }

  #audit(group: PendingChange[], reason: string): void {
    const { platform, labels } = this.parts;
    const { thread_id, field, value, previous, request_id } = group[0]!;
    const what = field.startsWith("label:") ? { field: "label", label: labels.name(labelId(field)) } : { field };
    platform.audit.record({
      user_id: this.account.user_id,
      actor: SYSTEM_ACTOR,
      action: "thread.update.refused",
      target: thread_id,
      before: { ...what, value, message_ids: group.map((change) => change.message_id) },
      after: { ...what, value: previous, reason },
      request_id,
    });
  }
}

export function labelId(field: string): string {
  return field.slice("label:".length);
}
