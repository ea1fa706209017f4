import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssistantFixture, assistantFixture, BASE } from "../../../test/support/assistant-fixture.ts";
import { OAuthClient } from "../../../test/support/oauth-client.ts";
import { openOAuth } from "../../app/oauth.ts";
import { SCOPES, TOOL_SCOPES } from "../../kernel/scopes.ts";

let s: AssistantFixture;
let client: OAuthClient;
beforeEach(async () => {
  s = assistantFixture();
  client = await OAuthClient.register(s);
});
afterEach(() => s.h.close());

const status = async (token: string | null) => (await s.call(token)).status;
const audited = (limit = 1) => s.h.platform.audit.list(s.h.user.id, { limit });

describe("a connection", () => {
  test("is made by consent, works, is listed, and ends when the person revokes it", async () => {
    const { status: answered, json } = await client.connect();
    expect([answered, json.token_type, json.expires_in]).toEqual([200, "Bearer", 86_400]);
    expect(await status(json.access_token)).toBe(200);
    s.h.clock.advance(5_000);
    const listed = async () => (await s.ada.call("GET", "/assistants/connections")).json.data;
    const [connection] = await listed();
    expect(connection).toMatchObject({
      name: "Probe",
      redirect_host: "localhost",
      verified: false,
      sandbox: false,
      account_id: null,
      last_used_at: "2026-03-02T09:00:00.000Z",
    });
    expect(audited()[0]).toMatchObject({
      action: "connection.create",
      target: connection.id,
      actor: { kind: "user", id: s.h.user.id },
    });
    expect((await s.ada.call("DELETE", `/assistants/connections/${connection.id}`)).status).toBe(204);
    expect(await status(json.access_token)).toBe(401);
    expect((await client.refresh(json.refresh_token)).json.error).toBe("invalid_grant");
    expect(audited()[0]).toMatchObject({ action: "connection.revoke", target: connection.id });
    expect((await listed())[0].revoked_at).toBe("2026-03-02T09:00:05.000Z");
  });

  test("has the granted scopes only, and none that no tool needs", async () => {
    const all = await client.connect({}, { scope: SCOPES.join(" ") });
    expect(all.json.scope.split(" ").sort()).toEqual([...TOOL_SCOPES].sort());
    const other = await OAuthClient.register(s);
    const some = await other.connect({ scopes: ["mail:read"] });
    expect(some.json.scope).toBe("mail:read");
    const { text } = await s.call(some.json.access_token);
    expect(text).toContain("list_threads");
    expect(text).not.toContain("update_threads");
  });

  test("gains scopes by a later consent, and loses those that were asked for and not granted again", async () => {
    const first = await client.connect({ scopes: ["mail:read"] }, { scope: "mail:read" });
    const second = await client.connect({}, { scope: "mail:write" });
    expect(second.json.scope.split(" ").sort()).toEqual(["mail:read", "mail:write"]);
    const { data } = (await s.ada.call("GET", "/assistants/connections")).json;
    expect(data).toHaveLength(1);
    expect([await status(first.json.access_token), await status(second.json.access_token)]).toEqual([200, 200]);
    const third = await client.connect({ scopes: ["mail:read"] }, { scope: "mail:read mail:write" });
    expect(third.json.scope).toBe("mail:read");
    expect((await s.call(second.json.access_token)).text).not.toContain("update_threads");
  });

  test("to the sample mailbox acts for the sandbox user", async () => {
    const { json } = await client.connect({ sandbox: true });
    expect(await status(json.access_token)).toBe(200);
    const [connection] = s.h.platform.connections.list(s.h.platform.users.rowsOf(s.h.user.id));
    expect(connection!.user_id).toBe(s.h.platform.users.sandboxOf(s.h.user.id).id);
    expect((await s.ada.call("GET", "/assistants/connections")).json.data[0].sandbox).toBe(true);
  });

  test("bound to a mailbox ends with it", async () => {
    const account = s.mailbox.accounts.add({
      user_id: s.h.user.id,
      provider: "imap",
      email: "ada@example.org",
      connection: null,
    });
    const { json } = await client.connect({ account_id: account.id });
    expect(await status(json.access_token)).toBe(200);
    s.mailbox.accounts.remove(account);
    expect(await status(json.access_token)).toBe(401);
  });

  test("has replies that end when it is revoked", async () => {
    const endless = assistantFixture({
      assistants: (platform) => {
        const handle = () => {
          const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("data: 1\n\n")) });
          return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
        };
        const page = { method: "GET", path: "/mcp", challenge: () => "Bearer", handle } as const;
        return { pages: openOAuth(platform), bearerPages: [page] };
      },
    });
    const { json } = await (await OAuthClient.register(endless)).connect();
    const reply = await endless.h.fetch("GET", "//mcp", { key: json.access_token });
    const reader = reply.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    const [connection] = endless.h.platform.connections.list([endless.h.user.id]);
    endless.h.platform.connections.revoke(connection!.id);
    expect((await reader.read()).done).toBe(true);
    endless.h.close();
  });

  test("opens nothing but the tool server", async () => {
    const { json } = await client.connect();
    expect((await s.h.call("GET", "/usage", { key: json.access_token })).status).toBe(401);
    expect((await s.h.call("GET", "//app/api/keys", { key: json.access_token })).status).toBe(403);
    // A refresh token and a code are no access tokens.
    expect(await status(json.refresh_token)).toBe(401);
  });

  test("ends with the plan, and works again with a higher one", async () => {
    const { json } = await client.connect();
    s.h.platform.users.setPlan(s.h.user.id, "pro");
    const refused = await s.call(json.access_token);
    expect([refused.status, refused.json.error.code]).toEqual([402, "plan_required"]);
    s.h.platform.users.setPlan(s.h.user.id, "team");
    expect(await status(json.access_token)).toBe(200);
  });

  test("counts against the rate limit and the quota of its owner", async () => {
    const { json } = await client.connect();
    const { headers } = await s.call(json.access_token);
    expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(Number(headers.get("x-ratelimit-limit")));
    expect(s.h.platform.meters.requests(s.h.user.id)).toBe(1);
  });

  test("leaves no token in the database", async () => {
    const { json } = await client.connect();
    const { sql } = s.h.platform.db;
    const bytes = Buffer.from(sql.serialize());
    for (const secret of [json.access_token, json.refresh_token, client.client_id]) {
      expect(bytes.includes(secret)).toBe(false);
    }
  });
});

