import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { readFully } from "./database-file.ts";
import {
  type Checksum,
  FRAME_HEADER_BYTES,
  frameChecksum,
  frameOffset,
  HEADER_BYTES,
  parseFrameHeader,
  parseHeader,
  type WalHeader,
} from "./wal-format.ts";

/** Frames that are read at once. */
const CHUNK_FRAMES = 256;
/** Restarts while one read begins. More than one or two mean that no reader prevents them. */
const MAX_TRIES = 20;
/** A salt that grew by at most this number stands for that many restarts; otherwise it is random. */
const MAX_RESTARTS = 1_000;

/**
 * How the log relates to the frames of the previous read.
 * - `continued`: they are unchanged, and new ones follow.
 * - `restarted`: the log began again. Nothing is missed if a reader was held all the time (see `PageTracker`).
 * - `lost`: nothing is known of what happened since; always so for the first read.
 */
export type Continuity = "continued" | "restarted" | "lost";

/** Called for each transaction: its pages (maybe repeated), and the pages of the database after it. */
export type OnCommit = (pages: readonly number[], pageCount: number) => void;

/** SQLite counts frames as committed that are damaged in the file. */
export class DamagedLogError extends Error {
  constructor() {
    super("The write-ahead log of the database is damaged.");
  }
}

/**
 * Reads a write-ahead log of SQLite (postroom.db-wal) while others write it. Each read continues after the last
 * transaction of the previous one. The file has no locks, so it may be opened and closed.
 */
export class Wal {
  readonly #path: string;
  #fd: number | null = null;
  /** The header under which `#frame` was read; null while the log is empty. */
  #header: WalHeader | null = null;
  #frame = 0;
  #checksum: Checksum = [0, 0];
  #pageCount = 0;
  /** Whether nothing is known of the log. */
  #lost = true;
  /** The newest frame of each page. */
  readonly #frames = new Map<number, number>();
  #chunk = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /** The last frame that was read, which is the last of a transaction; 0 if the log is empty. */
  get frame(): number {
    return this.#frame;
  }

  /** Pages of the database after the last transaction that was read; 0 if the log is empty. */
  get pageCount(): number {
    return this.#pageCount;
  }

