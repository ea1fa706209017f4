/*
 * Writes mbox as in RFC 4155, with the quoting of mboxrd: a line of ">"s and "From " gets one more ">", so that reading
 * removes exactly one and nothing is lost. Lines end with LF.
 */

const LF = 0x0a;
const CR = 0x0d;
const GREATER = 0x3e;
const FROM = Buffer.from("From ");
/** A longer line is passed on in pieces; only its beginning matters. */
const LONGEST_LINE_BYTES = 64 * 1024;
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface MboxMessage {
  /** Address of the sender, for the line that begins a message. */
  sender: string;
  /** When it was received, ms. */
  received_at: number;
  /** Further header lines, without line ends, written before the message's own. */
  headers: readonly string[];
  /** The message with CRLF or LF. */
  source: AsyncIterable<Uint8Array>;
}

/** Yields one message in mbox form, including the empty line after it. */
export async function* mboxEntry({ sender, received_at, headers, source }: MboxMessage): AsyncGenerator<Uint8Array> {
  const address = /^[\x21-\x7e]+$/.test(sender) ? sender : "MAILER-DAEMON";
  yield Buffer.from([`From ${address} ${asctime(received_at)}`, ...headers, ""].join("\n"));
  let last = LF;
  for await (const piece of quotedLines(source)) {
    if (piece.length > 0) last = piece[piece.length - 1]!;
    yield piece;
  }
  yield Buffer.from(last === LF ? "\n" : "\n\n");
}

/** Yields the lines of a message with LF, quoted, in chunks like those of the source. */
async function* quotedLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  let started = false;
  for await (const chunk of source) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk);
    const out: Uint8Array[] = [];
    let at = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, at)) {
      out.push(...line(bytes.subarray(at, end), started), Buffer.of(LF));
      started = false;
      at = end + 1;
    }
    rest = bytes.subarray(at);
    if (rest.length > LONGEST_LINE_BYTES) {
      // A CR at the very end may belong to a CRLF.
      const keep = rest[rest.length - 1] === CR ? 1 : 0;
      out.push(...quote(rest.subarray(0, rest.length - keep), started));
      started = true;
      rest = rest.subarray(rest.length - keep);
    }
    if (out.length > 0) yield Buffer.concat(out);
  }
  if (rest.length > 0) yield Buffer.concat(line(rest, started));
}

function line(bytes: Buffer, continued: boolean): Uint8Array[] {
  return quote(bytes[bytes.length - 1] === CR ? bytes.subarray(0, -1) : bytes, continued);
}

function quote(bytes: Buffer, continued: boolean): Uint8Array[] {
  if (continued) return [bytes];
  let at = 0;
  while (bytes[at] === GREATER) at++;
  return bytes.subarray(at, at + FROM.length).equals(FROM) ? [Buffer.of(GREATER), bytes] : [bytes];
}

/** Returns "Sat Jan  3 01:05:34 1996", in UTC: the form of the C function of this name. */
export function asctime(ms: number): string {
  const date = new Date(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = String(date.getUTCDate()).padStart(2, " ");
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(":");
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`;
}
