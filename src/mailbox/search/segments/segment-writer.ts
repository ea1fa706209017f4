import type { Steps } from "../../../kernel/steps.ts";
import { ByteWriter } from "./bytes.ts";
import { DICTIONARY_SPACE, DictionaryBlockWriter, type Entry } from "./dictionary-block.ts";
import { type BlockSink, type SegmentHead, StreamWriter } from "./format.ts";
import { sortedByText } from "./sorting.ts";

/** One document as a segment lists it. */
export interface ListedDocument {
  /** Its id in `search_pending`, which identifies the version of the message's text. */
  id: number;
  /** messages.n */
  n: number;
  /** When the message was received, s. */
  date: number;
  /** Length in words. */
  length: number;
}

/**
 * Words with at least this many letters are also listed reversed, so that parts of compounds can be found by their
 * endings.
 */
export const SHORTEST_REVERSED = 8;
/** Start of a reversed word in the dictionary. It sorts after all terms. */
export const REVERSED = "\uffff";
/** Maximum length of a document in words: readers store lengths in 16 bits. */
const LONGEST_DOCUMENT = 65_535;
/** Reversed words that are written in one step. */
const REVERSED_PER_STEP = 256;
/** Bytes that are collected before they are written to the stream. */
const WRITTEN_BYTES = 1 << 15;
const NOTHING = new ByteWriter(1);
const LETTERS = /^(?:[a-z]+|\p{L}+)$/u;
const SURROGATE = /[\ud800-\udfff]/;

const encoder = new TextEncoder();

/** Writes one segment: terms in order, then the documents. */
export class SegmentWriter {
  readonly #dictionary: StreamWriter;
  readonly #postings: StreamWriter;
  readonly #positions: StreamWriter;
  readonly #documents: StreamWriter;
  readonly #block = new DictionaryBlockWriter();
  readonly #firstTerms: string[] = [];
  readonly #reversed: { text: string; count: number }[] = [];
  #terms = 0;

  /** @param makesReversed false: the caller adds reversed words with `addReversed`, after all terms */
  constructor(
    sink: BlockSink,
    private readonly makesReversed = true,
  ) {
    this.#dictionary = new StreamWriter(sink, "dictionary");
    this.#postings = new StreamWriter(sink, "postings");
    this.#positions = new StreamWriter(sink, "positions");
    this.#documents = new StreamWriter(sink, "documents");
  }

  /** @param term greater than the previous one, in UTF-16 code units */
  add(term: string, count: number, postings: ByteWriter, positions: ByteWriter): void {
    this.#list(term, count, postings, positions);
    this.#terms++;
    if (!this.makesReversed || term.length < SHORTEST_REVERSED || !LETTERS.test(term)) return;
    this.#reversed.push({ text: reversed(term), count });
  }

  /** @param term with its mark, greater than the previous one */
  addReversed(term: string, count: number): void {
    this.#list(term, count, NOTHING, NOTHING);
  }

  #list(term: string, count: number, postings: ByteWriter, positions: ByteWriter): void {
    const entry: Entry = {
      term,
      count,
      postings: this.#postings.length,
      postingsLength: postings.length,
      positions: this.#positions.length,
      positionsLength: positions.length,
    };
    if (this.#block.isFull) this.#flush();
    this.#block.add(entry);
    this.#postings.write(postings.memory, postings.length);
    this.#positions.write(positions.memory, positions.length);
  }

  /** Writes the reversed words and the documents, and pads all streams. */
  *finish(documents: Iterable<ListedDocument>): Steps<SegmentHead> {
    let listed = 0;
    for (const { text, count } of yield* sortedByText(this.#reversed)) {
      this.#list(REVERSED + text, count, NOTHING, NOTHING);
      if (++listed % REVERSED_PER_STEP === 0) yield;
    }
    const lastBlock = this.#block.isEmpty ? 0 : Math.min(this.#block.length, DICTIONARY_SPACE);
    if (!this.#block.isEmpty) this.#flush();
    const lengths = {
      dictionary: this.#dictionary.length,
      postings: this.#postings.length,
      positions: this.#positions.length,
    };
    this.#dictionary.end(lastBlock, DICTIONARY_SPACE);
    this.#postings.end();
    this.#positions.end();
    const head = this.#writeDocuments(documents);
    const first_terms = this.#documents.length;
    this.#writeFirstTerms();
    const ended = this.#documents.length;
    this.#documents.end();
    return { ...head, terms: this.#terms, lengths: { ...lengths, documents: ended }, first_terms };
  }

  #writeDocuments(documents: Iterable<ListedDocument>): { documents: number; words: number } {
    const out = new ByteWriter();
    const head = { documents: 0, words: 0 };
    const last = { n: 0, id: 0 };
    for (const { n, id, date, length } of documents) {
      out.varint(zigzag(n - last.n));
      out.varint(zigzag(id - last.id));
      out.varint(Math.max(0, date));
      const words = Math.min(LONGEST_DOCUMENT, length);
      out.varint(words);
      last.n = n;
      last.id = id;
      head.documents++;
      head.words += words;
      if (out.length <= WRITTEN_BYTES) continue;
      this.#documents.write(out.view());
      out.clear();
    }
    this.#documents.write(out.view());
    return head;
  }

  #writeFirstTerms(): void {
    const out = new ByteWriter();
    for (const term of this.#firstTerms) {
      const bytes = encoder.encode(term);
      out.varint(bytes.length);
      out.bytes(bytes);
    }
    this.#documents.write(out.view());
  }

  #flush(): void {
    this.#firstTerms.push(this.#block.first);
    this.#dictionary.write(this.#block.take());
  }
}

/** Returns the letters in reverse order. Surrogate pairs stay intact. */
export function reversed(term: string): string {
  if (SURROGATE.test(term)) return [...term].reverse().join("");
  let text = "";
  for (let i = term.length - 1; i >= 0; i--) text += term[i];
  return text;
}

/** Encodes signed numbers as small unsigned ones. */
function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

/** Decodes a number that `zigzag` encoded. */
export function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}
