import { readFileSync } from "node:fs";
import { freemem } from "node:os";

/** Memory that a further program could use. */
export interface AvailableMemory {
  bytes: number;
  /** True if a limit of this container or service counts, rather than the memory of the machine. */
  limited: boolean;
}

/** Values from which a cgroup has no limit: version 1 reports the largest multiple of a page. */
const NO_LIMIT = 2 ** 60;

/**
 * Returns the memory that is available: `MemAvailable` of Linux, or what the limit of the control group leaves if that
 * is less. Other systems report their free memory. @param root of the file system, for tests
 */
export function availableMemory(root = ""): AvailableMemory {
  const text = (path: string): string | null => {
    try {
      return readFileSync(`${root}${path}`, "utf8");
    } catch {
      return null;
    }
  };
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text("/proc/meminfo") ?? "")?.[1];
  const machine = kilobytes === undefined ? freemem() : Number(kilobytes) * 1_024;
  const left = cgroupFolders(text("/proc/self/cgroup") ?? "").flatMap((folder) => leftIn(folder, text) ?? []);
  const bytes = Math.min(machine, ...left);
  return { bytes, limited: bytes < machine };
}

/** Returns the folders with the limits of this process, its own and those above it, which count as well. */
function cgroupFolders(source: string): string[] {
  return source.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined || (controllers !== "" && !controllers!.split(",").includes("memory"))) return [];
    const top = controllers === "" ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const parts = path.split("/").filter((part) => part !== "");
    return [top, ...parts.map((_, i) => `${top}/${parts.slice(0, i + 1).join("/")}`)];
  });
}

/** Returns what a limit leaves, bytes; null without a limit. Cached files count as free, because they can be dropped. */
function leftIn(folder: string, text: (path: string) => string | null): number | null {
  const limit = numberIn(text(`${folder}/memory.max`) ?? text(`${folder}/memory.limit_in_bytes`));
  const used = numberIn(text(`${folder}/memory.current`) ?? text(`${folder}/memory.usage_in_bytes`));
  if (limit === null || used === null || limit >= NO_LIMIT) return null;
  const cached = /^(?:total_)?inactive_file (\d+)$/m.exec(text(`${folder}/memory.stat`) ?? "")?.[1];
  return Math.max(0, limit - used + Number(cached ?? 0));
}

function numberIn(text: string | null): number | null {
  return text !== null && /^\d+\s*$/.test(text) ? Number(text) : null;
}
