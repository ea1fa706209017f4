import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { MemoryGauge } from "./memory.ts";

const MB = 1024 * 1024;
/** Filled; otherwise the system would not allocate it. */
const take = (bytes: number) => Buffer.alloc(bytes, 1);

test.skipIf(!existsSync("/proc/self/clear_refs"))(
  "what a batch took temporarily is reported, for that batch only",
  async () => {
    const gauge = new MemoryGauge(100 * MB);
    await gauge.during("a large batch", async () => {
      // Garbage may be twice the live memory, which is larger among other tests.
      take(200 * MB + 2 * heapStats().heapSize);
      Bun.gc(true);
    });
    await gauge.during("a small batch", async () => void take(1 * MB));
    const { memory_peak_mb } = gauge.figures();
    expect(gauge.misses).toEqual([expect.stringMatching(/^a large batch took \d+ MB of memory$/)]);
    expect(memory_peak_mb).toBeGreaterThanOrEqual(200);
  },
);

test("what is kept after all batches is reported", async () => {
  const gauge = new MemoryGauge(500 * MB, 100 * MB);
  const kept: Buffer[] = [];
  await gauge.during("a batch", async () => void kept.push(take(150 * MB)));
  const { memory_growth_mb, memory_kept_mb } = gauge.figures();
  expect(gauge.misses).toEqual([expect.stringMatching(/^the memory grew by 1[5-9]\d MB$/)]);
  expect([memory_growth_mb! >= 150, memory_kept_mb! >= 150, kept.length]).toEqual([true, true, 1]);
});
