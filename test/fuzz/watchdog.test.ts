import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "postroom-watchdog-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(kind: string) {
  const into = join(folder, kind);
  const child = Bun.spawn(["bun", join(import.meta.dir, "hanging-child.ts"), into, kind], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const saved = err.match(/hang-trial-[0-9a-f]+\.bin/)?.[0];
  return { code, out, err, input: saved ? readFileSync(join(into, saved)) : null, into };
}

test("an endless loop ends the process with code 1, and reports the campaign, the target and the file of its input", async () => {
  const { code, err, out, input } = await run("loop");
  expect(err).toContain("trial: a loop has not ended within 0.6 s; its input is in ");
  expect([code, out]).toEqual([1, ""]);
  expect(input).toEqual(Buffer.from("the second\x00\xff", "latin1"));
}, 60_000);

test("so does an endless wait", async () => {
  const { code, err, input } = await run("promise");
  expect(err).toContain("trial: a promise has not ended");
  expect([code, input?.toString()]).toEqual([1, "the third"]);
}, 60_000);

test("a campaign between two inputs has no time limit", async () => {
  const { code, out, err, into } = await run("none");
  expect([code, out, err]).toEqual([0, "came to its end\n", ""]);
  expect(() => readdirSync(into)).toThrow("ENOENT");
}, 60_000);
