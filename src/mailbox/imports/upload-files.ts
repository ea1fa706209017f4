import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { BlobGone, readWhole } from "../../platform/blobs/sealed-file.ts";
import { SealedWriter } from "../../platform/blobs/sealed-writer.ts";
import type { Platform } from "../../platform/platform.ts";

/** Size of each part of an upload; the last one may be shorter. */
export const CHUNK_BYTES = 4 * 1024 * 1024;
/** Opened parts that a reader keeps: the directory of a zip, and the file that is being read. */
const KEPT_CHUNKS = 3;
const PARTIAL = ".part";

/** An upload whose bytes belong to a person. */
export interface UploadName {
  id: string;
  user_id: string;
}

/**
 * Stores uploaded files in parts, each sealed with its owner's key, in `cache/uploads/`. The folder is not in backups.
 * Every part is on the disk before the upload counts it, and all are deleted as soon as the import has ended.
 */
export class UploadFiles {
  readonly #root: string;

  constructor(private readonly platform: Pick<Platform, "config" | "keyring">) {
    this.#root = join(platform.config.data_dir, "cache", "uploads");
  }

  /** Returns the free bytes on the disk of the data folder. */
  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.platform.config.data_dir);
    return bavail * bsize;
  }

  /** Writes a part. It is on the disk when this resolves. Write only one part of an upload at a time. */
  async write(of: UploadName, index: number, bytes: Uint8Array): Promise<void> {
    const folder = this.#folder(of.id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${index}-${randomBytes(8).toString("hex")}${PARTIAL}`);
    const writer = new SealedWriter(path, this.#name(of, index));
    try {
      writer.write(bytes);
      writer.finish();
      await synced(path);
      renameSync(path, join(folder, String(index)));
      await synced(folder);
    } catch (error) {
      writer.abandon();
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** Opens a complete upload. Reading is synchronous, so use it in a worker thread. */
  open(of: UploadName, size: number): UploadedBytes {
    return new UploadedBytes(size, (index) => {
      try {
        return readWhole(join(this.#folder(of.id), String(index)), this.#name(of, index));
      } catch (error) {
        const gone = error instanceof BlobGone || (error as NodeJS.ErrnoException).code === "ENOENT";
        if (gone) throw new UserError("The uploaded file is no longer on this machine. Start the import again.");
        throw error;
      }
    });
  }

  /** Deletes an upload. */
  async remove(id: string): Promise<void> {
    await rm(this.#folder(id), { recursive: true, force: true });
  }

  /** Deletes uploads that no import needs any more. @param active ids of the imports that have not ended */
  async sweep(active: () => readonly string[]): Promise<number> {
    const found = this.#ids();
    // Listed after the folders: the upload of an import that begins now is then in the list.
    const needed = new Set(active());
    const left = found.filter((id) => !needed.has(id));
    for (const id of left) await this.remove(id);
    return left.length;
  }

  #ids(): string[] {
    try {
      return readdirSync(this.#root);
    } catch {
      return [];
    }
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }

  #name({ id, user_id }: UploadName, index: number) {
    return { sealer: this.platform.keyring.forUser(user_id), context: `upload:${id}:${index}` };
  }
}

/** The bytes of a complete upload. Any part can be read, with the memory of a few chunks. */
export class UploadedBytes {
  /** Opened parts, most recently used last. */
  readonly #chunks = new Map<number, Uint8Array>();

  constructor(
    readonly size: number,
    private readonly readChunk: (index: number) => Uint8Array,
  ) {}

  async read(start: number, length: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const part of this.stream(start, start + length)) parts.push(part);
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  async *stream(start = 0, end = this.size): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const index = Math.floor(at / CHUNK_BYTES);
      const from = at - index * CHUNK_BYTES;
      const part = this.#chunk(index).subarray(from, from + end - at);
      if (part.length === 0) throw new UserError("The uploaded file is incomplete. Start the import again.");
      at += part.length;
      yield part;
    }
  }

  #chunk(index: number): Uint8Array {
    const chunk = this.#chunks.get(index) ?? this.readChunk(index);
    this.#chunks.delete(index);
    this.#chunks.set(index, chunk);
    if (this.#chunks.size > KEPT_CHUNKS) this.#chunks.delete(this.#chunks.keys().next().value!);
    return chunk;
  }
}

async function synced(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, "r");
    await handle.sync();
  } finally {
    await handle?.close();
  }
}
