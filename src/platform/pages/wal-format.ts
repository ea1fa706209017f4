/** The file format of SQLite's write-ahead log (https://sqlite.org/fileformat2.html#the_write_ahead_log). */

export const HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;
/** Bytes of a frame header that its checksum covers: the page number and the size of the database. */
const CHECKED_BYTES = 8;
const MAGIC_LITTLE_ENDIAN = 0x377f_0682;
const MAGIC_BIG_ENDIAN = 0x377f_0683;
const VERSION = 3_007_000;
const MIN_PAGE_BYTES = 512;
const MAX_PAGE_BYTES = 65_536;

/** Two sums of 32 bits, which continue from frame to frame. */
export type Checksum = readonly [number, number];

export interface WalHeader {
  pageSize: number;
  /** Grows by 1 when the log restarts; random after the log was truncated or created. */
  salt1: number;
  /** Random after each restart. */
  salt2: number;
  checksum: Checksum;
  /** Whether checksums read the bytes as big-endian words, as on the machine that created the log. */
  bigEndian: boolean;
}

export interface FrameHeader {
  page: number;
  /** Pages of the database after this commit; 0 if the frame is not the last of a transaction. */
  commit: number;
  salt1: number;
  salt2: number;
  checksum: Checksum;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Parses the first 32 bytes of the log. @returns null if they are not a complete header */
export function parseHeader(bytes: Uint8Array): WalHeader | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = viewOf(bytes);
  const magic = view.getUint32(0);
  const pageSize = view.getUint32(8);
  if (magic !== MAGIC_LITTLE_ENDIAN && magic !== MAGIC_BIG_ENDIAN) return null;
  if (view.getUint32(4) !== VERSION) return null;
  if (pageSize < MIN_PAGE_BYTES || pageSize > MAX_PAGE_BYTES || (pageSize & (pageSize - 1)) !== 0) return null;
  const bigEndian = magic === MAGIC_BIG_ENDIAN;
  const checksum = addToChecksum([0, 0], bytes, 0, HEADER_BYTES - 8, bigEndian);
  if (checksum[0] !== view.getUint32(24) || checksum[1] !== view.getUint32(28)) return null;
  return { pageSize, salt1: view.getUint32(16), salt2: view.getUint32(20), checksum, bigEndian };
}

/** Parses the header of the frame that begins at `offset`. */
export function parseFrameHeader(bytes: Uint8Array, offset: number): FrameHeader {
  const view = viewOf(bytes);
  return {
    page: view.getUint32(offset),
    commit: view.getUint32(offset + 4),
    salt1: view.getUint32(offset + 8),
    salt2: view.getUint32(offset + 12),
    checksum: [view.getUint32(offset + 16), view.getUint32(offset + 20)],
  };
}

/** Returns the checksum of the frame that begins at `offset`, after `before`, the checksum of the previous frame. */
export function frameChecksum(before: Checksum, bytes: Uint8Array, offset: number, header: WalHeader): Checksum {
  const checked = addToChecksum(before, bytes, offset, CHECKED_BYTES, header.bigEndian);
  return addToChecksum(checked, bytes, offset + FRAME_HEADER_BYTES, header.pageSize, header.bigEndian);
}

/** Returns the position of a frame (the first is 1) in the file. */
export function frameOffset(frame: number, pageSize: number): number {
  return HEADER_BYTES + (frame - 1) * (FRAME_HEADER_BYTES + pageSize);
}

const LITTLE_ENDIAN_MACHINE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Continues a checksum with `length` bytes from `offset`, a multiple of 8. */
function addToChecksum(
  [first, second]: Checksum,
  bytes: Uint8Array,
  offset: number,
  length: number,
  bigEndian: boolean,
): Checksum {
  let [a, b] = [first, second];
  const start = bytes.byteOffset + offset;
  if (bigEndian !== LITTLE_ENDIAN_MACHINE && start % 4 === 0) {
    const words = new Uint32Array(bytes.buffer, start, length / 4);
    for (let i = 0; i < words.length; i += 2) {
      a = (a + words[i]! + b) | 0;
      b = (b + words[i + 1]! + a) | 0;
    }
  } else {
    const view = new DataView(bytes.buffer, start, length);
    for (let i = 0; i < length; i += 8) {
      a = (a + view.getUint32(i, !bigEndian) + b) | 0;
      b = (b + view.getUint32(i + 4, !bigEndian) + a) | 0;
    }
  }
  return [a >>> 0, b >>> 0];
}
