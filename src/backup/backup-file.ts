import { UserError } from "../kernel/errors.ts";
import { type ContainerEntry, entryBytes, readContainer } from "./container.ts";
import { decrypted, type OpenedHeader, openHeader, type Secret } from "./envelope.ts";
import type { BackupKeys } from "./make.ts";
import { type Head, type Manifest, parseManifest } from "./manifest.ts";
import { HeadShape, KeysShape, SchemaShape, shaped } from "./shapes.ts";
import type { Schema } from "./snapshot.ts";
import { type BackupSource, type SourceReader, sourceOf } from "./source.ts";

/** Postroom's headers are shorter: two stanzas, and the parameters of a passphrase. */
const LONGEST_HEADER_BYTES = 16 * 1024;
const HEADER_END = /\n--- [^\n]*\n/;
const NONCE_BYTES = 16;
/** Content of one age chunk. An authentication tag of 16 bytes follows it. */
const CHUNK_BYTES = 64 * 1024;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + 16;

/** A part of a table as the file stores it, not decoded yet. */
export interface PackedPart {
  table: string;
  /** Name of the part in messages: "part 12 of table messages". */
  location: string;
  /** zstd of encoded rows. */
  packed: Uint8Array;
}

/** Receives the contents of a backup, in the order of the file. */
export interface BackupReader {
  keys?(keys: BackupKeys): void | Promise<void>;
  schema?(schema: Schema): void | Promise<void>;
  file?(path: string, size: number, chunks: AsyncIterable<Uint8Array>): void | Promise<void>;
  part?(part: PackedPart): void | Promise<void>;
  progress?(doneBytes: number, total_bytes: number): void;
}

/** A backup whose header has been opened with a secret. Content is used only after its encryption has verified it. */
export class BackupFile {
  readonly path: string;
  readonly bytes: number;

  private constructor(
    private readonly source: BackupSource,
    readonly opened: OpenedHeader,
    private readonly headerBytes: number,
  ) {
    this.path = source.path;
    this.bytes = source.bytes;
  }

  /**
   * Opens the header of a backup with the first secret that fits.
   * @throws UserError if the file is not a backup, its header is damaged, or no secret opens it
   */
  static async open(from: string | BackupSource, secrets: readonly Secret[]): Promise<BackupFile> {
    const source = sourceOf(from);
    const reader = await source.open();
    try {
      const header = await readHeader(source, reader);
      return new BackupFile(source, await openHeader(source.path, header, secrets), header.length);
    } finally {
      await reader.close();
    }
  }

  /** Returns the head of the backup, without reading further. */
  async head(): Promise<Head> {
    const head: Head[] = [];
    await this.#entries({}, async (entry) => head.push(await readHead(this.path, entry)) === 0);
    if (!head[0]) throw new UserError(`${this.path} is not complete.`);
    const { id } = this.source;
    if (id !== undefined && head[0].id !== id) {
      throw new UserError(`${this.path} was replaced: it has the backup of ${head[0].made_at}, not the one expected.`);
    }
    return head[0];
  }

