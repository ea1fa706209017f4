/** Prepares the attachments of outgoing messages. */
import { Readable } from "node:stream";

export interface ComposeAttachment {
  /** File name shown to the receiver, in any script. */
  name: string;
  /** Media type; an invalid one becomes application/octet-stream. */
  mime: string;
  /** The bytes, or a function that opens them; it is called once for each message that is built. */
  content: Uint8Array | (() => ReadableStream<Uint8Array> | NodeJS.ReadableStream);
  /** Content-ID without angle brackets, of a picture that the HTML shows by `cid:`. */
  content_id?: string | null;
}

/** A checked attachment. */
export interface MailPart {
  name: string;
  mime: string;
  content: Uint8Array | NodeJS.ReadableStream;
  /** Set only on parts that the HTML shows. */
  content_id: string | null;
}

const LONGEST_NAME_BYTES = 200;
const LONGEST_LINE = 998;

/**
 * Separates attachments that the HTML refers to by Content-ID, which are sent next to it (RFC 2387), from all others.
 */
export async function mailParts(
  attachments: readonly ComposeAttachment[],
  html: string | null,
): Promise<{ related: MailPart[]; attached: MailPart[] }> {
  const related: MailPart[] = [];
  const attached: MailPart[] = [];
  const shown = new Set(Array.from((html ?? "").matchAll(/\bcid:([^\s"'<>]+)/gi), ([, id]) => decoded(id!)));
  for (const attachment of attachments) {
    const part = await checked(attachment);
    const id = attachment.content_id?.replace(/^<|>$/g, "") ?? "";
    if (/^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]{1,200}$/.test(id) && shown.delete(id))
      related.push({ ...part, content_id: id });
    else attached.push(part);
  }
  return { related, attached };
}

async function checked(attachment: ComposeAttachment): Promise<MailPart> {
  const name = fileName(attachment.name);
  const wanted = attachment.mime.trim().toLowerCase();
  const mime = /^[a-z0-9][\w.+-]{0,80}\/[a-z0-9][\w.+-]{0,80}$/.test(wanted) ? wanted : "application/octet-stream";
  const content = open(attachment.content);
  if (!/^(?:message|multipart)\//.test(mime)) return { name, mime, content, content_id: null };
  // RFC 2046 §5.2.1 forbids encoding these types. A message is sent as message/rfc822 if it fits seven-bit lines, else
  // as a file.
  const bytes = content instanceof Uint8Array ? content : await bytesOf(content);
  const keepsType = mime === "message/rfc822" && fitsSevenBit(bytes);
  return { name, mime: keepsType ? mime : "application/octet-stream", content: bytes, content_id: null };
}

function open(content: ComposeAttachment["content"]): Uint8Array | NodeJS.ReadableStream {
  if (content instanceof Uint8Array) return content;
  const stream = content();
  return stream instanceof ReadableStream
    ? Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0])
    : stream;
}

async function bytesOf(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

function fitsSevenBit(bytes: Uint8Array): boolean {
  let length = 0;
  for (const byte of bytes) {
    if (byte === 0 || byte > 0x7f) return false;
    length = byte === 0x0a || byte === 0x0d ? 0 : length + 1;
    if (length > LONGEST_LINE) return false;
  }
  return true;
}

/** Returns the last segment of a path as one line of at most {@link LONGEST_NAME_BYTES}, with its extension kept. */
function fileName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    // Direction overrides make "gpj.exe" look like a picture.
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .split(/[/\\]/)
    .at(-1)!
    .trim();
  if (plain === "") return "attachment";
  if (Buffer.byteLength(plain) <= LONGEST_NAME_BYTES) return plain;
  const extension = /\.[\w-]{1,16}$/.exec(plain)?.[0] ?? "";
  let stem = "";
  for (const letter of plain.slice(0, plain.length - extension.length)) {
    if (Buffer.byteLength(stem + letter + extension) > LONGEST_NAME_BYTES) break;
    stem += letter;
  }
  return stem + extension;
}

function decoded(id: string): string {
  const plain = id.replaceAll("&amp;", "&");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