describe("a refresh token", () => {
  test("is replaced at each use, and the connection ends when one is used twice", async () => {
    const first = await client.connect();
    const second = await client.refresh(first.json.refresh_token);
    expect([second.status, second.json.scope]).toEqual([200, first.json.scope]);
    expect(second.json.refresh_token).not.toBe(first.json.refresh_token);
    expect(await status(second.json.access_token)).toBe(200);
    const reused = await client.refresh(first.json.refresh_token);
    expect([reused.status, reused.json.error]).toEqual([400, "invalid_grant"]);
    expect(await status(second.json.access_token)).toBe(401);
    expect((await client.refresh(second.json.refresh_token)).json.error).toBe("invalid_grant");
    expect(audited()[0]).toMatchObject({ action: "connection.revoke", actor: { kind: "assistant" } });
  });

  test("used by two requests at the same time gives tokens to one of them at most, and ends the connection", async () => {
    const { json } = await client.connect();
    const replies = await Promise.all([1, 2, 3].map(() => client.refresh(json.refresh_token)));
    const granted = replies.filter((reply) => reply.status === 200);
    expect(granted.length).toBeLessThanOrEqual(1);
    for (const { json } of granted) expect(await status(json.access_token)).toBe(401);
    expect(await status(json.access_token)).toBe(401);
  });

  test("can narrow the scope, and never widens it", async () => {
    const { json } = await client.connect({ scopes: ["mail:read", "search:read"] });
    const narrowed = await client.refresh(json.refresh_token, { scope: "mail:read" });
    expect(narrowed.json.scope).toBe("mail:read");
    const widened = await client.refresh(narrowed.json.refresh_token, { scope: "mail:send" });
    expect([widened.status, widened.json.error]).toEqual([400, "invalid_scope"]);
  });

  test("lives for 90 days after its last use, and an access token for a day", async () => {
    const { json } = await client.connect();
    s.h.clock.advance(86_400_000);
    expect(await status(json.access_token)).toBe(401);
    s.h.clock.advance(80 * 86_400_000);
    const next = await client.refresh(json.refresh_token);
    expect(await status(next.json.access_token)).toBe(200);
    s.h.clock.advance(80 * 86_400_000);
    const last = await client.refresh(next.json.refresh_token);
    expect(last.status).toBe(200);
    s.h.clock.advance(90 * 86_400_000);
    expect((await client.refresh(last.json.refresh_token)).json.error).toBe("invalid_grant");
  });

  test("of another client is refused", async () => {
    const { json } = await client.connect();
    const other = await OAuthClient.register(s);
    expect((await other.refresh(json.refresh_token)).json.error).toBe("invalid_grant");
    expect(await status(json.access_token)).toBe(200);
  });

  test("that the client revokes ends the connection", async () => {
    const { json } = await client.connect();
    const other = await OAuthClient.register(s);
    await other.revoke(json.refresh_token);
    expect(await status(json.access_token)).toBe(200);
    expect((await client.revoke(json.refresh_token)).status).toBe(200);
    expect(await status(json.access_token)).toBe(401);
    const { data } = (await s.ada.call("GET", "/assistants/connections")).json;
    expect(data[0].revoked_at).not.toBeNull();
    expect((await client.revoke("unknown")).status).toBe(200);
  });
});

