import { expect, test } from "bun:test";
import { join } from "node:path";

test("the libraries of the tool server are loaded by the first request, not by the start", async () => {
  // A separate process, because other tests in this one may have loaded the libraries.
  const script = join(import.meta.dir, "../support/mcp-lazy-child.ts");
  const child = Bun.spawn([process.execPath, script], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  await child.exited;
  expect(JSON.parse(lines.at(-1)!)).toEqual({ after_start: false, status: 200, after_request: true });
}, 60_000);
