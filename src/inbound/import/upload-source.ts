import { UserError } from "../../kernel/errors.ts";
import type { ArchiveFile, RandomBytes } from "../../wire/archives/random-bytes.ts";
import { gunzip, isTar, readTar } from "../../wire/archives/tar.ts";
import { readZip } from "../../wire/archives/zip.ts";
import { maildirFlags, maildirTime } from "../../wire/maildir/read.ts";
import { LARGEST_MESSAGE_BYTES, NoMbox } from "../../wire/mbox/read.ts";
import { readHeaders } from "../../wire/mime/raw-headers.ts";
import { type ArchivedMail, MaildirRoot, mailIn } from "./archive-folders.ts";
import { type FileMessage, folderOfMbox, fromMaildir, fromMbox, type ImportSource, mboxMessages } from "./source.ts";

/** Enough to recognize every format: tar has its mark at byte 257. */
const HEAD_BYTES = 512;
const FROM = "From ";
const FIELD = /^[!-9;-~]{1,76}:/;

/** The messages of an uploaded file, and how many of its files are not readable mail. */
export interface UploadSource extends ImportSource {
  readonly unreadable: number;
}

/**
 * Opens an uploaded file: an mbox, a zip or tar archive with mbox files (such as Google Takeout), Maildirs or single
 * messages, or a single message. Nothing is unpacked to the disk.
 * @param name of the file, for the folder of an mbox
 * @throws UserError if it is not mail
 */
export async function openUpload(bytes: RandomBytes, name: string): Promise<UploadSource> {
  const head = await bytes.read(0, Math.min(HEAD_BYTES, bytes.size));
  const start = Buffer.from(head).toString("latin1");
  if (start.startsWith("PK\u0003\u0004") || start.startsWith("PK\u0005\u0006")) return await zipSource(bytes);
  const source = new StreamSource(bytes, name);
  if (start.startsWith("\u001f\u008b") || isTar(head) || looksLikeMail(start)) return source;
  throw new UserError(
    `${name} is not a mail file. ${WHAT_IT_IS.find(([mark]) => start.startsWith(mark))?.[1] ?? USABLE}`,
  );
}

const USABLE = "Choose an mbox file, a Google Takeout archive, or a zip of a Maildir or of .eml files.";
const WHAT_IT_IS: readonly (readonly [mark: string, sentence: string])[] = [
  ["!BDN", "It is an Outlook data file (PST). Export the mail as mbox or .eml files first."],
  ["\u00d0\u00cf\u0011\u00e0", "It is an Outlook message (.msg). Save it as .eml first."],
  ["Rar!", "It is a RAR archive. Unpack it, and create a zip file."],
  ["7z\u00bc\u00af", "It is a 7-Zip archive. Unpack it, and create a zip file."],
  ["BZh", "It is compressed with bzip2. Unpack it first."],
  ["\u00fd7zXZ", "It is compressed with xz. Unpack it first."],
];

function looksLikeMail(start: string): boolean {
  return beginsMbox(start) || FIELD.test(start);
}

function beginsMbox(start: string): boolean {
  return start.replace(/^[\r\n]+/, "").startsWith(FROM);
}

/** Reads a file from its beginning to its end: an mbox or a message, which may be compressed, or a tar archive. */
class StreamSource implements UploadSource {
  readonly total_bytes: number;
  #unreadable = 0;

  constructor(
    private readonly bytes: RandomBytes,
    private readonly name: string,
  ) {
    this.total_bytes = bytes.size;
  }

  get unreadable(): number {
    return this.#unreadable;
  }

  async *messages(progress: (doneBytes: number) => void): AsyncGenerator<FileMessage> {
    this.#unreadable = 0;
    const { bytes } = this;
    const counted = async function* () {
      let read = 0;
      for await (const chunk of bytes.stream()) {
        yield chunk;
        read += chunk.length;
        progress(read);
      }
    };
    const packed = Buffer.from(await bytes.read(0, Math.min(2, bytes.size))).toString("latin1") === "\u001f\u008b";
    const { head, all } = await peek(packed ? gunzip(counted(), bytes.size) : counted());
    const name = packed ? this.name.replace(/\.gz$/i, "") : this.name;
    if (isTar(head)) {
      const root = new MaildirRoot();
      for await (const file of readTar(all)) yield* this.#file(file, root, true);
      return;
    }
    const start = Buffer.from(head).toString("latin1");
    if (!looksLikeMail(start)) throw new UserError(`${this.name} is not a mail file. ${USABLE}`);
    if (beginsMbox(start)) yield* mboxMessages(all, folderOfMbox(name));
    else yield await oneMessage(all, "Archive");
  }

