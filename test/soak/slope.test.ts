import { expect, test } from "bun:test";
import { linearSlope } from "./slope.ts";

test("the slope of a line is its own, of noise about a level none, of too little nothing", () => {
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
