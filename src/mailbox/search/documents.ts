import type { Address } from "../store/envelope.ts";
import { FIELD_COUNT, FIELDS, type Field } from "./fields.ts";
import { ByteWriter } from "./segments/bytes.ts";
import { foldForTokens, tokenSpans } from "./tokens.ts";

/** The parts of a message that are indexed. */
export interface Indexable {
  subject: string;
  from: Address;
  to: readonly Address[];
  cc: readonly Address[];
  bcc: readonly Address[];
  text: string;
  attachments: readonly { name: string; mime?: string }[];
  /** The List-Id header, decoded. */
  listId?: string | undefined;
  /** Addresses of Delivered-To headers. */
  deliveredTo?: readonly string[];
}

/**
 * The terms of one message in the form that the index takes (`TermReader` describes the layout). Not sealed: it is only
 * passed between threads.
 */
export type DocumentTerms = Uint8Array;

/** Characters of one text that are indexed; text beyond this limit is not found. */
export const LONGEST_TEXT_CHARS = 256 * 1024;
/** Different terms of one message that are indexed; further ones are left out. */
const MAX_TERMS = 60_000;
const BUCKETS = 1 << 17;
/**
 * Fields whose length counts in ranking. Fields with people are left out, because they are short and similar in length.
 */
const MEASURED = new Set<Field>(["subject", "body", "files", "file_text"]);

/**
 * Extracts the terms of messages: words as written (folded), each with its fields and positions.
 *
 * The layout of a document is: its length in words, the number of its terms, and for each term the length of its name,
 * the name (UTF-8), a mask of its fields, how often each of these fields has it, the length of its positions in bytes,
 * and the positions, starting again for each field. All numbers are varints; positions are stored as differences.
 */
export class TermReader {
  /** A bucket is in use if it has the number of the current message. */
  readonly #stamps = new Int32Array(BUCKETS);
  readonly #bucketTerm = new Int32Array(BUCKETS);
  readonly #hashes = new Int32Array(MAX_TERMS);
  readonly #starts = new Int32Array(MAX_TERMS + 1);
  #letters = new Uint16Array(1 << 16);
  #stamp = 0;
  #terms = 0;
  /** One entry for each word of the message: its term, and its field and position packed into one number. */
  #occurrenceTerm = new Int32Array(1 << 14);
  #occurrenceLocation = new Int32Array(1 << 14);
  #occurrences = 0;
  readonly #out = new ByteWriter(1 << 14);
  readonly #positions = new ByteWriter(1 << 10);

  /**
   * Returns the terms of a message.
   * @param fileText text of the attachments, as far as it has been read
   * @param extra terms that are not words, by field
   */
  read(message: Indexable, fileText = "", extra: readonly { term: string; field: Field }[] = []): DocumentTerms {
    this.#stamp++;
    this.#terms = 0;
    this.#occurrences = 0;
    let length = 0;
    const texts = textsOf(message, fileText);
    for (let field = 0; field < FIELD_COUNT; field++) {
      const count = this.#addText(texts[field]!, field);
      if (MEASURED.has(FIELDS[field]!)) length += count;
    }
    // Occurrences in one field must be adjacent. These follow the words of all fields and are sorted in below.
    for (const { term, field } of extra) this.#add(term, 0, term.length, FIELDS.indexOf(field), 0);
    return this.#write(length, extra.length > 0);
  }

