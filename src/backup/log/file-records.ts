import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { DataFile } from "../data-files.ts";
import type { KnownFile } from "./checkpoint.ts";
import type { LogRecord } from "./records.ts";

const PIECE_BYTES = 1024 * 1024;

/** What differs between the files of a data folder and those that a log has. */
export interface FileChanges {
  put: DataFile[];
  deleted: string[];
}

/**
 * Compares files with those that a log has. Files with another time but the same content are noted as known.
 * @param known by path
 */
export async function fileChanges(
  data_dir: string,
  listed: readonly DataFile[],
  known: Map<string, KnownFile>,
): Promise<FileChanges> {
  const put: DataFile[] = [];
  const paths = new Set<string>();
  for (const file of listed) {
    paths.add(file.path);
    const before = known.get(file.path);
    if (before?.size === file.size && before.mtimeMs === file.mtimeMs) continue;
    if (before?.size === file.size && (await hashOf(join(data_dir, file.path))) === before.sha256) {
      known.set(file.path, { ...before, mtimeMs: file.mtimeMs });
      continue;
    }
    put.push(file);
  }
  return { put, deleted: [...known.keys()].filter((path) => !paths.has(path)) };
}

/**
 * Yields the records of a file. If it was deleted or cut short since it was listed, the last record is missing.
 * @param done called with what was read, at the end
 */
export async function* fileRecords(
  data_dir: string,
  { path, mtimeMs }: DataFile,
  done: (file: KnownFile) => void,
): AsyncGenerator<LogRecord> {
  const handle = await open(join(data_dir, path), "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!handle) return;
  try {
    // Through the handle, the same file is read even if its name changes.
    const { size } = await handle.stat();
    const hasher = new Bun.CryptoHasher("sha256");
    for (let at = 0; at < size; ) {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      const bytes = buffer.subarray(0, bytesRead);
      hasher.update(bytes);
      yield { kind: "piece", path, offset: at, bytes };
      at += bytesRead;
    }
    const file = { path, size, sha256: hasher.digest("hex") };
    yield { kind: "file", file };
    done({ ...file, mtimeMs });
  } finally {
    await handle.close();
  }
}

async function hashOf(path: string): Promise<string | null> {
  const hasher = new Bun.CryptoHasher("sha256");
  try {
    for await (const chunk of createReadStream(path)) hasher.update(chunk as Uint8Array);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  return hasher.digest("hex");
}
