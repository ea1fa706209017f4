import { expect, test } from "bun:test";
import fc from "fast-check";
import { countDifferences, rangesOf, readRanges } from "./uid-ranges.ts";

const UIDS = fc
  .uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 120 })
  .map((uids) => uids.sort((a, b) => a - b));

test("a list and its ranges contain the same numbers", () => {
  fc.assert(
    fc.property(UIDS, (uids) => {
      const text = rangesOf(uids)
        .map(([first, last]) => (first === last ? `${first}` : `${last}:${first}`))
        .join(",");
      const expanded = readRanges(text).flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, i) => first + i),
      );
      expect(expanded).toEqual(uids);
    }),
  );
});

test("differences are counted as with sets", () => {
  fc.assert(
    fc.property(UIDS, UIDS, (left, right) => {
      const [there, here] = [new Set(left), new Set(right)];
      expect(countDifferences(rangesOf(left), rangesOf(right))).toEqual({
        left: there.size,
        onlyLeft: there.difference(here).size,
        onlyRight: here.difference(there).size,
      });
    }),
  );
});

test("a billion consecutive messages cost nothing", () => {
  expect(countDifferences(readRanges("1:4000000000"), [[5, 6]])).toEqual({
    left: 4e9,
    onlyLeft: 4e9 - 2,
    onlyRight: 0,
  });
});

test("an invalid range is left out, and overlapping ranges count once", () => {
  expect(readRanges("3:1,*,2:5,x,,9")).toEqual([
    [1, 5],
    [9, 9],
  ]);
});
