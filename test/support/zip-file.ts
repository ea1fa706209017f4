import { crc32, deflateRawSync } from "node:zlib";

/** A file to write into a zip, with what a hostile or unusual zip may say about it. */
export interface ZippedFile {
  name: string;
  content: string | Uint8Array;
  /** Compressed with Deflate by default. */
  stored?: boolean;
  /** Sizes and offset in 64 bits, as for files above 4 GB. */
  zip64?: boolean;
  /** Sizes and checksum after the bytes, as a program writes that does not know them before. */
  descriptor?: boolean;
  encrypted?: boolean;
  method?: number;
  /** Unix mode, with the type of the file. */
  mode?: number;
  crc?: number;
  /** The expanded size that the zip states. */
  size?: number;
}

const UTF8 = 0x800;
const [ENCRYPTED, DESCRIPTOR] = [0x1, 0x8];
const MAX32 = 0xffffffff;

/**
 * Writes a zip byte by byte (PKWARE APPNOTE), so that tests can have every kind of it.
 * @param options.start offset of the first byte, as if a large file were before it
 */
export function zipFile(files: readonly ZippedFile[], { zip64 = false, comment = "", start: first = 0 } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = first;
  const put = (...bytes: Buffer[]) => {
    for (const part of bytes) {
      parts.push(part);
      at += part.length;
    }
  };
  for (const file of files) {
    const plain = Buffer.from(file.content as string);
    const packed = file.stored ? plain : deflateRawSync(plain);
    const name = Buffer.from(file.name);
    const flags = UTF8 | (file.encrypted ? ENCRYPTED : 0) | (file.descriptor ? DESCRIPTOR : 0);
    const method = file.method ?? (file.stored ? 0 : 8);
    const crc = file.crc ?? crc32(plain);
    const size = file.size ?? plain.length;
    const offset = at;
    const wide = file.zip64 ?? zip64;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(wide ? 45 : 20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(0x5a21, 12);
    if (!file.descriptor) {
      local.writeUInt32LE(crc, 14);
      local.writeUInt32LE(wide ? MAX32 : packed.length, 18);
      local.writeUInt32LE(wide ? MAX32 : size, 22);
    }
    const localExtra = wide && !file.descriptor ? extra64(size, packed.length) : Buffer.alloc(0);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(localExtra.length, 28);
    put(local, name, localExtra, packed);
    if (file.descriptor) {
      const after = Buffer.alloc(wide ? 24 : 16);
      after.writeUInt32LE(0x08074b50, 0);
      after.writeUInt32LE(crc, 4);
      if (wide) {
        after.writeBigUInt64LE(BigInt(packed.length), 8);
        after.writeBigUInt64LE(BigInt(size), 16);
      } else {
        after.writeUInt32LE(packed.length, 8);
        after.writeUInt32LE(size, 12);
      }
      put(after);
    }
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(0x0300 | 45, 4);
    central.writeUInt16LE(wide ? 45 : 20, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt16LE(0x5a21, 14);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(wide ? MAX32 : packed.length, 20);
    central.writeUInt32LE(wide ? MAX32 : size, 24);
    const extra = wide ? extra64(size, packed.length, offset) : Buffer.alloc(0);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE((((file.mode ?? 0o100644) << 16) >>> 0) as number, 38);
    central.writeUInt32LE(wide ? MAX32 : offset, 42);
    directory.push(central, name, extra);
  }
  const start = at;
  put(...directory);
  const length = at - start;
  if (zip64) {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeUInt16LE(45, 12);
    record.writeUInt16LE(45, 14);
    record.writeBigUInt64LE(BigInt(files.length), 24);
    record.writeBigUInt64LE(BigInt(files.length), 32);
    record.writeBigUInt64LE(BigInt(length), 40);
    record.writeBigUInt64LE(BigInt(start), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(at), 8);
    locator.writeUInt32LE(1, 16);
    put(record, locator);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : files.length, 8);
  end.writeUInt16LE(zip64 ? 0xffff : files.length, 10);
  end.writeUInt32LE(zip64 ? MAX32 : length, 12);
  end.writeUInt32LE(zip64 ? MAX32 : start, 16);
  end.writeUInt16LE(comment.length, 20);
  put(end, Buffer.from(comment));
  return Buffer.concat(parts);
}

function extra64(size: number, packed: number, offset?: number): Buffer {
  const values = [size, packed, ...(offset === undefined ? [] : [offset])];
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [i, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  return extra;
}
