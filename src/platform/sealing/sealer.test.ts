import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { SealBroken } from "./box.ts";
import { firstBits, Sealer } from "./sealer.ts";

const dataKey = new Uint8Array(randomBytes(32));
const sealer = new Sealer(new Map([[1, dataKey]]));

describe("sealing", () => {
  test("returns any text and any bytes unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), (text) => {
        expect(sealer.open("t.c:1", sealer.seal("t.c:1", text))).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_000 }), (bytes) => {
        const opened = sealer.openRaw("t.c:1", sealer.sealRaw("t.c:1", bytes));
        expect(Buffer.from(opened)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test("returns JSON unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const stored = JSON.parse(JSON.stringify(value)) as unknown;
        expect(sealer.openJson<unknown>("t.c:1", sealer.sealJson("t.c:1", value))).toEqual(stored);
      }),
    );
  });

  test("compresses long text and adds little to short text", () => {
    const long = "On Tuesday we met again. ".repeat(400);
    expect(sealer.seal("t.c:1", long).length).toBeLessThan(long.length / 10);
    expect(sealer.seal("t.c:1", "short").length).toBeLessThan("short".length + 40);
  });

  test("works with megabytes", () => {
    const bytes = randomBytes(3_000_000);
    expect(sealer.openRaw("b.c:1", sealer.sealRaw("b.c:1", bytes)).length).toBe(bytes.length);
  });

  test("does not reveal the text", () => {
    expect(Buffer.from(sealer.seal("t.c:1", "meet me at noon")).includes("noon")).toBe(false);
  });
});

describe("several versions of a key", () => {
  const newer = new Sealer(
    new Map([
      [1, dataKey],
      [2, new Uint8Array(randomBytes(32))],
    ]),
  );

  test("the highest version seals, and all versions open", () => {
    const old = sealer.seal("t.c:1", "old");
    const fresh = newer.seal("t.c:1", "new");
    expect([old[0], fresh[0]]).toEqual([1, 2]);
    expect([newer.open("t.c:1", old), newer.open("t.c:1", fresh)]).toEqual(["old", "new"]);
    expect(() => sealer.open("t.c:1", fresh)).toThrow(SealBroken);
  });

  test("lookup values do not depend on the newest version", () => {
    expect(newer.hmac("email", "a@b.c")).toEqual(sealer.hmac("email", "a@b.c"));
  });
});

describe("lookup values", () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

  test("are equal only for the same text, purpose and user", () => {
    const other = new Sealer(new Map([[1, new Uint8Array(randomBytes(32))]]));
    const values = [
      sealer.hmac("email", "a@b.c"),
      sealer.hmac("email", "a@b.d"),
      sealer.hmac("address", "a@b.c"),
      other.hmac("email", "a@b.c"),
    ].map(hex);
    expect(new Set(values).size).toBe(4);
    expect(hex(sealer.hmac("email", "a@b.c"))).toBe(values[0]!);
    expect(hex(sealer.hmac("email", Buffer.from("a@b.c")))).toBe(values[0]!);
  });
});

test("a sealer without a key cannot be created", () => {
  expect(() => new Sealer(new Map())).toThrow();
});

describe("short tags", () => {
  test("are the first bits of the HMAC, padded with zero bits", () => {
    const hmac = Buffer.from(sealer.hmac("address", "bob@example.net")).toString("hex");
    const tag = (bits: number) => Buffer.from(sealer.tag("address", "bob@example.net", bits)).toString("hex");
    expect([tag(8), tag(12), tag(16)]).toEqual([hmac.slice(0, 2), `${hmac.slice(0, 3)}0`, hmac.slice(0, 4)]);
  });

  test("are a copy, so the HMAC stays unchanged", () => {
    const hmac = sealer.hmac("address", "bob@example.net");
    const before = Buffer.from(hmac).toString("hex");
    firstBits(hmac, 4);
    expect(Buffer.from(hmac).toString("hex")).toBe(before);
  });
});
