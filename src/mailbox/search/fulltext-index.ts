import { runStepsSlowly } from "../../kernel/steps.ts";
import type { Db } from "../../platform/db/open.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";
import { type DocumentTerms, TermReader } from "./documents.ts";
import { openPending, sealPending } from "./pending.ts";
import { type NewDocument, segmentSteps } from "./segments/build.ts";
import { type SegmentHead, STREAMS } from "./segments/format.ts";
import { mergeSegments } from "./segments/merge.ts";
import type { Segment } from "./segments/segment.ts";
import { BlockCache, deleteBlocks, SealedRows, sealHead, unusedSegment } from "./segments/store.ts";
import { type DeletedRow, deletedRows, liveSegments, openSegment, pendingRows } from "./segments/stored-index.ts";
import type { SearchPendingRow, SearchSegmentRow } from "./tables.ts";

export interface IndexSizes {
  /** Number of pending documents from which a segment is built. */
  flushFrom: number;
  /** Maximum number of documents in a segment that is built from pending ones. */
  maxFlushed: number;
  /** Number of segments of one level that are merged into one. */
  fan: number;
  /** Number of documents at the lowest level; each next level has `fan` times as many. */
  levelDocuments: number;
  /** Segments of this level and above are not merged. */
  lastLevel: number;
}

/**
 * A new segment has 512 to 2,048 documents (level 1), the next 4,096 and more (level 2), the largest 32,768 and more
 * (level 3). Costs measured for other sizes: docs/decisions/0012-full-text-index.md.
 */
export const INDEX_SIZES: IndexSizes = {
  flushFrom: 512,
  maxFlushed: 1_024,
  fan: 8,
  levelDocuments: 64,
  lastLevel: 3,
};
/** Share of deleted documents above which maintenance rewrites a segment. */
const MAX_DEAD = 0.1;
/** Blocks that one transaction writes or deletes: half a megabyte, about 3 ms. */
const BLOCKS_AT_ONCE = 32;

export interface Maintenance {
  /** Called and awaited between steps of a few milliseconds. */
  rest: () => Promise<void>;
  /** Rewrites every segment that has deleted documents, however few. */
  compact?: boolean;
  /** Builds a segment from pending documents, however few: for tests. */
  flush?: boolean;
}

/** Writes the full-text index: the terms of every message, sealed, in segments that belong to one user each. */
export class FullTextIndex {
  #reader: TermReader | null = null;
  /** Documents added per user since `add` last returned true. */
  readonly #added = new Map<string, number>();

  constructor(
    private readonly platform: { db: Pick<Db, "sql" | "write">; keyring: Keyring },
    private readonly sizes: IndexSizes = INDEX_SIZES,
  ) {}

  /** Returns the reader that extracts the terms of messages on this thread. */
  get reader(): TermReader {
    this.#reader ??= new TermReader();
    return this.#reader;
  }

  /**
   * Adds a message that is not in the index. The caller opens the transaction.
   * @param n of the message's row
   * @param dateMs when it was received
   * @returns true each time that half of `flushFrom` documents were added here: maintenance may have work
   */
  add(user_id: string, n: number, dateMs: number, terms: DocumentTerms): boolean {
    const { db, keyring } = this.platform;
    const data = sealPending(keyring.forUser(user_id), user_id, n, Math.floor(dateMs / 1_000), terms);
    db.sql
      .query<never, [string, number, Uint8Array]>("INSERT INTO search_pending (user_id, n, data) VALUES (?, ?, ?)")
      .run(user_id, n, data);
    const added = (this.#added.get(user_id) ?? 0) + 1;
    const isEnough = added >= this.sizes.flushFrom / 2;
    this.#added.set(user_id, isEnough ? 0 : added);
    return isEnough;
  }

  /** Returns the users who have enough pending documents for a segment. */
  due(): string[] {
    return this.platform.db.sql
      .query<Pick<SearchPendingRow, "user_id">, [number]>(
        "SELECT user_id FROM search_pending GROUP BY user_id HAVING count(*) >= ?",
      )
      .all(this.sizes.flushFrom)
      .map(({ user_id }) => user_id);
  }

  /** Adds a message, or replaces its terms. The caller opens the transaction. @returns the same as `add` */
  replace(user_id: string, n: number, dateMs: number, terms: DocumentTerms): boolean {
    this.remove(user_id, n);
    return this.add(user_id, n, dateMs, terms);
  }

  /**
   * Removes a message from the index. The caller opens the transaction. For deleted messages, a trigger does the same.
   */
  remove(user_id: string, n: number): void {
    const { sql } = this.platform.db;
    sql.query<never, [number]>("DELETE FROM search_pending WHERE n = ?").run(n);
    sql
      .query<never, [string, number, string]>(
        `INSERT INTO search_deleted (user_id, n, up_to) SELECT ?, ?, seq FROM sqlite_sequence
         WHERE name = 'search_pending' AND EXISTS (SELECT 1 FROM search_segments WHERE user_id = ? AND state = 'live')`,
      )
      .run(user_id, n, user_id);
  }

  /** Returns how many documents of a user are not in a segment yet. */
  pendingCount(user_id: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string]>("SELECT count(*) AS c FROM search_pending WHERE user_id = ?")
      .get(user_id)!.c;
  }

