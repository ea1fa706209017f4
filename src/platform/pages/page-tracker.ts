import { openForever, readFully } from "./database-file.ts";
import type { PageMap } from "./page-map.ts";
import { PageSet } from "./page-set.ts";
import { TrackerConnections } from "./tracker-connections.ts";
import { Wal } from "./wal.ts";

/** Pages that `compare` reads between two rests: 4 MiB of a database of 4 KiB pages. */
const COMPARED_PAGES = 1024;
/** Frames from which `settle` lets the log restart. */
const SETTLED_FRAMES = 1_000;
/**
 * Frames from which `settle` delays writers for it: fewer than those at which commits checkpoint, which would delay
 * writers each time (`CHECKPOINT_PAGES` of `open.ts`).
 */
const LONG_LOG_FRAMES = 3_000;
/** Frames that are moved while writers wait, if possible: the others are moved before, in some rounds. */
const FEW_FRAMES = 200;
const MAX_ROUNDS = 2;

/** What `advance` found. */
export interface Advance {
  /** Whether there were transactions since the previous call. */
  changed: boolean;
  /**
   * Whether changes may have been missed, as always in the first call: `dirty` is complete only after `compare`. It is
   * reported once, and again if `compare` fails.
   */
  gap: boolean;
}

/** The log restarted although a reader was held, so the pages are not those of one state. The next `advance` has a gap. */
export class LostSnapshotError extends Error {
  constructor() {
    super("The database changed while its pages were read.");
  }
}

/**
 * Tells which pages of a database change, and reads them, while other threads and processes write it. Its current
 * snapshot is one committed state; only `advance`, `settle` and, between its steps, `compare` move it on.
 *
 * A read transaction is always held at or before the snapshot, and the next one begins before it ends. This is why no
 * change is missed. If the transaction has a mark in the log, the log cannot restart. If it reads only the database file
 * because everything was checkpointed, then no checkpoint can run: transactions that follow in the log stay there, and a
 * log that restarts contains only transactions after the snapshot.
 *
 * While the snapshot stays, the log grows. Call `advance` and then `settle` every second, also while nothing is copied.
 * Both block their thread, `settle` for up to about a second if the disk is busy.
 */
export class PageTracker {
  /** Pages that changed since they were removed from the set. The caller removes what it copied. */
  readonly dirty = new PageSet();
  readonly pageSize: number;
  readonly #file: number;
  readonly #wal: Wal;
  readonly #connections: TrackerConnections;
  #pageCount = 0;
  #changed = false;
  #gap = false;
  #gaps = 0;
  /** Frames that were not in the database file when the current read transaction had begun. If 0, the log may restart. */
  #waiting = 0;
  #held = false;
  #closed = false;

  private constructor(path: string) {
    this.#file = openForever(path);
    this.#wal = new Wal(`${path}-wal`);
    this.#connections = new TrackerConnections(path);
    this.pageSize = this.#connections.pageSize;
  }

  /**
   * Opens a database in WAL mode. The first snapshot is its state now.
   * @throws Error if the database is not in WAL mode
   */
  static open(path: string): PageTracker {
    const tracker = new PageTracker(path);
    try {
      tracker.#move();
    } catch (error) {
      tracker.close();
      throw error;
    }
    return tracker;
  }

  /** Pages of the database at the current snapshot. */
  get pageCount(): number {
    return this.#pageCount;
  }

  /** Frames of the write-ahead log at the current snapshot. */
  get logFrames(): number {
    return this.#wal.frame;
  }

