import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "../../src/app/app.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { formatKey } from "../../src/platform/sealing/master-key.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";

/**
 * The real program twice: one serves and is written to while the command line backs it up, the other serves what was
 * restored. BACKUP_SAMPLES sets how many requests are compared.
 */
setDefaultTimeout(600_000);

const SAMPLES = Number(process.env.BACKUP_SAMPLES ?? 150);
const MAIN = join(import.meta.dir, "../../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-backup-live-"));

let live: LiveApp;
let key: string;
beforeAll(async () => {
  live = await startLiveApp();
  key = live.newKey({ test: true });
});
afterAll(async () => {
  await live?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function postroom(...args: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, MAIN, ...args], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect({ args, code: await child.exited, err: err.replace(/^'postroom restore.*\n/, "") }).toMatchObject({ code: 0 });
  return out;
}

interface Reply {
  status: number;
  type: string | null;
  body: string;
}

async function ask(port: number, path: string, body?: object): Promise<Reply> {
  const headers = { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) };
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    headers,
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  // Values that always differ: sealed cursors, ids of requests, the progress of the semantic index, and the fifth digit
  // of a score, which changes with every message that arrives in between.
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    body: text.replace(/"search":\{"done":\d+,|"(next_cursor|request_id)":"[^"]*"|"score":[\d.]+/g, ""),
  };
}

async function allThreads(port: number): Promise<{ id: string; starred: boolean }[]> {
  const found: { id: string; starred: boolean }[] = [];
  for (const state of ["inbox", "archived", "sent", "trash", "spam", "snoozed"]) {
    for (let cursor = ""; ; ) {
      const { body } = await ask(port, `/threads?state=${state}&limit=50${cursor}`);
      const page = JSON.parse(body);
      found.push(...page.data);
      if (!page.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }
  return [...new Map(found.map((thread) => [thread.id, thread])).values()];
}

/** Returns requests of every kind about this mail, always in the same order. */
async function requests(port: number, ids: string[]): Promise<{ path: string; body?: object }[]> {
  const lists = [
    "/accounts",
    "/contacts?limit=100",
    "/rules",
    "/drafts",
    "/sends",
    "/context/variables",
    "/calendar/events",
  ];
  const states = ["inbox", "archived", "sent", "trash", "spam"].flatMap((state) =>
    [1, 7, 50].map((n) => `/threads?state=${state}&limit=${n}`),
  );
  const words = [
    "invoice",
    "meeting from:",
    "has:attachment",
    "flight OR hotel",
    '"thank you"',
    "is:unread",
    "newer_than:2y report",
  ];
  const searches = words.map((query) => ({ path: "/search", body: { query, mode: "keyword", limit: 10 } }));
  const all: { path: string; body?: object }[] = [...lists, ...states].map((path) => ({ path }));
  all.push(...searches);
  for (const id of ids) {
    all.push({ path: `/threads/${id}` }, { path: `/threads/${id}/messages` });
    const { body } = await ask(port, `/threads/${id}/messages`);
    for (const message of JSON.parse(body).data ?? []) {
      all.push(
        { path: `/messages/${message.id}` },
        { path: `/messages/${message.id}/body` },
        { path: `/messages/${message.id}/body?images=remote` },
        { path: `/messages/${message.id}/raw` },
      );
      for (const { id: file } of message.attachments ?? [])
        all.push({ path: `/messages/${message.id}/attachments/${file}` });
    }
  }
  return all;
}

test("a backup under load restores to a server that gives the same answers", async () => {
  const { port } = live.app.server;
  const { data_dir } = live.app.platform.config;
  const threads = (await allThreads(port)).map(({ id }) => id);
  const star = (id: string, starred: boolean) => live.call("PATCH", `/threads/${id}`, { key, body: { starred } });
  for (const id of threads) await star(id, false);

  // During the backup, all messages get a star, one after the other, then all lose it, and so on.
  const file = join(folder, "live.age");
  let over = false;
  const backup = postroom("backup", file, "--data", data_dir, "--json").finally(() => {
    over = true;
  });
  let writes = 0;
  let slowest_ms = 0;
  for (; !over; writes++) {
    const began = performance.now();
    const round = Math.floor(writes / threads.length);
    expect((await star(threads[writes % threads.length]!, round % 2 === 0)).status).toBe(200);
    slowest_ms = Math.max(slowest_ms, performance.now() - began);
  }
  const made = JSON.parse(await backup);
  expect(writes).toBeGreaterThan(20);
  console.info(
    `backup of ${made.rows} rows beside ${writes} writes; the slowest of them took ${Math.round(slowest_ms)} ms`,
  );

  const key_file = join(folder, "key");
  writeFileSync(key_file, formatKey(live.app.platform.keyring.master));
  const elsewhereDir = join(folder, "elsewhere");
  expect(await postroom("restore", "--verify", file, "--key-file", key_file)).toContain("is intact");
  await postroom("restore", file, "--data", elsewhereDir, "--key-file", key_file);
  const flags = { "http.port": "0", "log.level": "error", "limits.autopilot.requests_per_day": "1000000" } as const;
  const lifted = Object.fromEntries(["key", "user", "ip"].map((of) => [`limits.requests_per_minute_${of}`, "1000000"]));
  const restored: App = await startApp(
    { data_dir: elsewhereDir, env: {}, flags: { ...flags, ...lifted } },
    systemClock,
  );
  try {
    const there = restored.server.port;
    // The backup is of one moment: the round had reached some thread, and no later one.
    const stars = new Map((await allThreads(there)).map((thread) => [thread.id, thread.starred]));
    const row = threads.map((id) => stars.get(id));
    expect(row.filter((starred, i) => i > 0 && starred !== row[i - 1]).length).toBeLessThanOrEqual(1);

    // From here on both get the same stars, so everything must be the same.
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    for (const id of threads) {
      await star(id, true);
      const url = `http://127.0.0.1:${there}/v1/threads/${id}`;
      await fetch(url, { method: "PATCH", headers, body: '{"starred":true}' });
    }
    const all = await requests(port, threads);
    const step = Math.max(1, all.length / SAMPLES);
    let compared = 0;
    for (let i = 0; compared < SAMPLES && i < all.length; i += step, compared++) {
      const { path, body } = all[Math.floor(i)]!;
      const [here, thereReply] = await Promise.all([ask(port, path, body), ask(there, path, body)]);
      expect({ asked: path, with: body, ...thereReply }).toEqual({ asked: path, with: body, ...here });
      expect(here.status).toBeLessThan(500);
    }
    console.info(`${compared} of ${all.length} requests compared`);
  } finally {
    await restored.stop();
  }
});

test("a backup of the running server by its own worker", async () => {
  const app = live.app;
  app.platform.jobs.enqueue({ kind: "backup", dedupe_key: "now" });
  const done = () =>
    app.platform.db.sql
      .query<{ state: string; error: string | null }, []>(
        "SELECT state, error FROM backups WHERE kept = 1 ORDER BY started_at DESC LIMIT 1",
      )
      .get();
  for (let i = 0; i < 600 && done()?.state !== "done"; i++) await Bun.sleep(100);
  expect(done()).toEqual({ state: "done", error: null });
});