describe("an authorization code", () => {
  test("used by two requests at the same time gives tokens to one of them at most, and they do not work", async () => {
    const back = await s.authorize(client.url());
    const code = back.searchParams.get("code")!;
    const replies = await Promise.all([1, 2, 3].map(() => client.exchange(code)));
    const granted = replies.filter((reply) => reply.status === 200);
    expect(granted.length).toBeLessThanOrEqual(1);
    for (const { json } of granted) expect(await status(json.access_token)).toBe(401);
  });

  test("works once: a second use ends the connection", async () => {
    const back = await s.authorize(client.url());
    const code = back.searchParams.get("code")!;
    const { json } = await client.exchange(code);
    const again = await client.exchange(code);
    expect([again.status, again.json.error]).toEqual([400, "invalid_grant"]);
    expect(await status(json.access_token)).toBe(401);
  });

  test("names the issuer, and carries the state", async () => {
    const { searchParams } = await s.authorize(client.url());
    expect([searchParams.get("iss"), searchParams.get("state")]).toEqual([BASE, "st"]);
  });

  test("needs its verifier, its client and its redirect URI", async () => {
    const code = async () => (await s.authorize(client.url())).searchParams.get("code")!;
    expect((await client.exchange(await code(), { code_verifier: "x".repeat(43) })).json.error).toBe("invalid_grant");
    const elsewhere = { redirect_uri: "http://127.0.0.1:7777/other" };
    expect((await client.exchange(await code(), elsewhere)).json.error).toBe("invalid_grant");
    const other = await OAuthClient.register(s);
    expect((await other.exchange(await code(), { code_verifier: client.verifier })).json.error).toBe("invalid_grant");
  });

  test("expires after a minute", async () => {
    const back = await s.authorize(client.url());
    s.h.clock.advance(60_000);
    expect((await client.exchange(back.searchParams.get("code")!)).json.error).toBe("invalid_grant");
  });

  test("is worth nothing after the connection was revoked", async () => {
    const back = await s.authorize(client.url());
    const [connection] = s.h.platform.connections.list([s.h.user.id]);
    s.h.platform.connections.revoke(connection!.id);
    expect((await client.exchange(back.searchParams.get("code")!)).json.error).toBe("invalid_grant");
  });
});

test("a restart loses nothing: before consent, between consent and code, and afterwards", async () => {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-oauth-"));
  try {
    let now = assistantFixture({ data_dir });
    const { client_id, verifier } = await OAuthClient.register(now);
    const again = () => Object.assign(new OAuthClient(now, client_id), { verifier });
    const { cookies } = now.window();
    const restart = () => {
      now.h.close();
      now = assistantFixture({ data_dir });
      return now.window(cookies);
    };
    let window = restart();
    const uid = await now.begin(again().url(), window);
    window = restart();
    expect((await now.consent("GET", uid, window)).status).toBe(200);
    window = restart();
    const body = { scopes: ["mail:read"] };
    const { redirect_to } = (await now.consent("POST", `${uid}/approve`, window, { body })).json;
    const back = new URL((await restart().go(redirect_to)).headers.get("location")!);
    restart();
    const { json } = await again().exchange(back.searchParams.get("code")!);
    restart();
    expect((await now.call(json.access_token)).status).toBe(200);
    const next = await again().refresh(json.refresh_token);
    restart();
    expect((await now.call(next.json.access_token)).status).toBe(200);
    now.h.close();
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
  }
});
