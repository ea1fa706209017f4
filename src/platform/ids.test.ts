import { expect, test } from "bun:test";
import fc from "fast-check";
import { ManualClock } from "./clock.ts";
import { createIds } from "./ids.ts";

test("ids sort in the order of creation, despite changes of the wall clock", () => {
  const moves = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(moves, (steps) => {
      const clock = new ManualClock();
      const newId = createIds(clock);
      const ids = steps.map((step) => {
        clock.set(clock.now() + step);
        return newId("message");
      });
      expect(ids.toSorted()).toEqual(ids);
    }),
  );
});

test("ten thousand ids of one millisecond are all different and in order", () => {
  const newId = createIds(new ManualClock());
  const ids = Array.from({ length: 10_000 }, () => newId("event"));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test("two generators do not create the same ids at the same moment", () => {
  const clock = new ManualClock();
  const [a, b] = [createIds(clock), createIds(clock)];
  const ids = Array.from({ length: 1_000 }, (_, i) => (i % 2 ? a : b)("job"));
  expect(new Set(ids).size).toBe(ids.length);
});