  /** Deletes the index of a user. Its blocks remain, sealed, until `sweep` deletes them. */
  drop(user_id: string): void {
    const { sql, write } = this.platform.db;
    write(() => {
      sql.query("UPDATE search_segments SET state = 'replaced', head = NULL WHERE user_id = ?").run(user_id);
      for (const table of ["search_pending", "search_deleted", "search_queue"]) {
        sql.query(`DELETE FROM ${table} WHERE user_id = ?`).run(user_id);
      }
    });
  }

  /** Deletes a few blocks of unused segments of any user. @returns whether none is left */
  sweep(): boolean {
    const { db } = this.platform;
    const segment = unusedSegment(db);
    if (segment === null) return true;
    db.write(() => {
      if (deleteBlocks(db, segment, BLOCKS_AT_ONCE))
        db.sql.query("DELETE FROM search_segments WHERE id = ?").run(segment);
    });
    return false;
  }

  /**
   * Builds segments from pending documents, merges segments, and rewrites those with many deleted documents. Cheap when
   * there is nothing to do. @throws IndexDamaged
   */
  async maintain(user_id: string, maintenance: Maintenance): Promise<void> {
    this.#giveUpUnfinished(user_id);
    while (await this.#flush(user_id, maintenance)) await maintenance.rest();
    for (let group = this.#nextMerge(user_id); group; group = this.#nextMerge(user_id)) {
      if (!(await this.#merge(user_id, group, maintenance))) break;
    }
    await this.#compact(user_id, maintenance);
    if (maintenance.compact) this.#forgetDeleted(user_id);
    while (!this.sweep()) await maintenance.rest();
  }

  /** Abandons segments that a killed process was building. */
  #giveUpUnfinished(user_id: string): void {
    this.platform.db.sql
      .query("UPDATE search_segments SET state = 'replaced' WHERE user_id = ? AND state = 'building'")
      .run(user_id);
  }

  /** @returns whether there may be more to do */
  async #flush(user_id: string, { rest, flush = false }: Maintenance): Promise<boolean> {
    const { db, keyring } = this.platform;
    const { sql } = db;
    const { flushFrom, maxFlushed } = this.sizes;
    // Read before the rows: if another process takes the same rows, a newer segment id shows it.
    const before = this.#newest(user_id);
    const rows = pendingRows(db, user_id, 0, maxFlushed);
    if (rows.length === 0 || (rows.length < flushFrom && !flush)) return false;
    const sealer = keyring.forUser(user_id);
    const segment = this.#begin(user_id);
    const blocks = new SealedRows(db, sealer, { user_id, segment });
    const documents: NewDocument[] = [];
    for (const row of rows) {
      documents.push(openPending(sealer, user_id, row));
      await rest();
    }
    const head = await runStepsSlowly(segmentSteps(documents, blocks), rest);
    return db.write(() => {
      if (this.#newest(user_id) !== before || this.#stateOf(segment) !== "building") return false;
      blocks.insert();
      this.#finish(user_id, segment, head);
      const remove = sql.query<never, [number]>("DELETE FROM search_pending WHERE id = ?");
      const leaveOut = sql.query<never, [string, number, number]>(
        "INSERT INTO search_deleted (user_id, n, up_to) VALUES (?, ?, ?)",
      );
      // Documents that were deleted in the meantime are in the segment and must be left out of results.
      for (const { id, n } of rows) if (remove.run(id).changes === 0) leaveOut.run(user_id, n, id);
      return true;
    });
  }

  #nextMerge(user_id: string): number[] | null {
    const rows = this.platform.db.sql
      .query<Pick<SearchSegmentRow, "id" | "level">, [string]>(
        "SELECT id, level FROM search_segments WHERE user_id = ? AND state = 'live' ORDER BY level, id",
      )
      .all(user_id);
    const { fan, lastLevel } = this.sizes;
    for (let level = 0; level < lastLevel; level++) {
      const same = rows.filter((row) => row.level === level).map(({ id }) => id);
      if (same.length >= fan) return same.slice(0, fan);
    }
    return null;
  }

  /** @returns false where another process has changed these segments in the meantime */
  async #merge(user_id: string, ids: readonly number[], { rest }: Maintenance): Promise<boolean> {
    const { db, keyring } = this.platform;
    const sealer = keyring.forUser(user_id);
    const opened = ids.map((id) => this.#open(user_id, id));
    if (opened.some((segment) => segment === null)) return false;
    const segments = opened as Segment[];
    this.#leaveOutDeleted(user_id, segments);
    const target = this.#begin(user_id);
    const blocks = new SealedRows(db, sealer, { user_id, segment: target });
    const isOurs = () => this.#stateOf(target) === "building" && ids.every((id) => this.#stateOf(id) === "live");
    let head: SegmentHead;
    try {
      head = await mergeSegments(segments, blocks, async () => {
        if (blocks.rows.length >= BLOCKS_AT_ONCE) db.write(() => insertWhile(isOurs, blocks));
        await rest();
      });
    } catch (error) {
      // Blocks are also missing where another process has replaced these segments.
      if (error instanceof GaveUp || (error instanceof SealBroken && !isOurs())) return false;
      throw error;
    }
    return db.write(() => {
      if (!isOurs()) return false;
      blocks.insert();
      const replace = db.sql.query<never, [number]>("UPDATE search_segments SET state = 'replaced' WHERE id = ?");
      for (const id of ids) replace.run(id);
      if (head.documents > 0) this.#finish(user_id, target, head);
      else replace.run(target);
      return true;
    });
  }

  /** Rewrites segments without their deleted documents. */
  async #compact(user_id: string, maintenance: Maintenance): Promise<void> {
    const { sql } = this.platform.db;
    const hasDeleted = sql.query<object, [string]>("SELECT 1 FROM search_deleted WHERE user_id = ? LIMIT 1");
    if (hasDeleted.get(user_id) === null) return;
    for (const id of liveSegments(this.platform.db, user_id)) {
      const segment = this.#open(user_id, id);
      if (!segment) continue;
      this.#leaveOutDeleted(user_id, [segment]);
      const wanted = maintenance.compact ? segment.deadCount > 0 : segment.deadCount > segment.documents * MAX_DEAD;
      if (wanted) await this.#merge(user_id, [id], maintenance);
      await maintenance.rest();
    }
  }

