import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureOwner } from "../../src/app/first-start.ts";
import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import { SESSION_COOKIE } from "../../src/http/guard/session-cookie.ts";
import { CHUNK_BYTES } from "../../src/mailbox/imports/upload-files.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import type { MailImport } from "../../web/app/api/imports.ts";
import { eventually } from "../support/eventually.ts";
import { mailText } from "../support/mail-text.ts";
import { one, type Served, serve } from "../support/served-program.ts";
import { zipFile } from "../support/zip-file.ts";

const MESSAGES = 1_500;

let data: string;
let served: Served;
let cookie: string;
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "postroom-import-kill-"));
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  ensureOwner(platform);
  const user_id = platform.users.list()[0]!.id;
  const { token } = platform.sessions.create({ user_id, method: "password", address: "127.0.0.1", user_agent: "test" });
  cookie = `${SESSION_COOKIE}=${token}`;
  platform.close();
  served = await serve(data);
}, 60_000);
afterEach(async () => {
  await served?.stop();
  rmSync(data, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<MailImport> {
  const raw = body instanceof Uint8Array;
  const response = await fetch(`${served.url}/app/api${path}`, {
    method,
    headers: {
      Cookie: cookie,
      [APP_HEADER]: "1",
      "Content-Type": raw ? "application/octet-stream" : "application/json",
    },
    ...(body ? { body: raw ? body : JSON.stringify(body) } : {}),
  });
  expect([path, response.status]).toEqual([path, response.status < 300 ? response.status : 200]);
  return (await response.json()) as MailImport;
}

async function killAndRestart(): Promise<void> {
  served.kill();
  await served.stop();
  served = await serve(data);
}

test("a server that is killed during the upload and the import loses nothing and imports nothing twice", async () => {
  const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(6_000))).toString("base64");
  const texts = Array.from({ length: MESSAGES }, (_, i) => mailText({ id: `k-${i}`, text: noise() }));
  const mbox = texts.map((text) => `From x Mon Mar  2 09:00:00 2020\n${text.replaceAll("\r", "")}\n`).join("");
  const file = zipFile([{ name: "Takeout/Mail/All mail.mbox", content: mbox, descriptor: true }], { zip64: true });
  expect(file.length).toBeGreaterThan(2 * CHUNK_BYTES);
  const about = { file_name: "takeout.zip", file_modified_at: 1, bytes: file.length, mailbox: "old" };
  const { id } = await ask("POST", "/imports", about);
  const put = (offset: number) =>
    ask("PUT", `/imports/${id}/data?offset=${offset}`, Uint8Array.from(file.subarray(offset, offset + CHUNK_BYTES)));
  const get = () => ask("GET", `/imports/${id}`);
  await put(0);
  await killAndRestart();
  let { received_bytes } = await get();
  expect(received_bytes).toBe(CHUNK_BYTES);
  while (received_bytes < file.length) ({ received_bytes } = await put(received_bytes));
  for (const part of [0.1, 0.5]) {
    await eventually(async () => (await get()).messages > part * MESSAGES, 60_000);
    expect((await get()).state).toBe("importing");
    await killAndRestart();
  }
  await eventually(async () => (await get()).state === "done", 60_000);
  const done = await get();
  // The messages of a batch that was stored, but not counted, are found again as duplicates.
  expect(done.messages + done.duplicates).toBe(MESSAGES);
  expect(done.duplicates).toBeLessThanOrEqual(100);
  const count = "SELECT count(*) AS messages FROM messages WHERE account_id = ?";
  expect(one<{ messages: number }>(data, count, done.account_id!)).toEqual({ messages: MESSAGES });
  await eventually(() => {
    const root = join(data, "cache", "uploads");
    return !existsSync(root) || readdirSync(root).length === 0;
  });
}, 240_000);
