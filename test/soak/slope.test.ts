import { expect, test } from "bun:test";
import { linearSlope, lowestOfEach } from "./slope.ts";

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
