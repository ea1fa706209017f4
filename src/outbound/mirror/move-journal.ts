import type { Platform } from "../../platform/platform.ts";

/**
 * Which messages have begun to be moved by copying, on servers without MOVE (RFC 6851). It is written down before the copy is
 * asked for, so that neither a broken connection nor a process that dies makes a second one. A note goes with the place that
 * it is of.
 */
export class MoveJournal {
  constructor(private readonly platform: Pick<Platform, "db">) {}

  /** By UID in `from`: the UID of the copy in `to`, 0 where the server did not say, null where it may not have been made. */
  of(fromId: string, toId: string, uids: readonly number[]): Map<number, number | null> {
    const rows = this.platform.db.sql
      .query<{ uid: number; copy_uid: number | null }, [string, string, string]>(
        `SELECT uid, copy_uid FROM moves_begun
         WHERE folder_id = ? AND target_id = ? AND uid IN (SELECT value FROM json_each(?))`,
      )
      .all(fromId, toId, JSON.stringify(uids));
    return new Map(rows.map(({ uid, copy_uid }) => [uid, copy_uid]));
  }

  /** Whether a move of this message has begun, wherever to. */
  isLeaving(fromId: string, uid: number): boolean {
    const row = this.platform.db.sql
      .query("SELECT 1 FROM moves_begun WHERE folder_id = ? AND uid = ?")
      .get(fromId, uid);
    return row !== null;
  }

  /** They are to stay where they are. */
  stays(fromId: string, uids: readonly number[]): void {
    this.platform.db.write(() =>
      this.platform.db.sql
        .query("DELETE FROM moves_begun WHERE folder_id = ? AND uid IN (SELECT value FROM json_each(?))")
        .run(fromId, JSON.stringify(uids)),
    );
  }

  /** The copies are about to be asked for. */
  begin(fromId: string, toId: string, uids: readonly number[]): void {
    this.#note(fromId, toId, new Map(uids.map((uid) => [uid, null])));
  }

  /** The copies are made, under these UIDs. */
  copied(fromId: string, toId: string, copies: ReadonlyMap<number, number>): void {
    this.#note(fromId, toId, copies);
  }

  /** There are no copies. */
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
