import { expect, test } from "bun:test";
import { samplesBetween, since } from "./machine.ts";

test("the count since a reading includes only what was added after it", () => {
  expect(since({ lags: 3 }, { lags: 10, late: 2 })).toEqual({ lags: 7, late: 2 });
});

test("a period is good when every sample that covers a part of it is", () => {
  const hour = 3_600_000;
  // Since the start, since 5, 10 and 15: only the sample from 5 to 10 is bad.
  const samples = [5, 10, 15, 20].map((at) => ({ at_h: at / hour, good: at !== 10 }));
  const isGood = samplesBetween(samples, ({ good }) => good);
  const verdicts = [
    [0, 4],
    [0, 6],
    [6, 9],
    [4, 16],
    [11, 12],
    [11, 21],
    [9, 11],
    [21, 22],
  ].map(([from, to]) => isGood(from!, to!));
  expect(verdicts).toEqual([true, false, false, false, true, true, false, true]);
  expect(samplesBetween([], () => false)(0, 1)).toBe(true);
});
