import type { Db } from "../../../platform/db/open.ts";
import { SealBroken } from "../../../platform/sealing/box.ts";
import type { Keyring } from "../../../platform/sealing/keyring.ts";
import type { Sealer } from "../../../platform/sealing/sealer.ts";
import { openPending } from "../pending.ts";
import { buildSegment, type NewDocument } from "./build.ts";
import { Segment } from "./segment.ts";
import { type BlockCache, IndexDamaged, isCorrupt, MemoryBlocks } from "./store.ts";
import { deletedRows, liveSegments, openSegment, pendingRows } from "./stored-index.ts";

/** Pending documents in one in-memory segment. A full segment is not built again. */
const PENDING_SEGMENT = 64;

/** One user's index in the memory of a thread that searches. */
class UserSnapshot {
  /** Segments of the database by row. */
  readonly #stored = new Map<number, Segment>();
  /** Full segments of pending documents, and the pending documents that are not in one yet. */
  #pendingSegments: Segment[] = [];
  #rest: NewDocument[] = [];
  #restSegment: Segment | null = null;
  #pendingCount = 0;
  #lastPending = 0;
  #lastDeleted = 0;
  /** Segments that cannot be opened. */
  readonly #damaged = new Set<number>();
  #hasDamagedPending = false;
  #hasDamagedTable = false;

  constructor(
    private readonly db: Pick<Db, "sql">,
    private readonly sealer: Sealer,
    private readonly user_id: string,
    private readonly cache: BlockCache,
  ) {}

