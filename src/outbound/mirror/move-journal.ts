import type { Platform } from "../../platform/platform.ts";
import type { BegunMoveRow } from "./tables.ts";

/**
 * Records which messages are being moved by copying, on servers without MOVE (RFC 6851). The entry is written before
 * the copy is requested, so that neither a broken connection nor a crash makes a second copy. An entry is deleted with
 * its location.
 */
export class MoveJournal {
  constructor(private readonly platform: Pick<Platform, "db">) {}

  /**
   * Returns, by UID in `from`, the UID of the copy in `to`: 0 if the server did not report it, null if the copy may not
   * have been made.
   */
  of(fromId: string, toId: string, uids: readonly number[]): Map<number, number | null> {
    const rows = this.platform.db.sql
      .query<Pick<BegunMoveRow, "uid" | "copy_uid">, [string, string, string]>(
        `SELECT uid, copy_uid FROM moves_begun
         WHERE folder_id = ? AND target_id = ? AND uid IN (SELECT value FROM json_each(?))`,
      )
      .all(fromId, toId, JSON.stringify(uids));
    return new Map(rows.map(({ uid, copy_uid }) => [uid, copy_uid]));
  }

  /** Returns whether a move of this message has begun, to any folder. */
  isLeaving(fromId: string, uid: number): boolean {
    const row = this.platform.db.sql
      .query("SELECT 1 FROM moves_begun WHERE folder_id = ? AND uid = ?")
      .get(fromId, uid);
    return row !== null;
  }

  /** Cancels the moves of these messages. */
  cancel(fromId: string, uids: readonly number[]): void {
    this.platform.db.write(() =>
      this.platform.db.sql
        .query("DELETE FROM moves_begun WHERE folder_id = ? AND uid IN (SELECT value FROM json_each(?))")
        .run(fromId, JSON.stringify(uids)),
    );
  }

  /** Records that copies are about to be requested. */
  begin(fromId: string, toId: string, uids: readonly number[]): void {
    this.#note(fromId, toId, new Map(uids.map((uid) => [uid, null])));
  }

  /** Records that the copies were made, with these UIDs. */
  copied(fromId: string, toId: string, copies: ReadonlyMap<number, number>): void {
    this.#note(fromId, toId, copies);
  }

  /** Records that there are no copies. */
  forget(fromId: string, toId: string, uids: readonly number[]): void {
    if (uids.length === 0) return;
    this.platform.db.write(() =>
      this.platform.db.sql
        .query(
          `DELETE FROM moves_begun
           WHERE folder_id = ? AND target_id = ? AND uid IN (SELECT value FROM json_each(?))`,
        )
        .run(fromId, toId, JSON.stringify(uids)),
    );
  }

  #note(fromId: string, toId: string, copies: ReadonlyMap<number, number | null>): void {
    if (copies.size === 0) return;
    this.platform.db.write(() => {
      const note = this.platform.db.sql.query(
        `INSERT INTO moves_begun (folder_id, uid, target_id, copy_uid) VALUES (?, ?, ?, ?)
         ON CONFLICT (folder_id, uid, target_id) DO UPDATE SET copy_uid = excluded.copy_uid`,
      );
      for (const [uid, copy_uid] of copies) note.run(fromId, uid, toId, copy_uid);
    });
  }
}
