import { readFileSync } from "node:fs";
import { loadavg } from "node:os";

/** Clock ticks of all processors since the machine started. */
export interface ProcessorTimes {
  all: number;
  /** Those that its host gave to others (proc(5), "steal"). */
  stolen: number;
}

/** How busy the machine and its host were during a run. */
export interface MachineLoad {
  /** Load averages of 1, 5 and 15 minutes. */
  load_before: number[];
  load_after: number[];
  /** Share of the processors' time that the host gave to others; null where it is not known. */
  steal_percent: number | null;
}

/** Reads the first line of /proc/stat. */
export function processorTimes(stat: string = readFileSync("/proc/stat", "utf8")): ProcessorTimes {
  const [, ...ticks] = stat.split("\n")[0]!.trim().split(/\s+/);
  // Guests' time, behind the eighth, is also part of the first two.
  const counted = ticks.slice(0, 8).map(Number);
  return { all: counted.reduce((sum, value) => sum + value, 0), stolen: counted[7] ?? 0 };
}

/** Returns the stolen share of the time between two readings, in percent, with two decimals. */
export function stealPercent(before: ProcessorTimes, after: ProcessorTimes): number {
  const share = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  return Math.round(share * 10_000) / 100;
}

/** Begins to watch the machine. @returns ends it */
export function watchMachine(): () => MachineLoad {
  const load_before = loads();
  const before = timesHere();
  return () => {
    const after = timesHere();
    const steal_percent = before && after ? stealPercent(before, after) : null;
    return { load_before, load_after: loads(), steal_percent };
  };
}

const loads = () => loadavg().map((value) => Math.round(value * 100) / 100);

/** Outside Linux, there is no such file. */
function timesHere(): ProcessorTimes | null {
  try {
    return processorTimes();
  } catch {
    return null;
  }
}
