import type { Db } from "../../../platform/db/open.ts";
import { SealBroken } from "../../../platform/sealing/box.ts";
import type { Sealer } from "../../../platform/sealing/sealer.ts";
import type { SearchBlockRow, SearchSegmentRow } from "../tables.ts";
import {
  type BlockSink,
  type BlockSource,
  blockId,
  blockRange,
  type SegmentHead,
  type Stream,
  segmentOf,
} from "./format.ts";

/** Heads are padded to this size, so that their length does not reveal how long their numbers are. */
const HEAD_BYTES = 512;

const headContext = (user_id: string, segment: number): string => `search_segments.head:${user_id}:${segment}`;
const blockContext = (user_id: string, id: number): string => `search_blocks.data:${user_id}:${id}`;

/** Seals the head of a segment, padded to a fixed size. */
export function sealHead(sealer: Sealer, user_id: string, segment: number, head: SegmentHead): Uint8Array {
  const json = Buffer.from(JSON.stringify(head).padEnd(HEAD_BYTES));
  return sealer.sealExact(headContext(user_id, segment), json);
}

/** @throws IndexDamaged */
export function openHead(sealer: Sealer, user_id: string, segment: number, sealed: Uint8Array): SegmentHead {
  const json = opening(segment, () => sealer.openExact(headContext(user_id, segment), sealed));
  return JSON.parse(Buffer.from(json).toString()) as SegmentHead;
}

/** A segment of the index is damaged, or, if `segment` is null, another part of it: a pending document or a table page. */
export class IndexDamaged extends SealBroken {
  constructor(
    readonly segment: number | null,
    options?: { cause: unknown },
  ) {
    super(
      segment === null
        ? "A part of the index outside of its segments did not open: a pending document or a page of a table."
        : `Segment ${segment} did not open.`,
      options,
    );
  }
}

/** Returns whether an error results from reading a damaged page. */
export function isCorrupt(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("SQLITE_CORRUPT");
}

/** Returns whether an error results from reading a damaged row or page. */
function isDamage(error: unknown): boolean {
  return error instanceof SealBroken || isCorrupt(error);
}

/** Runs a function that opens a part of a segment. @throws IndexDamaged */
function opening<T>(segment: number, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw isDamage(cause) ? new IndexDamaged(segment, { cause }) : cause;
  }
}

/** Keeps the opened blocks that were read last. One instance for all segments of a thread. */
export class BlockCache {
  readonly #blocks = new Map<number, Uint8Array>();

  /** @param most how many blocks are kept */
  constructor(private readonly most: number) {}

  get(id: number): Uint8Array | null {
    const found = this.#blocks.get(id);
    if (!found) return null;
    // Insert again, so that the most recently used block is evicted last.
    this.#blocks.delete(id);
    this.#blocks.set(id, found);
    return found;
  }

  set(id: number, block: Uint8Array): void {
    if (this.#blocks.size >= this.most) this.#blocks.delete(this.#blocks.keys().next().value!);
    this.#blocks.set(id, block);
  }

  clear(): void {
    this.#blocks.clear();
  }
}

/** The blocks of a segment in the database. */
export class SealedBlocks implements BlockSource {
  constructor(
    private readonly db: Pick<Db, "sql">,
    private readonly sealer: Sealer,
    private readonly owner: { user_id: string; segment: number },
    private readonly cache: BlockCache,
  ) {}

  read(stream: Stream, block: number): Uint8Array {
    const { user_id, segment } = this.owner;
    const id = blockId(segment, stream, block);
    const known = this.cache.get(id);
    if (known) return known;
    const opened = opening(segment, () => {
      const row = this.db.sql
        .query<Pick<SearchBlockRow, "data">, [number]>("SELECT data FROM search_blocks WHERE id = ?")
        .get(id);
      if (!row) throw new SealBroken("A block is missing.");
      return this.sealer.openExact(blockContext(user_id, id), row.data);
    });
    this.cache.set(id, opened);
    return opened;
  }
}

/** Seals blocks and collects them as rows, to be inserted in one transaction or in several. */
export class SealedRows implements BlockSink {
  rows: { id: number; data: Uint8Array }[] = [];

  constructor(
    private readonly db: Pick<Db, "sql">,
    private readonly sealer: Sealer,
    private readonly owner: { user_id: string; segment: number },
  ) {}

  write(stream: Stream, block: number, bytes: Uint8Array): void {
    const id = blockId(this.owner.segment, stream, block);
    this.rows.push({ id, data: this.sealer.sealExact(blockContext(this.owner.user_id, id), bytes) });
  }

  /** Inserts the collected rows. The caller opens the transaction. */
  insert(): void {
    const insert = this.db.sql.query<never, [number, Uint8Array]>("INSERT INTO search_blocks (id, data) VALUES (?, ?)");
    for (const { id, data } of this.rows) insert.run(id, data);
    this.rows = [];
  }
}

/** Keeps blocks in memory: those of pending documents. */
export class MemoryBlocks implements BlockSource, BlockSink {
  readonly #blocks: Record<Stream, Uint8Array[]> = { dictionary: [], postings: [], positions: [], documents: [] };

  write(stream: Stream, block: number, bytes: Uint8Array): void {
    this.#blocks[stream][block] = bytes;
  }

  read(stream: Stream, block: number): Uint8Array {
    return this.#blocks[stream][block]!;
  }
}

/** Returns a segment that has blocks but is not in use: it was replaced, or its row was deleted with its user. */
export function unusedSegment({ sql }: Pick<Db, "sql">): number | null {
  const replaced = sql
    .query<Pick<SearchSegmentRow, "id">, []>("SELECT id FROM search_segments WHERE state = 'replaced' LIMIT 1")
    .get();
  if (replaced) return replaced.id;
  const next = sql.query<Pick<SearchBlockRow, "id">, [number]>(
    "SELECT id FROM search_blocks WHERE id >= ? ORDER BY id LIMIT 1",
  );
  const known = sql.query<object, [number]>("SELECT 1 FROM search_segments WHERE id = ?");
  for (let from = 0; ; ) {
    const row = next.get(from);
    if (!row) return null;
    const segment = segmentOf(row.id);
    if (known.get(segment) === null) return segment;
    from = blockRange(segment)[1];
  }
}

/** Deletes at most `most` blocks of a segment. The caller opens the transaction. @returns whether none is left */
export function deleteBlocks({ sql }: Pick<Db, "sql">, segment: number, most: number): boolean {
  const [from, to] = blockRange(segment);
  const { changes } = sql
    .query<never, [number, number, number]>(
      "DELETE FROM search_blocks WHERE id IN (SELECT id FROM search_blocks WHERE id >= ? AND id < ? LIMIT ?)",
    )
    .run(from, to, most);
  return changes < most;
}