  /** Returns all current segments. The caller holds a read transaction, so segments and blocks are consistent. */
  refresh(): Segment[] {
    const before = [...this.#stored.keys()].join();
    this.#hasDamagedTable = false;
    this.#unlessCorrupt(() => this.#refreshStored());
    const isRead = this.#unlessCorrupt(() => this.#refreshPending([...this.#stored.keys()].join() !== before));
    if (!isRead) this.#forgetPending();
    this.#unlessCorrupt(() => this.#refreshDeleted());
    return [...this.#stored.values(), ...this.#pendingSegments, ...(this.#restSegment ? [this.#restSegment] : [])];
  }

  /** Returns which damaged parts are left out; null: none. */
  get damage(): Damage | null {
    const isDamaged = this.#damaged.size > 0 || this.#hasDamagedPending || this.#hasDamagedTable;
    return isDamaged ? { segments: [...this.#damaged], hasTable: this.#hasDamagedTable } : null;
  }

  /** Leaves out a segment that has a damaged block. */
  leaveOut(segment: number): void {
    this.#damaged.add(segment);
    this.#stored.delete(segment);
  }

  /** Runs `read`. @returns false where a page of a table is damaged */
  #unlessCorrupt(read: () => void): boolean {
    try {
      read();
      return true;
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.#hasDamagedTable = true;
      return false;
    }
  }

  #forgetPending(): void {
    this.#pendingSegments = [];
    this.#rest = [];
    this.#restSegment = null;
    this.#pendingCount = -1;
    this.#lastPending = 0;
  }

  #refreshStored(): void {
    const live = new Set(liveSegments(this.db, this.user_id));
    for (const id of this.#stored.keys()) if (!live.has(id)) this.#stored.delete(id);
    for (const id of this.#damaged) if (!live.has(id)) this.#damaged.delete(id);
    for (const id of live) {
      if (this.#stored.has(id) || this.#damaged.has(id)) continue;
      try {
        this.#unlessCorrupt(() => this.#stored.set(id, this.#open(id)));
      } catch (error) {
        if (!(error instanceof IndexDamaged)) throw error;
        this.#damaged.add(id);
      }
    }
  }

  #open(id: number): Segment {
    const segment = openSegment(this.db, this.sealer, { user_id: this.user_id, segment: id }, this.cache)!;
    for (const { n, up_to } of deletedRows(this.db, this.user_id)) segment.leaveOut(n, up_to);
    return segment;
  }

  #refreshPending(isNewGeneration: boolean): void {
    const { count, last } = this.db.sql
      .query<{ count: number; last: number | null }, [string]>(
        "SELECT count(*) AS count, max(id) AS last FROM search_pending WHERE user_id = ?",
      )
      .get(this.user_id)!;
    if (count === this.#pendingCount && (last ?? 0) <= this.#lastPending && !isNewGeneration) return;
    const added = isNewGeneration ? [] : this.#pendingFrom(this.#lastPending);
    if (isNewGeneration || this.#pendingCount + added.length !== count) {
      // Some pending documents are in a segment now, or deleted.
      this.#pendingSegments = [];
      this.#hasDamagedPending = false;
      this.#rest = this.#pendingFrom(0);
    } else this.#rest = this.#rest.concat(added);
    let from = 0;
    for (; this.#rest.length - from >= PENDING_SEGMENT; from += PENDING_SEGMENT) {
      this.#pendingSegments.push(inMemory(this.#rest.slice(from, from + PENDING_SEGMENT)));
    }
    this.#rest = this.#rest.slice(from);
    this.#restSegment = this.#rest.length > 0 ? inMemory(this.#rest) : null;
    this.#pendingCount = count;
    this.#lastPending = last ?? this.#lastPending;
  }

  #refreshDeleted(): void {
    const last = this.db.sql
      .query<{ last: number | null }, [string]>("SELECT max(id) AS last FROM search_deleted WHERE user_id = ?")
      .get(this.user_id)!.last;
    if (last === null || last <= this.#lastDeleted) return;
    for (const { n, up_to } of deletedRows(this.db, this.user_id, this.#lastDeleted)) {
      for (const segment of this.#stored.values()) segment.leaveOut(n, up_to);
    }
    this.#lastDeleted = last;
  }

  #pendingFrom(id: number): NewDocument[] {
    return pendingRows(this.db, this.user_id, id).flatMap((row) => {
      try {
        return [openPending(this.sealer, this.user_id, row)];
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        this.#hasDamagedPending = true;
        return [];
      }
    });
  }
}

function inMemory(documents: readonly NewDocument[]): Segment {
  const blocks = new MemoryBlocks();
  return new Segment(buildSegment(documents, blocks), blocks);
}

/** Parts of an index that cannot be opened. */
export interface Damage {
  segments: number[];
  /** A page of a table that all indexes share is damaged. */
  hasTable: boolean;
}

/** Maximum number of users whose indexes one thread keeps open. */
const MAX_USERS = 8;

/** The indexes that a thread searches. */
export class Snapshots {
  readonly #users = new Map<string, UserSnapshot>();

  constructor(
    private readonly platform: { db: Pick<Db, "sql">; keyring: Keyring },
    private readonly cache: BlockCache,
  ) {}

  /** Returns the segments of a user's index. The caller holds a read transaction. */
  of(user_id: string): Segment[] {
    let snapshot = this.#users.get(user_id);
    if (!snapshot) {
      if (this.#users.size >= MAX_USERS) this.#users.delete(this.#users.keys().next().value!);
      snapshot = this.#open(user_id);
      this.#users.set(user_id, snapshot);
    }
    try {
      return snapshot.refresh();
    } catch (error) {
      this.#users.delete(user_id);
      throw error;
    }
  }

  /** Returns which damaged parts are left out of the index that `of` returned; null: none. */
  damageOf(user_id: string): Damage | null {
    return this.#users.get(user_id)?.damage ?? null;
  }

  /** Leaves out a segment that has a damaged block. @returns false where there is no such segment */
  leaveOut(user_id: string, segment: number): boolean {
    const snapshot = this.#users.get(user_id);
    if (!snapshot || snapshot.damage?.segments.includes(segment)) return false;
    snapshot.leaveOut(segment);
    return true;
  }

  /** Returns the segments like `of`, but caches nothing. For use within a write transaction. */
  uncached(user_id: string): Segment[] {
    return this.#open(user_id).refresh();
  }

  #open(user_id: string): UserSnapshot {
    const { db, keyring } = this.platform;
    return new UserSnapshot(db, keyring.forUser(user_id), user_id, this.cache);
  }

  forget(user_id: string): void {
    this.#users.delete(user_id);
    this.cache.clear();
  }
}
