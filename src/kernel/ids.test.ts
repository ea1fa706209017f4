import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeId, ID_PREFIXES, type IdKind, isId } from "./ids.ts";

const kinds = fc.constantFrom(...(Object.keys(ID_PREFIXES) as IdKind[]));
const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const randoms = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe("an id", () => {
  test("has the prefix of its kind and 26 characters, and is recognized", () => {
    fc.assert(
      fc.property(kinds, times, randoms, (kind, at, random) => {
        const id = encodeId(kind, at, random);
        expect(id).toHaveLength(ID_PREFIXES[kind].length + 26);
        expect(isId(kind, id)).toBe(true);
      }),
    );
  });

  test("sorts by time first, then by its random part", () => {
    fc.assert(
      fc.property(times, randoms, times, randoms, (atA, randomA, atB, randomB) => {
        const [a, b] = [encodeId("thread", atA, randomA), encodeId("thread", atB, randomB)];
        const expected = Math.sign(atA - atB || Buffer.compare(randomA, randomB));
        expect(a < b ? -1 : a > b ? 1 : 0).toBe(expected);
      }),
    );
  });

  test("keeps every bit: different inputs produce different ids", () => {
    fc.assert(
      fc.property(randoms, fc.integer({ min: 0, max: 79 }), (random, bit) => {
        const other = Uint8Array.from(random);
        other[bit >> 3]! ^= 1 << (bit & 7);
        expect(encodeId("send", 0, other)).not.toBe(encodeId("send", 0, random));
      }),
    );
  });
});

describe("isId", () => {
  const good = encodeId("thread", 1_770_000_000_000, new Uint8Array(10).fill(171));
  test.each([
    ["of another kind", good.replace("thr_", "msg_")],
    ["without its prefix", good.slice(4)],
    ["in capitals", good.toUpperCase()],
    ["too short", good.slice(0, -1)],
    ["too long", `${good}0`],
    ["with a letter that Crockford's alphabet omits", `${good.slice(0, -1)}u`],
    ["with a trailing newline", `${good}\n`],
    ["empty", ""],
  ])("refuses an id %s", (_what, id) => {
    expect(isId("thread", id)).toBe(false);
  });

  test("never throws for any text", () => {
    fc.assert(fc.property(kinds, fc.string({ unit: "binary" }), (kind, text) => void isId(kind, text)));
  });
});

test("no prefix is a prefix of another", () => {
  const prefixes = Object.values(ID_PREFIXES);
  const clashes = prefixes.filter((a, i) => prefixes.some((b, j) => i !== j && b.startsWith(a)));
  expect(clashes).toEqual([]);
});
