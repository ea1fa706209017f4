/** The data folder belongs to one user of the machine: folders 0700, files 0600. Corrects what an earlier version or umask left. */
import {
  chmodSync,
  closeSync,
  constants,
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
import { dirname, join } from "node:path";

const OTHERS = 0o077;
/** What Postroom makes at the top of its data folder, besides files whose names begin with its own. */
const OURS = new Set(["keys", "blobs", "vectors", "cache", "backups", "upgrades", "run", "models", "restoring"]);
/** Thousands of files each. While one of them is private, so is what is in it. */
const LARGE = [join("blobs", "messages"), join("cache", "parts")];
/** Paths named in a message. */
const NAMED = 3;

/** Null where there is none: in a container without a list of users, asking for it is an error. */
function homeFolder(): string | null {
  try {
    return realpathSync(homedir());
  } catch {
    return null;
  }
}

export interface Walk {
  /** Look into the folders of thousands of files, too. */
  deep: boolean;
}

/**
 * Removes the permissions of other users from the data folder and from everything in it that belongs to the same user.
 * Symbolic links are not followed. Files with a second name may also be elsewhere, and are left alone, like what
 * another user owns.
 * @returns paths that others may still use, because they could not be changed
 */
export function makePrivate(data_dir: string, walk: Walk): string[] {
  const left: string[] = [];
  for (const { path, stats } of openPaths(data_dir, walk)) {
    if (!(stats.isSocket() ? closeToOthers(path) : tighten(path, stats))) left.push(path);
  }
  return left;
}

/** Takes the rights of other users away from one path of ours. @returns whether that was possible; some mounts know no modes */
export function closeToOthers(path: string): boolean {
  try {
    const stats = statSync(path);
    const wanted = stats.isSocket() ? 0o600 : stats.mode & 0o7777 & ~OTHERS;
    // Left alone where it is right: it may be read-only.
    if ((stats.mode & 0o7777) !== wanted) chmodSync(path, wanted);
    return (statSync(path).mode & OTHERS) === 0;
  } catch {
    return false;
  }
}

/** Paths of the data folder that other users may read, write or enter by their own modes. */
export function openToOthers(data_dir: string): string[] {
  return [...openPaths(data_dir, { deep: true })].map(({ path }) => path);
}

/** "a, b, c and 12 more" */
export function some(paths: readonly string[]): string {
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
  // A home folder or the root of the system also has files of other programs.
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
      continue; // It was removed.
    }
    if (stats.isSymbolicLink()) continue;
    const open = isOpen(stats);
    if (open) yield { path, stats };
    if (!stats.isDirectory() || (!deep && !open && large.has(path))) continue;
    for (const name of namesIn(path)) waiting.push(join(path, name));
  }
}

const isOpen = (stats: Stats): boolean => (stats.mode & OTHERS) !== 0;

/** @returns whether other users have no rights any more */
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
 * that SQLite has on it in this process (https://sqlite.org/howtocorrupt.html, section 2.2), and two writers would
 * destroy it. If a link replaces the file at this moment, the other file only loses the permissions of other users.
 */
function tightenFile(path: string, { mode, nlink }: Stats): void {
  if (nlink === 1) chmodSync(path, mode & 0o7777 & ~OTHERS);
}

/** Over a descriptor: what is changed is what was looked at, even if a link takes its place. */
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
