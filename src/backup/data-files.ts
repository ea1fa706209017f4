import { readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** What of a data folder a backup leaves out: the database and the keys are in it another way, the rest is made again. */
const LEFT_OUT = new Set(["keys", "cache", "vectors", "run", "upgrades", "restoring"]);
const DATABASE = /^postroom\.db/;
const PARTIAL = /\.(part|tmp)$/;

export interface DataFile {
  /** Within the data folder, with slashes. */
  path: string;
  size: number;
}

/**
 * Yields the files of a data folder that a backup includes, besides database and keys: everything that is not known to
 * be regenerated. Links are followed, because Postroom reads their targets: a folder for blobs on another disk, a
 * configuration file elsewhere.
 * @param except folders or files in it that contain backups, or will become one
 */
export function* dataFiles(data_dir: string, except: readonly string[]): Iterable<DataFile> {
  const root = resolve(data_dir);
  const leftOut = new Set(except.map((path) => resolve(path)));
  /** @param around the real path of the folder and of its ancestors: a link back to one of them would never end */
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

/** Of what is behind a link; null where that is nothing, or a link to itself. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ELOOP") return null;
    throw error;
  }
}

/** True for a path that a backup may write to within a data folder: nothing that leads out of it, nothing of ours. */
export function isDataPath(path: string): boolean {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) return false;
  return !(LEFT_OUT.has(parts[0]!) || DATABASE.test(parts[0]!));
}
