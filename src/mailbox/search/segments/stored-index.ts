import type { Db } from "../../../platform/db/open.ts";
import type { Sealer } from "../../../platform/sealing/sealer.ts";
import type { SearchDeletedRow, SearchPendingRow, SearchSegmentRow } from "../tables.ts";
import { Segment } from "./segment.ts";
import { type BlockCache, openHead, SealedBlocks } from "./store.ts";

/** A row of `search_pending`: a document that is not in a segment yet. `data` is sealed. */
export type PendingRow = Pick<SearchPendingRow, "id" | "n" | "data">;

/** A row of `search_deleted`: documents of message `n` with an id up to `up_to` are left out of results. */
export type DeletedRow = Pick<SearchDeletedRow, "id" | "n" | "up_to">;

const NOTHING = new Uint8Array(0);

/** Returns the ids of a user's segments that are in use, in order. */
export function liveSegments({ sql }: Pick<Db, "sql">, user_id: string): number[] {
  return sql
    .query<Pick<SearchSegmentRow, "id">, [string]>(
      "SELECT id FROM search_segments WHERE user_id = ? AND state = 'live' ORDER BY id",
    )
    .all(user_id)
    .map(({ id }) => id);
}

/** Opens a segment. @returns null where it is not in use @throws IndexDamaged */
export function openSegment(
  db: Pick<Db, "sql">,
  sealer: Sealer,
  owner: { user_id: string; segment: number },
  cache: BlockCache,
): Segment | null {
  const { user_id, segment } = owner;
  const row = db.sql
    .query<Pick<SearchSegmentRow, "head">, [number]>("SELECT head FROM search_segments WHERE id = ? AND state = 'live'")
    .get(segment);
  if (!row) return null;
  const head = openHead(sealer, user_id, segment, row.head ?? NOTHING);
  return new Segment(head, new SealedBlocks(db, sealer, owner, cache));
}

/**
 * Returns pending documents of a user with an id greater than `after`, in order. @param most maximum number; -1: all
 */
export function pendingRows({ sql }: Pick<Db, "sql">, user_id: string, after = 0, most = -1): PendingRow[] {
  return sql
    .query<PendingRow, [string, number, number]>(
      "SELECT id, n, data FROM search_pending WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
    )
    .all(user_id, after, most);
}

/**
 * Returns which documents of a user's segments are to be left out, in order. @param after only rows with a greater id
 */
export function deletedRows({ sql }: Pick<Db, "sql">, user_id: string, after = 0): DeletedRow[] {
  return sql
    .query<DeletedRow, [string, number]>(
      "SELECT id, n, up_to FROM search_deleted WHERE user_id = ? AND id > ? ORDER BY id",
    )
    .all(user_id, after);
}