  #addText(text: string, field: number): number {
    if (text === "") return 0;
    const folded = foldForTokens(text.length > LONGEST_TEXT_CHARS ? text.slice(0, LONGEST_TEXT_CHARS) : text);
    const spans = tokenSpans(folded);
    for (let i = 0; i < spans.length; i += 2) this.#add(folded, spans[i]!, spans[i + 1]!, field, i >> 1);
    return spans.length / 2;
  }

  #add(text: string, start: number, end: number, field: number, position: number): void {
    const term = this.#termOf(text, start, end);
    if (term < 0) return;
    const at = this.#occurrences++;
    if (at >= this.#occurrenceTerm.length) {
      this.#occurrenceTerm = larger(this.#occurrenceTerm);
      this.#occurrenceLocation = larger(this.#occurrenceLocation);
    }
    this.#occurrenceTerm[at] = term;
    this.#occurrenceLocation[at] = (field << 20) | position;
  }

  /** Returns the number of the term at this position of a text; -1 when the message has too many terms. */
  #termOf(text: string, start: number, end: number): number {
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let bucket = (hash ^ (hash >>> 13)) & (BUCKETS - 1);
    while (this.#stamps[bucket] === this.#stamp) {
      const term = this.#bucketTerm[bucket]!;
      if (this.#hashes[term] === hash && this.#isAt(term, text, start, end)) return term;
      bucket = (bucket + 1) & (BUCKETS - 1);
    }
    if (this.#terms >= MAX_TERMS) return -1;
    const term = this.#terms++;
    this.#stamps[bucket] = this.#stamp;
    this.#bucketTerm[bucket] = term;
    this.#hashes[term] = hash;
    const from = term === 0 ? 0 : this.#starts[term]!;
    const to = from + end - start;
    if (to > this.#letters.length) {
      const letters = new Uint16Array(Math.max(to, this.#letters.length * 2));
      letters.set(this.#letters);
      this.#letters = letters;
    }
    for (let i = start; i < end; i++) this.#letters[from + i - start] = text.charCodeAt(i);
    this.#starts[term] = from;
    this.#starts[term + 1] = to;
    return term;
  }

  #isAt(term: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[term]!;
    const length = end - start;
    if (this.#starts[term + 1]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (this.#letters[from + i] !== text.charCodeAt(start + i)) return false;
    return true;
  }

  #write(length: number, unsorted: boolean): DocumentTerms {
    const terms = this.#terms;
    const count = this.#occurrences;
    // Group the occurrences by term, in the order of the text (counting sort).
    const ends = new Int32Array(terms + 1);
    for (let i = 0; i < count; i++) ends[this.#occurrenceTerm[i]! + 1]!++;
    for (let term = 0; term < terms; term++) ends[term + 1]! += ends[term]!;
    const occurrences = new Int32Array(count);
    const next = ends.slice();
    for (let i = 0; i < count; i++) occurrences[next[this.#occurrenceTerm[i]!]!++] = this.#occurrenceLocation[i]!;
    const out = this.#out;
    out.clear();
    out.varint(length);
    out.varint(terms);
    for (let term = 0; term < terms; term++) {
      this.#writeName(term);
      const [from, to] = [ends[term]!, ends[term + 1]!];
      if (unsorted && to - from > 1) occurrences.subarray(from, to).sort();
      this.#writeOccurrences(occurrences, from, to);
    }
    return out.take();
  }

  #writeName(term: number): void {
    const from = this.#starts[term]!;
    const to = this.#starts[term + 1]!;
    let isAscii = true;
    for (let i = from; i < to && isAscii; i++) isAscii = this.#letters[i]! < 128;
    if (isAscii) {
      this.#out.varint(to - from);
      this.#out.ascii(this.#letters, from, to);
      return;
    }
    const name = Buffer.from(String.fromCharCode(...this.#letters.subarray(from, to)));
    this.#out.varint(name.length);
    this.#out.bytes(name);
  }

  /** Writes the occurrences of one term: `occurrences` from index `from` up to `to`. */
  #writeOccurrences(occurrences: Int32Array, from: number, to: number): void {
    const out = this.#out;
    let mask = 0;
    for (let i = from; i < to; i++) mask |= 1 << (occurrences[i]! >>> 20);
    out.varint(mask);
    const positions = this.#positions;
    positions.clear();
    for (let at = from; at < to; ) {
      const field = occurrences[at]! >>> 20;
      const first = at;
      let last = 0;
      for (; at < to && occurrences[at]! >>> 20 === field; at++) {
        const position = occurrences[at]! & 0xfffff;
        positions.varint(position - last);
        last = position;
      }
      out.varint(at - first);
    }
    out.varint(positions.length);
    out.bytes(positions.memory, 0, positions.length);
  }
}

/** Returns the texts in the order of FIELDS. The date has no words, so its text is empty. */
function textsOf(message: Indexable, fileText: string): readonly string[] {
  const { subject, from, to, cc, bcc, text, attachments, listId = "", deliveredTo = [] } = message;
  const files = attachments.map(({ name }) => name).join("\n");
  const people = [addresses([from]), addresses(to), addresses(cc)];
  return [subject, ...people, text, files, fileText, addresses(bcc), listId, deliveredTo.join("\n"), ""];
}

/** Returns names and addresses, one person per line. */
function addresses(list: readonly Address[]): string {
  return list.map(({ name, email }) => `${name} ${email}`).join("\n");
}

function larger(array: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2);
  grown.set(array);
  return grown;
}
