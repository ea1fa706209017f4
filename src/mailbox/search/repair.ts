import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import { openPending } from "./pending.ts";
import { BlockCache } from "./segments/store.ts";
import { deletedRows, liveSegments, openSegment, pendingRows } from "./segments/stored-index.ts";

type Parts = Pick<Platform, "db" | "keyring">;

/**
 * Abandons the damaged parts of a user's index, and queues the messages that were in them for indexing from their
 * stored text. Everything else stays and is found as before.
 * @param segments segments with a block that did not open; all other segments and pending documents are checked here
 * @returns how many messages are newly queued
 */
export function repairIndex(parts: Parts, user_id: string, segments: readonly number[]): number {
  const { db } = parts;
  return db.write(() => {
    for (const id of segments) giveUp(parts, id, user_id);
    const indexed = [...inSegments(parts, user_id), ...inPending(parts, user_id)];
    const { changes } = db.sql
      .query<never, [string, string]>(
        `INSERT OR IGNORE INTO search_queue (message_n, user_id, account_id, at)
         SELECT n, user_id, account_id, internal_date FROM messages
         WHERE user_id = ? AND n NOT IN (SELECT value FROM json_each(?))`,
      )
      .run(user_id, JSON.stringify(indexed));
    db.sql
      .query<never, [string]>(
        `UPDATE file_texts SET state = 'waiting', attempts = 0
         WHERE message_n IN (SELECT message_n FROM search_queue WHERE user_id = ?)`,
      )
      .run(user_id);
    return changes;
  });
}

function giveUp({ db }: Parts, segment: number, user_id: string): void {
  db.sql
    .query<never, [number, string]>(
      "UPDATE search_segments SET state = 'replaced', head = NULL WHERE id = ? AND user_id = ? AND state = 'live'",
    )
    .run(segment, user_id);
}

/** Returns the numbers of the messages in segments. Abandons segments that do not open. */
function inSegments(parts: Parts, user_id: string): number[] {
  const { db, keyring } = parts;
  const sealer = keyring.forUser(user_id);
  const deleted = deletedRows(db, user_id);
  return liveSegments(db, user_id).flatMap((id) => {
    const segment = openOr(
      () => openSegment(db, sealer, { user_id, segment: id }, new BlockCache(1)),
      () => giveUp(parts, id, user_id),
    );
    if (segment === null) return [];
    for (const { n, up_to } of deleted) segment.leaveOut(n, up_to);
    return [...segment.n].filter((_, document) => segment.dead?.[document] !== 1);
  });
}

/** Returns the numbers of the messages that are pending. Deletes rows that do not open. */
function inPending({ db, keyring }: Parts, user_id: string): number[] {
  const sealer = keyring.forUser(user_id);
  const remove = db.sql.query<never, [number]>("DELETE FROM search_pending WHERE id = ?");
  return pendingRows(db, user_id)
    .filter((row) =>
      openOr(
        () => openPending(sealer, user_id, row),
        () => remove.run(row.id),
      ),
    )
    .map(({ n }) => n);
}

/** Returns the result of `open`. Where it meets damage, runs `otherwise` and returns null. */
function openOr<T>(open: () => T, otherwise: () => void): T | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    otherwise();
    return null;
  }
}
