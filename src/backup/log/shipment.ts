import { hashPage, type PageMap } from "../../platform/pages/page-map.ts";
import { PageSet } from "../../platform/pages/page-set.ts";
import { LostSnapshotError, type PageTracker } from "../../platform/pages/page-tracker.ts";
import type { DataFile } from "../data-files.ts";
import type { KnownFile } from "./checkpoint.ts";
import { ContentBuilder, READ_BYTES } from "./content.ts";
import type { FileChanges } from "./file-records.ts";
import { fileRecords } from "./file-records.ts";
import { PACK_BYTES, type PackUploader } from "./pack-uploader.ts";

const MOST_ROUNDS = 3;

export interface ShipmentParts {
  tracker: PageTracker;
  uploader: PackUploader;
  data_dir: string;
  /** Gets the hashes of the pages that were sent. */
  map: PageMap;
  /** Pages to send. */
  pages: PageSet;
  files: DataFile[];
  /** Awaited before each read; the tracker must not be read while it compares. */
  gate(): Promise<void>;
}

/**
 * The first parts of a base or of a large change. They are read at many states, while the database is written: no
 * snapshot is held during an upload, so the log of SQLite stays small. What changes in that time is sent again in
 * further rounds, until little is left, which is then read at one state and completes the segment.
 */
export class Shipment {
  /** Pages whose content in the packs is missing or old. The caller adds those that change. */
  readonly rest: PageSet;
  /** Files that are in the packs. */
  readonly files = new Map<string, KnownFile>();
  readonly #files: DataFile[];
  readonly #builder = new ContentBuilder(null);
  #rounds = 0;
  #running: Promise<void> | null = null;
  #ready = false;
  #done = 0;
  #total: number;

  constructor(readonly parts: ShipmentParts) {
    this.rest = parts.pages;
    const bytes = parts.files.reduce((sum, { size }) => sum + size, 0);
    // Few small files are sent with the last part.
    this.#files = bytes > PACK_BYTES ? [...parts.files] : [];
    this.#total = bytes + this.rest.size * parts.tracker.pageSize;
  }

  /** Whether so little is left that it can be read at once, or no further round would help. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Bytes that were read, and an estimate of all. */
  get progress(): { done: number; total: number } {
    return { done: Math.min(this.#done, this.#total), total: this.#total };
  }

  /** Resolves when the current run has ended, in any way. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** Begins or continues to send. @param failed called if a request fails; call `run` again then */
  run(failed: (error: unknown) => void): void {
    if (this.#ready || this.#running) return;
    this.#running = this.#run()
      .catch(failed)
      .finally(() => {
        this.#running = null;
      });
  }

  async #run(): Promise<void> {
    const { uploader } = this.parts;
    await uploader.drain();
    await this.#sendFiles();
    while (this.#restBytes > PACK_BYTES && this.#rounds < MOST_ROUNDS) {
      await this.#sendPages();
      this.#rounds++;
    }
    await uploader.drain();
    this.#ready = true;
  }

  async #sendFiles(): Promise<void> {
    const { uploader, data_dir } = this.parts;
    for (let file = this.#files[0]; file; file = this.#files[0]) {
      for await (const record of fileRecords(data_dir, file, (known) => this.files.set(known.path, known))) {
        this.#builder.add(record);
        for (const content of this.#builder.full()) await uploader.put(content.load());
      }
      this.#done += file.size;
      this.#files.shift();
    }
    for (const content of this.#builder.end()) await uploader.put(content.load());
  }

  /** Sends each page that is in the rest now, once. */
  async #sendPages(): Promise<void> {
    const { tracker, uploader, gate, map } = this.parts;
    const round = new PageSet();
    round.union(this.rest);
    const most = Math.max(1, Math.floor(READ_BYTES / tracker.pageSize));
    while (round.size > 0) {
      await gate();
      const numbers = round.take(most).filter((page) => page <= tracker.pageCount);
      if (numbers.length === 0) continue;
      const content = this.#read(numbers);
      if (!content) continue;
      if (map.pageCount < tracker.pageCount) map.resize(tracker.pageCount);
      for (const [i, page] of numbers.entries()) {
        map.set(page, hashPage(content.subarray(i * tracker.pageSize, (i + 1) * tracker.pageSize)));
        this.rest.delete(page);
      }
      this.#done += content.length;
      this.#builder.add({ kind: "pages", numbers, pages: content });
      for (const pack of this.#builder.full()) await uploader.put(pack.load());
    }
    for (const pack of this.#builder.end()) await uploader.put(pack.load());
  }

  /** @returns null if the snapshot was lost; the pages stay in the rest */
  #read(numbers: readonly number[]): Uint8Array | null {
    try {
      return this.parts.tracker.read(numbers);
    } catch (error) {
      if (error instanceof LostSnapshotError) return null;
      throw error;
    }
  }

  get #restBytes(): number {
    return this.rest.size * this.parts.tracker.pageSize;
  }
}

/**
 * Returns what is left to send of the files.
 * @param listed the files that there are @param sent what a shipment has sent
 */
export function remaining(
  listed: readonly DataFile[],
  changes: FileChanges,
  sent: ReadonlyMap<string, KnownFile>,
): FileChanges {
  const wanted = new Set(changes.put.map(({ path }) => path));
  const put = listed.filter(({ path, size, mtimeMs }) => {
    const known = sent.get(path);
    if (!known) return wanted.has(path);
    return known.size !== size || known.mtimeMs !== mtimeMs;
  });
  const paths = new Set(listed.map(({ path }) => path));
  const gone = [...sent.keys()].filter((path) => !paths.has(path));
  return { put, deleted: [...new Set([...changes.deleted, ...gone])] };
}
