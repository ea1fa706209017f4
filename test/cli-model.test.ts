import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureOwner } from "../src/app/first-start.ts";
import { systemClock } from "../src/platform/clock.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { openPlatform } from "../src/platform/platform.ts";

/** The commands that list and choose language models. What runs on the usual ports of the machine does not matter. */
setDefaultTimeout(60_000);

const MAIN = join(import.meta.dir, "../src/main.ts");
const data = mkdtempSync(join(tmpdir(), "postroom-cli-model-"));
/** Nothing listens on this port. */
const SERVER = "http://127.0.0.1:1/v1";
beforeAll(() => {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  ensureOwner(platform);
  platform.close();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function model(args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, MAIN, "model", ...args, "--data", data], {
    env: { PATH: process.env.PATH ?? "", HOME: data, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

interface Listed {
  models: { for: string; server: string; model: string; note: string }[];
  recommendation: { text: string };
}
const list = async () => JSON.parse((await model(["list", "--json"])).out) as Listed;
const inUse = async () => (await list()).models.filter((one) => one.for === "answers" && one.note.startsWith("in use"));

test("a model is used at once, is listed, and can be given up", async () => {
  expect(await inUse()).toMatchObject([{ server: "Postroom", model: "built-in" }]);
  const used = await model(["use", "tiny:1b", "--server", `${SERVER}/`]);
  expect([used.code, used.out, used.err]).toEqual([0, `Postroom now uses tiny:1b at ${SERVER}.\n`, ""]);
  expect(await inUse()).toEqual([
    expect.objectContaining({ server: SERVER, model: "tiny:1b", note: "in use, not found" }),
  ]);
  expect((await model(["use", "built-in"])).code).toBe(0);
  expect(await inUse()).toMatchObject([{ server: "Postroom", model: "built-in" }]);
});

test("the list explains which model fits into the memory", async () => {
  expect((await list()).recommendation.text).toMatch(/^[\d.]+ [GM]B are free/);
  const { out, err } = await model(["list"]);
  expect(out).toContain("built-in");
  expect(err).toContain("are free");
});

test("what cannot be used is refused with a reason", async () => {
  const unknown = await model(["use", "no-such-model"]);
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringContaining("No server on this machine has no-such-model."),
  ]);
  const passedOn = await model(["use", "gpt-oss:120b-cloud", "--server", SERVER]);
  expect([passedOn.code, passedOn.err]).toEqual([1, expect.stringContaining("runs at ollama.com")]);
  const far = await model(["use", "big", "--server", "https://api.example.com/v1"]);
  expect([far.code, far.err]).toEqual([1, expect.stringContaining("You can agree on the settings page")]);
  const configured = { POSTROOM_AI_BASE_URL: SERVER, POSTROOM_AI_MODEL: "tiny" };
  const set = await model(["use", "built-in"], configured);
  expect([set.code, set.err]).toEqual([1, expect.stringContaining("set in the configuration file")]);
});
