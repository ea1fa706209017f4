import { ByteWriter } from "./bytes.ts";
import type { Entry } from "./dictionary-block.ts";
import type { BlockSink, SegmentHead } from "./format.ts";
import { PositionsReader, PostingsReader, PostingsWriter } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { type ListedDocument, REVERSED, SegmentWriter } from "./segment-writer.ts";

/** Terms of a block that are read ahead of merging them. */
const AHEAD = 512;

/**
 * Merges segments into one, term by term, without their dead documents. Memory is bounded by a few blocks of each, and the
 * numbers of the documents.
 * @param rest called between terms; what it answers is waited for
 */
export async function mergeSegments(
  segments: readonly Segment[],
  sink: BlockSink,
  rest: () => Promise<void>,
): Promise<SegmentHead> {
  const writer = new SegmentWriter(sink);
  const numbers = renumbered(segments);
  const sources = segments.map((segment) => new TermSource(segment));
  const [postings, positions] = [new ByteWriter(), new ByteWriter()];
  const posting = new PostingsWriter(postings);
  for (let terms = 0; ; terms++) {
    let least: string | null = null;
    for (const { current } of sources) if (current && (least === null || current.term < least)) least = current.term;
    if (least === null) break;
    postings.clear();
    positions.clear();
    posting.begin();
    let count = 0;
    for (const [i, source] of sources.entries()) {
      if (source.current?.term !== least) continue;
      count += copy(segments[i]!, source.current, numbers[i]!, posting, positions);
      source.next();
    }
    if (count > 0) writer.add(least, count, postings, positions);
    if (terms % 64 === 0) await rest();
  }
  return writer.finish(living(segments));
}

/** One for all terms: a reader for each would be most of the garbage of a merge. */
const reader = new PostingsReader(new Uint8Array(0));

/** Copies the postings of one term that are not of dead documents. @returns how many */
function copy(
  segment: Segment,
  entry: Entry,
  numbers: Int32Array,
  posting: PostingsWriter,
  positions: ByteWriter,
): number {
  reader.use(segment.postings(entry));
  const places = segment.positions(entry);
  if (segment.deadCount === 0) {
    let count = 0;
    for (; reader.next(); count++) posting.add(numbers[reader.document]!, reader.mask, reader.counts);
    positions.bytes(places);
    return count;
  }
  const place = new PositionsReader(places);
  let count = 0;
  while (reader.next()) {
    const from = place.place;
    place.skip(reader.occurrences);
    const number = numbers[reader.document]!;
    if (number < 0) continue;
    posting.add(number, reader.mask, reader.counts);
    positions.bytes(place.slice(from));
    count++;
  }
  return count;
}

/** For each segment the new numbers of its documents; -1: dead. */
function renumbered(segments: readonly Segment[]): Int32Array[] {
  let next = 0;
  return segments.map(({ documents, dead }) => {
    const numbers = new Int32Array(documents);
    for (let document = 0; document < documents; document++) numbers[document] = dead?.[document] === 1 ? -1 : next++;
    return numbers;
  });
}

function* living(segments: readonly Segment[]): Generator<ListedDocument> {
  for (const { documents, dead, n, ids, dates, lengths } of segments) {
    for (let i = 0; i < documents; i++) {
      if (dead?.[i] === 1) continue;
      yield { n: n[i]!, id: ids[i]!, date: dates[i]!, length: lengths[i]! };
    }
  }
}

/** The terms of a segment one after another. */
class TermSource {
  #ahead: Entry[] = [];
  #at = 0;
  #ended = false;

  constructor(private readonly segment: Segment) {
    this.#fill("");
  }

  get current(): Entry | undefined {
    return this.#ahead[this.#at];
  }

  next(): void {
    const { term } = this.#ahead[this.#at]!;
    this.#at++;
    if (this.#at === this.#ahead.length && !this.#ended) this.#fill(`${term}\0`);
  }

  #fill(from: string): void {
    this.#ahead = [];
    this.#at = 0;
    this.#ended = true;
    this.segment.visit(from, (entry) => {
      if (entry.term.startsWith(REVERSED)) return false;
      if (this.#ahead.length === AHEAD) {
        this.#ended = false;
        return false;
      }
      this.#ahead.push(entry);
    });
  }
}
