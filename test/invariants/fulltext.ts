import { TermReader } from "../../src/mailbox/search/documents.ts";
import type { Field } from "../../src/mailbox/search/fields.ts";
import { readTerms } from "../../src/mailbox/search/indexable.ts";
import { openPending } from "../../src/mailbox/search/pending.ts";
import { openForIndex, type StoredDocument } from "../../src/mailbox/search/reindex.ts";
import { buildSegment } from "../../src/mailbox/search/segments/build.ts";
import {
  BLOCK_BYTES,
  blockId,
  blockRange,
  type SegmentHead,
  STREAMS,
} from "../../src/mailbox/search/segments/format.ts";
import { BlockCache, MemoryBlocks, openHead, SealedBlocks } from "../../src/mailbox/search/segments/store.ts";
import { SealBroken } from "../../src/platform/sealing/box.ts";
import type { Sealer } from "../../src/platform/sealing/sealer.ts";
import { hashSegment } from "../support/index-content.ts";
import { type Fixture, rows, sealerOf } from "./finding.ts";

const RULE = "full-text index";
/** Part of the finding about a block that no search reads. */
export const EMPTY_BLOCK_DAMAGED = "is damaged: its empty block";
const CACHED_BLOCKS = 64;
/** What is indexed and not stored with the message. */
const NOT_STORED: readonly Field[] = ["file_text", "delivered_to"];
/** Messages that are read at a time. */
const AT_ONCE = 200;

/** One text of a message in the index. */
interface Listed {
  n: number;
  /** The number that it had while it was pending. */
  id: number;
  /** Hash of its content. */
  hash: string;
}

/**
 * Checks that each message is in its user's index exactly once, with its stored text, or is queued for it; and that
 * everything in the index opens and is in order.
 */
export function checkFullText(fixture: Fixture): void {
  const { sql } = fixture.platform.db;
  // Read at one moment: a running server may merge segments in between.
  const isOurs = !sql.inTransaction;
  if (isOurs) sql.run("BEGIN");
  try {
    checkAll(fixture);
  } finally {
    if (isOurs && sql.inTransaction) sql.run("COMMIT");
  }
}

function checkAll(fixture: Fixture): void {
  const { platform, miss } = fixture;
  const tables = ["messages", "search_segments", "search_pending", "search_deleted", "search_queue"];
  const users = rows<{ id: string }>(
    platform,
    tables.map((table) => `SELECT user_id AS id FROM ${table}`).join(" UNION "),
  );
  for (const { id } of users) {
    const sealer = sealerOf(platform, id);
    if (sealer) checkUser(fixture, id, sealer);
    else miss(RULE, `${id} has no key that opens it`);
  }
  checkBlocks(fixture);
  checkQueue(fixture);
}

function checkUser(fixture: Fixture, user_id: string, sealer: Sealer): void {
  const { platform, miss } = fixture;
  const listed = [...readSegments(fixture, user_id, sealer), ...readPending(fixture, user_id, sealer)];
  const last = rows<{ seq: number }>(platform, "SELECT seq FROM sqlite_sequence WHERE name = 'search_pending'")[0];
  const highest = listed.reduce((most, { id }) => Math.max(most, id), 0);
  if (highest > (last?.seq ?? 0)) miss(RULE, `document numbers of ${user_id} will be reused`);
  const gone = new Map<number, number>();
  for (const { n, up_to } of rows<{ n: number; up_to: number }>(
    platform,
    "SELECT n, up_to FROM search_deleted WHERE user_id = ?",
    user_id,
  )) {
    gone.set(n, Math.max(up_to, gone.get(n) ?? 0));
    if (up_to > (last?.seq ?? 0)) miss(RULE, `a deletion of ${user_id} covers future documents`);
  }
  const times = new Map<number, number>();
  const hashes = new Map<number, string>();
  for (const { n, id, hash } of listed) {
    if (id <= (gone.get(n) ?? 0)) continue;
    times.set(n, (times.get(n) ?? 0) + 1);
    hashes.set(n, hash);
  }
  const messages = rows<{ n: number; queued: number }>(
    platform,
    `SELECT n, EXISTS (SELECT 1 FROM search_queue q WHERE q.message_n = n) AS queued FROM messages WHERE user_id = ?`,
    user_id,
  );
  const count = { missing: 0, twice: 0, queued: 0 };
  for (const { n, queued } of messages) {
    const found = times.get(n) ?? 0;
    times.delete(n);
    if (found === 0 && queued === 0) count.missing++;
    if (found > 1) count.twice++;
    if (found !== 1 || queued === 1) hashes.delete(n);
    count.queued += queued;
  }
  if (count.missing > 0) miss(RULE, `${count.missing} messages of ${user_id} are not indexed`);
  if (count.twice > 0) miss(RULE, `${count.twice} messages of ${user_id} are indexed twice`);
  if (times.size > 0) miss(RULE, `${times.size} documents of ${user_id} belong to none of their messages`);
  if (fixture.settled && count.queued > 0)
    miss(RULE, `${count.queued} messages of ${user_id} still wait to be indexed`);
  for (const n of times.keys()) hashes.delete(n);
  const others = countOthers(platform, user_id, hashes);
  if (others > 0) miss(RULE, `${others} messages of ${user_id} are indexed with wrong words or dates`);
}

