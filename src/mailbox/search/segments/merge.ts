import { runStepsSlowly } from "../../../kernel/steps.ts";
import { ByteWriter } from "./bytes.ts";
import type { Entry } from "./dictionary-block.ts";
import type { BlockSink, SegmentHead, StreamCursor } from "./format.ts";
import { PositionsReader, PostingsReader, PostingsWriter } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { type ListedDocument, REVERSED, SegmentWriter } from "./segment-writer.ts";

/** Terms of each segment that are read ahead. */
const AHEAD = 512;

/**
 * Merges segments into one, term by term, without their deleted documents. Memory: a few blocks, and the document list
 * of each segment.
 * @param rest called and awaited between steps of a few milliseconds
 */
export async function mergeSegments(
  segments: readonly Segment[],
  sink: BlockSink,
  rest: () => Promise<void>,
): Promise<SegmentHead> {
  const isWhole = segments.every(({ deadCount }) => deadCount === 0);
  // If documents were deleted, some words are dropped and must not be listed reversed, so the writer creates the
  // reversed words itself.
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
      else count += source.copy(numbers[source.segmentIndex]!, posting, positions);
      source.next();
    }
    if (isReversed) writer.addReversed(term, count);
    else if (count > 0) writer.add(term, count, postings, positions);
    if (terms % 64 === 0) await rest();
  }
  return runStepsSlowly(writer.finish(liveDocuments(segments)), rest);
}

/** Returns the sources that have the next term, in the order of their documents; none at the end. */
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

/** Returns for each segment the new numbers of its documents; -1: deleted. */
function renumbered(segments: readonly Segment[]): Int32Array[] {
  let next = 0;
  return segments.map(({ documents, dead }) => {
    const numbers = new Int32Array(documents);
    for (let document = 0; document < documents; document++) numbers[document] = dead?.[document] === 1 ? -1 : next++;
    return numbers;
  });
}

function* liveDocuments(segments: readonly Segment[]): Generator<ListedDocument> {
  for (const { documents, dead, n, ids, dates, lengths } of segments) {
    for (let i = 0; i < documents; i++) {
      if (dead?.[i] === 1) continue;
      yield { n: n[i]!, id: ids[i]!, date: dates[i]!, length: lengths[i]! };
    }
  }
}

function sourcesOf(segments: readonly Segment[], withReversed: boolean): TermSource[] {
  let base = 0;
  return segments.map((segment, segmentIndex) => {
    const source = new TermSource(segment, segmentIndex, base, withReversed);
    base += segment.documents;
    return source;
  });
}

/** Shared by all terms: a reader for each term would be most of the garbage of a merge. */
const reader = new PostingsReader(new Uint8Array(0));

/** Iterates over the terms of a segment. */
class TermSource {
  current: Entry | undefined;
  readonly #postings: StreamCursor;
  readonly #positions: StreamCursor;
  #ahead: Entry[] = [];
  #at = 0;
  #ended = false;

  /** @param base added to the numbers of its documents, where no segment has a deleted one */
  constructor(
    private readonly segment: Segment,
    readonly segmentIndex: number,
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

  /** Appends all postings of the current term. @returns how many */
  append(posting: PostingsWriter, positions: ByteWriter, isLast: boolean): number {
    const entry = this.current!;
    this.#postings.seek(entry.postings, entry.postingsLength);
    posting.append(this.#postings.bytes, this.#postings.from, this.#postings.to, this.base, isLast);
    this.#positions.seek(entry.positions, entry.positionsLength);
    positions.bytes(this.#positions.bytes, this.#positions.from, this.#positions.to);
    return entry.count;
  }

  /**
   * Copies the postings of the current term, except those of deleted documents.
   * @param numbers new numbers by document
   * @returns how many
   */
  copy(numbers: Int32Array, posting: PostingsWriter, positions: ByteWriter): number {
    const entry = this.current!;
    reader.use(this.segment.postings(entry));
    const positionsReader = new PositionsReader(this.segment.positions(entry));
    let count = 0;
    while (reader.next()) {
      const from = positionsReader.offset;
      positionsReader.skip(reader.occurrences);
      const number = numbers[reader.document]!;
      if (number < 0) continue;
      posting.add(number, reader.mask, reader.counts);
      positions.bytes(positionsReader.slice(from));
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
