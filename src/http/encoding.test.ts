import { expect, test } from "bun:test";
import { preferredEncoding } from "./encoding.ts";

test("the preferred content coding that the client accepts is chosen", () => {
  const cases: [header: string | null, expected: string][] = [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP;q=0.5, BR;q=0.1", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.000, gzip;q=0", "identity"],
    ["*", "br"],
    ["br;q=0, *;q=0.5", "gzip"],
    ["identity", "identity"],
    ["", "identity"],
    [null, "identity"],
  ];
  for (const [header, expected] of cases)
    expect([header, preferredEncoding(header, ["br", "gzip"])]).toEqual([header, expected as never]);
});
