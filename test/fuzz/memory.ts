import { heapStats } from "bun:jsc";
import { readFileSync, writeFileSync } from "node:fs";

/** What a batch of inputs may take at its peak, above what was there before it and above what garbage may lie about. */
const MOST_PEAK_BYTES = 200 * 1024 * 1024;
/** JavaScriptCore collects when there is about this much garbage for what is alive: twice was seen over a heap of 100 MB. */
const GARBAGE_FOR_ALIVE = 2;
/** What may have been added when all inputs are through and the garbage is collected: alive, or of native code. */
const MOST_GROWTH_BYTES = 200 * 1024 * 1024;

const mb = (bytes: number): number => Math.round(bytes / 1e6);

/**
 * The resident memory of this process while inputs run through it, in batches, and after all of them. Linux keeps the peak
 * (VmHWM of /proc/self/status) and lets a process begin it anew (proc(5), clear_refs); elsewhere a batch is measured at its end.
 */
export class MemoryGauge {
  readonly misses: string[] = [];
  #most = 0;
  #told = true;
  readonly #began: number;
  readonly #alive: number;

  constructor(
    private readonly most_peak_bytes = MOST_PEAK_BYTES,
    private readonly most_growth_bytes = MOST_GROWTH_BYTES,
  ) {
    Bun.gc(true);
    this.#began = residentBytes();
    this.#alive = heapStats().heapSize;
  }

  /** Runs a batch; what takes more than it may is a miss under this name. */
  async during<T>(name: string, batch: () => Promise<T>): Promise<T> {
    Bun.gc(true);
    const before = residentBytes();
    const most = this.most_peak_bytes + GARBAGE_FOR_ALIVE * heapStats().heapSize;
    this.#told &&= beginPeak();
    const result = await batch();
    const peak = (this.#told ? peakBytes() : residentBytes()) - before;
    this.#most = Math.max(this.#most, peak);
    if (peak > most) this.misses.push(`${name} took ${mb(peak)} MB of memory`);
    return result;
  }

  /** To be asked once, at the end. `memory_after_batch_mb` where no peaks are told. */
  figures(): Record<string, number> {
    Bun.gc(true);
    const growth = residentBytes() - this.#began;
    const { heapSize } = heapStats();
    const alive = heapSize - this.#alive;
    // What was garbage a moment ago may not be given back yet, so that the heap is larger than what is alive in it.
    const kept = Math.max(alive, growth - GARBAGE_FOR_ALIVE * heapSize);
    if (kept > this.most_growth_bytes) this.misses.push(`the memory grew by ${mb(kept)} MB`);
    return {
      [this.#told ? "memory_peak_mb" : "memory_after_batch_mb"]: mb(this.#most),
      memory_growth_mb: mb(growth),
      memory_kept_mb: mb(alive),
    };
  }
}

const residentBytes = (): number => statusBytes("VmRSS") ?? process.memoryUsage().rss;
const peakBytes = (): number => statusBytes("VmHWM")!;

/** @returns false where the system has no peak, or does not let it begin anew */
function beginPeak(): boolean {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
    return statusBytes("VmHWM") !== null;
  } catch {
    return false;
  }
}

/** A line of /proc/self/status, which has kB; null where there is none. */
function statusBytes(name: "VmRSS" | "VmHWM"): number | null {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8"));
    return found ? Number(found[1]) * 1024 : null;
  } catch {
    return null;
  }
}
