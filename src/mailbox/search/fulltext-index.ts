import type { Db } from "../../platform/db/open.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";
import { type DocumentTerms, TermReader } from "./documents.ts";
import { openPending, sealPending } from "./pending.ts";
import { buildSegment } from "./segments/build.ts";
import { type SegmentHead, STREAMS } from "./segments/format.ts";
import { mergeSegments } from "./segments/merge.ts";
import { Segment } from "./segments/segment.ts";
import {
  BlockCache,
  deleteBlocks,
  openHead,
  SealedBlocks,
  SealedRows,
  sealHead,
  unusedSegment,
} from "./segments/store.ts";

export interface IndexSizes {
  /** So many pending documents become a segment, */
  flushFrom: number;
  /** at most so many at once. */
  mostFlushed: number;
  /** Segments of one level that are merged. */
  fan: number;
  /** Documents of the lowest level; each next one has `fan` times as many. */
  levelDocuments: number;
  /** Segments of this level and above stay. */
  lastLevel: number;
}

/** The largest segments have 32,768 documents and more. */
export const INDEX_SIZES: IndexSizes = {
  flushFrom: 512,
  mostFlushed: 2_048,
  fan: 8,
  levelDocuments: 64,
  lastLevel: 3,
};
/** Dead documents of a segment, as a share, from which it is written again at once. */
const MOST_DEAD = 0.1;
/** Blocks that are written or deleted in one transaction: half a megabyte, some 3 ms. */
const BLOCKS_AT_ONCE = 32;

export interface Upkeep {
  /** Called between steps of a few milliseconds; what it answers is waited for. */
  rest: () => Promise<void>;
  /** Writes every segment again that has deleted documents, however few. */
  compact?: boolean;
  /** Makes a segment of pending documents, however few. */
  flush?: boolean;
}

/** Documents that are to be left out. */
interface Deleted {
  id: number;
  n: number;
  up_to: number;
}

/** Writes the full-text index: the terms of every message, sealed, in segments of each user's own. */
export class FullTextIndex {
  #reader: TermReader | null = null;
  /** By user: what was added here since enough of it was last noted. */
  readonly #added = new Map<string, number>();

  constructor(
    private readonly platform: { db: Pick<Db, "sql" | "write">; keyring: Keyring },
    private readonly sizes: IndexSizes = INDEX_SIZES,
  ) {}

  /** Finds terms on this thread. */
  get reader(): TermReader {
    this.#reader ??= new TermReader();
    return this.#reader;
  }

  /**
   * Adds a message that is not in the index; the caller holds the transaction.
   * @param n of the message's row @param date_ms when it was received
   * @returns whether enough is pending for a segment
   */
  add(user_id: string, n: number, date_ms: number, terms: DocumentTerms): boolean {
    const { db, keyring } = this.platform;
    const data = sealPending(keyring.forUser(user_id), user_id, n, Math.floor(date_ms / 1_000), terms);
    db.sql
      .query<never, [string, number, Uint8Array]>("INSERT INTO search_pending (user_id, n, data) VALUES (?, ?, ?)")
      .run(user_id, n, data);
    const added = (this.#added.get(user_id) ?? 0) + 1;
    const isEnough = added >= this.sizes.flushFrom / 2;
    this.#added.set(user_id, isEnough ? 0 : added);
    return isEnough;
  }

  /** Users of whom enough is pending for a segment. */
  due(): string[] {
    return this.platform.db.sql
      .query<{ user_id: string }, [number]>("SELECT user_id FROM search_pending GROUP BY user_id HAVING count(*) >= ?")
      .all(this.sizes.flushFrom)
      .map(({ user_id }) => user_id);
  }

  /** Puts these terms in the place of those that the index has of a message, if any; the caller holds the transaction. */
  replace(user_id: string, n: number, date_ms: number, terms: DocumentTerms): boolean {
    this.remove(user_id, n);
    return this.add(user_id, n, date_ms, terms);
  }

  /** Takes a message out of the index; the caller holds the transaction. A trigger does it for a message that is deleted. */
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

  /** Returns how many documents of a user are in no segment yet. */
  pendingCount(user_id: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string]>("SELECT count(*) AS c FROM search_pending WHERE user_id = ?")
      .get(user_id)!.c;
  }

  /** Deletes the index of a user. The blocks, which nothing can open without the user's key, are deleted by `sweep`. */
  drop(user_id: string): void {
    const { sql, write } = this.platform.db;
    write(() => {
      sql.query("UPDATE search_segments SET state = 'replaced', head = NULL WHERE user_id = ?").run(user_id);
      for (const table of ["search_pending", "search_deleted", "search_queue"]) {
        sql.query(`DELETE FROM ${table} WHERE user_id = ?`).run(user_id);
      }
    });
  }

  /** Deletes a few blocks of segments that are not in use, of whichever user. @returns whether none is left */
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

