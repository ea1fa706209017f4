import type { Platform } from "../../platform/platform.ts";
import type { MessageRow } from "../store/tables.ts";
import type { PendingChangeRow } from "./tables.ts";

/** A change made here that is not on the server yet: one message, one field. */
export type PendingChange = Pick<
  PendingChangeRow,
  "message_id" | "field" | "value" | "previous" | "stamp" | "request_id"
> &
  Pick<MessageRow, "thread_id">;

/** A position in the list of changes, oldest first. */
export type Cursor = [created_at: number, message_id: string];

/** Returns the id of the label that a field `label:<id>` is about. */
export function labelId(field: string): string {
  return field.slice("label:".length);
}

/** Changes that are not on the mail servers yet. MessageEdits adds them; the mirror removes them. */
export class PendingChanges {
  constructor(private readonly platform: Platform) {}

  /** Returns the ids of accounts with pending changes. */
  accounts(): string[] {
    return this.platform.db.sql
      .query<Pick<PendingChangeRow, "account_id">, []>("SELECT DISTINCT account_id FROM pending_changes")
      .all()
      .map(({ account_id }) => account_id);
  }

  /**
   * Returns messages with pending changes, at most `limit`, those with the oldest change first, each with all of its
   * changes.
   */
  page(
    account_id: string,
    after: Cursor | null,
    limit: number,
  ): { changes: Map<string, PendingChange[]>; next: Cursor | null } {
    const rows = this.platform.db.sql
      .query<Pick<PendingChangeRow, "message_id" | "created_at">, [string, number, string, number]>(
        `SELECT message_id, created_at FROM pending_changes WHERE account_id = ? AND (created_at, message_id) > (?, ?)
         GROUP BY created_at, message_id ORDER BY created_at, message_id LIMIT ?`,
      )
      .all(account_id, after?.[0] ?? 0, after?.[1] ?? "", limit);
    const last = rows.at(-1);
    const ids = [...new Set(rows.map((row) => row.message_id))];
    const changes = Map.groupBy(this.#of(ids), (change) => change.message_id);
    return {
      changes: new Map(ids.map((id) => [id, changes.get(id) ?? []])),
      next: rows.length < limit || !last ? null : [last.created_at, last.message_id],
    };
  }

  /** Deletes a change. @returns false if it was gone already, or was made again since it was read */
  forget({ message_id, field, stamp }: PendingChange): boolean {
    const { changes } = this.platform.db.sql
      .query("DELETE FROM pending_changes WHERE message_id = ? AND field = ? AND stamp = ?")
      .run(message_id, field, stamp);
    return changes > 0;
  }

  /** Undoes a deleted change here. The location of a message follows from its folders once no change is pending. */
  revert({ message_id, field, previous }: PendingChange): void {
    const { sql } = this.platform.db;
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
  }

  #of(message_ids: string[]): PendingChange[] {
    return this.platform.db.sql
      .query<PendingChange, [string]>(
        `SELECT p.message_id, m.thread_id, p.field, p.value, p.previous, p.stamp, p.request_id
         FROM pending_changes p JOIN messages m ON m.id = p.message_id
         WHERE p.message_id IN (SELECT value FROM json_each(?)) ORDER BY p.message_id, p.field`,
      )
      .all(JSON.stringify(message_ids));
  }
}
