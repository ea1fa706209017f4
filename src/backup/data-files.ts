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
}

/**
 * Yields the files of a data folder that a backup includes, besides database and keys: everything except what Postroom
 * regenerates. Links are followed, because Postroom reads their targets, such as a folder for blobs on another disk or
 * a configuration file elsewhere.
 * @param except folders or files to leave out, because they are or will be backups
 */
export function* dataFiles(data_dir: string, except: readonly string[]): Iterable<DataFile> {
  const root = resolve(data_dir);
  const leftOut = new Set(except.map((path) => resolve(path)));
  /** @param around real paths of the folder and its ancestors, because a link back to one of them would never end */
  function* walk(folder: string, around: readonly string[]): Iterable<DataFile> {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (leftOut.has(path) || PARTIAL.test(name)) continue;
      if (folder === root && (LEFT_OUT.has(name) || DATABASE.test(name))) continue;
      const status = statOf(path);
      if (status?.isFile()) yield { path: relative(root, path).split("\\").join("/"), size: status.size };
      if (!status?.isDirectory()) continue;
      const real = realpathSync(path);
      if (!around.includes(real)) yield* walk(path, [...around, real]);
    }
  }
  yield* walk(root, [realpathSync(root)]);
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

/** Returns whether a restore may write this path: it stays in the data folder and is not one that Postroom reserves. */
export function isDataPath(path: string): boolean {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) return false;
  return !(LEFT_OUT.has(parts[0]!) || DATABASE.test(parts[0]!));
}
