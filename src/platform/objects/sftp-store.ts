import { randomBytes } from "node:crypto";
import { headFile, partialOf, putFile, requireMoved, tagOf } from "./files.ts";
import { SftpClient, type SftpOptions } from "./sftp-client.ts";
import {
  type ObjectInfo,
  type ObjectStore,
  type PutCondition,
  StoreFault,
  type UploadProgress,
  type UploadSource,
  type UploadState,
} from "./store.ts";

const PART_BYTES = 8 * 1024 * 1024;

/** Objects as files of a folder on a server with SSH (SFTP, version 3), in the same layout as in a folder. */
export class SftpStore implements ObjectStore {
  readonly #client: SftpClient;

  /** @param options `partBytes` is for tests */
  constructor(private readonly options: SftpOptions & { partBytes?: number }) {
    this.#client = new SftpClient(options);
  }

  get place(): string {
    return this.#client.place;
  }

  async get(key: string, maxBytes: number): Promise<{ bytes: Uint8Array; etag: string } | null> {
    return this.#client.run({ action: "get" }, async (files, received) => {
      const bytes = await files.readWhole(key, maxBytes);
      received.bytes = bytes?.length ?? 0;
      return bytes && { bytes, etag: tagOf(bytes) };
    });
  }

  async read(key: string, at: number, length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    return this.#client.run({ action: "get" }, async (files, received) => {
      const bytes = await files.read(key, at, length);
      received.bytes = bytes.length;
      return bytes;
    });
  }

  async head(key: string): Promise<ObjectInfo | null> {
    return this.#client.run({ action: "head" }, (files) => headFile(files, key));
  }

  async put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<string> {
    const order = { key, bytes, condition, clock: this.options.clock, writers: [] };
    return this.#client.run({ action: "put", bytes_out: bytes.length }, (files) => putFile(files, order));
  }

  /** Each part is on the drive before it counts. A part that the server no longer has starts the upload again. */
  async upload(key: string, source: UploadSource, { resume, saved, signal }: UploadProgress): Promise<void> {
    const { partBytes = PART_BYTES } = this.options;
    let state = resume && (await this.#usable(key, resume, source.bytes)) ? structuredClone(resume) : null;
    const size = state?.partBytes ?? partBytes;
    for (let at = (state?.etags.length ?? 0) * size; at < source.bytes || !state; at += size) {
      signal?.throwIfAborted();
      const part = await source.read(at, Math.min(size, source.bytes - at));
      state = await this.#append(key, state ?? { uploadId: "", partBytes: size, etags: [] }, part, at);
      saved(state);
    }
    await this.#complete(key, state, source.bytes);
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    const found = await this.#client.run({ action: "list" }, (files) => files.entries(prefix));
    for (const { name, bytes, modifiedAt, isFolder } of found ?? []) {
      // What a killed process left is listed too, so that it can be deleted.
      if (!isFolder) yield { key: `${prefix}${name}`, bytes, etag: "", modifiedAt };
    }
  }

  async delete(key: string): Promise<"deleted" | "kept"> {
    return (await this.#client.run({ action: "delete" }, (files) => files.remove(key))) ? "deleted" : "kept";
  }

  close(): void {
    this.#client.close();
  }

  /** Returns whether the parts of an interrupted upload are there, or the object that they became. */
  async #usable(key: string, { uploadId, partBytes, etags }: UploadState, bytes: number): Promise<boolean> {
    return this.#client.run({ action: "head" }, async (files) => {
      const partial = await headFile(files, partialOf(key, uploadId));
      if (partial) return partial.bytes >= Math.min(etags.length * partBytes, bytes);
      return etags.length * partBytes >= bytes && (await headFile(files, key))?.bytes === bytes;
    });
  }

  async #append(key: string, state: UploadState, part: Uint8Array, at: number): Promise<UploadState> {
    return this.#client.run({ action: "put", bytes_out: part.length }, async (files) => {
      // Each attempt begins another file: a late request of a lost connection must not empty this one.
      const uploadId = at === 0 ? randomBytes(6).toString("hex") : state.uploadId;
      await files.write(partialOf(key, uploadId), part, at);
      return { ...state, uploadId, etags: [...state.etags, tagOf(part)] };
    });
  }

  async #complete(key: string, { uploadId }: UploadState, bytes: number): Promise<void> {
    await this.#client.run({ action: "put" }, async (files) => {
      const partial = partialOf(key, uploadId);
      const found = await headFile(files, partial);
      if (found?.bytes === bytes) return requireMoved(files, partial, key);
      // The answer to an earlier attempt may be lost.
      if (!found && (await headFile(files, key))?.bytes === bytes) return;
      throw new StoreFault("unavailable", `${this.place} has not stored an object completely.`);
    });
  }
}