  async *#file(file: ArchiveFile, root: MaildirRoot, note: boolean): AsyncGenerator<FileMessage> {
    const mail = mailIn(file.name);
    if (!mail) return;
    // The folders of a stream are known only once they were read, so the first Maildir decides.
    if (mail.kind === "maildir" && note) root.add(mail.dir);
    yield* fileMessages(file, mail, root, () => this.#unreadable++);
  }
}

async function zipSource(bytes: RandomBytes): Promise<UploadSource> {
  const root = new MaildirRoot();
  let total_bytes = 0;
  let files = 0;
  for await (const { name, size } of readZip(bytes)) {
    const mail = mailIn(name);
    if (!mail) continue;
    if (mail.kind === "maildir") root.add(mail.dir);
    total_bytes += size;
    files++;
  }
  if (files === 0) throw new UserError(`There is no mail in the zip file. ${USABLE}`);
  let unreadable = 0;
  return {
    total_bytes,
    get unreadable() {
      return unreadable;
    },
    async *messages(progress) {
      unreadable = 0;
      let done = 0;
      for await (const file of readZip(bytes)) {
        const mail = mailIn(file.name);
        if (!mail) continue;
        const before = done;
        const open = async function* () {
          for await (const chunk of file.open()) {
            yield chunk;
            done += chunk.length;
            progress(done);
          }
        };
        yield* fileMessages({ ...file, open }, mail, root, () => unreadable++);
        done = before + file.size;
        progress(done);
      }
    },
  };
}

/** Yields the messages of a file in an archive. @param unreadable called if it is not mail */
async function* fileMessages(
  file: ArchiveFile,
  mail: ArchivedMail,
  root: MaildirRoot,
  unreadable: () => void,
): AsyncGenerator<FileMessage> {
  if (mail.kind === "mbox") {
    const { head, all } = await peek(file.open());
    if (!beginsMbox(Buffer.from(head).toString("latin1"))) {
      // Read to its end, because the files of a tar archive follow one another.
      for await (const _ of all);
      // An empty folder is a file without bytes.
      if (mail.certain && head.length > 0) unreadable();
      return;
    }
    try {
      yield* mboxMessages(all, mail.folder);
    } catch (error) {
      if (!(error instanceof NoMbox)) throw error;
      unreadable();
    }
    return;
  }
  const message = await oneMessage(file.open(), mail.kind === "message" ? mail.folder : "INBOX");
  if (!hasHeader(message.source)) unreadable();
  else if (mail.kind === "message") yield message;
  else {
    const received_at = maildirTime(file.name) ?? file.modifiedAt;
    yield { ...message, ...fromMaildir(maildirFlags(file.name), root.folderOf(mail.dir)), received_at };
  }
}

/** Reads a file that is one message. */
async function oneMessage(chunks: AsyncIterable<Uint8Array>, folder: string): Promise<FileMessage> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let cut = false;
  for await (const chunk of chunks) {
    const free = LARGEST_MESSAGE_BYTES - length;
    if (chunk.length > free) cut = true;
    // Copied, because the source may reuse the memory of its chunks.
    if (free > 0) parts.push(Uint8Array.from(chunk.subarray(0, free)));
    length += Math.min(free, chunk.length);
  }
  return { ...fromMbox(new Uint8Array(Buffer.concat(parts)), null, folder), cut };
}

function hasHeader(source: Uint8Array): boolean {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return FIELD.test(bytes.toString("latin1", 0, HEAD_BYTES)) && readHeaders(bytes, 0, bytes.length).fields.length > 0;
}

/** Returns the first bytes of a stream, and the whole stream. */
async function peek(
  chunks: AsyncGenerator<Uint8Array>,
): Promise<{ head: Uint8Array; all: AsyncGenerator<Uint8Array> }> {
  const first: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < HEAD_BYTES && !ended) {
    const { done, value } = await chunks.next();
    ended = done === true;
    if (!value) continue;
    first.push(Uint8Array.from(value));
    length += value.length;
  }
  const all = async function* () {
    try {
      for (const chunk of first.splice(0)) yield chunk;
      if (!ended) yield* chunks;
    } finally {
      await chunks.return(undefined);
    }
  };
  return { head: Buffer.concat(first), all: all() };
}
