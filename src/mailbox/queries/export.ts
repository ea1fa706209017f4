import type { Platform } from "../../platform/platform.ts";
import type { Folder, Folders } from "../store/folders.ts";
import type { LocationRow, MessageRow } from "../store/tables.ts";

/** A message of a mailbox, with what an export needs before opening it. Times are ms. */
export interface ExportRow {
  id: string;
  size: number;
  internal_date: number;
  unread: boolean;
  starred: boolean;
  answered: boolean;
  draft: boolean;
  /** The folder that contains it; null: none on the server. */
  folder: Pick<Folder, "path" | "delimiter" | "role"> | null;
}

/**
 * Reads all messages of a mailbox in the order in which they arrived here. Messages that are deleted during the export
 * are left out.
 */
export class ExportQueries {
  constructor(
    private readonly platform: Platform,
    private readonly folders: Folders,
  ) {}

  count(account_id: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string]>("SELECT count(*) AS c FROM messages WHERE account_id = ?")
      .get(account_id)!.c;
  }

  *rows(account: { id: string; user_id: string }): Generator<ExportRow> {
    const { sql } = this.platform.db;
    const folders = new Map(this.folders.list(account).map((folder) => [folder.id, folder]));
    // Read at once: an open statement would keep the write-ahead log from being moved into the database.
    const numbers = sql.query("SELECT n FROM messages WHERE account_id = ? ORDER BY n").values(account.id) as [
      number,
    ][];
    for (const [n] of numbers) {
      const row = sql
        .query<
          Pick<MessageRow, "id" | "size" | "internal_date" | "unread" | "starred" | "answered" | "is_draft">,
          [number]
        >("SELECT id, size, internal_date, unread, starred, answered, is_draft FROM messages WHERE n = ?")
        .get(n);
      if (!row) continue;
      const { id, size, internal_date } = row;
      yield {
        id,
        size,
        internal_date,
        unread: row.unread === 1,
        starred: row.starred === 1,
        answered: row.answered === 1,
        draft: row.is_draft === 1,
        folder: this.#folderOf(id, folders),
      };
    }
  }

  /** Returns one of the message's folders, preferring one with its own name to the view of everything. */
  #folderOf(message_id: string, folders: ReadonlyMap<string, Folder>): Folder | null {
    const locations = this.platform.db.sql
      .query<Pick<LocationRow, "folder_id">, [string]>(
        "SELECT folder_id FROM locations WHERE message_id = ? ORDER BY folder_id",
      )
      .all(message_id)
      .flatMap(({ folder_id }) => folders.get(folder_id) ?? []);
    return locations.find(({ role }) => role !== "all") ?? locations[0] ?? null;
  }
}
