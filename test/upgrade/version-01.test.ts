import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type App, startApp } from "../../src/app/app.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { rows } from "../invariants/finding.ts";
import { eventually } from "../support/eventually.ts";
import { Client, type Filled, OWNER, PASSWORD } from "./fill.ts";
import { BACKUPS, unpackVersion01 } from "./packed.ts";

/** A filled data folder of version 0.1 keeps its values: each is read over the API, at the moment that 0.1 stopped. */
setDefaultTimeout(60_000);

const data_dir = mkdtempSync(join(tmpdir(), "postroom-version-01-"));
let filled: Filled;
let app: App;
let client: Client;

/** Time passes as usual from `start` on, so that nothing of the folder expires as the fixture ages. */
function clockFrom(start: number): Clock {
  const offset = Date.now() - start;
  return { now: () => Date.now() - offset, after: systemClock.after };
}

beforeAll(async () => {
  filled = unpackVersion01(data_dir);
  const flags = { "http.port": "0", "log.level": "error" } as const;
  app = await startApp({ data_dir, env: {}, flags }, clockFrom(filled.stopped_at));
  client = new Client(`http://127.0.0.1:${app.server.port}`);
  client.key = filled.key;
});
afterAll(async () => {
  await app?.stop();
  rmSync(data_dir, { recursive: true, force: true });
});

type Reply = Record<string, unknown>;
const get = (path: string) => client.api<Reply>("GET", path);
const earlier = (path: string) => filled.replies[path] as Reply;

/** Values of deliveries that change with each attempt. */
const TRIED = /\.(failure_count|last_failure_at|attempt_count|attempt|at|next_attempt_at|duration_ms|error)$/;

/** Expects every value of an earlier reply, except cursors. A later version may add fields, and items to a list. */
function expectKept(now: unknown, before: unknown, at: string): void {
  if (Array.isArray(before)) {
    const list = now as unknown[];
    for (const [i, item] of before.entries()) {
      const id = idOf(item);
      const same = id === undefined ? list[i] : list.find((candidate) => idOf(candidate) === id);
      expectKept(same, item, `${at}[${id ?? i}]`);
    }
  } else if (typeof before === "object" && before !== null) {
    for (const [name, value] of Object.entries(before)) {
      if (name !== "cursor") expectKept((now as Reply)?.[name], value, `${at}.${name}`);
    }
  } else if (at.startsWith("/webhooks") && TRIED.test(at)) {
    // Deliveries that were waiting have been tried again, and the receiver is still away.
    const order = (value: unknown) => (typeof value === "string" ? Date.parse(value) : Number(value ?? 0));
    if (!/(_ms|error)$/.test(at)) expect(order(now)).toBeGreaterThanOrEqual(order(before));
  } else if (typeof before === "number" && typeof now === "string") {
    // 0.1 published the times in audit entries as numbers.
    expect({ [at]: Date.parse(now) }).toEqual({ [at]: before });
  } else expect({ [at]: now }).toEqual({ [at]: before });
}

const idOf = (item: unknown) => (typeof item === "object" && item !== null ? (item as { id?: string }).id : undefined);

