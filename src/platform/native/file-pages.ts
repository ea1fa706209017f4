import { dlopen } from "bun:ffi";
import { readFileSync, realpathSync } from "node:fs";
import { execPath, platform } from "node:process";

/** Reclaims pages (madvise(2), Linux 5.4 and newer). Nothing is lost: contents of files are read again when needed. */
const MADV_PAGEOUT = 21;
/** A line of /proc/self/maps: addresses, permissions, path (proc_pid_maps(5)). */
const MAPPED_FILE = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ +(\/.*)$/gm;

/** Part of a file in the memory of this process. */
export interface MappedFile {
  path: string;
  start: bigint;
  bytes: bigint;
  /** Whether it is machine code. */
  executable: boolean;
}

/** Parses /proc/self/maps. */
export function mappedFiles(maps: string): MappedFile[] {
  return [...maps.matchAll(MAPPED_FILE)].map(([, from, to, permissions, path]) => {
    const start = BigInt(`0x${from}`);
    return { path: path!, start, bytes: BigInt(`0x${to}`) - start, executable: permissions!.includes("x") };
  });
}

/**
 * Gives memory back to the system that holds contents of files: what is embedded in the executable, of which a start
 * reads much once, and the libraries in `libraries`, if no thread uses them. Does nothing except on Linux, and for files
 * of another user, for which the system refuses it.
 * @param libraries folder; null while its libraries are in use
 */
export function releaseFilePages(libraries: string | null): void {
  if (platform !== "linux") return;
  try {
    const folder = libraries === null ? null : `${realpathSync(libraries)}/`;
    const unused = mappedFiles(readFileSync("/proc/self/maps", "utf8")).filter(
      ({ path, executable }) => (path === execPath && !executable) || (folder !== null && path.startsWith(folder)),
    );
    const libc = dlopen("libc.so.6", { madvise: { args: ["u64", "u64", "i32"], returns: "i32" } });
    for (const { start, bytes } of unused) libc.symbols.madvise(start, bytes, MADV_PAGEOUT);
    libc.close();
  } catch {
    // A sandbox may forbid it, and the folder may not exist yet. The memory then stays in use.
  }
}
