import { FIELD_COUNT, FIELDS, type Field } from "../../src/mailbox/search/fields.ts";
import { openPending } from "../../src/mailbox/search/pending.ts";
import { buildSegment } from "../../src/mailbox/search/segments/build.ts";
import { DictionaryBlock, type Entry } from "../../src/mailbox/search/segments/dictionary-block.ts";
import { BLOCK_BYTES, type BlockSource, type SegmentHead } from "../../src/mailbox/search/segments/format.ts";
import { PositionsReader, PostingsReader } from "../../src/mailbox/search/segments/postings.ts";
import { Segment } from "../../src/mailbox/search/segments/segment.ts";
import { REVERSED, reversed, SHORTEST_REVERSED } from "../../src/mailbox/search/segments/segment-writer.ts";
import { BlockCache, MemoryBlocks, openHead, SealedBlocks } from "../../src/mailbox/search/segments/store.ts";
import type { Platform } from "../../src/platform/platform.ts";

const CACHED_BLOCKS = 64;

/** Positions of the terms of one document: by term, then by field. */
export type DocumentContent = Map<string, Map<number, number[]>>;

/** One document of a segment, read back. */
export interface IndexedDocument {
  n: number;
  id: number;
  /** s */
  date: number;
  length: number;
  terms: DocumentContent;
}

/** Reads a whole segment. @throws the same errors as `verifySegment` */
export function readSegment(head: SegmentHead, source: BlockSource): IndexedDocument[] {
  const contents: DocumentContent[] = Array.from({ length: head.documents }, () => new Map());
  const segment = verifySegment(head, source, (document, term, field, positions) => {
    const fields = contents[document]!.get(term) ?? new Map<number, number[]>();
    contents[document]!.set(term, fields.set(field, positions));
  });
  return contents.map((terms, i) => {
    const [n, id, date, length] = [segment.n[i]!, segment.ids[i]!, segment.dates[i]!, segment.lengths[i]!];
    return { n, id, date, length, terms };
  });
}

/** Called for each term of each document, in the order of the terms. */
type RequestContext = (document: number, term: string, field: number, positions: number[]) => void;

/**
 * Reads a whole segment and compares everything that is stored twice: terms in order, adjacent in every stream;
 * postings only for existing documents, in order; exactly as many positions as the postings count; each long word
 * reversed.
 * @throws SealBroken, or Error for any other inconsistency
 */
export function verifySegment(head: SegmentHead, source: BlockSource, context: RequestContext = () => {}): Segment {
  const segment = new Segment(head, source);
  const entries = readDictionary(head, source, segment);
  const words = entries.filter(({ term }) => !term.startsWith(REVERSED));
  must(words.length === head.terms, `it has ${words.length} terms, and its head says ${head.terms}`);
  const length = segment.lengths.reduce((sum, words) => sum + words, 0);
  must(head.words === length, "its words are not those of its head");
  compareReversed(words, entries.slice(words.length));
  for (const entry of words) readPostings(segment, entry, context);
  return segment;
}

function readDictionary(head: SegmentHead, source: BlockSource, segment: Segment): Entry[] {
  const entries: Entry[] = [];
  const firsts: string[] = [];
  must(head.lengths.dictionary % BLOCK_BYTES === 0, "its dictionary ends within a block");
  for (let block = 0; block < head.lengths.dictionary / BLOCK_BYTES; block++) {
    const opened = new DictionaryBlock(source.read("dictionary", block));
    let count = 0;
    opened.visit("", (entry) => {
      if (count++ === 0) firsts.push(entry.term);
      entries.push(entry);
    });
    must(count === opened.count, "a block of the dictionary has another number of terms than it says");
  }
  const listed: string[] = [];
  segment.scan(
    (first) => {
      listed.push(first);
      return false;
    },
    () => false,
  );
  must(JSON.stringify(listed) === JSON.stringify(firsts), "its first terms are not those of its blocks");
  const ends = { postings: 0, positions: 0 };
  let last = "";
  for (const [i, entry] of entries.entries()) {
    must(i === 0 ? entry.term !== "" : entry.term > last, "its terms are not in order");
    must(entry.postings === ends.postings && entry.positions === ends.positions, "its terms leave gaps");
    ends.postings += entry.postingsLength;
    ends.positions += entry.positionsLength;
    last = entry.term;
  }
  must(ends.postings === head.lengths.postings, "its postings have another length than it says");
  must(ends.positions === head.lengths.positions, "its positions have another length than it says");
  return entries;
}

function compareReversed(words: readonly Entry[], found: readonly Entry[]): void {
  const long = words.filter(({ term }) => term.length >= SHORTEST_REVERSED && /^\p{L}+$/u.test(term));
  const wanted = long.map(({ term, count }) => `${REVERSED}${reversed(term)} ${count}`).sort();
  const there = found.map(({ term, count }) => `${term} ${count}`).sort();
  must(JSON.stringify(there) === JSON.stringify(wanted), "its reversed words are not those of its terms");
}

