import { expect, test } from "bun:test";
import fc from "fast-check";
import { beginsLike, threeLetters } from "./three-letters.ts";

const like = threeLetters(["begin forwarded", "Sent from"]);

test("a line with the beginning of a phrase passes in any case, and nearly every other line does not", () => {
  expect(beginsLike("Begin forwarded message:", 0, like)).toBe(true);
  expect(beginsLike("BEGIN", 0, like)).toBe(true);
  expect(beginsLike("  sent from my phone", 2, like)).toBe(true);
  expect(beginsLike("Hello Bob,", 0, like)).toBe(false);
  expect(beginsLike("be", 0, like)).toBe(false);
});

test("non-ASCII text always passes, because only a pattern can compare it without case", () => {
  expect(beginsLike("ſent from my phone", 0, like)).toBe(true);
  expect(beginsLike("転送されたメッセージ", 0, like)).toBe(true);
});

test("no phrase is ever missed", () => {
  const phrase = fc.string({ minLength: 3, unit: "grapheme-ascii" });
  fc.assert(
    fc.property(fc.array(phrase, { minLength: 1 }), fc.string(), fc.boolean(), (phrases, rest, upper) => {
      for (const one of phrases) {
        const line = (upper ? one.toUpperCase() : one) + rest;
        expect(beginsLike(line, 0, threeLetters(phrases))).toBe(true);
      }
    }),
  );
});
