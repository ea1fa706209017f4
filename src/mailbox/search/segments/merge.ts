import { ByteWriter } from "./bytes.ts";
import type { Entry } from "./dictionary-block.ts";
import type { BlockSink, SegmentHead, StreamCursor } from "./format.ts";
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
  const isWhole = segments.every(({ deadCount }) => deadCount === 0);
  // Of dead documents there may be words that nothing has any more: reversed ones are made anew then.
  const writer = new SegmentWriter(sink, !isWhole);
  const numbers = isWhole ? null : renumbered(segments);
  const sources = sourcesOf(segments, isWhole);
  const [postings, positions] = [new ByteWriter(), new ByteWriter()];
  const posting = new PostingsWriter(postings);
  for (let terms = 0; ; terms++) {
    const having = withLeastTerm(sources);
    if (having.length === 0) break;
    const { term } = having[0]!.current!;
    const isReversed = term.startsWith(REVERSED);
    postings.clear();
    positions.clear();
    posting.begin();
    let count = 0;
    for (let i = 0; i < having.length; i++) {
      const source = having[i]!;
      if (isReversed) count += source.current!.count;
      else if (numbers === null) count += source.append(posting, positions, i === having.length - 1);
      else count += source.copy(numbers[source.place]!, posting, positions);
      source.next();
    }
    if (isReversed) writer.addReversed(term, count);
    else if (count > 0) writer.add(term, count, postings, positions);
    if (terms % 64 === 0) await rest();
  }
  return writer.finish(living(segments));
}

/** The sources that have the next term, in the order of their documents; none: all have ended. */
function withLeastTerm(sources: readonly TermSource[]): TermSource[] {
  let having: TermSource[] = [];
  let least = "";
  for (const source of sources) {
    const term = source.current?.term;
    if (term === undefined || (having.length > 0 && term > least)) continue;
    if (having.length > 0 && term === least) having.push(source);
    else {
      having = [source];
      least = term;
    }
  }
  return having;
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

function sourcesOf(segments: readonly Segment[], withReversed: boolean): TermSource[] {
  let base = 0;
  return segments.map((segment, place) => {
    const source = new TermSource(segment, place, base, withReversed);
    base += segment.documents;
    return source;
  });
}

/** One for all terms: a reader for each would be most of the garbage of a merge. */
const reader = new PostingsReader(new Uint8Array(0));

/** The terms of a segment one after another. */
class TermSource {
  current: Entry | undefined;
  readonly #postings: StreamCursor;
  readonly #positions: StreamCursor;
  #ahead: Entry[] = [];
  #at = 0;
  #ended = false;

  /** @param base what the numbers of its documents grow by, where none is dead */
  constructor(
    private readonly segment: Segment,
    readonly place: number,
    private readonly base: number,
    private readonly withReversed: boolean,
  ) {
    this.#postings = segment.cursor("postings");
    this.#positions = segment.cursor("positions");
    this.#fill("");
  }

  next(): void {
    const { term } = this.current!;
    this.#at++;
    if (this.#at === this.#ahead.length && !this.#ended) this.#fill(`${term}\0`);
    else this.current = this.#ahead[this.#at];
  }

  /** Takes over all postings of the current term. @returns how many */
  append(posting: PostingsWriter, positions: ByteWriter, isLast: boolean): number {
    const entry = this.current!;
    this.#postings.seek(entry.postings, entry.postingsLength);
    posting.append(this.#postings.bytes, this.#postings.from, this.#postings.to, this.base, isLast);
    this.#positions.seek(entry.positions, entry.positionsLength);
    positions.bytes(this.#positions.bytes, this.#positions.from, this.#positions.to);
    return entry.count;
  }

  /** Copies the postings of the current term that are not of dead documents. @param numbers of its documents @returns how many */
  copy(numbers: Int32Array, posting: PostingsWriter, positions: ByteWriter): number {
    const entry = this.current!;
    reader.use(this.segment.postings(entry));
    const place = new PositionsReader(this.segment.positions(entry));
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

  #fill(from: string): void {
    this.#ahead = [];
    this.#at = 0;
    this.#ended = true;
    this.segment.visit(from, (entry) => {
      if (!this.withReversed && entry.term.startsWith(REVERSED)) return false;
      if (this.#ahead.length === AHEAD) {
        this.#ended = false;
        return false;
      }
      this.#ahead.push(entry);
    });
    this.current = this.#ahead[0];
  }
}
