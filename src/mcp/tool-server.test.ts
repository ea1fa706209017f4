import { afterEach, expect, test } from "bun:test";
import { type McpFixture, mcpFixture } from "../../test/support/mcp-fixture.ts";

let m: McpFixture;
afterEach(() => m.h.close());

/** Sends several calls in one request, which revision 2025-03-26 allows. @returns the errors, null for each success */
async function batch(calls: object[]): Promise<(string | null)[]> {
  const body = calls.map((params, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params }));
  const headers = { Accept: "application/json, text/event-stream" };
  const { text } = await m.h.call("POST", "//mcp", { headers, body });
  const answers = text.split("\n").filter((line) => line.startsWith("data: {"));
  return answers.map((line) => {
    const { result } = JSON.parse(line.slice("data: ".length));
    return result.isError ? JSON.parse(result.content[0].text).error.code : null;
  });
}

const overview = { name: "get_overview", arguments: {} };

test("each call of a batch counts as a request: against the quota, and against the rate limit", async () => {
  m = mcpFixture({ config: { "limits.requests_per_minute_key": 10 } });
  expect(await batch(Array.from({ length: 4 }, () => overview))).toEqual([null, null, null, null]);
  expect((await m.ok("get_overview")).usage.requests.used).toBe(5);
  const codes = await batch(Array.from({ length: 20 }, () => overview));
  expect(codes.filter((code) => code === null)).toHaveLength(5);
  expect(codes.filter((code) => code === "rate_limited")).toHaveLength(15);
});
