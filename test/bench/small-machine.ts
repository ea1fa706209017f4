import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { processUsage } from "./measure.ts";

const WATCH_MS = 50;

/** Limits for processes, as on a machine with one core and little memory. */
export interface SmallMachine {
  /** What enforces the limits, in words. */
  enforcedBy: string;
  /** Returns the command that runs another one within the limits; the process id stays the same. */
  within(command: string[]): string[];
  /** Ends a process that holds more than the limit, where no control group does it. @returns stops watching */
  watch(pid: number): () => void;
  /** The most memory of all processes so far, bytes. */
  peak(): number;
  /** How often the limit was reached; null where it is not known. */
  exceeded(): number | null;
  remove(): void;
}

/**
 * @param cgroup a control group (version 2, or the memory controller of version 1) in which this process may make
 * others; null: a core by taskset, memory by prlimit, and a process above the limit is ended by a watch
 */
export function smallMachine(limitBytes: number, cgroup: string | null): SmallMachine {
  const core = oneCore();
  return cgroup === null ? watched(limitBytes, core) : grouped(limitBytes, cgroup, core);
}

interface Limit {
  prefix: string[];
  text: string;
}

function oneCore(): Limit {
  if (!Bun.which("taskset"))
    return { prefix: [], text: `no limit to one core of ${availableParallelism()}, because taskset is not installed` };
  return { prefix: ["taskset", "-c", firstCore()], text: "one core by taskset" };
}

/** Returns the number of a core that this process may use. */
function firstCore(): string {
  const allowed = /^Cpus_allowed_list:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"));
  return allowed?.[1] ?? "0";
}

/** Limits the private memory of a process. Reserved memory counts, so this is stricter than the resident size. */
function privateMemory(limitBytes: number): Limit {
  if (!Bun.which("prlimit")) return { prefix: [], text: "prlimit is not installed" };
  return { prefix: ["prlimit", `--data=${limitBytes}`], text: `${limitBytes / 1e6} MB of private memory by prlimit` };
}

function watched(limitBytes: number, core: Limit): SmallMachine {
  const data = privateMemory(limitBytes);
  let peak = 0;
  let ended = 0;
  return {
    enforcedBy: `${core.text}; no control group: ${data.text}, a process above ${limitBytes / 1e6} MB (resident) is ended by a watch every ${WATCH_MS} ms, and files it reads are cached outside the limit`,
    within: (command) => [...data.prefix, ...core.prefix, ...command],
    watch(pid) {
      const look = () => {
        // The kernel records the peak of a process, so one between two checks is not missed.
        peak = Math.max(peak, processUsage(pid)?.peak_bytes ?? 0);
        if ((processUsage(pid)?.rss_bytes ?? 0) <= limitBytes) return;
        ended++;
        process.kill(pid, "SIGKILL");
      };
      const timer = setInterval(look, WATCH_MS);
      return () => {
        look();
        clearInterval(timer);
      };
    },
    peak: () => peak,
    exceeded: () => ended,
    remove() {},
  };
}

/** Names of the files of both versions. */
const FILES = {
  2: { limit: "memory.max", swap: "memory.swap.max", noSwap: "0", peak: "memory.peak", exceeded: "memory.events" },
  1: {
    limit: "memory.limit_in_bytes",
    swap: "memory.memsw.limit_in_bytes",
    noSwap: null,
    peak: "memory.max_usage_in_bytes",
    exceeded: "memory.failcnt",
  },
} as const;

function grouped(limitBytes: number, cgroup: string, core: Limit): SmallMachine {
  const version = existsSync(join(cgroup, "cgroup.controllers")) ? 2 : 1;
  const files = FILES[version];
  const place = join(cgroup, `postroom-small-${process.pid}`);
  mkdirSync(place);
  const file = (name: string) => join(place, name);
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), "utf8").trim() : null);
  try {
    writeFileSync(file(files.limit), String(limitBytes));
    // Not every kernel counts swap.
    if (existsSync(file(files.swap))) writeFileSync(file(files.swap), files.noSwap ?? String(limitBytes));
  } catch (error) {
    rmdirSync(place);
    throw new Error(`the control group ${cgroup} has no memory limit for its groups: ${(error as Error).message}`);
  }
  // The shell moves itself into the group, and becomes the command.
  const enter = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', file("cgroup.procs")];
  return {
    enforcedBy: `${core.text}; ${limitBytes / 1e6} MB by a control group of version ${version}, in which cached files count`,
    within: (command) => [...enter, ...core.prefix, ...command],
    watch: () => () => {},
    peak: () => Number(read(files.peak) ?? Number.NaN),
    exceeded() {
      const text = read(files.exceeded);
      if (text === null) return null;
      return version === 1 ? Number(text) : Number(/^max (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
    },
    remove: () => rmdirSync(place),
  };
}
