import { readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** What a folder remembers of its leases. A restored folder must not take itself for the one that acted. */
export const LEASE_FILE = "postroom-lease.json";
/** Left out of the files of a backup: keys have their own entry, and the other folders are regenerated. */
const LEFT_OUT = new Set(["keys", "cache", "vectors", "run", "upgrades", "restoring", LEASE_FILE]);
const DATABASE = /^postroom\.db/;
const PARTIAL = /\.(part|tmp)$/;

export interface DataFile {
  /** Relative to the data folder, with slashes. */
  path: string;
  size: number;
  mtimeMs: number;
}

/** A file or folder in a folder. Links are followed. */
export interface FolderEntry {
  name: string;
  /** Real path of a folder; null for a file. */
  folder: string | null;
  size: number;
  mtimeMs: number;
}

/**
 * Yields the files of a data folder that a backup includes, besides database and keys: everything except what Postroom
 * regenerates. Links are followed, because Postroom reads their targets, such as a folder for blobs on another disk or
 * a configuration file elsewhere.
 * @param except folders or files to leave out, because they are or will be backups
 * @param read lists a folder, for callers that remember what was in it
 */
export function* dataFiles(
  data_dir: string,
  except: readonly string[],
  read: (folder: string) => readonly FolderEntry[] = readFolder,
): Iterable<DataFile> {
  const root = resolve(data_dir);
  const leftOut = new Set(except.map((path) => resolve(path)));
  /** @param around real paths of the folder and its ancestors, because a link back to one of them would never end */
  function* walk(folder: string, around: readonly string[]): Iterable<DataFile> {
    for (const { name, folder: real, size, mtimeMs } of read(folder)) {
      const path = join(folder, name);
      if (leftOut.has(path) || PARTIAL.test(name)) continue;
      if (folder === root && isReserved(name)) continue;
      if (real === null) yield { path: relative(root, path).split("\\").join("/"), size, mtimeMs };
      else if (!around.includes(real)) yield* walk(path, [...around, real]);
    }
  }
  yield* walk(root, [realpathSync(root)]);
}

/** Lists the files and folders in a folder by name. */
export function readFolder(folder: string): FolderEntry[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const status = statOf(path);
      if (!status?.isFile() && !status?.isDirectory()) return [];
      const { size, mtimeMs } = status;
      return [{ name, folder: status.isDirectory() ? realpathSync(path) : null, size, mtimeMs }];
    });
}

/** Returns the status of a link's target; null if the target does not exist or is the link itself. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ELOOP") return null;
    throw error;
  }
}

/**
 * Returns whether a restore may write this path: it stays in the data folder and is not one that Postroom reserves, also
 * where file systems take "Keys" and "keys" for the same name.
 */
export function isDataPath(path: string): boolean {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) return false;
  return !isReserved(parts[0]!);
}

function isReserved(name: string): boolean {
  const folded = name.normalize("NFKC").toLowerCase();
  return LEFT_OUT.has(folded) || DATABASE.test(folded);
}
