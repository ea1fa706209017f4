import { createHash } from "node:crypto";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import type { DataFile } from "../data-files.ts";
import type { KnownFile } from "./checkpoint.ts";
import { type Content, ContentBuilder } from "./content.ts";
import type { LogCrypt, Segment } from "./crypt.ts";
import { type FileChanges, fileRecords } from "./file-records.ts";
import { encodeManifest, type LogManifest } from "./manifest.ts";
import { PACK_BYTES, type PackUploader } from "./pack-uploader.ts";

export interface OutgoingParts {
  store: ObjectStore;
  crypt: LogCrypt;
  segment: Segment;
  data_dir: string;
  /** May already have packs. */
  uploader: PackUploader;
  /** Pages of the state, in packs. */
  contents: Content[];
  files: FileChanges;
  /** Returns the rest of the manifest, when the segments before are in the store. */
  manifest(): Omit<LogManifest, "format" | "level" | "token" | "seq" | "attempt" | "packs">;
}

/** What is in the store of a segment that was sent. */
export interface SentSegment {
  sha256: string;
  /** Of all its objects. */
  bytes: number;
  /** Name of the object that was written first. */
  first: string;
  /** When it was written, by the clock of the store, ms; 0 except for bases. */
  firstAt: number;
  /** Files that the segment has. */
  files: KnownFile[];
}

/**
 * Sends a segment whose state was read: its packs, and the manifest last, with the content in it if that is small. If a
 * request fails, calling `send` again continues, and no object is written twice with different content.
 */
export class Outgoing {
  readonly #files: DataFile[];
  readonly #known: KnownFile[] = [];
  readonly #queue: Content[];
  readonly #builder = new ContentBuilder(null);
  #sealed: Uint8Array | null = null;

  constructor(private readonly parts: OutgoingParts) {
    this.#files = [...parts.files.put];
    this.#queue = [...parts.contents];
  }

  /** @throws StoreFault */
  async send(): Promise<SentSegment> {
    const { store, crypt, segment, uploader } = this.parts;
    const name = crypt.name(segment);
    this.#sealed ??= await this.#seal();
    await store.put(name, this.#sealed);
    const first = uploader.first ?? name;
    return {
      sha256: createHash("sha256").update(this.#sealed).digest("hex"),
      bytes: uploader.bytes + this.#sealed.length,
      first,
      firstAt: segment.level === "base" ? await timeOf(store, first) : 0,
      files: this.#known,
    };
  }

  async #seal(): Promise<Uint8Array> {
    const { crypt, segment, uploader, manifest } = this.parts;
    const content = await this.#content();
    await uploader.drain();
    const { level, token, seq } = segment;
    for (const spooled of this.#queue.splice(0)) spooled.release();
    const full: LogManifest = {
      format: 1,
      level,
      token,
      seq,
      attempt: uploader.attempt,
      packs: [...uploader.entries],
      ...manifest(),
    };
    return crypt.seal(segment, encodeManifest(full, content));
  }

  /** Sends everything but the last content, which is returned. */
  async #content(): Promise<Uint8Array> {
    const { data_dir, uploader, files } = this.parts;
    const queue = this.#queue;
    const builder = this.#builder;
    await uploader.drain();
    for (let file = this.#files[0]; file; file = this.#files[0]) {
      // After a failure, the file begins again. Its earlier pieces are then ignored.
      for await (const record of fileRecords(data_dir, file, (known) => this.#known.push(known))) {
        builder.add(record);
        queue.push(...builder.full());
        while (queue.length > 1) await this.#put();
      }
      this.#files.shift();
    }
    for (const path of files.deleted.splice(0)) builder.add({ kind: "deleted", path });
    queue.push(...builder.end());
    while (queue.length > 1 && queue.reduce((sum, { bytes }) => sum + bytes, 0) > PACK_BYTES) await this.#put();
    return Buffer.concat(queue.map((content) => content.load()));
  }

  async #put(): Promise<void> {
    const content = this.#queue.shift()!;
    const bytes = content.load();
    content.release();
    await this.parts.uploader.put(bytes);
  }
}

/** @throws StoreFault if the object is not there */
async function timeOf(store: ObjectStore, key: string): Promise<number> {
  const found = await store.head(key);
  if (found) return Math.floor(found.modifiedAt);
  throw new StoreFault("unavailable", `${store.place} lacks an object that was written to it.`);
}
