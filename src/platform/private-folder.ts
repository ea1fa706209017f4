/**
 * Keeps the data folder private to one user of the machine: folders 0700, files 0600. Corrects modes that an earlier
 * version or another umask left.
 */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

const OTHERS = 0o077;
/** Folders that Postroom creates in its data folder. Its files there begin with "postroom". */
const OURS = new Set(["keys", "blobs", "vectors", "cache", "backups", "upgrades", "run", "models", "restoring"]);
/** Folders of thousands of files. While such a folder is private, so is its content. */
const LARGE = [join("blobs", "messages"), join("cache", "parts"), join("cache", "uploads")];
/** Maximum number of paths in a message. */
const NAMED = 3;

/** Returns the home folder, or null: in a container without a list of users, `homedir` throws. */
function homeFolder(): string | null {
  try {
    return realpathSync(homedir());
  } catch {
    return null;
  }
}

export interface Walk {
  /** Whether to search folders of thousands of files that are private themselves. */
  deep: boolean;
}

/**
 * Removes the permissions of other users from the data folder and from everything in it that belongs to the same user.
 * Symbolic links are not followed. Files with several hard links are left alone, because they may also be elsewhere. So
 * are files of other users.
 * @returns paths that others can still access, because their mode could not be changed
 */
export function makePrivate(data_dir: string, walk: Walk): string[] {
  const left: string[] = [];
  for (const { path, stats } of openPaths(data_dir, walk)) {
    if (!(stats.isSocket() ? removeOthersAccess(path) : tighten(path, stats))) left.push(path);
  }
  return left;
}

/** Removes the permissions of other users from one path. @returns false if that failed; some mounts have no modes */
export function removeOthersAccess(path: string): boolean {
  try {
    const stats = statSync(path);
    const wanted = stats.isSocket() ? 0o600 : stats.mode & 0o7777 & ~OTHERS;
    // A correct mode is left alone, because the file system may be read-only.
    if ((stats.mode & 0o7777) !== wanted) chmodSync(path, wanted);
    return (statSync(path).mode & OTHERS) === 0;
  } catch {
    return false;
  }
}

/** Returns the paths of the data folder whose modes give access to other users. */
export function pathsOpenToOthers(data_dir: string): string[] {
  return [...openPaths(data_dir, { deep: true })].map(({ path }) => path);
}

/** Returns a short list for a message: "a, b, c and 12 more". */
export function shortList(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  return `${paths.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

interface Found {
  path: string;
  stats: Stats;
}

function* openPaths(data_dir: string, { deep }: Walk): Generator<Found> {
  let root: string;
  try {
    root = realpathSync(data_dir);
  } catch {
    return;
  }
  // A home folder and the root folder also contain files of other programs.
  const shared = root === dirname(root) || root === homeFolder();
  const stats = lstatSync(root);
  if (!shared && isOpen(stats)) yield { path: root, stats };
  const large = new Set(LARGE.map((path) => join(root, path)));
  const names = namesIn(root).filter((name) => !shared || OURS.has(name) || name.startsWith("postroom"));
  const waiting = names.map((name) => join(root, name));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    let stats: Stats;
    try {
      stats = lstatSync(path);
    } catch {
      continue; // the file was removed
    }
    if (stats.isSymbolicLink()) continue;
    const open = isOpen(stats);
    if (open) yield { path, stats };
    if (!stats.isDirectory() || (!deep && !open && large.has(path))) continue;
    for (const name of namesIn(path)) waiting.push(join(path, name));
  }
}

const isOpen = (stats: Stats): boolean => (stats.mode & OTHERS) !== 0;

/** Removes the permissions of other users. @returns whether that succeeded */
function tighten(path: string, stats: Stats): boolean {
  const me = process.geteuid?.();
  if (me === undefined || (me !== 0 && stats.uid !== me)) return false;
  try {
    if (stats.isFile()) tightenFile(path, stats);
    else tightenFolder(path, stats);
    return (lstatSync(path).mode & OTHERS) === 0;
  } catch {
    // Some mounts have no modes.
    return false;
  }
}

/**
 * Changes the mode by path, never over a descriptor: closing any descriptor of a database file would drop the locks
 * that SQLite has on it in this process (https://sqlite.org/howtocorrupt.html, section 2.2). Two writers would then
 * corrupt it. If a link replaces the file at this moment, the other file only loses the permissions of other users.
 */
function tightenFile(path: string, { mode, nlink }: Stats): void {
  if (nlink === 1) chmodSync(path, mode & 0o7777 & ~OTHERS);
}

/** Changes the mode over a descriptor, so that a link that replaces the folder is not followed. */
function tightenFolder(path: string, { ino, dev }: Stats): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const now = fstatSync(fd);
    if (now.ino === ino && now.dev === dev) fchmodSync(fd, now.mode & 0o7777 & ~OTHERS);
  } finally {
    closeSync(fd);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns whether a path is in the data folder, following links. */
export function isInside(data_dir: string, path: string): boolean {
  const real = (folder: string) => (existsSync(folder) ? realpathSync(folder) : resolve(folder));
  const fromData = relative(real(data_dir), join(real(dirname(path)), basename(path)));
  return !(fromData === ".." || fromData.startsWith(`..${sep}`) || isAbsolute(fromData));
}
