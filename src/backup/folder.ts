import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { UserError } from "../kernel/errors.ts";

/** A folder for backups that was chosen on the settings page. */
export interface ChosenFolder {
  /** Absolute path. */
  path: string;
  /** Where its drive was mounted when it was chosen; null on the disk of the system. */
  mount: string | null;
}

const LONGEST_PATH_CHARS = 1_000;
const FSTAB = "/etc/fstab";

/**
 * Checks a folder for backups by writing a file to it. The last part of its path is created if it is missing.
 * @param data_dir which it must not be in @param fstab the system's list of drives
 * @throws UserError with the reason
 */
export function checkFolder(data_dir: string, given: string, fstab = FSTAB): ChosenFolder {
  const path = normalize(given.trim()).replace(/(?<=.)\/+$/, "");
  if (!isAbsolute(path)) throw new UserError("Enter a whole path that begins with a slash, such as /mnt/usb/backups.");
  if (path.length > LONGEST_PATH_CHARS || /\p{Cc}/u.test(path))
    throw new UserError("This is not the path of a folder.");
  requireDrive(unmounted(path, fstab));
  if (!existsSync(path) && !existsSync(dirname(path))) {
    throw new UserError(
      `The folder ${dirname(path)} does not exist. If it is on another drive, connect the drive. Otherwise, create the folder first.`,
    );
  }
  // Checked before anything is created.
  requireOutside(data_dir, existsSync(path) ? path : dirname(path));
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!statSync(path).isDirectory()) throw new UserError(`${path} is a file. Enter a folder.`);
    writeTest(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(sentenceOf(path, (error as NodeJS.ErrnoException).code));
  }
  return { path, mount: mountOf(path) };
}

/** Requires that a chosen folder is still there, on its drive. @throws UserError with the reason */
export function requireFolder({ path, mount }: ChosenFolder): void {
  requireDrive(mount !== null && !isMounted(mount) ? { mount, path } : null);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UserError(
    `The folder for backups, ${path}, does not exist. If it is on another drive, connect the drive. Otherwise, choose another folder.`,
  );
}

/**
 * Requires that the folder for copies exists, on its drive and outside the data folder.
 * @param mount where its drive was mounted before; null if that is not known @throws UserError with the reason
 */
export function requireCopyFolder(data_dir: string, path: string, mount: string | null, fstab = FSTAB): ChosenFolder {
  requireDrive(unmounted(path, fstab));
  requireFolder({ path, mount });
  requireOutside(data_dir, path);
  return { path, mount: mountOf(path) };
}

/** Returns the free bytes on the disk of a folder; null if the folder is missing. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

function requireDrive(missing: { mount: string; path: string } | null): void {
  if (!missing) return;
  throw new UserError(
    `The drive of ${missing.mount} is not mounted, so ${missing.path} is not on it. Connect the drive, then try again.`,
  );
}

function requireOutside(data_dir: string, path: string): void {
  const [data, folder] = [realpathSync(data_dir), realpathSync(path)];
  if (folder !== data && !folder.startsWith(data + sep)) return;
  throw new UserError(
    "This folder is in the data folder, so the backups would be lost together with the data. Choose another folder, or use the default.",
  );
}

function writeTest(folder: string): void {
  const file = join(folder, `.postroom-test-${randomBytes(6).toString("hex")}`);
  try {
    const fd = openSync(file, "wx", 0o600);
    try {
      writeSync(fd, "Postroom tests whether it can write to this folder.\n");
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } finally {
    rmSync(file, { force: true });
  }
}

function sentenceOf(path: string, code = "unknown"): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `Postroom is not permitted to write to ${path}. Change the owner or the permissions of the folder.`;
    case "EROFS":
      return `The drive of ${path} is read-only.`;
    case "ENOSPC":
    case "EDQUOT":
      return `The drive of ${path} is full.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${path} is a file, or is below a file. Enter a folder.`;
    default:
      return `Postroom cannot write to ${path} (${code}).`;
  }
}

/** Returns where the drive of a folder is mounted; null on the disk of the system. */
function mountOf(path: string): string | null {
  let at = realpathSync(path);
  const { dev } = statSync(at);
  while (dirname(at) !== at && statSync(dirname(at)).dev === dev) at = dirname(at);
  return dirname(at) === at ? null : at;
}

function isMounted(mount: string): boolean {
  const status = statSync(mount, { throwIfNoEntry: false });
  return status !== undefined && status.dev !== statSync(dirname(mount)).dev;
}

/** Returns the drive that the system lists for a path, if it is not mounted: its folder then is on another disk. */
function unmounted(path: string, fstab: string): { mount: string; path: string } | null {
  let text: string;
  try {
    text = readFileSync(fstab, "utf8");
  } catch {
    return null;
  }
  const mounts = text
    .split("\n")
    .filter((line) => !line.trim().startsWith("#"))
    // fstab(5): a blank in a path is written as \040.
    .map((line) => line.trim().split(/\s+/)[1]?.replaceAll("\\040", " ") ?? "")
    .filter((mount) => mount.startsWith("/") && mount !== "/")
    .filter((mount) => path === mount || path.startsWith(`${mount}/`));
  const mount = mounts.sort((a, b) => b.length - a.length)[0];
  return mount === undefined || isMounted(mount) ? null : { mount, path };
}
