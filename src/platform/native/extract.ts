import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeOthersAccess } from "../private-folder.ts";
import type { EmbeddedFile, EmbeddedLibrary } from "./embedded.ts";

/** Size of a read, so that checking a 38 MB library does not take 38 MB of memory. */
const READ_BYTES = 1 << 20;

/**
 * Extracts a library to disk, where the system's loader can open it, and returns the path of the file to load.
 *
 * Only the owner can read the folder `<cacheDir>/native/<name>-<version>-<hash>/`. Each call checks every file against
 * its hash from the build, and rewrites missing and damaged files. A file is written under a temporary name and then
 * renamed. A killed or concurrent process therefore leaves no partial file, and a library that another process has
 * loaded keeps its contents.
 * @throws the error of the file system
 */
export async function extractLibrary(
  cacheDir: string,
  name: string,
  version: string,
  library: EmbeddedLibrary,
): Promise<string> {
  const root = join(cacheDir, "native");
  const folderName = `${name}-${version}-${fingerprint(library)}`;
  const folder = join(root, folderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOthersAccess(root);
  removeOthersAccess(folder);

  const stale = library.files.filter((file) => hashOf(join(folder, file.name)) !== file.sha256);
  if (stale.length > 0) {
    for (const file of stale) await writeEmbedded(folder, file);
    removeOtherVersions(root, name, folderName);
  }
  return join(folder, library.entry);
}

/** Returns a short hash of all files, so that another build of the same version gets a separate folder. */
function fingerprint(library: EmbeddedLibrary): string {
  const hash = createHash("sha256");
  for (const file of library.files) hash.update(`${file.name} ${file.sha256}\n`);
  return hash.digest("hex").slice(0, 12);
}

/** Returns the SHA-256 of a file, hex; null if it cannot be read, usually because it is missing. */
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

async function writeEmbedded(folder: string, file: EmbeddedFile): Promise<void> {
  const target = join(folder, file.name);
  const temporary = join(folder, `.${file.name}.${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(temporary, await Bun.file(file.path).bytes(), { mode: 0o600, flag: "wx" });
    // Detects an incomplete write here, instead of as a crash in the loader.
    if (hashOf(temporary) !== file.sha256) throw new Error(`${file.name} was not written completely to ${folder}`);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Removes the folders of other versions, about 40 MB each. A process that has loaded one can continue to use it. */
function removeOtherVersions(root: string, name: string, keep: string): void {
  for (const entry of readdirSync(root)) {
    if (entry !== keep && entry.startsWith(`${name}-`)) rmSync(join(root, entry), { recursive: true, force: true });
  }
}
