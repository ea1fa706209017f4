import { expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Day, OneOf, Timestamp } from "./schema.ts";

const accepts = (schema: TSchema, texts: unknown[]) => texts.filter((text) => Value.Check(schema, text));

test("a timestamp has a zone and is a moment that exists", () => {
  const good = ["2026-03-02T09:00:00Z", "2026-03-02t09:00:00.123456z", "2024-02-29T23:59:59+05:30"];
  const bad = [
    "2026-03-02",
    "2026-03-02T09:00:00",
    "2026-03-02 09:00:00Z",
    "2026-02-30T09:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-03-02T24:00:00Z",
    "2026-03-02T09:60:00Z",
    "2026-03-02T09:00:00+24:00",
    "tomorrow",
    "",
    0,
  ];
  expect(accepts(Timestamp(), [...good, ...bad])).toEqual(good);
});

test("a day is one that exists", () => {
  expect(accepts(Day(), ["2026-03-02", "2024-02-29", "2026-02-29", "2026-00-01", "2026-3-2", "x"])).toEqual([
    "2026-03-02",
    "2024-02-29",
  ]);
});

test("addresses and URLs are checked", () => {
  const email = Type.String({ format: "email" });
  expect(accepts(email, ["ada@example.org", "ada", "a b@c", "<a@b>", "ü@exämple.org", `${"x".repeat(400)}@y`])).toEqual(
    ["ada@example.org", "ü@exämple.org"],
  );
  expect(accepts(Type.String({ format: "uri" }), ["https://example.org/x", "example.org", ""])).toEqual([
    "https://example.org/x",
  ]);
});

test("OneOf accepts only its texts", () => {
  expect(accepts(OneOf(["inbox", "archived"]), ["inbox", "spam", "", null])).toEqual(["inbox"]);
});
