import { expect, test } from "bun:test";
import { flagsHash, readFlags } from "./flags.ts";

const NONE = { seen: false, flagged: false, answered: false, draft: false, important: false };

test("flags are read in any spelling of capitals, and keywords are not flags", () => {
  expect(readFlags(new Set(["\\Seen", "\\ANSWERED", "$important", "seen", "Work"]))).toEqual({
    ...NONE,
    seen: true,
    answered: true,
    important: true,
  });
  expect(readFlags(new Set(["\\flagged", "\\Draft", "\\Recent"]))).toEqual({ ...NONE, flagged: true, draft: true });
  expect(readFlags(new Set())).toEqual(NONE);
});

test("nothing is known when the server left the flags out", () => {
  expect(readFlags(undefined)).toBeNull();
});

test("the hash depends on flags, keywords and labels, not on their order or on \\Recent", () => {
  const hash = flagsHash(new Set(["\\Seen", "Work"]), new Set(["a", "b"]));
  expect(flagsHash(new Set(["Work", "\\Recent", "\\Seen"]), new Set(["b", "a"]))).toBe(hash);
  for (let n = 0; n < 500; n++) flagsHash(new Set([`word${n}`]));
  expect(flagsHash(new Set(["\\Seen", "Work"]), new Set(["a", "b"]))).toBe(hash);
  expect(flagsHash(new Set(["\\Seen"]), new Set(["a", "b"]))).not.toBe(hash);
  expect(flagsHash(new Set(["\\Seen", "Work"]), new Set(["a"]))).not.toBe(hash);
  // Stored with each message, so it may never change.
  expect(flagsHash(new Set(["\\Seen"]))).toBe(32_906_031_272_459);
});
