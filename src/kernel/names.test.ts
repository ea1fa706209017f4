import { expect, test } from "bun:test";
import { isEmailAddress, nameFault } from "./names.ts";

test.each(["laptop", "Büro 2", "電話", "👩‍💻 work", "كمبيوتر", "n’est-ce pas? <b>"])("%j is a valid name", (name) => {
  expect(nameFault(name)).toBeNull();
});

test.each(["", "  ", "\u200b", "\u00a0\u2028"])("a name without a visible character is refused: %j", (name) => {
  expect(nameFault(name)).toBe("must not be empty");
});

test.each([
  "a\nb",
  "a\u0000",
  "\u001b[31mred",
  "a\u007f",
  "a\u0085b",
  "a\u2028b",
  "exe.\u202etxt",
  "\u2066a",
  "\ud800a",
])("a name with hidden or direction characters is refused: %j", (name) => {
  expect(nameFault(name)).toBe("must not contain control characters");
});

test.each([
  ["ada@example.org", true],
  ["jörg@bücher.example", true],
  ["a\u0000@b.example", false],
  ["a\u001b[2J@b.example", false],
  ["a\u202e@b.example", false],
  ["ada", false],
  ["a@b@c", false],
  [`${"a".repeat(320)}@b`, false],
])("isEmailAddress(%j) is %p", (text, isOne) => {
  expect(isEmailAddress(text)).toBe(isOne);
});
