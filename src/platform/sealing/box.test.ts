import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { openBytes, SealBroken, sealBytes, sealedVersion } from "./box.ts";

const key = randomBytes(32);
const bytes = fc.uint8Array({ maxLength: 300 });
const contexts = fc.string({ maxLength: 40 });

test("a sealed value opens again, and has the version of its key", () => {
  fc.assert(
    fc.property(bytes, contexts, fc.integer({ min: 0, max: 255 }), (plain, context, version) => {
      const sealed = sealBytes(key, version, context, plain);
      expect(sealedVersion(sealed)).toBe(version);
      expect(Buffer.from(openBytes(key, context, sealed))).toEqual(Buffer.from(plain));
    }),
  );
});

test("a sealed value does not open with another context", () => {
  fc.assert(
    fc.property(bytes, contexts, contexts, (plain, here, there) => {
      fc.pre(here !== there);
      expect(() => openBytes(key, there, sealBytes(key, 1, here, plain))).toThrow(SealBroken);
    }),
  );
});

test("a flipped bit anywhere after the version byte is noticed", () => {
  fc.assert(
    fc.property(bytes, fc.nat(), (plain, at) => {
      const sealed = sealBytes(key, 1, "t.c:1", plain);
      const bit = 8 + (at % ((sealed.length - 1) * 8));
      sealed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => openBytes(key, "t.c:1", sealed)).toThrow(SealBroken);
    }),
  );
});

test("a value does not open with another key or if it is truncated", () => {
  const sealed = sealBytes(key, 1, "t.c:1", Buffer.from("hello"));
  expect(() => openBytes(randomBytes(32), "t.c:1", sealed)).toThrow(SealBroken);
  for (let length = 0; length < sealed.length; length++) {
    expect(() => openBytes(key, "t.c:1", sealed.subarray(0, length))).toThrow(SealBroken);
  }
});

test("the same text is never sealed to the same bytes", () => {
  const made = Array.from({ length: 200 }, () =>
    Buffer.from(sealBytes(key, 1, "t.c:1", Buffer.from("x"))).toString("hex"),
  );
  expect(new Set(made).size).toBe(made.length);
});

test("an error names the column, never the row or the text", () => {
  const sealed = sealBytes(key, 1, "messages.subject:msg_1", Buffer.from("secret"));
  expect(() => openBytes(key, "messages.subject:msg_2", sealed)).toThrow(
    "A sealed value did not open (messages.subject).",
  );
});
