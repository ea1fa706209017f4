import { expect, test } from "bun:test";
import fc from "fast-check";
import { Sieve } from "./sieve.ts";

const pieces = fc.array(fc.array(fc.nat(), { maxLength: 400 }), { maxLength: 40 });

test("the first that pass are found, however few pass, and in the order of the walk", () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 900 }), (walk, most, rarity) => {
      const passes = (n: number) => n % rarity === 0;
      const all = walk.flat();
      const sieve = new Sieve(
        (numbers) => numbers.filter(passes).map((n) => ({ n })),
        () => all.filter(passes),
      );
      expect(sieve.first(walk, most).map(({ n }) => n)).toEqual(all.filter(passes).slice(0, most));
      expect(sieve.first(walk, most).map(({ n }) => n)).toEqual(all.filter(passes).slice(0, most));
    }),
  );
});

test("a walk of which hardly anything passes is not looked up one by one", () => {
  let looked_up = 0;
  const walk = Array.from({ length: 100 }, (_, i) => Array.from({ length: 1_000 }, (_, j) => i * 1_000 + j));
  const sieve = new Sieve(
    (numbers) => {
      looked_up += numbers.length;
      return numbers.filter((n) => n >= 99_999).map((n) => ({ n }));
    },
    () => [99_999],
  );
  expect(sieve.first(walk, 10)).toEqual([{ n: 99_999 }]);
  expect(looked_up).toBeLessThan(5_000);
});