  /** Makes segments of what is pending, merges them, and leaves out what was deleted. Repeating it costs little. */
  async maintain(user_id: string, upkeep: Upkeep): Promise<void> {
    this.#giveUpUnfinished(user_id);
    while (this.#flush(user_id, upkeep)) await upkeep.rest();
    for (let group = this.#nextMerge(user_id); group; group = this.#nextMerge(user_id)) {
      if (!(await this.#merge(user_id, group, upkeep))) break;
    }
    await this.#compact(user_id, upkeep);
    if (upkeep.compact) this.#forgetDeleted(user_id);
    while (!this.sweep()) await upkeep.rest();
  }

  /** What a process that ended was building. */
  #giveUpUnfinished(user_id: string): void {
    this.platform.db.sql
      .query("UPDATE search_segments SET state = 'replaced' WHERE user_id = ? AND state = 'building'")
      .run(user_id);
  }

  /** @returns whether there may be more to do */
  #flush(user_id: string, { flush = false }: Upkeep): boolean {
    const { db, keyring } = this.platform;
    const { sql } = db;
    const { flushFrom, mostFlushed } = this.sizes;
    // Before the rows are read: whoever takes them from now on shows.
    const before = this.#newest(user_id);
    const rows = sql
      .query<{ id: number; n: number; data: Uint8Array }, [string, number]>(
        "SELECT id, n, data FROM search_pending WHERE user_id = ? ORDER BY id LIMIT ?",
      )
      .all(user_id, mostFlushed);
    if (rows.length === 0 || (rows.length < flushFrom && !flush)) return false;
    const sealer = keyring.forUser(user_id);
    const segment = this.#begin(user_id);
    const blocks = new SealedRows(db, sealer, { user_id, segment });
    const documents = rows.map((row) => openPending(sealer, user_id, row));
    const head = buildSegment(documents, blocks);
    return db.write(() => {
      if (this.#newest(user_id) !== before || this.#stateOf(segment) !== "building") return false;
      blocks.insert();
      this.#finish(user_id, segment, head);
      const remove = sql.query<never, [number]>("DELETE FROM search_pending WHERE id = ?");
      const leaveOut = sql.query<never, [string, number, number]>(
        "INSERT INTO search_deleted (user_id, n, up_to) VALUES (?, ?, ?)",
      );
      // What was deleted meanwhile is in the segment all the same.
      for (const { id, n } of rows) if (remove.run(id).changes === 0) leaveOut.run(user_id, n, id);
      return true;
    });
  }

  #nextMerge(user_id: string): number[] | null {
    const rows = this.platform.db.sql
      .query<{ id: number; level: number }, [string]>(
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

  /** @returns false when something else has changed them meanwhile */
  async #merge(user_id: string, ids: readonly number[], { rest }: Upkeep): Promise<boolean> {
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
      // Blocks are also missing where somebody else has merged these, or has dropped them, and deletes what was replaced.
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

  /** Writes segments again without their deleted documents. */
  async #compact(user_id: string, upkeep: Upkeep): Promise<void> {
    const { sql } = this.platform.db;
    const hasDeleted = sql.query<object, [string]>("SELECT 1 FROM search_deleted WHERE user_id = ? LIMIT 1");
    if (hasDeleted.get(user_id) === null) return;
    for (const id of this.#liveIds(user_id)) {
      const segment = this.#open(user_id, id);
      if (!segment) continue;
      this.#leaveOutDeleted(user_id, [segment]);
      const wanted = upkeep.compact ? segment.deadCount > 0 : segment.deadCount > segment.documents * MOST_DEAD;
      if (wanted) await this.#merge(user_id, [id], upkeep);
      await upkeep.rest();
    }
  }

  #leaveOutDeleted(user_id: string, segments: readonly Segment[]): void {
    for (const { n, up_to } of this.#deleted(user_id)) for (const segment of segments) segment.leaveOut(n, up_to);
  }

  /** Forgets the deletions of documents that no segment has any more. */
  #forgetDeleted(user_id: string): void {
    const { sql, write } = this.platform.db;
    const deleted = this.#deleted(user_id);
    if (deleted.length === 0) return;
    const ids = this.#liveIds(user_id);
    const live = ids.map((id) => this.#open(user_id, id)).filter((segment) => segment !== null);
    const isLeft = ({ n, up_to }: Deleted) =>
      live.some((segment) => segment.documentsOf(n).some((document) => segment.ids[document]! <= up_to));
    const forget = sql.query<never, [number]>("DELETE FROM search_deleted WHERE id = ?");
    write(() => {
      // Another process has put segments in the place of these: what is left out may be in them.
      if (this.#liveIds(user_id).join() !== ids.join()) return;
      for (const row of deleted) if (!isLeft(row)) forget.run(row.id);
    });
  }

  #liveIds(user_id: string): number[] {
    return this.platform.db.sql
      .query<{ id: number }, [string]>(
        "SELECT id FROM search_segments WHERE user_id = ? AND state = 'live' ORDER BY id",
      )
      .all(user_id)
      .map(({ id }) => id);
  }

  #deleted(user_id: string): Deleted[] {
    return this.platform.db.sql
      .query<Deleted, [string]>("SELECT id, n, up_to FROM search_deleted WHERE user_id = ? ORDER BY id")
      .all(user_id);
  }

  #open(user_id: string, id: number): Segment | null {
    const { db, keyring } = this.platform;
    const row = db.sql
      .query<{ head: Uint8Array | null }, [number]>("SELECT head FROM search_segments WHERE id = ? AND state = 'live'")
      .get(id);
    if (!row?.head) return null;
    const sealer = keyring.forUser(user_id);
    // Merging reads one place of each stream after another.
    const source = new SealedBlocks(db, sealer, { user_id, segment: id }, new BlockCache(STREAMS.length));
    return new Segment(openHead(sealer, user_id, id, row.head), source);
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
      .query<{ state: string }, [number]>("SELECT state FROM search_segments WHERE id = ?")
      .get(segment);
    return row?.state ?? null;
  }

  /** The newest segment in use: another one means that somebody else has taken what was pending. */
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

/** What was being built has been given up by another process. */
class GaveUp extends Error {}

/** Blocks of a segment that was given up would stay for ever. */
function insertWhile(isOurs: () => boolean, blocks: SealedRows): void {
  if (!isOurs()) throw new GaveUp();
  blocks.insert();
}

/** The size class of a segment. */
function levelOf(documents: number, { levelDocuments, fan }: IndexSizes = INDEX_SIZES): number {
  return Math.max(0, Math.floor(Math.log(Math.max(1, documents / levelDocuments)) / Math.log(fan)));
}
