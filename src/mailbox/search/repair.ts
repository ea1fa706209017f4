import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import { openPending } from "./pending.ts";
import { Segment } from "./segments/segment.ts";
import { BlockCache, openHead, SealedBlocks } from "./segments/store.ts";

/**
 * Gives up the damaged parts of a user's index, and queues the messages that were in them to be indexed from their stored
 * text. Everything else stays and is found as ever.
 * @param segments of which something did not open; others, and pending documents, are looked through
 * @returns how many messages wait to be indexed again
 */
export function repairIndex(
  { db, keyring }: Pick<Platform, "db" | "keyring">,
  user_id: string,
  segments: readonly number[],
): number {
  const { sql } = db;
  const sealer = keyring.forUser(user_id);
  const giveUp = sql.query<never, [number, string]>(
    "UPDATE search_segments SET state = 'replaced', head = NULL WHERE id = ? AND user_id = ? AND state = 'live'",
  );
  const remove = sql.query<never, [number]>("DELETE FROM search_pending WHERE id = ?");
  return db.write(() => {
    for (const id of segments) giveUp.run(id, user_id);
    const indexed: number[] = [];
    const live = sql.query<{ id: number; head: Uint8Array | null }, [string]>(
      "SELECT id, head FROM search_segments WHERE user_id = ? AND state = 'live'",
    );
    const deleted = sql
      .query<{ n: number; up_to: number }, [string]>("SELECT n, up_to FROM search_deleted WHERE user_id = ?")
      .all(user_id);
    for (const { id, head } of live.all(user_id)) {
      const open = () => {
        const source = new SealedBlocks(db, sealer, { user_id, segment: id }, new BlockCache(1));
        return new Segment(openHead(sealer, user_id, id, head ?? new Uint8Array(0)), source);
      };
      const segment = openOr(open, () => giveUp.run(id, user_id));
      for (const { n, up_to } of deleted) segment?.leaveOut(n, up_to);
      for (const [i, n] of segment?.n.entries() ?? []) if (segment?.dead?.[i] !== 1) indexed.push(n);
    }
    const pending = sql.query<{ id: number; n: number; data: Uint8Array }, [string]>(
      "SELECT id, n, data FROM search_pending WHERE user_id = ?",
    );
    for (const row of pending.all(user_id)) {
      if (
        openOr(
          () => openPending(sealer, user_id, row),
          () => remove.run(row.id),
        )
      )
        indexed.push(row.n);
    }
    const { changes } = sql
      .query<never, [string, string]>(
        `INSERT OR IGNORE INTO search_queue (message_n, user_id, account_id, at)
         SELECT n, user_id, account_id, internal_date FROM messages
         WHERE user_id = ? AND n NOT IN (SELECT value FROM json_each(?))`,
      )
      .run(user_id, JSON.stringify(indexed));
    sql
      .query<never, [string]>(
        `UPDATE file_texts SET state = 'waiting', attempts = 0
         WHERE message_n IN (SELECT message_n FROM search_queue WHERE user_id = ?)`,
      )
      .run(user_id);
    return changes;
  });
}

/** What `open` makes; null, after `otherwise`, where it is damaged. */
function openOr<T>(open: () => T, otherwise: () => void): T | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    otherwise();
    return null;
  }
}
