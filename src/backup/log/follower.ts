import { join } from "node:path";
import { PageMap } from "../../platform/pages/page-map.ts";
import { LogApplier } from "./apply.ts";
import { LogFault } from "./faults.ts";
import { FolderTarget, PAGES_FILE } from "./folder-target.ts";
import type { LogPosition, Until } from "./history.ts";
import { type LogReader, olderPrimary } from "./reader.ts";

export interface FollowerOptions {
  /** Folder for the copy: missing, empty, or of an earlier follower. */
  folder: string;
  reader: LogReader;
  /** Called after each segment with the bytes that were read so far, and before each with its size. */
  progress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** What one pass applied. */
export interface Followed {
  position: LogPosition;
  segments: number;
  bytes: number;
}

const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Keeps a folder at the state of a log. Killed at any moment, it continues where it was. */
export class LogFollower {
  readonly #applier: LogApplier;

  private constructor(
    private readonly options: FollowerOptions,
    private readonly target: FolderTarget,
  ) {
    this.#applier = new LogApplier(target, target.map, () => target.exactFrom);
  }

  static async open(options: FollowerOptions): Promise<LogFollower> {
    const { folder, reader } = options;
    return new LogFollower(options, await FolderTarget.open(folder, reader.keys.logId, breathe));
  }

  get folder(): string {
    return this.options.folder;
  }

  get reader(): LogReader {
    return this.options.reader;
  }

  /** The state that the folder has; null: none yet. */
  get position(): LogPosition | null {
    return this.target.position;
  }

  /** The pages of that state. */
  get map(): PageMap | null {
    return this.#applier.map;
  }

  /**
   * Reads the newest state, and applies what leads to it.
   * @param until a time only in a new folder @throws LogFault, UserError; the folder keeps the last whole state
   */
  async advance(until: Until = "newest"): Promise<Followed> {
    const { reader, progress, signal } = this.options;
    await reader.refresh();
    // An older history would lead back to an older base.
    if (this.position && reader.history.part.head!.token < this.position.token) throw olderPrimary(reader.store);
    let segments = 0;
    let bytes = 0;
    for await (const segment of reader.segments(this.position, until)) {
      signal?.throwIfAborted();
      progress?.(bytes, bytes + segment.bytes);
      await this.#applier.apply(segment);
      segments++;
      bytes += segment.bytes;
      progress?.(bytes, bytes);
    }
    const { position } = this;
    if (!position) throw new Error("A log without segments.");
    return { position, segments, bytes };
  }

  /** Reads the pages back, and compares them with the state. @throws LogFault if the disk has something else */
  async verify(): Promise<void> {
    const { map, position } = this;
    if (!map || !position) throw new Error("There is nothing to verify.");
    const read = await PageMap.ofFile(join(this.folder, PAGES_FILE), map.pageSize, breathe);
    if (read.state === position.state) return;
    throw new LogFault("damaged", `The copy in ${this.folder} differs from what was written to it. Check the disk.`);
  }

  close(): void {
    this.target.close();
  }
}
