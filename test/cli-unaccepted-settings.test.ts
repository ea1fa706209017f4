import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/platform/clock.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { openPlatform } from "../src/platform/platform.ts";

/** Commands on a data folder whose key is elsewhere, after another program wrote a postroom.toml into the folder. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const data = mkdtempSync(join(tmpdir(), "postroom-cli-settings-"));
const KEY = { POSTROOM_MASTER_KEY: "5c".repeat(32) };
let asked = 0;
const hub = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => {
    asked++;
    return new Response(null, { status: 404 });
  },
});
beforeAll(() => {
  openPlatform({ config: loadConfig({ data_dir: data, env: KEY }), clock: systemClock }).close();
  const planted = `[mail]\nca_file = "no-such-file.pem"\n[embedding]\nhub = "http://127.0.0.1:${hub.port}"\n`;
  writeFileSync(join(data, "postroom.toml"), planted);
});
afterAll(async () => {
  await hub.stop(true);
  rmSync(data, { recursive: true, force: true });
});

/** Runs a command without access to a network. */
async function complaintOf(...args: string[]): Promise<string> {
  // Nothing listens at this proxy.
  const env = { PATH: process.env.PATH ?? "", HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1", ...KEY };
  const child = Bun.spawn([process.execPath, MAIN, ...args, "--data", data], { env, stderr: "pipe", stdout: "ignore" });
  return await new Response(child.stderr).text();
}

test("account discover ignores settings that grant access", async () => {
  const complaint = await complaintOf("account", "discover", "nobody");
  expect(complaint).toContain("nobody is not an email address");
  expect(complaint).not.toContain("no-such-file.pem");
}, 30_000);

test("model pull downloads from no hub that was not accepted", async () => {
  await complaintOf("model", "pull", "owner/name");
  expect(asked).toBe(0);
  // The owner accepts the file.
  await complaintOf("trust", "--accept");
  await complaintOf("model", "pull", "owner/name");
  expect(asked).toBeGreaterThan(0);
}, 30_000);
