import { dlopen } from "bun:ffi";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { execPath, platform } from "node:process";

/** How far the system reads ahead when a page is needed again: as usual, or only the page itself. */
const MADV_NORMAL = 0;
const MADV_RANDOM = 1;
/** Reclaims pages (madvise(2), Linux 5.4 and newer). Nothing is lost: contents of files are read again when needed. */
const MADV_PAGEOUT = 21;
/**
 * Removes pages from this process only. Those of a file usually stay in the system's memory, so using them again does
 * not read the disk. Changed ones would be lost.
 */
const MADV_DONTNEED = 4;
/** A line of /proc/self/maps: addresses, permissions, path (proc_pid_maps(5)). */
const MAPPED_FILE = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ +(\/.*)$/gm;

/** Part of a file in the memory of this process. */
export interface MappedFile {
  path: string;
  start: bigint;
  bytes: bigint;
  /** Whether it is machine code, which is never changed. */
  code: boolean;
}

/** Parses /proc/self/maps. */
export function mappedFiles(maps: string): MappedFile[] {
  return [...maps.matchAll(MAPPED_FILE)].map(([, from, to, permissions, path]) => {
    const start = BigInt(`0x${from}`);
    return { path: path!, start, bytes: BigInt(`0x${to}`) - start, code: permissions!.startsWith("r-x") };
  });
}

/**
 * Gives memory back to the system that holds contents of files and is not in use: of the executable, and of the native
 * libraries. A start uses much of their code and data once. Does nothing except on Linux; for data of files of another
 * user, the system refuses it.
 * @param libraries folder of the native libraries
 * @param inUse whether a thread uses them; if so, only their code is given back, and what is needed is read again
 */
export function releaseFilePages(libraries: string, inUse: boolean): void {
  if (platform !== "linux") return;
  try {
    const folder = existsSync(libraries) ? `${realpathSync(libraries)}/` : null;
    const files = mappedFiles(readFileSync("/proc/self/maps", "utf8"));
    const program = files.filter(({ path }) => path === execPath);
    const library = files.filter(({ path }) => folder !== null && path.startsWith(folder));
    const libc = dlopen("libc.so.6", { madvise: { args: ["u64", "u64", "i32"], returns: "i32" } });
    const advise = (parts: readonly MappedFile[], advice: number) => {
      for (const { start, bytes } of parts) libc.symbols.madvise(start, bytes, advice);
    };
    const isCode = ({ code }: MappedFile) => code;
    advise(program.filter(isCode), MADV_DONTNEED);
    const released = [...program.filter(({ code }) => !code), ...(inUse ? library.filter(isCode) : library)];
    // A little of it is needed again, scattered. Without this, the pages around it would return as well.
    advise(released, MADV_RANDOM);
    advise(released, MADV_PAGEOUT);
    if (!inUse) advise(library, MADV_NORMAL);
    libc.close();
  } catch {
    // A sandbox may forbid it. The memory then stays in use.
  }
}
