import type { Platform } from "../../platform/platform.ts";
import type { Folder, Folders } from "./folders.ts";

/** In `folders.replaced_by`: this folder is on no server, so the sync never looks at it (see LocalFolder). */
const HERE = "here";

/**
 * The place of messages that were sent from here and that the server's Sent folder does not show yet: they belong to their
 * threads at once. When the sync finds the server's copy, it is linked and the place here is given up.
 */
export class LocalFolder {
  constructor(
    private readonly platform: Platform,
    private readonly folders: Folders,
  ) {}

  /** The folder of an account, made when absent, and the next UID in it. Call it in the transaction of the message. */
  next(account: { id: string; user_id: string }): { folder: Folder; uid: number } {
    const { sql } = this.platform.db;
    const have = this.folders.list(account).find((folder) => folder.replaced_by === HERE);
    const folder = have ?? this.folders.upsert(account, "\0sent from here", null, "sent");
    if (!have) sql.query("UPDATE folders SET replaced_by = ? WHERE id = ?").run(HERE, folder.id);
    const uid = folder.uidnext;
    this.folders.save({ ...folder, uidnext: uid + 1 });
    return { folder: { ...folder, replaced_by: HERE }, uid };
  }

  /** True for a folder that only this machine has. */
  static is(folder: Folder): boolean {
    return folder.replaced_by === HERE;
  }

  /** The server has the message now. @returns whether it lay here until then */
  giveUp(message_id: string): boolean {
    const { changes } = this.platform.db.sql
      .query(
        "DELETE FROM locations WHERE message_id = ? AND folder_id IN (SELECT id FROM folders WHERE replaced_by = ?)",
      )
      .run(message_id, HERE);
    return changes > 0;
  }

  /** True for a message that has a place on the server and none here. */
  gaveUp(message_id: string): boolean {
    const row = this.platform.db.sql
      .query<{ here: number; there: number }, [string, string]>(
        `SELECT count(*) FILTER (WHERE f.replaced_by = ?1) AS here, count(*) FILTER (WHERE f.replaced_by IS NOT ?1) AS there
         FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = ?2`,
      )
      .get(HERE, message_id);
    return row !== null && row.here === 0 && row.there > 0;
  }
}
