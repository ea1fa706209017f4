/** Returns how much y grows for each unit of x, by least squares; 0 for fewer than two points. */
export function linearSlope(points: readonly (readonly [x: number, y: number])[]): number {
  if (points.length < 2) return 0;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point[0])), mean(points.map((point) => point[1]))];
  const above = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  const below = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

/** Returns the lowest of each group of consecutive points: for memory, what is held, without garbage. */
export function lowestOfEach(points: readonly (readonly [x: number, y: number])[], each: number): [number, number][] {
  return Array.from({ length: Math.floor(points.length / each) }, (_, i) => {
    const [x, y] = points.slice(i * each, (i + 1) * each).reduce((low, point) => (point[1] < low[1] ? point : low));
    return [x, y];
  });
}
