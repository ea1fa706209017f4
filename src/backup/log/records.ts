/*
 * The content of a segment is a sequence of records, which is divided into packs between records. Integers are
 * little-endian.
 *   1 pages    u8 1 | u32 count | count × u32 page number | count × page
 *   2 piece    u8 2 | u16 length of path | path | f64 offset in the file | u32 length | bytes
 *   3 file     u8 3 | u16 length of path | path | f64 size | 32 bytes SHA-256. All pieces of the file precede it.
 *   4 deleted  u8 4 | u16 length of path | path
 */
const PAGES = 1;
const PIECE = 2;
const FILE = 3;
const DELETED = 4;
const HASH_BYTES = 32;

/** A file as a segment stores it. */
export interface StoredFile {
  /** Relative to the data folder, with slashes. */
  path: string;
  size: number;
  /** Hex. */
  sha256: string;
}

export type LogRecord =
  | { kind: "pages"; numbers: number[]; pages: Uint8Array }
  | { kind: "piece"; path: string; offset: number; bytes: Uint8Array }
  | { kind: "file"; file: StoredFile }
  | { kind: "deleted"; path: string };

export function encodeRecord(record: LogRecord): Uint8Array {
  switch (record.kind) {
    case "pages":
      return encodePages(record.numbers, record.pages);
    case "piece": {
      const head = withPath(PIECE, record.path, 12);
      head.writeDoubleLE(record.offset, head.length - 12);
      head.writeUInt32LE(record.bytes.length, head.length - 4);
      return Buffer.concat([head, record.bytes]);
    }
    case "file": {
      const { path, size, sha256 } = record.file;
      const bytes = withPath(FILE, path, 8 + HASH_BYTES);
      bytes.writeDoubleLE(size, bytes.length - HASH_BYTES - 8);
      bytes.write(sha256, bytes.length - HASH_BYTES, "hex");
      return bytes;
    }
    case "deleted":
      return withPath(DELETED, record.path, 0);
  }
}

function encodePages(numbers: readonly number[], pages: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(5 + 4 * numbers.length + pages.length);
  bytes[0] = PAGES;
  bytes.writeUInt32LE(numbers.length, 1);
  numbers.forEach((number, i) => {
    bytes.writeUInt32LE(number, 5 + 4 * i);
  });
  bytes.set(pages, 5 + 4 * numbers.length);
  return bytes;
}

function withPath(kind: number, path: string, more: number): Buffer {
  const text = Buffer.from(path);
  const bytes = Buffer.alloc(3 + text.length + more);
  bytes[0] = kind;
  bytes.writeUInt16LE(text.length, 1);
  bytes.set(text, 3);
  return bytes;
}

/** Yields the records of a pack. @throws RangeError if it breaks off */
export function* decodeRecords(content: Uint8Array, pageSize: number): Iterable<LogRecord> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new RangeError("A record breaks off.");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const path = () => take(take(2).readUInt16LE(0)).toString();
  while (at < bytes.length) {
    const kind = take(1)[0];
    if (kind === PAGES) {
      const numbers = take(4 * take(4).readUInt32LE(0));
      const list = Array.from({ length: numbers.length / 4 }, (_, i) => numbers.readUInt32LE(4 * i));
      yield { kind: "pages", numbers: list, pages: take(list.length * pageSize) };
    } else if (kind === PIECE) {
      const name = path();
      const offset = take(8).readDoubleLE(0);
      yield { kind: "piece", path: name, offset, bytes: take(take(4).readUInt32LE(0)) };
    } else if (kind === FILE) {
      const name = path();
      const size = take(8).readDoubleLE(0);
      yield { kind: "file", file: { path: name, size, sha256: take(HASH_BYTES).toString("hex") } };
    } else if (kind === DELETED) yield { kind: "deleted", path: path() };
    else throw new RangeError(`There is no record of kind ${kind}.`);
  }
}
