import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashPage, type PageMap } from "../../platform/pages/page-map.ts";
import type { PageSet } from "../../platform/pages/page-set.ts";
import type { PageTracker } from "../../platform/pages/page-tracker.ts";
import { LOCAL_FOLDER, writeAtomically } from "./local-files.ts";
import type { LogKeys } from "./log-keys.ts";
import { PACK_BYTES } from "./pack-uploader.ts";
import { encodeRecord, type LogRecord } from "./records.ts";

/** Content of one moment that is kept in memory; what is more is on the disk, sealed, until it is sent. */
const MEMORY_BYTES = 32 * 1024 * 1024;
/** Pages of one record; four of them, with their numbers, fill a pack. */
export const READ_BYTES = PACK_BYTES / 4 - 64 * 1024;
const SPOOLED = /^spool-/;

/** Records of one pack. */
export interface Content {
  bytes: number;
  load(): Uint8Array;
  release(): void;
}

/** Keeps content on the disk for as long as this process needs it. */
export class Spool {
  readonly #folder: string;

  constructor(
    data_dir: string,
    private readonly keys: LogKeys,
  ) {
    this.#folder = join(data_dir, LOCAL_FOLDER);
  }

  /** Deletes what an earlier process left. */
  clear(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#folder)) if (SPOOLED.test(name)) rmSync(join(this.#folder, name));
  }

  put(content: Uint8Array): Content {
    const path = join(this.#folder, `spool-${randomBytes(8).toString("hex")}`);
    writeAtomically(path, this.keys.sealLocal(content));
    return {
      bytes: content.length,
      load: () => {
        const bytes = this.keys.openLocal(readFileSync(path));
        if (!bytes) throw new Error("A file that waits to be sent is damaged.");
        return bytes;
      },
      release: () => rmSync(path, { force: true }),
    };
  }
}

/** Divides records into packs. */
export class ContentBuilder {
  readonly #contents: Content[] = [];
  #records: Uint8Array[] = [];
  #bytes = 0;
  #inMemory = 0;

  constructor(private readonly spool: Spool | null) {}

  add(record: LogRecord): void {
    const bytes = encodeRecord(record);
    if (this.#bytes > 0 && this.#bytes + bytes.length > PACK_BYTES) this.#close();
    this.#records.push(bytes);
    this.#bytes += bytes.length;
  }

  /** Returns the packs that are full, once. */
  full(): Content[] {
    return this.#contents.splice(0);
  }

  /** Returns all packs that were not returned yet. */
  end(): Content[] {
    if (this.#bytes > 0) this.#close();
    return this.full();
  }

  #close(): void {
    const content = Buffer.concat(this.#records);
    this.#records = [];
    this.#bytes = 0;
    const isSpooled = this.spool !== null && this.#inMemory + content.length > MEMORY_BYTES;
    if (!isSpooled) this.#inMemory += content.length;
    this.#contents.push(isSpooled ? this.spool.put(content) : inMemory(content));
  }
}

function inMemory(content: Uint8Array): Content {
  return { bytes: content.length, load: () => content, release: () => {} };
}

/** Pages that were read at one state, and their hashes for the map. */
export interface CutPages {
  contents: Content[];
  hashes: [page: number, hash: bigint][];
}

/**
 * Reads pages at the current snapshot of a tracker.
 * @param known pages with the same content as in this map are left out
 * @throws LostSnapshotError
 */
export function cutPages(tracker: PageTracker, pages: PageSet, known: PageMap | null, spool: Spool): CutPages {
  const builder = new ContentBuilder(spool);
  const hashes: CutPages["hashes"] = [];
  for (const { numbers, content } of readPages(tracker, pages)) {
    const kept: number[] = [];
    const parts: Uint8Array[] = [];
    for (const [i, number] of numbers.entries()) {
      const page = content.subarray(i * tracker.pageSize, (i + 1) * tracker.pageSize);
      const hash = hashPage(page);
      if (known?.get(number) === hash) continue;
      kept.push(number);
      parts.push(page);
      hashes.push([number, hash]);
    }
    if (kept.length > 0) builder.add({ kind: "pages", numbers: kept, pages: Buffer.concat(parts) });
  }
  return { contents: builder.end(), hashes };
}

function* readPages(tracker: PageTracker, pages: PageSet): Iterable<{ numbers: number[]; content: Uint8Array }> {
  const most = Math.max(1, Math.floor(READ_BYTES / tracker.pageSize));
  let numbers: number[] = [];
  for (const page of pages) {
    if (page > tracker.pageCount) break;
    numbers.push(page);
    if (numbers.length < most) continue;
    yield { numbers, content: tracker.read(numbers) };
    numbers = [];
  }
  if (numbers.length > 0) yield { numbers, content: tracker.read(numbers) };
}