  /**
   * Reads the whole file once, from beginning to end.
   * @returns the manifest in the file; the caller compares it with what the reader received
   * @throws UserError that names the place if a single bit was changed
   */
  async read(reader: BackupReader): Promise<Manifest> {
    let head: Head | null = null;
    let manifest: Manifest | null = null;
    await this.#entries(reader, async (entry, location) => {
      if (entry.name === "head.json") head = await readHead(this.path, entry);
      else if (entry.name === "manifest.jsonl") manifest = parseManifest(this.path, await entryBytes(entry));
      else await hand(this.path, entry, reader, location);
      return true;
    });
    return complete(this.path, head, manifest);
  }

  /** Decrypts the entries one by one. @param take returns whether to continue with the next entry */
  async #entries(
    reader: Pick<BackupReader, "progress">,
    take: (entry: ContainerEntry, location: string) => Promise<boolean>,
  ): Promise<void> {
    let location = "head.json";
    let plainBytes = 0;
    try {
      const plain = await decrypted(this.#cipher(reader), this.opened);
      const counted = watched(plain, (bytes) => {
        plainBytes += bytes;
      });
      for await (const entry of readContainer(counted)) {
        location = locationOf(entry.name);
        if (!(await take(entry, location))) return;
      }
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      throw new UserError(`${this.path} is damaged ${this.#where(plainBytes)}: in ${location}, or right after it.`);
    }
  }

  /** Reads the file in pieces of one chunk each, so that damage is noticed at its location. */
  #cipher(reader: BackupReader): ReadableStream<Uint8Array> {
    const pieces = async function* (this: BackupFile) {
      const source = await this.source.open();
      try {
        let length = this.headerBytes + NONCE_BYTES;
        for (let at = 0; at < this.bytes; length = SEALED_CHUNK_BYTES) {
          const chunk = await source.read(at, length);
          if (chunk.length === 0) return;
          at += chunk.length;
          reader.progress?.(at, this.bytes);
          yield chunk;
        }
        source.finish?.();
      } finally {
        await source.close();
      }
    }.call(this);
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await pieces.return()),
      },
      { highWaterMark: 0 },
    );
  }

  /** Returns the range of the file that contains the damage. @param plainBytes bytes decrypted before it */
  #where(plainBytes: number): string {
    const chunks = Math.floor(plainBytes / CHUNK_BYTES);
    const from = this.headerBytes + NONCE_BYTES + chunks * SEALED_CHUNK_BYTES;
    const to = Math.min(from + 2 * SEALED_CHUNK_BYTES, this.bytes);
    return `between bytes ${chunks === 0 ? this.headerBytes : from} and ${to}`;
  }
}

async function hand(file: string, entry: ContainerEntry, reader: BackupReader, location: string): Promise<void> {
  const { name, size, chunks } = entry;
  if (name === "keys.json") {
    const keys = shaped(KeysShape, file, name, await entryBytes(entry));
    await reader.keys?.(keys);
  } else if (name === "schema.json") {
    const schema = shaped(SchemaShape, file, name, await entryBytes(entry));
    await reader.schema?.(schema as Schema);
  } else if (name.startsWith("files/")) await reader.file?.(name.slice("files/".length), size, chunks);
  else if (name.startsWith("tables/") && reader.part) {
    await reader.part({ table: name.split("/")[1]!, location, packed: await entryBytes(entry) });
  }
}

function complete(path: string, head: Head | null, manifest: Manifest | null): Manifest {
  if (head && manifest && head.id === manifest.head.id) return manifest;
  throw new UserError(`${path} is not complete.`);
}

async function readHead(file: string, entry: ContainerEntry): Promise<Head> {
  const { format, ...head } = shaped(HeadShape, file, "head.json", await entryBytes(entry));
  if (format !== 1) throw new UserError(`${file} was created by a newer version of Postroom (format ${format}).`);
  return { format, ...head };
}

/** Thrown when decryption fails because the bytes are not those that were written. */
class Broken extends Error {
  override readonly name = "Broken";
}

/**
 * Returns the same stream, but failures of the decryption become `Broken`.
 * @param step receives the size of each chunk
 */
function watched(plain: ReadableStream<Uint8Array>, step: (bytes: number) => void): ReadableStream<Uint8Array> {
  const reader = plain.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((cause) => {
          // A file that cannot be read is not necessarily damaged.
          if (cause instanceof UserError || typeof (cause as NodeJS.ErrnoException).errno === "number") throw cause;
          throw new Broken("The decryption failed.", { cause });
        });
        if (done) return controller.close();
        step(value.length);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function locationOf(name: string): string {
  const [root, table, part] = name.split("/");
  if (root === "tables") return `part ${Number.parseInt(part ?? "", 10)} of table ${table}`;
  return root === "files" ? `the file ${name.slice("files/".length)}` : name;
}

async function readHeader({ path, bytes }: BackupSource, reader: SourceReader): Promise<Uint8Array> {
  return headerOf(path, await reader.read(0, Math.min(bytes, LONGEST_HEADER_BYTES)));
}

/** Returns the age header at the beginning of some bytes. @throws UserError if there is none */
export function headerOf(path: string, start: Uint8Array): Uint8Array {
  const text = Buffer.from(start.subarray(0, LONGEST_HEADER_BYTES)).toString("latin1");
  const end = HEADER_END.exec(text);
  if (!text.startsWith("age-encryption.org/v1\n") || !end) {
    throw new UserError(`${path} is not a Postroom backup, or its beginning is damaged.`);
  }
  return start.slice(0, end.index + end[0].length);
}
