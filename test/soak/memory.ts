import { GOALS } from "../bench/goals.ts";
import { median } from "../bench/measure.ts";
import { round } from "./figures.ts";
import { linearSlope, lowestOfEach, type Slope, slopeOf } from "./slope.ts";

/** Garbage is collected at least once in this many samples: two minutes. */
const HELD_SAMPLES = 24;
const MAX_SLOPE_MB_PER_HOUR = { short: 240, full: GOALS.soak.memory_slope_mb_per_hour.atMost };

export interface Sample {
  /** Time since the start, hours. */
  at_h: number;
  rss_mb: number;
  /** Without file-backed pages. */
  own_mb: number;
  descriptors: number;
  /** Processor time of the server since its start, hours. */
  cpu_h: number;
  /** Share of the processors' time since the last sample that another machine of the same host got instead. */
  stolen: number;
}

/** Returns how fast the resident memory grows, MB an hour. */
export function memorySlope(settled: readonly Sample[]): Slope {
  return slopeOf(
    settled.map(({ at_h, rss_mb }) => [at_h, rss_mb]),
    HELD_SAMPLES,
  );
}

/** Returns the slope and its uncertainty as figures, without those that a short run does not have. */
export function slopeFigures(settled: readonly Sample[]): Record<string, number> {
  const { slope, uncertainty } = memorySlope(settled);
  const figures = { memory_slope_mb_per_hour: slope, memory_slope_uncertainty_mb_per_hour: uncertainty };
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) => (Number.isNaN(value) ? [] : [[name, round(value)]])),
  );
}

/** Returns how fast the memory in use grows: the lowest value of each two minutes, without file-backed pages. */
export function heldSlope(settled: readonly Sample[]): number {
  const points = settled.map(({ at_h, own_mb }) => [at_h, own_mb] as const);
  return linearSlope(lowestOfEach(points, HELD_SAMPLES));
}

/** Returns the median memory of each tenth of a run, which shows where it grew. */
export function memoryByTenth(samples: readonly Sample[]): Record<string, number> {
  const tenths = Array.from({ length: 10 }, (_, i) => {
    const [from, to] = [i, i + 1].map((tenth) => Math.floor((samples.length * tenth) / 10));
    return samples.slice(from, to);
  });
  const figures = tenths.map((tenth, i) => [
    `memory_tenth_${i + 1}_mb`,
    Math.round(median(tenth.map(({ rss_mb }) => rss_mb))),
  ]);
  return Object.fromEntries(figures.filter(([, mb]) => !Number.isNaN(mb)));
}

/** Judges the memory after warm-up. @param isFull whether the run is long enough for the goals of an hour */
export function memoryMisses(settled: readonly Sample[], isFull: boolean): string[] {
  const misses: string[] = [];
  const { slope, uncertainty } = memorySlope(settled);
  const most = isFull ? MAX_SLOPE_MB_PER_HOUR.full : MAX_SLOPE_MB_PER_HOUR.short;
  if (Number.isNaN(slope)) misses.push("the growth of the memory is unknown: there are too few samples");
  if (slope > most) {
    const range = Number.isNaN(uncertainty) ? "" : ` ± ${round(uncertainty)}`;
    misses.push(`the memory grows by ${round(slope)}${range} MB an hour, more than ${most}`);
  }
  const memory = settled.at(-1)?.rss_mb ?? 0;
  const { atMost } = GOALS.soak.memory_mb;
  if (isFull && memory > atMost) misses.push(`the memory is ${Math.round(memory)} MB, more than ${atMost}`);
  return misses;
}
