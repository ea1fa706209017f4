import { afterEach, beforeEach, expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { createHarness, type Harness } from "../../test/support/http-harness.ts";
import { createSample, sampleRoutes } from "../../test/support/sample-routes.ts";

let h: Harness;
beforeEach(() => {
  h = createHarness({ routes: sampleRoutes(createSample()) });
});
afterEach(() => h.close());

const LONG = `/notes?label=${"long%20".repeat(300)}`;
const get = (path: string, coding?: string, method = "GET") =>
  h.fetch(method, path, { headers: coding === undefined ? {} : { "Accept-Encoding": coding } });

test.each([
  ["zstd", "gzip, deflate, br, zstd", (bytes: Uint8Array) => zstdDecompressSync(bytes)],
  ["gzip", "gzip, deflate, br", (bytes: Uint8Array) => gunzipSync(bytes)],
])("a long answer is compressed with %s for a client that accepts it", async (coding, accepted, open) => {
  const plain = await get(LONG);
  expect(plain.headers.get("content-encoding")).toBeNull();
  const small = await get(LONG, accepted);
  expect(small.headers.get("content-encoding")).toBe(coding);
  expect(small.headers.get("vary")).toContain("Accept-Encoding");
  const bytes = await small.bytes();
  const text = await plain.text();
  expect(bytes.byteLength).toBeLessThan(text.length / 2);
  expect(JSON.parse(Buffer.from(open(bytes)).toString()).data).toEqual(JSON.parse(text).data);
});

test("a short answer, an error and a refused coding stay uncompressed", async () => {
  for (const [path, coding] of [
    ["/notes", "gzip"],
    ["/nothing-here", "gzip"],
    [LONG, "gzip;q=0, zstd;q=0"],
    [LONG, "br"],
  ] as const) {
    const answer = await get(path, coding);
    expect([path, answer.headers.get("content-encoding")]).toEqual([path, null]);
    expect(JSON.parse(await answer.text())).toBeObject();
  }
});

test("HEAD announces the length of the compressed answer", async () => {
  const path = "//v1/openapi.json";
  const head = await get(path, "gzip", "HEAD");
  expect(head.headers.get("content-encoding")).toBe("gzip");
  expect(Number(head.headers.get("content-length"))).toBe((await (await get(path, "gzip")).bytes()).byteLength);
});

test("public pages are compressed as well", async () => {
  const answer = await get("//v1/openapi.json", "gzip");
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(JSON.parse(Buffer.from(gunzipSync(await answer.bytes())).toString()).openapi).toStartWith("3.1");
});
