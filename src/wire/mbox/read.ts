/*
 * Reads mbox files of every variant (RFC 4155). A message begins with a "From " line at the start of the file or after an
 * empty line. Lines quoted as in mboxrd lose one ">". The older mboxo quotes only ">From ", which is read the same way.
 */

const LF = 0x0a;
const CR = 0x0d;
const GREATER = 0x3e;
const FROM = Buffer.from("From ");
/** No server accepts larger messages; a larger one is cut. */
export const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface MboxSource {
  /** The text after "From " on the line that begins the message. */
  envelope: string;
  source: Uint8Array;
  /** True when the message was longer than the limit. */
  cut: boolean;
}

/**
 * Yields the messages of an mbox in order, one in memory at a time. @throws NoMbox when the file begins with anything
 * else
 */
export async function* readMbox(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<MboxSource> {
  let message: Collected | null = null;
  let afterBlank = true;
  for await (const line of lines(chunks)) {
    const begins = afterBlank && isEnvelope(line);
    const blank = isBlank(line);
    if (begins) {
      if (message) yield message.end();
      message = new Collected(line);
    } else if (message) message.add(line);
    else if (!blank) throw new NoMbox();
    afterBlank = blank;
  }
  if (message) yield message.end();
}

/** The file does not begin with a message. */
export class NoMbox extends Error {
  override readonly name = "NoMbox";
  constructor() {
    super("This is no mbox file: it does not begin with a line 'From …'.");
  }
}

/**
 * Returns when a message was received according to its "From " line, ms; null when it does not say. A missing zone
 * counts as UTC.
 */
export function envelopeDate(envelope: string): number | null {
  const match =
    /[A-Z][a-z]{2} +([A-Z][a-z]{2}) +(\d{1,2}) +(\d{2}:\d{2}(?::\d{2})?) +(?:([A-Z]{3,4}|[+-]\d{4}) +)?(\d{4})(?: +([+-]\d{4}))?/.exec(
      envelope,
    );
  if (!match) return null;
  const [, month, day, time, before, year, behind] = match;
  const zone = [before, behind].find((text) => text && /^[+-]\d{4}$/.test(text)) ?? "+0000";
  const ms = Date.parse(`${day} ${month} ${year} ${time} ${zone}`);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * Yields lines with their ends; the last one may have none. The part of a line beyond the maximum message size is left
 * out.
 */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, at)) {
      const piece = bytes.subarray(at, end + 1);
      yield parts.length > 0 ? Buffer.concat([...parts, piece]) : piece;
      parts = [];
      length = 0;
      at = end + 1;
    }
    if (at === bytes.length || length > LARGEST_MESSAGE_BYTES) continue;
    // Copied, because the source may reuse the memory of its chunks.
    parts.push(Buffer.from(bytes.subarray(at)));
    length += bytes.length - at;
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

const FIRST_BYTES = 16 * 1024;

/** Collects the lines of a message in one block of memory, because a message can have millions of empty ones. */
class Collected {
  readonly #envelope: string;
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;
  /** Start of the last line. */
  #last = 0;
  #cut = false;

  constructor(line: Buffer) {
    this.#envelope = line.toString("latin1", FROM.length).trim();
  }

  add(line: Buffer): void {
    const plain = unquoted(line);
    const needed = this.#length + plain.length;
    this.#cut ||= needed > LARGEST_MESSAGE_BYTES;
    if (this.#cut) return;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    plain.copy(this.#bytes, this.#length);
    this.#last = this.#length;
    this.#length = needed;
  }

  /** Returns the message. The empty line before the next message belongs to the file, not to the message. */
  end(): MboxSource {
    const endsBlank = this.#length > 0 && isBlank(this.#bytes.subarray(this.#last, this.#length));
    const source = new Uint8Array(this.#bytes.subarray(0, endsBlank ? this.#last : this.#length));
    return { envelope: this.#envelope, source, cut: this.#cut };
  }
}

function isEnvelope(line: Buffer): boolean {
  return line.subarray(0, FROM.length).equals(FROM);
}

function isBlank(line: Buffer): boolean {
  return line.length === 1 ? line[0] === LF : line.length === 2 && line[0] === CR && line[1] === LF;
}

function unquoted(line: Buffer): Buffer {
  if (line[0] !== GREATER) return line;
  let at = 0;
  while (line[at] === GREATER) at++;
  return line.subarray(at, at + FROM.length).equals(FROM) ? line.subarray(1) : line;
}
