type Point = readonly [x: number, y: number];

/** A slope and the half-width of its 95% confidence interval; NaN where there are too few points. */
export interface Slope {
  slope: number;
  uncertainty: number;
}

/** Returns how much y grows for each unit of x, by least squares; 0 for fewer than two points. */
export function linearSlope(points: readonly Point[]): number {
  return fit(points).slope;
}

/**
 * Returns the slope through the means of each `each` consecutive points, with its uncertainty. Memory rises and falls
 * with the garbage collector, so consecutive points are correlated, and their number overstates what they prove. The
 * remaining correlation of the means widens the interval.
 */
export function slopeOf(points: readonly Point[], each: number): Slope {
  const means = meansOfEach(points, each);
  if (means.length < 2) return { slope: Number.NaN, uncertainty: Number.NaN };
  const { slope, spread, rests } = fit(means);
  // The effective number of independent values, for an autoregressive process of first order.
  const correlation = Math.min(0.95, Math.max(0, correlationOfNeighbors(rests)));
  const independent = (means.length * (1 - correlation)) / (1 + correlation);
  const free = independent - 2;
  if (means.length < 3 || free < 1) return { slope, uncertainty: Number.NaN };
  const squares = rests.reduce((sum, rest) => sum + rest ** 2, 0);
  const error = Math.sqrt(squares / free / spread);
  return { slope, uncertainty: studentQuantile(free) * error };
}

/** Returns the lowest of each group of consecutive points: for memory, what is held, without garbage. */
export function lowestOfEach(points: readonly Point[], each: number): [number, number][] {
  return groupsOf(points, each).map((group) => {
    const [x, y] = group.reduce((low, point) => (point[1] < low[1] ? point : low));
    return [x, y];
  });
}

function meansOfEach(points: readonly Point[], each: number): Point[] {
  return groupsOf(points, each).map((group) => [mean(group.map(([x]) => x)), mean(group.map(([, y]) => y))]);
}

/** What does not fill a group is left out. */
const groupsOf = (points: readonly Point[], each: number): Point[][] =>
  Array.from({ length: Math.floor(points.length / each) }, (_, i) => points.slice(i * each, (i + 1) * each));

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A straight line by least squares: its slope, how far x is spread, and what is left of each y. */
function fit(points: readonly Point[]): { slope: number; spread: number; rests: number[] } {
  if (points.length < 2) return { slope: 0, spread: 0, rests: points.map(() => 0) };
  const [x, y] = [mean(points.map((point) => point[0])), mean(points.map((point) => point[1]))];
  const above = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  const spread = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
  const slope = spread === 0 ? 0 : above / spread;
  return { slope, spread, rests: points.map(([px, py]) => py - y - slope * (px - x)) };
}

/** Returns the correlation of each value with the one before it, -1 to 1. @param values whose mean is 0 */
function correlationOfNeighbors(values: readonly number[]): number {
  const squares = values.reduce((sum, value) => sum + value ** 2, 0);
  const products = values.slice(1).reduce((sum, value, i) => sum + value * values[i]!, 0);
  return squares === 0 ? 0 : products / squares;
}

/** Returns the 97.5% quantile of Student's t, by the Cornish-Fisher expansion. */
function studentQuantile(free: number): number {
  // Below three degrees of freedom the expansion is too inexact, so the values of a table are interpolated.
  const table = [12.706, 4.303, 3.182];
  if (free < 3) {
    const at = Math.floor(free);
    return table[at - 1]! + (table[at]! - table[at - 1]!) * (free - at);
  }
  const z = 1.959964;
  const first = (z ** 3 + z) / 4 / free;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96 / free ** 2;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384 / free ** 3;
  return z + first + second + third;
}
