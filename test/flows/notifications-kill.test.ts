import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Static } from "@sinclair/typebox";
import { ensureOwner } from "../../src/app/first-start.ts";
import type { Notifications } from "../../src/features/notifications/model.ts";
import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import { SESSION_COOKIE } from "../../src/http/guard/session-cookie.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { type Served, serve } from "../support/served-program.ts";

/** Time in which a restarted program reads the event, gathers others, and sends. */
const SENT_MS = 60_000;

let data: string;
let served: Served;
let headers: Record<string, string>;
let key: string;
/** An ntfy server: the messages it got, and whether it answers. */
let ntfy: Bun.Server<undefined>;
let answers: boolean;
const got: { topic: string; title: string; message: string }[] = [];

beforeEach(async () => {
  got.length = 0;
  answers = false;
  ntfy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      got.push(await request.json());
      if (!answers) await new Promise(() => {});
      return Response.json({ id: "x" });
    },
  });
  data = mkdtempSync(join(tmpdir(), "postroom-notifications-kill-"));
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  ensureOwner(platform);
  const user_id = platform.users.list()[0]!.id;
  const { token } = platform.sessions.create({ user_id, method: "password", address: "127.0.0.1", user_agent: "test" });
  headers = { Cookie: `${SESSION_COOKIE}=${token}`, [APP_HEADER]: "1", "Content-Type": "application/json" };
  key = platform.keys.create({ name: "t", user_id, scopes: [...SCOPES], test: false }).secret;
  platform.close();
  served = await serve(data);
}, 60_000);
afterEach(async () => {
  await served?.stop();
  await ntfy?.stop(true);
  rmSync(data, { recursive: true, force: true });
});

async function notifications(method = "GET", path = "", body?: object): Promise<Static<typeof Notifications>> {
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${served.url}/app/api/notifications${path}`, init);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Static<typeof Notifications>;
}

async function killAndRestart(): Promise<void> {
  served.kill();
  await served.stop();
  served = await serve(data);
}

test("a notification is sent although the program is killed before it is decided, and while it is sent", async () => {
  const url = `http://127.0.0.1:${ntfy.port}`;
  const kinds = { mail: "off", approval: "off", send: "off", brief: "on", health: "off" };
  await notifications("POST", "/targets", { name: "phone", service: "ntfy", url, topic: "home", kinds });
  const made = await served.fetch("/brief/generate", key, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  expect(made.status).toBe(200);
  await killAndRestart();
  await eventually(() => got.length === 1, SENT_MS);
  // The server has the message, and has not answered.
  await killAndRestart();
  answers = true;
  await eventually(() => got.length === 2, SENT_MS);
  expect(got[0]).toEqual(got[1]!);
  expect(got[0]).toMatchObject({ topic: "home", title: "Daily brief" });
  await eventually(async () => (await notifications()).targets[0]!.waiting === 0, SENT_MS);
  await killAndRestart();
  const [target] = (await notifications()).targets;
  expect(target).toMatchObject({ waiting: 0, status: "active" });
  expect(got).toHaveLength(2);
}, 240_000);
