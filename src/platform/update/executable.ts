import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../kernel/errors.ts";

const PREVIOUS = ".previous";
const READ_BYTES = 1024 * 1024;
/** Where Debian's package manager lists the files of the package. */
const DEBIAN_LIST = "/var/lib/dpkg/info/postroom.list";

/** Returns where the replaced executable is kept. */
export function previousOf(executable: string): string {
  return executable + PREVIOUS;
}

/**
 * Refuses to replace an executable that the command must not or cannot replace.
 * @throws UserError that says how to update instead
 */
export function requireReplaceable(executable: string, debianList = DEBIAN_LIST): void {
  if (existsSync(debianList) && readFileSync(debianList, "utf8").split("\n").includes(executable)) {
    throw new UserError(
      `${executable} belongs to the Debian package postroom. Update the package: install the .deb file of the new version.`,
    );
  }
  const probe = stagedPath(executable, "probe");
  try {
    closeSync(openSync(probe, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
    rmSync(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EROFS") {
      throw new UserError(
        `${executable} is on a read-only file system, as in a container. Replace the image instead: see 'Upgrade' in docs/operations.md.`,
      );
    }
    if (code === "EACCES" || code === "EPERM") {
      throw new UserError(
        `This user cannot replace ${executable}. Run the command with sudo, or as the owner of ${dirname(executable)}.`,
      );
    }
    throw error;
  }
}

/** A file beside the executable that is not in use yet. */
export interface Staged {
  path: string;
  write(chunk: Uint8Array): void;
  /** Writes the file to disk and makes it executable for those who can execute the present one. */
  finish(): void;
  /** Removes the file, if it is still there. */
  discard(): void;
}

/** Creates a file in the folder of the executable, so that a rename can replace it. */
export function stage(executable: string, version: string): Staged {
  removeLeftovers(executable);
  const path = stagedPath(executable, version);
  let fd: number | null = openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  const close = () => {
    if (fd !== null) closeSync(fd);
    fd = null;
  };
  return {
    path,
    write(chunk) {
      for (let at = 0; at < chunk.length; ) at += writeSync(fd!, chunk, at);
    },
    finish() {
      fchmodSync(fd!, statSync(executable).mode & 0o777);
      fsyncSync(fd!);
      // Linux does not start a file that is open for writing.
      close();
    },
    discard() {
      close();
      rmSync(path, { force: true });
    },
  };
}

/** Returns the SHA-256 of a file, in hex. */
export function sha256Of(path: string): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const fd = openSync(path, "r");
  try {
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(fd);
  }
  return hash.digest("hex");
}

/**
 * Replaces the executable by a staged file, and keeps the present one as `.previous`. At every moment, also after a
 * crash, the path has one of the two, complete.
 */
export function swapIn(executable: string, staged: string): void {
  keepAs(executable, previousOf(executable));
  renameSync(staged, executable);
  syncFolder(dirname(executable));
}

/** Puts the previous executable back. It also stays as `.previous`. @throws UserError if there is none */
export function swapBack(executable: string): void {
  const previous = previousOf(executable);
  if (!existsSync(previous)) throw new UserError(`There is no ${previous} to return to.`);
  const temporary = stagedPath(executable, "previous");
  linkOrCopy(previous, temporary);
  renameSync(temporary, executable);
  syncFolder(dirname(executable));
}

function keepAs(executable: string, kept: string): void {
  const temporary = stagedPath(executable, "kept");
  linkOrCopy(executable, temporary);
  renameSync(temporary, kept);
}

/** A rename of one name of a file to another name of the same file does nothing, so it must be a new name. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Some file systems have no hard links, and some systems restrict them.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    copyFileSync(from, to);
    chmodSync(to, statSync(from).mode & 0o777);
  }
}

function stagedPath(executable: string, what: string): string {
  return join(dirname(executable), `.${basename(executable)}-${what}-${randomBytes(4).toString("hex")}.update`);
}

/** Removes files that interrupted updates left. */
function removeLeftovers(executable: string): void {
  const folder = dirname(executable);
  const start = `.${basename(executable)}-`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(start) && name.endsWith(".update")) rmSync(join(folder, name), { force: true });
  }
}

function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems do not support syncing folders; they order renames themselves.
  } finally {
    closeSync(fd);
  }
}
