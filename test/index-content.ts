import { FIELD_COUNT } from "../src/mailbox/search/fields.ts";
import { openPending } from "../src/mailbox/search/pending.ts";
import { buildSegment } from "../src/mailbox/search/segments/build.ts";
import { DictionaryBlock, type Entry } from "../src/mailbox/search/segments/dictionary-block.ts";
import { BLOCK_BYTES, type BlockSource, type SegmentHead, STREAMS } from "../src/mailbox/search/segments/format.ts";
import { PositionsReader, PostingsReader } from "../src/mailbox/search/segments/postings.ts";
import { Segment } from "../src/mailbox/search/segments/segment.ts";
import { REVERSED, reversed, SHORTEST_REVERSED } from "../src/mailbox/search/segments/segment-writer.ts";
import { BlockCache, MemoryBlocks, openHead, SealedBlocks } from "../src/mailbox/search/segments/store.ts";
import type { Platform } from "../src/platform/platform.ts";

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

/**
 * Reads a whole segment and compares everything that it says twice: terms in order, one behind the other in every stream;
 * postings of documents that are there, in order; exactly as many positions as they say; each long word reversed.
 * @throws SealBroken, or Error for what is not as it must be
 */
export function readSegment(head: SegmentHead, source: BlockSource): IndexedDocument[] {
  const segment = new Segment(head, source);
  const documents = Array.from(segment.n, (n, i): IndexedDocument => {
    const [id, date, length] = [segment.ids[i]!, segment.dates[i]!, segment.lengths[i]!];
    return { n, id, date, length, terms: new Map() };
  });
  const entries = readDictionary(head, source, segment);
  const words = entries.filter(({ term }) => !term.startsWith(REVERSED));
  must(words.length === head.terms, `it has ${words.length} terms, and its head says ${head.terms}`);
  must(head.words === documents.reduce((sum, { length }) => sum + length, 0), "its words are not those of its head");
  compareReversed(words, entries.slice(words.length));
  for (const entry of words) readPostings(segment, entry, documents);
  for (const stream of STREAMS) {
    const blocks = Math.ceil(head.lengths[stream] / BLOCK_BYTES);
    for (let block = 0; block < blocks; block++) source.read(stream, block);
  }
  return documents;
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
  const padded = (length: number) => Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
  must(padded(ends.postings) === head.lengths.postings, "its postings have another length than it says");
  must(padded(ends.positions) === head.lengths.positions, "its positions have another length than it says");
  return entries;
}

function compareReversed(words: readonly Entry[], found: readonly Entry[]): void {
  const long = words.filter(({ term }) => term.length >= SHORTEST_REVERSED && /^\p{L}+$/u.test(term));
  const wanted = long.map(({ term, count }) => `${REVERSED}${reversed(term)} ${count}`).sort();
  const there = found.map(({ term, count }) => `${term} ${count}`).sort();
  must(JSON.stringify(there) === JSON.stringify(wanted), "its reversed words are not those of its terms");
}

function readPostings(segment: Segment, entry: Entry, documents: readonly IndexedDocument[]): void {
  const postings = new PostingsReader(segment.postings(entry));
  const bytes = segment.positions(entry);
  const positions = new PositionsReader(bytes);
  let [count, before] = [0, -1];
  for (; postings.next(); count++) {
    const { document, mask, counts } = postings;
    must(document > before && document < documents.length, "a posting is of no document, or out of order");
    must(mask > 0 && mask < 1 << FIELD_COUNT, "a posting is of no field");
    before = document;
    const fields = new Map<number, number[]>();
    for (let field = 0; field < FIELD_COUNT; field++) {
      if ((mask & (1 << field)) === 0) continue;
      must(counts[field]! > 0, "a posting has no occurrences");
      const list: number[] = [];
      positions.read(counts[field]!, list);
      must(
        list.every((place, i) => Number.isInteger(place) && place >= (list[i - 1] ?? 0)),
        "positions are out of order",
      );
      fields.set(field, list);
    }
    documents[document]!.terms.set(entry.term, fields);
  }
  must(count > 0 && count === entry.count, "a term has another number of documents than it says");
  must(positions.place === bytes.length, "a term has more positions, or fewer, than its postings say");
}

function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/**
 * Reads the whole index of a user, block by block. A message that is in it twice comes twice.
 * @param deleted documents of segments that are to be left out are not
 */
export function readIndex(
  platform: Pick<Platform, "db" | "keyring">,
  user_id: string,
  { deleted = false } = {},
): IndexedDocument[] {
  const { db, keyring } = platform;
  const sealer = keyring.forUser(user_id);
  const all = <T>(sql: string) => db.sql.query<T, [string]>(sql).all(user_id);
  const gone = all<{ n: number; up_to: number }>("SELECT n, up_to FROM search_deleted WHERE user_id = ?");
  const isGone = ({ n, id }: IndexedDocument) => gone.some((row) => row.n === n && id <= row.up_to);
  const found: IndexedDocument[] = [];
  const segments = all<{ id: number; head: Uint8Array }>(
    "SELECT id, head FROM search_segments WHERE user_id = ? AND state = 'live' ORDER BY id",
  );
  for (const { id, head } of segments) {
    const source = new SealedBlocks(db, sealer, { user_id, segment: id }, new BlockCache(64));
    const documents = readSegment(openHead(sealer, user_id, id, head), source);
    found.push(...documents.filter((document) => deleted || !isGone(document)));
  }
  const pending = all<{ id: number; n: number; data: Uint8Array }>(
    "SELECT id, n, data FROM search_pending WHERE user_id = ? ORDER BY id",
  ).map((row) => openPending(sealer, user_id, row));
  if (pending.length > 0) {
    const blocks = new MemoryBlocks();
    found.push(...readSegment(buildSegment(pending, blocks), blocks));
  }
  return found;
}