/**
 * Returns for how many messages the index differs from what is stored. @param hashes hashes of the indexed content, by
 * message
 */
function countOthers(platform: Fixture["platform"], user_id: string, hashes: ReadonlyMap<number, string>): number {
  const reader = new TermReader();
  const numbers = [...hashes.keys()];
  let others = 0;
  for (let i = 0; i < numbers.length; i += AT_ONCE) {
    const documents = storedOf(platform, user_id, numbers.slice(i, i + AT_ONCE)).map((message) => {
      const date = Math.max(0, Math.floor(message.internalDate / 1_000));
      return { id: message.n, n: message.n, date, terms: readTerms(reader, message) };
    });
    if (documents.length === 0) continue;
    const blocks = new MemoryBlocks();
    for (const { n, hash } of hashSegment(buildSegment(documents, blocks), blocks, NOT_STORED)) {
      if (hashes.get(n) !== hash) others++;
    }
  }
  return others;
}

/** Reads messages as they are stored. Values that do not open are reported elsewhere. */
function storedOf(platform: Fixture["platform"], user_id: string, numbers: readonly number[]): StoredDocument[] {
  try {
    return openForIndex(platform, user_id, numbers);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return numbers.length === 1 ? [] : numbers.flatMap((n) => storedOf(platform, user_id, [n]));
  }
}

function readSegments({ platform, miss }: Fixture, user_id: string, sealer: Sealer): Listed[] {
  const found: Listed[] = [];
  const segments = rows<{ id: number; head: Uint8Array | null; state: string }>(
    platform,
    "SELECT id, head, state FROM search_segments WHERE user_id = ? ORDER BY id",
    user_id,
  );
  for (const { id, head: sealed, state } of segments) {
    if (!["building", "live", "replaced"].includes(state)) miss(RULE, `segment ${id} of ${user_id} is ${state}`);
    if (state !== "live") continue;
    try {
      const head = openHead(sealer, user_id, id, sealed ?? new Uint8Array(0));
      const source = new SealedBlocks(platform.db, sealer, { user_id, segment: id }, new BlockCache(CACHED_BLOCKS));
      found.push(...hashSegment(head, source, NOT_STORED));
      checkCount(platform, miss, id, head, source);
    } catch (error) {
      miss(RULE, `segment ${id} of ${user_id} is damaged: ${(error as Error).message}`);
    }
  }
  return found;
}

function opens(open: () => void): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return false;
  }
}

/** Checks that each stream has the blocks of its length, and at most one empty one more (`StreamWriter.end`). */
function checkCount(
  platform: Fixture["platform"],
  miss: Fixture["miss"],
  segment: number,
  head: SegmentHead,
  source: SealedBlocks,
): void {
  const [from, to] = blockRange(segment);
  const blocks = rows<{ id: number }>(
    platform,
    "SELECT id FROM search_blocks WHERE id >= ? AND id < ? ORDER BY id",
    from,
    to,
  );
  const left = new Set(blocks.map(({ id }) => id));
  for (const stream of STREAMS) {
    const wanted = Math.ceil(head.lengths[stream] / BLOCK_BYTES);
    for (let block = 0; block < wanted; block++) {
      if (!left.delete(blockId(segment, stream, block)))
        miss(RULE, `segment ${segment} lacks block ${block} of ${stream}`);
    }
    // All that can be checked is whether it opens.
    if (left.delete(blockId(segment, stream, wanted)) && !opens(() => source.read(stream, wanted)))
      miss(RULE, `segment ${segment} ${EMPTY_BLOCK_DAMAGED} of ${stream} did not open`);
  }
  if (left.size > 0) miss(RULE, `segment ${segment} has ${left.size} unexpected blocks`);
}

function readPending({ platform, miss }: Fixture, user_id: string, sealer: Sealer): Listed[] {
  const pending = rows<{ id: number; n: number; data: Uint8Array }>(
    platform,
    "SELECT id, n, data FROM search_pending WHERE user_id = ? ORDER BY id",
    user_id,
  );
  return pending.flatMap((row) => {
    try {
      const blocks = new MemoryBlocks();
      return hashSegment(buildSegment([openPending(sealer, user_id, row)], blocks), blocks, NOT_STORED);
    } catch (error) {
      miss(RULE, `pending text ${row.id} of ${user_id} is damaged: ${(error as Error).message}`);
      return [];
    }
  });
}

/** Checks that blocks belong to an existing segment. */
function checkBlocks({ platform, miss }: Fixture): void {
  const [, size] = blockRange(0);
  const [{ c } = { c: 0 }] = rows<{ c: number }>(
    platform,
    `SELECT count(*) AS c FROM search_blocks WHERE id / ${size} NOT IN (SELECT id FROM search_segments)`,
  );
  if (c > 0) miss(RULE, `${c} blocks belong to no segment`);
}

function checkQueue({ platform, miss }: Fixture): void {
  const [{ c } = { c: 0 }] = rows<{ c: number }>(
    platform,
    `SELECT count(*) AS c FROM search_queue q LEFT JOIN messages m ON m.n = q.message_n
     WHERE m.n IS NULL OR m.user_id <> q.user_id OR m.account_id <> q.account_id`,
  );
  if (c > 0) miss(RULE, `${c} queued messages do not exist or belong to another owner`);
}
