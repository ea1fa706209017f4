import { expect, test } from "bun:test";
import { dice } from "../faults/campaign.ts";
import { linearSlope, lowestOfEach, slopeOf } from "./slope.ts";

test("a line has its slope, noise about a level has none, and too few points have none", () => {
  expect(linearSlope([1, 2, 3, 4].map((x) => [x, 5 + 3 * x] as const))).toBeCloseTo(3);
  expect(linearSlope([0, 1, 2, 3].map((x) => [x, 100 + (x === 1 || x === 2 ? 1 : 0)] as const))).toBeCloseTo(0);
  expect(linearSlope([[1, 1]])).toBe(0);
  expect(
    linearSlope([
      [2, 1],
      [2, 9],
    ]),
  ).toBe(0);
});

test("the lowest of each few points is the level below a sawtooth", () => {
  const saw = Array.from({ length: 10 }, (_, x) => [x, 100 + 2 * x + 50 * (x % 3)] as const);
  expect(lowestOfEach(saw, 3)).toEqual([
    [0, 100],
    [3, 106],
    [6, 112],
  ]);
  expect(lowestOfEach([], 3)).toEqual([]);
});

test("a straight line is certain, and noise makes the slope uncertain by as much as it hides", () => {
  const line = Array.from({ length: 60 }, (_, x) => [x, 5 + 3 * x] as const);
  const certain = slopeOf(line, 1);
  expect(certain.slope).toBeCloseTo(3);
  expect(certain.uncertainty).toBeCloseTo(0);
  expect(slopeOf(line.slice(0, 2), 1).uncertainty).toBeNaN();

  // In 95 of 100 runs the true slope is within the interval, also if each value is like the one before it.
  const within = (likeness: number) => {
    let hits = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const random = dice(seed);
      let noise = 0;
      const points = Array.from({ length: 240 }, (_, x) => {
        noise = likeness * noise + (random() + random() + random() - 1.5);
        return [x, 2 * x + 10 * noise] as const;
      });
      const { slope, uncertainty } = slopeOf(points, 8);
      if (Math.abs(slope - 2) <= uncertainty) hits++;
    }
    return hits / 200;
  };
  for (const likeness of [0, 0.8]) {
    expect(within(likeness)).toBeGreaterThan(0.9);
    expect(within(likeness)).toBeLessThan(0.99);
  }
});
