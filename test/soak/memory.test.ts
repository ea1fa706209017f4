import { expect, test } from "bun:test";
import { memoryByTenth, memoryMisses, memorySlope, type Sample, slopeFigures } from "./memory.ts";

/** Two thirds of an hour, a sample every five seconds, with a sawtooth of garbage. */
const samples = (from: number, mbPerHour: number): Sample[] =>
  Array.from({ length: 480 }, (_, i) => {
    const at_h = i / 720;
    const rss_mb = from + mbPerHour * at_h + 5 * (i % 7);
    return { at_h, rss_mb, own_mb: rss_mb, descriptors: 60, cpu_h: 0, stolen: 0 };
  });

test("memory that grows faster than the goal is a miss, with its uncertainty, and slower growth is none", () => {
  expect(memorySlope(samples(200, 19)).slope).toBeCloseTo(19, 0);
  expect(memoryMisses(samples(200, 18), true)).toEqual([]);
  const [miss] = memoryMisses(samples(200, 25), true);
  expect(miss).toMatch(/^the memory grows by 25(\.\d)? ± \d(\.\d)? MB an hour, more than 20$/);
});

test("the size is judged after an hour, and a shorter run only by a wider slope", () => {
  expect(memoryMisses(samples(400, 0), true)).toEqual([
    expect.stringMatching(/^the memory is 4\d\d MB, more than 350$/),
  ]);
  expect(memoryMisses(samples(400, 100), false)).toEqual([]);
  expect(memoryMisses(samples(200, 300), false)).toHaveLength(1);
});

test("a run without enough samples has no slope, and does not pass for one that is flat", () => {
  expect(slopeFigures(samples(200, 0).slice(0, 40))).toEqual({});
  expect(memoryMisses([], true)).toEqual([expect.stringContaining("unknown")]);
  expect(Object.keys(slopeFigures(samples(200, 0)))).toHaveLength(2);
});

test("each tenth of a run has its median, and a run of a few samples has fewer", () => {
  const tenths = memoryByTenth(samples(200, 60));
  expect(Object.keys(tenths)).toHaveLength(10);
  expect(tenths.memory_tenth_10_mb! - tenths.memory_tenth_1_mb!).toBeCloseTo(36, -1);
  expect(Object.keys(memoryByTenth(samples(200, 0).slice(0, 3)))).toHaveLength(3);
});
