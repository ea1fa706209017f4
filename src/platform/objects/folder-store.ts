import type { Clock } from "../../kernel/clock.ts";
import { headFile, partialOf, putFile, requireMoved, tagOf } from "./files.ts";
import { FolderFiles } from "./folder-files.ts";
import type { ObjectInfo, ObjectStore, PutCondition, UploadProgress, UploadSource } from "./store.ts";

const PIECE_BYTES = 4 * 1024 * 1024;

/** Objects as files of a folder, in the same layout as in a bucket. */
export class FolderStore implements ObjectStore {
  readonly #files: FolderFiles;

  /** @param place absolute path of a folder that exists */
  constructor(
    readonly place: string,
    private readonly clock: Clock,
  ) {
    this.#files = new FolderFiles(place);
  }

  async get(key: string, maxBytes: number): Promise<{ bytes: Uint8Array; etag: string } | null> {
    const bytes = await this.#files.readWhole(key, maxBytes);
    return bytes && { bytes, etag: tagOf(bytes) };
  }

  read(key: string, at: number, length: number): Promise<Uint8Array> {
    return this.#files.read(key, at, length);
  }

  head(key: string): Promise<ObjectInfo | null> {
    return headFile(this.#files, key);
  }

  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<string> {
    return putFile(this.#files, { key, bytes, condition, clock: this.clock, writers: [] });
  }

  async upload(key: string, source: UploadSource, { signal }: UploadProgress): Promise<void> {
    const partial = partialOf(key);
    await this.#files.fill(partial, async (handle) => {
      for (let at = 0; at < source.bytes; ) {
        signal?.throwIfAborted();
        const piece = await source.read(at, Math.min(PIECE_BYTES, source.bytes - at));
        await handle.writeFile(piece);
        at += piece.length;
      }
    });
    await requireMoved(this.#files, partial, key);
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    for (const name of (await this.#files.names(prefix)) ?? []) {
      // What a killed process left is listed too, so that it can be deleted.
      const found = await this.head(`${prefix}${name}`);
      if (found) yield found;
    }
  }

  async delete(key: string): Promise<"deleted" | "kept"> {
    return (await this.#files.remove(key)) ? "deleted" : "kept";
  }

  close(): void {}
}
