import { expect, test } from "bun:test";
import { numeralsOf } from "./numerals.ts";

test("Chinese characters outside the basic plane end, and numbers after them are found", () => {
  for (const text of ["𢬌", "𢬌𢬌 12", "ڃ𢬌三 12"]) {
    expect(numeralsOf(text).length).toBe(text.includes("12") ? (text.includes("三") ? 2 : 1) : 0);
  }
});
