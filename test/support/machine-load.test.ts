import { expect, test } from "bun:test";
import { processorTimes, stealPercent, watchMachine } from "./machine-load.ts";

const stat = (line: string) => `${line}\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`;

test("the stolen time is the eighth column, and guests are not counted twice", () => {
  expect(processorTimes(stat("cpu  100 20 30 800 10 1 4 35 60 7"))).toEqual({ all: 1_000, stolen: 35 });
  expect(processorTimes(stat("cpu 1 2 3 4"))).toEqual({ all: 10, stolen: 0 });
});

test("the stolen share is that between two readings", () => {
  const before = { all: 1_000, stolen: 100 };
  expect(stealPercent(before, { all: 3_000, stolen: 150 })).toBe(2.5);
  expect(stealPercent(before, before)).toBe(0);
});

test("a run records the load before and after it", () => {
  const load = watchMachine()();
  expect([load.load_before.length, load.load_after.length]).toEqual([3, 3]);
});
