import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "../../src/app/app.ts";
import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import type { OptionKey } from "../../src/platform/config/table.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { keepCookies } from "../support/auth-fixture.ts";
import { eventually } from "../support/eventually.ts";

/** First run of the whole program, with the key moved behind a passphrase while its workers run. */

setDefaultTimeout(120_000);
const data_dir = mkdtempSync(join(tmpdir(), "postroom-custody-"));
const jar = new Map<string, string>();
let app: App;

const boot = (flags: Partial<Record<OptionKey, string>> = {}) =>
  startApp({ data_dir, env: {}, flags: { "http.port": "0", "log.level": "error", ...flags } }, systemClock);

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`${app.server.url}${path}`, {
    method,
    headers: {
      [APP_HEADER]: "1",
      "X-Postroom-Sandbox": "1",
      Cookie: [...jar].map((pair) => pair.join("=")).join("; "),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  keepCookies(jar, response.headers);
  return response;
}

beforeAll(async () => {
  app = await boot();
});
afterAll(async () => {
  await app?.stop();
  rmSync(data_dir, { recursive: true, force: true });
});

/** Opens a whole message of the sandbox, which the mail worker opens with its own keyring. */
async function reads(): Promise<boolean> {
  const first = async (path: string) => {
    const { data } = (await (await call("GET", path)).json()) as { data: { id: string }[] };
    return data[0]!.id;
  };
  const thread_id = await first("/v1/threads?limit=1");
  const message_id = await first(`/v1/threads/${thread_id}/messages?limit=1`);
  const raw = await call("GET", `/v1/messages/${message_id}/raw`);
  return raw.status === 200 && (await raw.text()).includes("Message-ID:");
}

test("the program continues after setup, and opens with the passphrase at the next start", async () => {
  const token = new URL(app.setupUrl!.replace("#/", "")).searchParams.get("token");
  const passphrase = "correct horse battery staple";
  const owner = { email: "ada@home.example", password: "a quiet morning", timezone: "UTC" };
  const answer = await call("POST", "/app/api/setup", { token, ...owner, custody: "passphrase", passphrase });
  expect(answer.status).toBe(200);
  await eventually(reads, 60_000);
  // A person who is added now gets a key that the workers must be able to open, too.
  expect((await call("POST", "/app/api/members", { email: "bo@home.example", plan: "pro" })).status).toBeLessThan(300);
  await app.stop();
  const config = loadConfig({ data_dir, env: {} });
  expect(() => openPlatform({ config, clock: systemClock })).toThrow("protected by a passphrase");
  app = await boot({ "master.passphrase": passphrase });
  expect(app.setupUrl).toBeNull();
  expect((await call("GET", "/app/api/state").then((response) => response.json())) as unknown).toMatchObject({
    setup_needed: false,
    custody: "passphrase",
    user: { email: "ada@home.example" },
  });
  expect(await reads()).toBe(true);
});
