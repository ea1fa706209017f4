import type { Platform } from "../../platform/platform.ts";

/**
 * Which messages have begun to be moved by copying, on servers without MOVE (RFC 6851). It is written down before the copy is
 * asked for, so that neither a broken connection nor a process that dies makes a second one. A note goes with the place that
 * it is of.
 */
export class MoveJournal {
  constructor(private readonly platform: Pick<Platform, "db">) {}

  /** By UID in `from`: the UID of the copy in `to`, 0 where the server did not say, null where it may not have been made. */
  of(from_id: string, to_id: string, uids: readonly number[]): Map<number, number | null> {
    const rows = this.platform.db.sql
      .query<{ uid: number; copy_uid: number | null }, [string, string, string]>(
        `SELECT uid, copy_uid FROM moves_begun
         WHERE folder_id = ? AND target_id = ? AND uid IN (SELECT value FROM json_each(?))`,
      )
      .all(from_id, to_id, JSON.stringify(uids));
    return new Map(rows.map(({ uid, copy_uid }) => [uid, copy_uid]));
  }

  /** Whether a move of this message has begun, wherever to. */
  isLeaving(from_id: string, uid: number): boolean {
    const row = this.platform.db.sql
      .query("SELECT 1 FROM moves_begun WHERE folder_id = ? AND uid = ?")
      .get(from_id, uid);
    return row !== null;
  }

  /** They are to stay where they are. */
  stays(from_id: string, uids: readonly number[]): void {
    this.platform.db.write(() =>
      this.platform.db.sql
        .query("DELETE FROM moves_begun WHERE folder_id = ? AND uid IN (SELECT value FROM json_each(?))")
        .run(from_id, JSON.stringify(uids)),
    );
  }

  /** The copies are about to be asked for. */
  begin(from_id: string, to_id: string, uids: readonly number[]): void {
    this.#note(from_id, to_id, new Map(uids.map((uid) => [uid, null])));
  }

  /** The copies are made, under these UIDs. */
  copied(from_id: string, to_id: string, copies: ReadonlyMap<number, number>): void {
    this.#note(from_id, to_id, copies);
  }

  /** There are no copies. */
  forget(from_id: string, to_id: string, uids: readonly number[]): void {
    if (uids.length === 0) return;
    this.platform.db.write(() =>
      this.platform.db.sql
        .query(
          `DELETE FROM moves_begun
           WHERE folder_id = ? AND target_id = ? AND uid IN (SELECT value FROM json_each(?))`,
        )
        .run(from_id, to_id, JSON.stringify(uids)),
    );
  }

  #note(from_id: string, to_id: string, copies: ReadonlyMap<number, number | null>): void {
    if (copies.size === 0) return;
    this.platform.db.write(() => {
      const note = this.platform.db.sql.query(
        `INSERT INTO moves_begun (folder_id, uid, target_id, copy_uid) VALUES (?, ?, ?, ?)
         ON CONFLICT (folder_id, uid, target_id) DO UPDATE SET copy_uid = excluded.copy_uid`,
      );
      for (const [uid, copy_uid] of copies) note.run(from_id, uid, to_id, copy_uid);
    });
  }
}
