import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { UserError } from "../../kernel/errors.ts";
import { Expansion } from "./expansion.ts";
import type { ArchiveFile, RandomBytes } from "./random-bytes.ts";

/*
 * Reads zip files (PKWARE APPNOTE 6.3.10), also ZIP64, through their central directory. Files are expanded one after the
 * other, as fast as they are read, and nothing is written to the disk.
 */

/** A file of a zip, as its central directory describes it. */
export interface ZipFileEntry extends ArchiveFile {
  /** Expanded size that the directory states. */
  size: number;
}

const MOST_ENTRIES = 2_000_000;
const STORED = 0;
const DEFLATED = 8;
const UNIX_TYPE = 0o170000;
const UNIX_LINK = 0o120000;
const UNIX_REGULAR = 0o100000;
const METHODS: Readonly<Record<number, string>> = {
  9: "Deflate64",
  12: "bzip2",
  14: "LZMA",
  93: "Zstandard",
  95: "XZ",
  98: "PPMd",
  99: "AES encryption",
};

/** Yields the files of a zip; links and folders are left out. @throws UserError with the reason if it cannot be read */
export async function* readZip(bytes: RandomBytes): AsyncGenerator<ZipFileEntry> {
  const zip = await opened(bytes);
  const expansion = new Expansion(bytes.size);
  let packed = 0;
  try {
    for await (const entry of entriesOf(zip)) {
      packed += entry.compressedSize;
      // Files that share their bytes are a known way to make a small archive expand to petabytes.
      if (packed > bytes.size) throw damaged("its files overlap");
      if (!isRegular(entry)) continue;
      yield {
        name: entry.fileName,
        size: entry.uncompressedSize,
        modifiedAt: modifiedAt(entry),
        open: () => expanded(zip, entry, expansion),
      };
    }
  } finally {
    zip.close();
  }
}

async function opened(bytes: RandomBytes): Promise<ZipFile> {
  try {
    const zip = await fromRandomAccessReaderPromise(new Reader(bytes), bytes.size, {
      lazyEntries: true,
      autoClose: false,
    });
    if (zip.entryCount > MOST_ENTRIES) {
      throw new UserError(`The zip file has ${zip.entryCount} files. At most ${MOST_ENTRIES} can be read.`);
    }
    return zip;
  } catch (error) {
    throw refusal(error);
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry();
  for (;;) {
    const next = await entries.next().catch((error: unknown) => {
      throw refusal(error);
    });
    if (next.done) return;
    yield next.value;
  }
}

async function* expanded(zip: ZipFile, entry: Entry, expansion: Expansion): AsyncGenerator<Uint8Array> {
  const { fileName: name, compressionMethod } = entry;
  if (entry.isEncrypted()) throw protectedByPassword();
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    const method = METHODS[compressionMethod] ?? `method ${compressionMethod}`;
    throw new UserError(
      `${shown(name)} in the zip file is compressed with ${method}, which cannot be read. Create the zip again with the usual compression (Deflate).`,
    );
  }
  let sum = 0;
  let stream: Readable | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      expansion.add(chunk.length);
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw refusal(error);
  } finally {
    stream?.destroy();
  }
  if (sum !== entry.crc32) throw damaged(`the checksum of ${shown(name)} does not match`);
}

function isRegular(entry: Entry): boolean {
  if (entry.fileName.endsWith("/")) return false;
  const type = (entry.externalFileAttributes >>> 16) & UNIX_TYPE;
  return type !== UNIX_LINK && (type === 0 || type === UNIX_REGULAR);
}

function modifiedAt(entry: Entry): number | null {
  const ms = entry.getLastModDate({ timezone: "UTC" }).getTime();
  return Number.isNaN(ms) ? null : ms;
}

/** Turns an error of the library into a sentence. Its messages are part of its documented behavior, but have no codes. */
function refusal(error: unknown): Error {
  if (error instanceof UserError || !(error instanceof Error)) return error as Error;
  // Errors of the system, such as an unreadable disk, are not the fault of the file.
  if ("code" in error && !String(error.code).startsWith("Z_")) return error;
  const { message } = error;
  if (/^(absolute path|invalid relative path|invalid characters in fileName)/.test(message)) {
    return new UserError("The zip file has a file with an unsafe name, which would be outside of its folder.");
  }
  if (/strong encryption/.test(message)) return protectedByPassword();
  if (/multi-disk/.test(message)) {
    return new UserError("The zip file is one part of several. Join the parts or create one zip file.");
  }
  if (/End of central directory|Invalid comment length|unexpected EOF|EOF/i.test(message)) {
    return new UserError("The zip file is incomplete: its end is missing. Download or create it again.");
  }
  return damaged(message);
}

function protectedByPassword(): UserError {
  return new UserError("The zip file is protected with a password. Unpack it, then create a zip without a password.");
}

function damaged(reason: string): UserError {
  return new UserError(`The zip file is damaged: ${reason.slice(0, 200)}. Download or create it again.`);
}

function shown(name: string): string {
  return name.split("/").at(-1)!.slice(0, 80);
}

/** Reads ranges for the library. It requires event emitters and streams of Node.js. */
class Reader extends RandomAccessReader {
  constructor(private readonly bytes: RandomBytes) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.bytes.stream(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    if (position < 0 || position + length > this.bytes.size) done(new Error("unexpected EOF"));
    else {
      this.bytes.read(position, length).then((found) => {
        buffer.set(found, offset);
        done(null);
      }, done);
    }
  }
}