  /**
   * Reads complete transactions that follow those of the previous read, or all of a log that began again.
   * @param committed returns the number of frames that SQLite counts as committed. What follows in the file may be of a
   * process that died before its transaction counted, and will then be overwritten. Absent: reads all valid frames.
   * @throws DamagedLogError if fewer frames than `committed` are valid
   */
  read(onCommit: OnCommit, committed: () => number = () => Number.POSITIVE_INFINITY): Continuity {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const header = this.#readHeader();
      const limit = committed();
      // Otherwise the number may be of the log before a restart and the header of the one after it, or the reverse.
      if (!isSame(header, this.#readHeader())) continue;
      const continuity = this.#continuity(header, limit);
      if (continuity === "lost" && !isSame(header, this.#readHeader())) continue;
      // Stays true if the read fails: the caller has then missed transactions.
      this.#lost = true;
      if (continuity !== "continued") this.#begin(limit === 0 ? null : header);
      this.#readFrames(limit, onCommit);
      if (Number.isFinite(limit) && this.#frame < limit) throw new DamagedLogError();
      this.#lost = false;
      return continuity;
    }
    throw new Error("The write-ahead log of the database restarts too often to be read.");
  }

  /** Whether the next read finds everything lost: before the first, after `forget`, and if the last one failed. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Forgets what was read. */
  forget(): void {
    this.#begin(null);
    this.#lost = true;
  }

  /** Returns whether a frame that was read has this page. */
  has(page: number): boolean {
    return this.#frames.has(page);
  }

  /**
   * Reads the newest content of a page that `has` found. The content is valid if `isUnchanged` afterwards.
   * @returns false if the file ends before
   */
  readPage(page: number, target: Uint8Array): boolean {
    const frame = this.#frames.get(page);
    if (frame === undefined || this.#fd === null || this.#header === null) return false;
    const offset = frameOffset(frame, this.#header.pageSize) + FRAME_HEADER_BYTES;
    return readFully(this.#fd, target, offset) === target.length;
  }

  /**
   * Returns whether the log has not restarted since the last read. A restarted log is written from its beginning, the
   * header first, so that content which was read before this call is not from a newer frame.
   */
  isUnchanged(): boolean {
    return isSame(this.#header, this.#readHeader());
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #begin(header: WalHeader | null): void {
    this.#header = header;
    this.#frame = 0;
    this.#checksum = header?.checksum ?? [0, 0];
    this.#pageCount = 0;
    this.#frames.clear();
  }

  #continuity(header: WalHeader | null, limit: number): Continuity {
    if (this.#lost) return "lost";
    const before = this.#header;
    // SQLite counts a log as empty before its file begins again.
    if (before === null) return header === null || limit === 0 ? "continued" : "restarted";
    if (header === null || limit === 0) return "restarted";
    if (isSame(before, header)) return limit >= this.#frame && this.#isFrameUnchanged() ? "continued" : "lost";
    const restarts = (header.salt1 - before.salt1) >>> 0;
    // While a reader is held, the log restarts once. Several restarts mean that the reader did not prevent them.
    return restarts > 1 && restarts <= MAX_RESTARTS ? "lost" : "restarted";
  }

  /** Returns whether the last frame that was read is in the file. Its checksum depends on all frames before it. */
  #isFrameUnchanged(): boolean {
    if (this.#frame === 0) return true;
    const bytes = Buffer.alloc(FRAME_HEADER_BYTES);
    const { pageSize, salt1, salt2 } = this.#header!;
    if (readFully(this.#fd!, bytes, frameOffset(this.#frame, pageSize)) < bytes.length) return false;
    const found = parseFrameHeader(bytes, 0);
    return found.salt1 === salt1 && found.salt2 === salt2 && isEqual(found.checksum, this.#checksum);
  }

  /** Reads up to the last commit among the first `limit` frames, or to the first frame that is not of this log. */
  #readFrames(limit: number, onCommit: OnCommit): void {
    const header = this.#header;
    if (header === null) return;
    const frameBytes = FRAME_HEADER_BYTES + header.pageSize;
    let frame = this.#frame;
    let checksum = this.#checksum;
    let pages: number[] = [];
    while (frame < limit) {
      const chunk = this.#buffer(Math.min(CHUNK_FRAMES, limit - frame) * frameBytes);
      const got = readFully(this.#fd!, chunk, frameOffset(frame + 1, header.pageSize));
      for (let offset = 0; offset + frameBytes <= got; offset += frameBytes) {
        const found = parseFrameHeader(chunk, offset);
        if (found.salt1 !== header.salt1 || found.salt2 !== header.salt2 || found.page === 0) return;
        checksum = frameChecksum(checksum, chunk, offset, header);
        if (!isEqual(checksum, found.checksum)) return;
        frame++;
        pages.push(found.page);
        if (found.commit === 0) continue;
        for (let i = 0; i < pages.length; i++) this.#frames.set(pages[i]!, frame - pages.length + 1 + i);
        this.#frame = frame;
        this.#checksum = checksum;
        this.#pageCount = found.commit;
        onCommit(pages, found.commit);
        pages = [];
      }
      if (got < chunk.length) return;
    }
  }

  #buffer(length: number): Buffer {
    if (this.#chunk.length < length) this.#chunk = Buffer.alloc(length);
    return this.#chunk.subarray(0, length);
  }

  #readHeader(): WalHeader | null {
    this.#open();
    if (this.#fd === null) return null;
    const bytes = Buffer.alloc(HEADER_BYTES);
    return readFully(this.#fd, bytes, 0) < HEADER_BYTES ? null : parseHeader(bytes);
  }

  /** Opens the file that has the path now: SQLite removes the log when the last connection is closed. */
  #open(): void {
    const now = statSync(this.#path, { throwIfNoEntry: false });
    if (this.#fd !== null) {
      const open = fstatSync(this.#fd);
      if (now?.ino === open.ino && now.dev === open.dev) return;
      this.close();
      this.#lost = true;
    }
    if (now) this.#fd = openSync(this.#path, "r");
  }
}

const isEqual = (a: Checksum, b: Checksum) => a[0] === b[0] && a[1] === b[1];

/** Returns whether two headers are of the same log, between two restarts. */
function isSame(a: WalHeader | null, b: WalHeader | null): boolean {
  if (a === null || b === null) return a === b;
  return a.salt1 === b.salt1 && a.salt2 === b.salt2 && isEqual(a.checksum, b.checksum);
}
