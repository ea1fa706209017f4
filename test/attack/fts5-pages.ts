/*
 * Reads FTS5's leaf pages from the raw bytes of a database file or its log, wherever they are: in a table, in a free
 * page, in an old frame. The format is described at the top of SQLite's fts5_index.c. Only entries that are complete on
 * their page are read.
 */

/** One position of a token. */
export interface Instance {
  term: string;
  /** Row of the full-text table. */
  doc: number;
  column: number | string;
  position: number;
}

const PAGE_BYTES = 4096;
/** A page of a b-tree whose rows have row ids. */
const TABLE_LEAF = 0x0d;
/** Before each page in a log, after the header of the log. */
const FRAME_HEADER_BYTES = 24;
const LOG_HEADER_BYTES = 32;
const LOG_MAGIC = 0x377f0682;

export function carveInstances(file: Uint8Array): Instance[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isLog = file.length > LOG_HEADER_BYTES && (view.getUint32(0) & ~1) === LOG_MAGIC;
  const found: Instance[] = [];
  const step = PAGE_BYTES + (isLog ? FRAME_HEADER_BYTES : 0);
  const first = isLog ? LOG_HEADER_BYTES + FRAME_HEADER_BYTES : 0;
  for (let at = first; at + PAGE_BYTES <= file.length; at += step) {
    for (const blob of blobsOf(file.subarray(at, at + PAGE_BYTES))) readLeaf(blob, found);
  }
  return found;
}

/** Returns the second values of all rows on a page that have two, such as (id, block). */
function* blobsOf(page: Uint8Array): Generator<Uint8Array> {
  if (page[0] !== TABLE_LEAF) return;
  const cells = (page[3]! << 8) | page[4]!;
  for (let i = 0; i < cells && 8 + i * 2 + 1 < PAGE_BYTES; i++) {
    const reader = new Reader(page, (page[8 + i * 2]! << 8) | page[9 + i * 2]!);
    reader.varint();
    reader.varint();
    const start = reader.at;
    const headerBytes = reader.varint();
    reader.varint();
    const length = (reader.varint() - 12) / 2;
    if (!Number.isInteger(length) || length < 8 || headerBytes > 8) continue;
    const from = start + headerBytes;
    if (from + length <= PAGE_BYTES) yield page.subarray(from, from + length);
  }
}

/** Adds the positions of all tokens whose entry is complete on this page. */
function readLeaf(leaf: Uint8Array, into: Instance[]): void {
  const end = (leaf[2]! << 8) | leaf[3]!;
  if (end < 8 || end >= leaf.length) return;
  const starts: number[] = [];
  const index = new Reader(leaf, end);
  for (let at = 0; index.at < leaf.length; ) {
    at += index.varint();
    if (at >= end) return;
    starts.push(at);
  }
  let term = Buffer.alloc(0);
  for (const [i, start] of starts.entries()) {
    const reader = new Reader(leaf, start);
    const kept = i === 0 ? 0 : reader.varint();
    const added = reader.varint();
    if (kept > term.length || added > 256 || reader.at + added > end) return;
    term = Buffer.concat([term.subarray(0, kept), leaf.subarray(reader.at, reader.at + added)]);
    reader.at += added;
    // The first byte identifies the index of a term: "0" is the main one.
    readDocuments(reader, starts[i + 1] ?? end, term.subarray(1).toString("latin1"), into);
  }
}

function readDocuments(reader: Reader, end: number, term: string, into: Instance[]): void {
  let doc = 0;
  while (reader.at < end) {
    doc += reader.varint();
    const listEnd = (reader.varint() >>> 1) + reader.at;
    if (listEnd > end) return;
    let column = 0;
    let position = 0;
    while (reader.at < listEnd) {
      const value = reader.varint();
      if (value === 1) {
        column = reader.varint();
        position = 0;
      } else {
        position += value - 2;
        into.push({ term, doc, column, position });
      }
    }
  }
}

class Reader {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
  ) {}

  /** Reads SQLite's variable-length integer, up to the precision of a double. */
  varint(): number {
    let value = 0;
    for (let i = 0; i < 9; i++) {
      const byte = this.bytes[this.at++] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    return value;
  }
}
