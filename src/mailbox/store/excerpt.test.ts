import { expect, test } from "bun:test";
import fc from "fast-check";
import { excerptOf, fromExcerpt } from "./excerpt.ts";

test("a text above its quotation is stored as its position", () => {
  const whole = "Yes, at eight.\n\nOn Monday Bob wrote:\n> Shall we meet?\n";
  expect(excerptOf(whole, "Yes, at eight.")).toEqual([0, 14]);
});

test("a text that does not occur in the other is kept in full", () => {
  expect(excerptOf("One.\n> Two?\nThree.", "One.\nThree.")).toBe("One.\nThree.");
  expect(excerptOf("", "One.")).toBe("One.");
});

test("an empty text stays empty", () => {
  expect(fromExcerpt("One.", excerptOf("One.", ""))).toBe("");
});

test("any two texts survive the round trip, also through JSON", () => {
  const cut = fc
    .tuple(fc.string({ unit: "binary" }), fc.nat(), fc.nat())
    .map(([whole, a, b]) => [whole, whole.slice(a % (whole.length + 1), b % (whole.length + 1))] as const);
  const any = fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(fc.oneof(cut, any), ([whole, part]) => {
      const kept = JSON.parse(JSON.stringify(excerptOf(whole, part)));
      expect(fromExcerpt(whole, kept)).toBe(part);
    }),
  );
});