function readPostings(segment: Segment, entry: Entry, context: RequestContext): void {
  const postings = new PostingsReader(segment.postings(entry));
  const bytes = segment.positions(entry);
  const positions = new PositionsReader(bytes);
  let [count, before] = [0, -1];
  for (; postings.next(); count++) {
    const { document, mask, counts } = postings;
    must(document > before && document < segment.documents, "a posting is of no document, or out of order");
    must(mask > 0 && mask < 1 << FIELD_COUNT, "a posting is of no field");
    before = document;
    for (let field = 0; field < FIELD_COUNT; field++) {
      if ((mask & (1 << field)) === 0) continue;
      must(counts[field]! > 0, "a posting has no occurrences");
      const list: number[] = [];
      positions.read(counts[field]!, list);
      must(
        list.every((place, i) => Number.isInteger(place) && place >= (list[i - 1] ?? 0)),
        "positions are out of order",
      );
      context(document, entry.term, field, list);
    }
  }
  must(count > 0 && count === entry.count, "a term has another number of documents than it says");
  must(positions.offset === bytes.length, "a term has more positions, or fewer, than its postings say");
}

function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/**
 * Reads the whole index of a user, block by block. A message that is indexed twice is returned twice.
 * @param deleted whether to include documents that their segment marks as deleted
 */
export function readIndex(platform: Opener, user_id: string, { deleted = false } = {}): IndexedDocument[] {
  const isGone = deleted ? () => false : deletionsOf(platform, user_id);
  return openIndex(platform, user_id).flatMap(({ head, source }) =>
    readSegment(head, source).filter((document) => !isGone(document)),
  );
}

/** Returns a hash of what the index stores for each message, by its number, without these fields. */
export function hashIndex(platform: Opener, user_id: string, without: readonly Field[]): Map<number, string> {
  const isGone = deletionsOf(platform, user_id);
  const hashes = new Map<number, string>();
  for (const { head, source } of openIndex(platform, user_id)) {
    for (const document of hashSegment(head, source, without)) {
      const { n, hash } = document;
      if (!isGone(document)) hashes.set(n, `${hashes.get(n) ?? ""}${hash}`);
    }
  }
  return hashes;
}

/**
 * Returns a hash of what a segment stores for each document (date, words, positions), without these fields. @throws the
 * same errors as `verifySegment`
 */
export function hashSegment(
  head: SegmentHead,
  source: BlockSource,
  without: readonly Field[],
): { n: number; id: number; hash: string }[] {
  const left = new Set(without.map((field) => FIELDS.indexOf(field)));
  const hashes: bigint[] = Array.from({ length: head.documents }, () => 0n);
  const { n, ids, dates } = verifySegment(head, source, (document, term, field, positions) => {
    if (!left.has(field)) hashes[document] = Bun.hash.wyhash(`${term} ${field} ${positions}`, hashes[document]);
  });
  return hashes.map((hash, i) => ({ n: n[i]!, id: ids[i]!, hash: `${hash.toString(36)} ${dates[i]!}` }));
}

type Opener = Pick<Platform, "db" | "keyring">;

function deletionsOf({ db }: Opener, user_id: string): (document: { n: number; id: number }) => boolean {
  const gone = db.sql
    .query<{ n: number; up_to: number }, [string]>("SELECT n, up_to FROM search_deleted WHERE user_id = ?")
    .all(user_id);
  return ({ n, id }) => gone.some((row) => row.n === n && id <= row.up_to);
}

/** Returns the live segments of a user, and one of the pending messages. */
function openIndex({ db, keyring }: Opener, user_id: string): { head: SegmentHead; source: BlockSource }[] {
  const sealer = keyring.forUser(user_id);
  const all = <T>(sql: string) => db.sql.query<T, [string]>(sql).all(user_id);
  const opened: { head: SegmentHead; source: BlockSource }[] = all<{ id: number; head: Uint8Array }>(
    "SELECT id, head FROM search_segments WHERE user_id = ? AND state = 'live' ORDER BY id",
  ).map(({ id, head }) => ({
    head: openHead(sealer, user_id, id, head),
    source: new SealedBlocks(db, sealer, { user_id, segment: id }, new BlockCache(CACHED_BLOCKS)),
  }));
  const pending = all<{ id: number; n: number; data: Uint8Array }>(
    "SELECT id, n, data FROM search_pending WHERE user_id = ? ORDER BY id",
  ).map((row) => openPending(sealer, user_id, row));
  const source = new MemoryBlocks();
  return pending.length === 0 ? opened : [...opened, { head: buildSegment(pending, source), source }];
}