describe("a data folder of version 0.1 keeps", () => {
  const subjects: [what: string, paths: () => string[]][] = [
    ["threads with labels, stars and snoozes", () => matching(/^\/threads/)],
    ["messages with their unsubscribe addresses", () => matching(/^\/messages/)],
    ["contacts with notes", () => matching(/^\/contacts/)],
    ["context profiles, variables and files", () => matching(/^\/context/)],
    ["drafts with files and the notes of the model", () => matching(/^\/drafts/)],
    ["sends that were sent, bounced, failed or wait", () => matching(/^\/sends/)],
    ["webhooks and failed deliveries", () => matching(/^\/webhooks/)],
    ["rules", () => matching(/^\/rules/)],
    ["briefs and their settings", () => matching(/^\/brief/)],
    ["actions of the agent and calls of a model", () => matching(/^\/(agent|ai)/)],
    ["calendar events", () => matching(/^\/calendar/)],
    ["audit entries and events", () => matching(/^\/(audit|events)/)],
  ];
  test.each(subjects)("%s", async (_, paths) => {
    expect(paths()).not.toEqual([]);
    for (const path of paths()) expectKept(await get(path), earlier(path), path);
  });

  const matching = (pattern: RegExp) => Object.keys(filled.replies).filter((path) => pattern.test(path));

  test("the values that the fixture was made with", async () => {
    const { threads, sends, draft_id, webhook } = filled;
    expect(await get(matching(/^\/messages/)[0]!)).toMatchObject({ unsubscribe: { host: "shop.example" } });
    expect(await get(`/threads/${threads.labelled}`)).toMatchObject({ labels: ["Clients"], starred: true });
    expect(await get(`/threads/${threads.snoozed}`)).toMatchObject({ state: "snoozed" });
    expect(await get("/contacts?q=noor")).toMatchObject({ data: [{ vip: true, notes: "Prefers calls." }] });
    expect(await get(`/drafts/${draft_id}`)).toMatchObject({ bcc: ["carol@mail.test"], body: "How many do you need?" });
    expect(await get(`/sends/${sends.sent}`)).toMatchObject({ bounced: { recipients: [{ status: "5.2.2" }] } });
    expect(await get(`/sends/${sends.failed}`)).toMatchObject({ status: "failed", to: ["gone@partner.example"] });
    expect(await get(`/webhooks/${webhook.id}`)).toMatchObject({ data: { status: "active" } });
    expect(await get("/rules")).toMatchObject({ data: [{ actions: [{ type: "addLabel", value: "Offers" }] }, {}] });
  });

  test("the secret of a webhook", () => {
    const { platform } = app;
    const { id, secret } = filled.webhook;
    const [row] = rows<{ user_id: string; id: string; secret: Uint8Array }>(
      platform,
      `SELECT e.user_id, s.id, s.secret FROM webhook_secrets s JOIN webhook_endpoints e ON e.id = s.endpoint_id
       WHERE e.id = ?`,
      id,
    );
    const opened = platform.keyring.forUser(row!.user_id).open(`webhook_secrets.secret:${id}`, row!.secret);
    expect(opened).toBe(secret);
  });

  test("the owner's password, the mailbox with its servers, and the language model with its key and host", async () => {
    await client.page("POST", "/sign-in", { email: OWNER, password: PASSWORD });
    const mailboxes = await client.page<{ data: Reply[] }>("GET", "/mailboxes");
    expect(mailboxes.data.find(({ provider }) => provider === "imap")).toMatchObject({
      ...{ email: "alice@mail.test", aliases: ["ada@mail.test"], username: "alice@mail.test", primary: true },
      ...{ imap: { host: "127.0.0.1", security: "none" }, smtp: { host: "127.0.0.1", security: "none" } },
    });
    // Without its approved host, the engine would be reported as a problem.
    const engine = { engine: "hosted", base_url: "https://models.example/v1", model: "large", host: "models.example" };
    expect(await client.page<Reply>("GET", "/ai")).toMatchObject({ ...engine, has_key: true, problem: null });
    const keys = await client.page<{ data: Reply[] }>("GET", "/keys");
    expect(keys.data).toMatchObject([{ name: "laptop", ip_allow: ["127.0.0.0/8"] }]);
    const clients = await client.page<{ data: Reply[] }>("GET", "/oauth-clients");
    expect(clients.data).toMatchObject([{ provider: "google", client_id: "client-1", has_secret: true }]);
  });

  test("a member's second factor and passkey", async () => {
    const { email, backup_code } = filled.member;
    const member = new Client(`http://127.0.0.1:${app.server.port}`);
    await member.page("POST", "/sign-in", { email, password: PASSWORD, totp: backup_code });
    expect(await member.page<Reply>("GET", "/totp")).toEqual({ on: true, backup_codes_left: 9 });
    expect(await member.page<Reply>("GET", "/passkeys")).toMatchObject({ data: [{ name: "phone" }] });
    expect(await member.page<Reply>("GET", "/me/team")).toMatchObject({ team: { name: "Works" } });
  });

  test("idempotency: a retry of a request that 0.1 answered is refused and does nothing", async () => {
    const { body, idempotency_key } = filled.rule;
    const before = (await get("/rules")).data as unknown[];
    const retry = client.api("POST", "/rules", body, { "Idempotency-Key": idempotency_key });
    expect(await retry.catch(String)).toContain("409");
    expect((await get("/rules")).data).toHaveLength(before.length);
  });
});

