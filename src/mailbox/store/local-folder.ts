import type { Platform } from "../../platform/platform.ts";
import type { Folder, Folders } from "./folders.ts";

/** Value of `folders.replaced_by` for a folder that is on no server, so that sync never opens it (see LocalFolder). */
const LOCAL = "here";

/**
 * Holds messages that were sent from here and that the server's Sent folder does not show yet, so that they belong to
 * their threads at once. When sync finds the server's copy, it links that copy and removes the location here.
 */
export class LocalFolder {
  constructor(
    private readonly platform: Platform,
    private readonly folders: Folders,
  ) {}

  /**
   * Returns the local folder of an account, creating it when absent, and the next UID in it. Call it in the transaction
   * that stores the message.
   */
  next(account: { id: string; user_id: string }): { folder: Folder; uid: number } {
    const { sql } = this.platform.db;
    const have = this.folders.list(account).find((folder) => folder.replaced_by === LOCAL);
    const folder = have ?? this.folders.upsert(account, "\0sent from here", null, "sent");
    if (!have) sql.query("UPDATE folders SET replaced_by = ? WHERE id = ?").run(LOCAL, folder.id);
    const uid = folder.uidnext;
    this.folders.save({ ...folder, uidnext: uid + 1 });
    return { folder: { ...folder, replaced_by: LOCAL }, uid };
  }

  /** Returns whether a folder exists only on this machine. */
  static is(folder: Folder): boolean {
    return folder.replaced_by === LOCAL;
  }

  /**
   * Removes a message from the local folder because the server has it now. @returns whether it was in the local folder
   */
  giveUp(message_id: string): boolean {
    const { changes } = this.platform.db.sql
      .query(
        "DELETE FROM locations WHERE message_id = ? AND folder_id IN (SELECT id FROM folders WHERE replaced_by = ?)",
      )
      .run(message_id, LOCAL);
    return changes > 0;
  }

  /** Returns whether a message has a location on the server and none in the local folder. */
  gaveUp(message_id: string): boolean {
    const row = this.platform.db.sql
      .query<{ here: number; there: number }, [string, string]>(
        `SELECT count(*) FILTER (WHERE f.replaced_by = ?1) AS here, count(*) FILTER (WHERE f.replaced_by IS NOT ?1) AS there
         FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = ?2`,
      )
      .get(LOCAL, message_id);
    return row !== null && row.here === 0 && row.there > 0;
  }
}