  /**
   * Moves the snapshot to the newest committed state, and adds the pages that changed to `dirty`. Pages beyond the end
   * of the database leave `dirty`. Takes about 0.1 ms if nothing changed.
   * @throws DamagedLogError if the log is damaged, and errors of SQLite. Call it again later.
   */
  advance(): Advance {
    this.#move();
    const found = { changed: this.#changed, gap: this.#gap };
    this.#changed = false;
    this.#gap = false;
    return found;
  }

  /**
   * Makes `dirty` the pages whose content differs from `map`, which may have another number of pages. The snapshot moves
   * on between steps of 4 MiB, and `dirty` is complete for the snapshot at the end. The map must not change meanwhile.
   * @param rest awaited between steps; it may call `settle`
   * @returns the number of pages that differed when they were compared
   */
  async compare(map: PageMap, rest: () => Promise<void>): Promise<number> {
    if (map.pageSize !== this.pageSize) throw new Error(`The map is of pages of ${map.pageSize} bytes.`);
    const content = Buffer.alloc(COMPARED_PAGES * this.pageSize);
    let gaps = this.#gaps;
    let different = 0;
    this.#gap = true;
    for (let first = 1; first <= this.#pageCount; first += COMPARED_PAGES) {
      const count = Math.min(COMPARED_PAGES, this.#pageCount - first + 1);
      const pages = Array.from({ length: count }, (_, i) => first + i);
      this.read(pages, content);
      for (const [i, page] of pages.entries()) {
        if (map.matches(page, this.#pageIn(content, i))) {
          this.dirty.delete(page);
        } else {
          this.dirty.add(page);
          different++;
        }
      }
      await rest();
      this.#move();
      if (this.#gaps === gaps) continue;
      // Pages that were compared may have changed.
      gaps = this.#gaps;
      different = 0;
      first = 1 - COMPARED_PAGES;
    }
    this.#gap = false;
    return different;
  }

  /**
   * Reads pages at the current snapshot.
   * @param numbers page numbers; fastest in ascending order
   * @param target where to; absent: a new buffer
   * @returns the content of the pages one after another
   * @throws RangeError for a page beyond the end
   * @throws LostSnapshotError
   */
  read(numbers: readonly number[], target?: Buffer): Buffer {
    if (!this.#held) throw new LostSnapshotError();
    const content = target?.subarray(0, numbers.length * this.pageSize) ?? Buffer.alloc(numbers.length * this.pageSize);
    const inLog: number[] = [];
    const inFile: number[] = [];
    for (const [i, page] of numbers.entries()) {
      if (page < 1 || page > this.#pageCount)
        throw new RangeError(`Page ${page} is not among ${this.#pageCount} pages.`);
      (this.#wal.has(page) ? inLog : inFile).push(i);
    }
    this.#readFile(numbers, inFile, content);
    if (inLog.length === 0) return content;
    for (const i of inLog) this.#wal.readPage(numbers[i]!, this.#pageIn(content, i));
    if (this.#wal.isUnchanged()) return content;
    // The log restarted, so all pages that it had are in the file, and no checkpoint changes them while we read.
    if (this.#waiting > 0) {
      this.#release();
      throw new LostSnapshotError();
    }
    this.#readFile(numbers, inLog, content);
    return content;
  }

  /**
   * Moves a log of 4 MB or more into the database file so that it restarts with the next transaction. If writers never
   * pause, they wait while the rest of a long log is moved. The snapshot advances; call it after each `advance`.
   */
  settle(): void {
    if (this.#wal.frame < SETTLED_FRAMES || this.#waiting === 0) return;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.#connections.checkpoint();
      this.#move();
      if (this.#waiting === 0 || this.#wal.frame < LONG_LOG_FRAMES) return;
      if (this.#waiting < FEW_FRAMES) break;
    }
    this.#connections.whileNoOneWrites(() => {
      // Each read transaction keeps the frames after its own mark out of the database file.
      this.#move();
      this.#connections.checkpoint();
      this.#move();
    });
  }

  /**
   * Ends the read transaction. Changes that follow are not tracked. One descriptor of the database stays open until the
   * process ends.
   */
  close(): void {
    this.#held = false;
    if (this.#closed) return;
    this.#closed = true;
    this.#connections.close();
    this.#wal.close();
  }

  #move(): void {
    try {
      this.#connections.next(() => this.#note());
      this.#held = true;
    } catch (error) {
      // While a transaction is held, a damaged log could not restart.
      if (this.#wal.isLost) this.#release();
      throw error;
    }
  }

  /** Notes what follows the snapshot. A read transaction began after the one of the snapshot, and both are held. */
  #note(): void {
    let inLog = { frames: 0, checkpointed: 0 };
    const commits: { pages: readonly number[]; pageCount: number }[] = [];
    const continuity = this.#wal.read(
      (pages, pageCount) => commits.push({ pages, pageCount }),
      () => {
        inLog = this.#connections.logState();
        return inLog.frames;
      },
    );
    const gap = continuity === "lost" || (continuity === "restarted" && this.#waiting > 0);
    if (gap) {
      this.#gap = true;
      this.#gaps++;
      // `compare` finds new pages. Without frames, the transaction that began last has the same state.
      this.#resize(commits.at(-1)?.pageCount ?? this.#connections.pageCount);
    }
    for (const { pages, pageCount } of commits) {
      if (!gap) {
        // New pages may be in no frame: SQLite does not write those that it does not use.
        this.dirty.addRange(this.#pageCount + 1, pageCount);
        this.#resize(pageCount);
      }
      for (const page of pages) if (page <= this.#pageCount) this.dirty.add(page);
    }
    if (gap || commits.length > 0) this.#changed = true;
    this.#waiting = inLog.frames - inLog.checkpointed;
  }

  #resize(pageCount: number): void {
    if (pageCount < this.#pageCount) this.dirty.deleteAfter(pageCount);
    this.#pageCount = pageCount;
  }

  #release(): void {
    this.#held = false;
    this.#wal.forget();
    this.#connections.release();
  }

  /** Reads those of `numbers` at these indexes from the database file, neighbors together. */
  #readFile(numbers: readonly number[], indexes: readonly number[], content: Buffer): void {
    for (let i = 0; i < indexes.length; ) {
      const start = indexes[i]!;
      const first = numbers[start]!;
      let count = 1;
      while (indexes[i + count] === start + count && numbers[start + count] === first + count) count++;
      const target = content.subarray(start * this.pageSize, (start + count) * this.pageSize);
      const got = readFully(this.#file, target, (first - 1) * this.pageSize);
      // Pages at the end that SQLite has not written.
      target.fill(0, got);
      i += count;
    }
  }

  #pageIn(content: Buffer, index: number): Buffer {
    return content.subarray(index * this.pageSize, (index + 1) * this.pageSize);
  }
}
