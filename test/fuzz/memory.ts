import { heapStats } from "bun:jsc";
import { readFileSync, writeFileSync } from "node:fs";

/** What a batch of inputs may take at its peak, above the memory before it and above possible garbage. */
const MAX_PEAK_BYTES = 200 * 1024 * 1024;
/**
 * JavaScriptCore collects when there is about this much garbage for the live memory: twice was seen over a heap of 100
 * MB.
 */
const GARBAGE_FOR_ALIVE = 2;
/** What may remain when all inputs have run and the garbage is collected: live, or in native code. */
const MAX_GROWTH_BYTES = 200 * 1024 * 1024;

const mb = (bytes: number): number => Math.round(bytes / 1e6);

/**
 * The resident memory of this process while inputs run through it, in batches, and after all of them. Linux records the
 * peak (VmHWM of /proc/self/status) and lets a process reset it (proc(5), clear_refs); elsewhere a batch is measured at
 * its end.
 */
export class MemoryGauge {
  readonly misses: string[] = [];
  #most = 0;
  #hasPeak = true;
  readonly #began: number;
  readonly #alive: number;

  constructor(
    private readonly most_peak_bytes = MAX_PEAK_BYTES,
    private readonly most_growth_bytes = MAX_GROWTH_BYTES,
  ) {
    Bun.gc(true);
    this.#began = residentBytes();
    this.#alive = heapStats().heapSize;
  }

  /** Runs a batch; excessive memory is a miss under this name. */
  async during<T>(name: string, batch: () => Promise<T>): Promise<T> {
    Bun.gc(true);
    const before = residentBytes();
    const most = this.most_peak_bytes + GARBAGE_FOR_ALIVE * heapStats().heapSize;
    this.#hasPeak &&= beginPeak();
    const result = await batch();
    const peak = (this.#hasPeak ? peakBytes() : residentBytes()) - before;
    this.#most = Math.max(this.#most, peak);
    if (peak > most) this.misses.push(`${name} took ${mb(peak)} MB of memory`);
    return result;
  }

  /** Call once, at the end. Returns `memory_after_batch_mb` where the system reports no peaks. */
  figures(): Record<string, number> {
    Bun.gc(true);
    const growth = residentBytes() - this.#began;
    const { heapSize } = heapStats();
    const alive = heapSize - this.#alive;
    // Recent garbage may not be returned yet, so that the heap is larger than the live memory in it.
    const kept = Math.max(alive, growth - GARBAGE_FOR_ALIVE * heapSize);
    if (kept > this.most_growth_bytes) this.misses.push(`the memory grew by ${mb(kept)} MB`);
    return {
      [this.#hasPeak ? "memory_peak_mb" : "memory_after_batch_mb"]: mb(this.#most),
      memory_growth_mb: mb(growth),
      memory_kept_mb: mb(alive),
    };
  }
}

const residentBytes = (): number => statusBytes("VmRSS") ?? process.memoryUsage().rss;
const peakBytes = (): number => statusBytes("VmHWM")!;

/** @returns false where the system has no peak, or does not allow a reset */
function beginPeak(): boolean {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
    return statusBytes("VmHWM") !== null;
  } catch {
    return false;
  }
}

/** Returns a line of /proc/self/status, in kB; null where there is none. */
function statusBytes(name: "VmRSS" | "VmHWM"): number | null {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8"));
    return found ? Number(found[1]) * 1024 : null;
  } catch {
    return null;
  }
}
