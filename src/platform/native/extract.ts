import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { closeToOthers } from "../private-folder.ts";
import type { CarriedFile, CarriedLibrary } from "./embedded.ts";

/** Read in pieces, so that checking a 38 MB library does not cost 38 MB of memory. */
const READ_BYTES = 1 << 20;

/**
 * Puts a carried library on disk, where the system's loader can open it, and returns the path of the file to load.
 *
 * The folder `<cacheDir>/native/<name>-<version>-<hash>/` is readable by the owner alone. Each call checks every file
 * against the hash taken at build time and rewrites what is missing or damaged. A file is written under a temporary
 * name and renamed, so a process that is killed half-way, or one that starts at the same moment, leaves no half file,
 * and a library that another process has loaded keeps its old contents. Throws what the file system throws.
 */
export async function extractLibrary(
  cacheDir: string,
  name: string,
  version: string,
  library: CarriedLibrary,
): Promise<string> {
  const root = join(cacheDir, "native");
  const folderName = `${name}-${version}-${fingerprint(library)}`;
  const folder = join(root, folderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeToOthers(root);
  closeToOthers(folder);

  const stale = library.files.filter((file) => hashOf(join(folder, file.name)) !== file.sha256);
  if (stale.length > 0) {
    for (const file of stale) await writeCarried(folder, file);
    removeOtherVersions(root, name, folderName);
  }
  return join(folder, library.entry);
}

/** Returns one short hash over all files: another build of the same version gets a separate folder. */
function fingerprint(library: CarriedLibrary): string {
  const hash = createHash("sha256");
  for (const file of library.files) hash.update(`${file.name} ${file.sha256}\n`);
  return hash.digest("hex").slice(0, 12);
}

/** Hex SHA-256 of a file, or `null` where it cannot be read (missing is the common case). */
function hashOf(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.alloc(READ_BYTES);
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      hash.update(buffer.subarray(0, read));
    }
    return hash.digest("hex");
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

async function writeCarried(folder: string, file: CarriedFile): Promise<void> {
  const target = join(folder, file.name);
  const temporary = join(folder, `.${file.name}.${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(temporary, await Bun.file(file.path).bytes(), { mode: 0o600, flag: "wx" });
    // The hash is known from the build, so a full disk or a torn write is seen here, not as a crash in the loader.
    if (hashOf(temporary) !== file.sha256) throw new Error(`${file.name} was not written whole into ${folder}`);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Upgrades leave folders of some 40 MB behind; a process that still has one loaded is not disturbed by its removal. */
function removeOtherVersions(root: string, name: string, keep: string): void {
  for (const entry of readdirSync(root)) {
    if (entry !== keep && entry.startsWith(`${name}-`)) rmSync(join(root, entry), { recursive: true, force: true });
  }
}
