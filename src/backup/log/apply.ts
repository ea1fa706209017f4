import { UserError } from "../../kernel/errors.ts";
import { PageMap } from "../../platform/pages/page-map.ts";
import { isDataPath } from "../data-files.ts";
import { LogFault } from "./faults.ts";
import type { OpenedSegment } from "./history.ts";
import type { StoredFile } from "./records.ts";

/** Receives the content of segments. */
export interface LogTarget {
  begin(segment: OpenedSegment): void | Promise<void>;
  /** Contiguous pages from number `first`. */
  pages(first: number, content: Uint8Array): void;
  /** The next bytes of a file. At 0, the file begins, or begins again. */
  piece(path: string, offset: number, bytes: Uint8Array): void;
  /** A file whose pieces were verified. */
  file(file: StoredFile): void | Promise<void>;
  deleted(path: string): void;
  /** The segment is complete. @param files of a base: all files that there are */
  end(segment: OpenedSegment, files: ReadonlySet<string> | null): void | Promise<void>;
}

/**
 * A database grows page by page, and a base sends few pages later than those after them. Larger gaps are not from
 * Postroom: the file would have any size.
 */
const MOST_GAP = 65_536;

/**
 * Applies segments to a target, and verifies each file by its hash and the database by its state hash.
 */
export class LogApplier {
  #map: PageMap | null;
  /** The highest number that a page can have now. */
  #room = 0;
  readonly #open = new Map<string, { hasher: Bun.CryptoHasher; bytes: number }>();

  /**
   * @param map of the pages that the target has; null: none
   * @param exactFrom returns the number of the segment from which the state hash must be right. Before it, a target
   *   that was interrupted may have pages of a later state, which the following segments write again.
   */
  constructor(
    private readonly target: LogTarget,
    map: PageMap | null,
    private readonly exactFrom: () => number = () => 0,
  ) {
    this.#map = map;
  }

  /** The pages that the target has. */
  get map(): PageMap | null {
    return this.#map;
  }

  /** @throws LogFault, UserError */
  async apply(segment: OpenedSegment): Promise<void> {
    const { manifest, name } = segment;
    const { pageSize, pageCount, seq, level } = manifest;
    if (this.#map?.pageSize !== pageSize) {
      if (level !== "base") throw new LogFault("replaced", `${name} has pages of another size.`);
      this.#map = new PageMap(pageSize);
    }
    const map = this.#map!;
    const files = level === "base" ? new Set<string>() : null;
    this.#open.clear();
    this.#room = map.pageCount + MOST_GAP;
    await this.target.begin(segment);
    for await (const record of segment.records()) {
      switch (record.kind) {
        case "pages":
          this.#pages(name, map, record.numbers, record.pages);
          break;
        case "piece":
          this.#piece(name, record.path, record.offset, record.bytes);
          break;
        case "file":
          await this.#file(name, record.file);
          files?.add(record.file.path);
          break;
        case "deleted":
          this.#requirePath(record.path);
          this.target.deleted(record.path);
          files?.delete(record.path);
      }
    }
    // Pages beyond those that there are would be a hole in the file.
    if (pageCount > map.pageCount) throw new LogFault("damaged", `${name} lacks pages.`);
    map.resize(pageCount);
    if (map.state !== manifest.state && seq >= this.exactFrom()) {
      throw new LogFault("damaged", `${name} does not lead to the state of the database that it names.`);
    }
    await this.target.end(segment, files);
  }

  #pages(name: string, map: PageMap, numbers: readonly number[], content: Uint8Array): void {
    const { pageSize } = map;
    this.#room += numbers.length;
    for (const number of numbers) {
      if (number < 1 || number > this.#room) throw new LogFault("damaged", `${name} lacks pages.`);
      if (number > map.pageCount) map.resize(number);
    }
    for (let i = 0; i < numbers.length; ) {
      let count = 1;
      while (numbers[i + count] === numbers[i]! + count) count++;
      const run = content.subarray(i * pageSize, (i + count) * pageSize);
      this.target.pages(numbers[i]!, run);
      for (let k = 0; k < count; k++) map.update(numbers[i]! + k, run.subarray(k * pageSize, (k + 1) * pageSize));
      i += count;
    }
  }

  #piece(name: string, path: string, offset: number, bytes: Uint8Array): void {
    this.#requirePath(path);
    let open = this.#open.get(path);
    // A file that changed while it was sent begins again.
    if (!open || offset === 0) {
      open = { hasher: new Bun.CryptoHasher("sha256"), bytes: 0 };
      this.#open.set(path, open);
    }
    if (offset !== open.bytes) throw new LogFault("damaged", `${name} has a file that is not complete.`);
    open.hasher.update(bytes);
    open.bytes += bytes.length;
    this.target.piece(path, offset, bytes);
  }

  async #file(name: string, file: StoredFile): Promise<void> {
    this.#requirePath(file.path);
    const open = this.#open.get(file.path) ?? { hasher: new Bun.CryptoHasher("sha256"), bytes: 0 };
    this.#open.delete(file.path);
    if (open.bytes !== file.size || open.hasher.digest("hex") !== file.sha256) {
      throw new LogFault("damaged", `${name} has a file that differs from its hash.`);
    }
    await this.target.file(file);
  }

  #requirePath(path: string): void {
    if (isDataPath(path)) return;
    throw new UserError("The continuous copy contains a file whose name does not belong in a data folder.");
  }
}