describe("work that version 0.1 left", () => {
  test("a send within its undo window can be undone, and its draft returns", async () => {
    const { undo } = filled.sends;
    await client.api("POST", `/sends/${undo}/cancel`);
    const { status, draft_id } = await get(`/sends/${undo}`);
    expect(status).toBe("undone");
    expect(await get(`/drafts/${draft_id}`)).toMatchObject({ subject: "Undo me", body: "Too early.", status: "draft" });
  });

  test("a scheduled send can be cancelled", async () => {
    const { scheduled } = filled.sends;
    await client.api("POST", `/sends/${scheduled}/cancel`);
    const { status, draft_id } = await get(`/sends/${scheduled}`);
    expect(status).toBe("undone");
    expect(await get(`/drafts/${draft_id}`)).toMatchObject({ to: ["bob@mail.test"], body: "Tomorrow at one?" });
  });

  test("pending jobs open and run", async () => {
    const { platform } = app;
    const failed = "SELECT kind, payload FROM jobs WHERE state = 'failed' AND kind <> 'dispatch'";
    const snoozed = filled.threads.snoozed;
    platform.db.sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'pending' AND kind = 'wake'");
    platform.db.sql.run("UPDATE threads SET snooze_until = 1 WHERE id = ?", [snoozed]);
    await eventually(async () => (await get(`/threads/${snoozed}`)).state === "inbox", 20_000);
    expect(rows(platform, failed)).toEqual([]);
  });

  test("mail is indexed again and found", async () => {
    const found = async (query: string) =>
      (await client.api<{ data: Reply[] }>("POST", "/search", { query })).data.map(({ thread_id }) => thread_id);
    await eventually(
      async () => (await found('"Could you check the figures"')).includes(filled.threads.labelled),
      30_000,
    );
  });
});

describe("backups that version 0.1 made", () => {
  const MAIN = resolve(import.meta.dir, "../../src/main.ts");
  /** A second folder of 0.1: the first one is upgraded and in use. */
  const original = mkdtempSync(join(tmpdir(), "postroom-version-01-backups-"));
  const restored = join(original, "restored");
  beforeAll(() => void unpackVersion01(original));
  afterAll(() => rmSync(original, { recursive: true, force: true }));

  async function restore(...args: string[]) {
    const key = join(original, "keys/master.key");
    const command = [process.execPath, "run", MAIN, "restore", ...args, "--key-file", key];
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe", timeout: 50_000 });
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, said: stdout + stderr };
  }

  test.each(Object.values(BACKUPS))("%s is verified", async (file) => {
    expect(await restore("--verify", join(original, file))).toMatchObject({ code: 0 });
  });

  test("the last one is restored with mail, sends and keys, and upgraded at the first start", async () => {
    expect(await restore(join(original, BACKUPS.incremental), "--data", restored)).toMatchObject({ code: 0 });
    const flags = { "http.port": "0", "log.level": "error" } as const;
    const started = await startApp({ data_dir: restored, env: {}, flags }, clockFrom(filled.stopped_at));
    try {
      const reader = new Client(`http://127.0.0.1:${started.server.port}`);
      // A key that 0.1 created.
      reader.key = filled.key;
      const paths = Object.keys(filled.replies).filter((path) =>
        /^\/(threads|messages|sends|contacts|rules)/.test(path),
      );
      expect(paths.length).toBeGreaterThan(8);
      for (const path of paths) expectKept(await reader.api("GET", path), earlier(path), path);
      expect(readdirSync(join(restored, "upgrades")).filter((name) => name.startsWith("0014_"))).toHaveLength(1);
      expect(existsSync(join(restored, "backups", "full.age"))).toBe(false);
    } finally {
      await started.stop();
    }
  });
});
