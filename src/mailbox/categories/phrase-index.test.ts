import { describe, expect, test } from "bun:test";
import { PhraseIndex } from "./phrase-index.ts";

const index = new PhraseIndex<"a" | "b">({
  a: `
    (?:your|our) order|no(?:n)? rispondere|[åä]lska (?:dig )?|
    opt-out|退订`,
  b: "order number \\d{3,}|rea?lly",
});
const both = new Set(["a", "b"] as const);
const found = (text: string) => [...index.find(text, both)].map(([name, at]) => `${name}${at}`).sort();

describe("an index of phrases", () => {
  test("finds phrases at the beginnings of words, with any blanks between their words", () => {
    expect(found("thanks for your\n order")).toEqual(["a11"]);
    expect(found("four order")).toEqual([]);
    expect(found("https://x.example/opt-out?u=1")).toEqual(["a18"]);
    expect(found("order number 12")).toEqual([]);
    expect(found("order number 123, our order")).toEqual(["a18", "b0"]);
    expect(found("no rispondere; relly")).toEqual(["a0", "b15"]);
    expect(found("jag älska dig")).toEqual(["a4"]);
  });

  test("finds words of scripts without spaces anywhere", () => {
    expect(found("点击这里退订邮件")).toEqual(["a4"]);
  });

  test("searches only for the wanted names, and reports the last place", () => {
    expect(index.find("your order, order number 123", new Set(["b"] as const))).toEqual(new Map([["b", 12]]));
    expect(index.find("our order and your order", both).get("a")).toBe(14);
  });

  test("refuses a phrase that does not begin with letters, because it would be tried everywhere", () => {
    expect(() => new PhraseIndex({ a: "\\d+ euro" })).toThrow("too few letters");
  });
});