  #leaveOutDeleted(user_id: string, segments: readonly Segment[]): void {
    for (const { n, up_to } of deletedRows(this.platform.db, user_id))
      for (const segment of segments) segment.leaveOut(n, up_to);
  }

  /** Deletes the rows of `search_deleted` whose documents are in no segment any more. */
  #forgetDeleted(user_id: string): void {
    const { sql, write } = this.platform.db;
    const deleted = deletedRows(this.platform.db, user_id);
    if (deleted.length === 0) return;
    const ids = liveSegments(this.platform.db, user_id);
    const live = ids.map((id) => this.#open(user_id, id)).filter((segment) => segment !== null);
    const isLeft = ({ n, up_to }: DeletedRow) =>
      live.some((segment) => segment.documentsOf(n).some((document) => segment.ids[document]! <= up_to));
    const forget = sql.query<never, [number]>("DELETE FROM search_deleted WHERE id = ?");
    write(() => {
      // Another process has replaced these segments, and the new ones may still have the documents.
      if (liveSegments(this.platform.db, user_id).join() !== ids.join()) return;
      for (const row of deleted) if (!isLeft(row)) forget.run(row.id);
    });
  }

  #open(user_id: string, id: number): Segment | null {
    const { db, keyring } = this.platform;
    // A merge reads each stream sequentially, so one block per stream is enough.
    const cache = new BlockCache(STREAMS.length);
    return openSegment(db, keyring.forUser(user_id), { user_id, segment: id }, cache);
  }

  #begin(user_id: string): number {
    const { lastInsertRowid } = this.platform.db.sql
      .query<never, [string]>("INSERT INTO search_segments (user_id, state, level) VALUES (?, 'building', 0)")
      .run(user_id);
    return Number(lastInsertRowid);
  }

  #finish(user_id: string, segment: number, head: SegmentHead): void {
    const sealed = sealHead(this.platform.keyring.forUser(user_id), user_id, segment, head);
    this.platform.db.sql
      .query<never, [number, Uint8Array, number]>(
        "UPDATE search_segments SET state = 'live', level = ?, head = ? WHERE id = ?",
      )
      .run(levelOf(head.documents, this.sizes), sealed, segment);
  }

  #stateOf(segment: number): string | null {
    const row = this.platform.db.sql
      .query<Pick<SearchSegmentRow, "state">, [number]>("SELECT state FROM search_segments WHERE id = ?")
      .get(segment);
    return row?.state ?? null;
  }

  /** Returns the newest complete segment. It changes when another process builds one from pending documents. */
  #newest(user_id: string): number {
    return (
      this.platform.db.sql
        .query<{ id: number | null }, [string]>(
          "SELECT max(id) AS id FROM search_segments WHERE user_id = ? AND state <> 'building'",
        )
        .get(user_id)?.id ?? 0
    );
  }
}

/** Thrown when another process has abandoned the segment that was being built. */
class GaveUp extends Error {}

/** Inserts blocks unless the segment was abandoned, because nothing would ever delete them. @throws GaveUp */
function insertWhile(isOurs: () => boolean, blocks: SealedRows): void {
  if (!isOurs()) throw new GaveUp();
  blocks.insert();
}

/** Returns the size class of a segment. */
function levelOf(documents: number, { levelDocuments, fan }: IndexSizes): number {
  return Math.max(0, Math.floor(Math.log(Math.max(1, documents / levelDocuments)) / Math.log(fan)));
}
