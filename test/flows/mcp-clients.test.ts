import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATHS } from "../../src/features/oauth-server/paths.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { SendingPolicies } from "../../src/outbound/approvals/policies.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import { connectClient, inspectorCli, stdioCommand, type Target, WAYS } from "../support/mcp-clients.ts";

setDefaultTimeout(120_000);

/** Clients of others against the whole program: both generations of the SDK and the official inspector. */

let live: LiveApp;
let sandbox: string;
let target: Target;
beforeAll(async () => {
  live = await startLiveApp({ "mcp.enabled": "true" });
  const { platform } = live.app;
  sandbox = platform.users.sandboxOf(platform.users.list()[0]!.id).id;
  target = newTarget();
});
afterAll(async () => {
  await live.close();
});

/** A key of the sandbox that may write to anyone after the person has agreed in the client. */
function newTarget(): Target & { key_id: string } {
  const { platform, server } = live.app;
  const { key, secret } = platform.keys.create({
    ...{ name: "test", user_id: sandbox, scopes: [...SCOPES], test: true },
    // The tool server accepts such keys in every way.
    tools_only: true,
  });
  const by = { actor: { kind: "user" as const, id: sandbox }, request_id: null };
  new SendingPolicies(platform).set(sandbox, key.id, { recipients: "anyone" }, by);
  return { url: server.url, data_dir: platform.config.data_dir, key: secret, key_id: key.id };
}

describe.each(WAYS)("SDK $sdk over $transport", (way) => {
  /** Only an open connection or the newest revision can ask. Over HTTP, earlier revisions cannot. */
  const canAsk = way.sdk === "v2" || way.transport === "stdio";

  test("lists and calls tools, reads resources, gets prompts", async () => {
    const client = await connectClient(way, target);
    expect(await client.tools()).toHaveLength(21);
    const { structuredContent, content } = await client.call("list_threads", { limit: 3 });
    expect(structuredContent.threads).toHaveLength(3);
    expect(JSON.parse(content[0]!.text!)).toEqual(structuredContent);
    const { id } = structuredContent.threads[0];
    expect(await client.resources()).toContain("postroom://rules");
    expect(JSON.parse(await client.read("postroom://rules"))).toHaveProperty("data");
    expect(await client.read(`postroom://threads/${id}`)).toMatch(/^[0-9a-f]{6}\| /);
    expect(await client.prompts()).toContain("triage_inbox");
    expect(await client.prompt("draft_reply")).toContain("save_draft");
    await client.close();
  });

  test("gets the code of an error", async () => {
    const client = await connectClient(way, target);
    const { isError, content } = await client.call("list_threads", { limit: 1_000 });
    expect(isError).toBe(true);
    expect(JSON.parse(content[0]!.text!).error).toMatchObject({ code: "invalid_params", param: "limit" });
    await expect(client.read("postroom://threads/thr_00000000000000000000000000")).rejects.toThrow("not_found");
    await client.close();
  });

  test.each([
    { agrees: true, status: canAsk ? "scheduled" : "waiting_for_approval" },
    { agrees: false, status: canAsk ? "declined" : "waiting_for_approval" },
  ])("asks the person before it sends (agrees: $agrees)", async ({ agrees, status }) => {
    const questions: string[] = [];
    const client = await connectClient(way, target, (question) => {
      questions.push(question);
      return agrees;
    });
    const fields = { to: ["new@example.org"], subject: "Offer", body: "The offer." };
    const { id: draft_id } = (await client.call("save_draft", fields)).structuredContent;
    const { confirmation } = (await client.call("prepare_send", { draft_id })).structuredContent;
    const sent = (await client.call("send_draft", { draft_id, confirmation })).structuredContent;
    expect(sent.status).toBe(status);
    expect(questions).toHaveLength(canAsk ? 1 : 0);
    if (canAsk) expect(questions[0]).toContain("To: new@example.org");
    await client.close();
  });

  test("a client that cannot ask gets the address of the approval", async () => {
    const client = await connectClient(way, target);
    const fields = { to: ["new@example.org"], subject: "Offer", body: "The offer." };
    const { id: draft_id } = (await client.call("save_draft", fields)).structuredContent;
    const { confirmation } = (await client.call("prepare_send", { draft_id })).structuredContent;
    const sent = (await client.call("send_draft", { draft_id, confirmation })).structuredContent;
    expect(sent).toMatchObject({ status: "waiting_for_approval" });
    // A local program gets the address for this machine's browser, where passkeys need a name.
    const { port } = new URL(target.url);
    expect(sent.url).toMatch(new RegExp(`^http://(?:127\\.0\\.0\\.1|localhost):${port}/app/#/approvals/apv_`));
    await client.close();
  });

  test("a revoked key ends the connection", async () => {
    const { key_id, ...own } = newTarget();
    const client = await connectClient(way, own);
    await client.call("get_overview");
    live.app.platform.keys.revoke(key_id);
    await expect(client.call("get_overview")).rejects.toThrow();
    await client.close();
  });

  test("a wrong key does not connect", async () => {
    const wrong = { ...target, key: "service_test_wrong" };
    await expect(connectClient(way, wrong)).rejects.toThrow();
  });
});

/** Runs a command to its end, with this standard input. */
async function run(args: string[], env: Record<string, string | undefined>, input = "") {
  const child = Bun.spawn(args, { env, stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

test.each(["v1", "v2"] as const)("a call over HTTP fails when the server has stopped (SDK %s)", async (sdk) => {
  const own = await startLiveApp({ "mcp.enabled": "true" });
  const { data_dir } = own.app.platform.config;
  const client = await connectClient({ sdk, transport: "http" }, { url: own.app.server.url, data_dir, key: own.key });
  await client.call("get_overview");
  await own.close();
  await expect(client.call("get_overview")).rejects.toThrow();
  await client.close();
});

describe("postroom mcp", () => {
  const mcp = (given: Omit<Target, "url">, input?: string) => {
    const { command, args, env } = stdioCommand(given);
    return run([command, ...args], env, input);
  };

  test("ends with code 0 when the assistant ends", async () => {
    const request = { jsonrpc: "2.0", id: 1, method: "ping" };
    const { code, err } = await mcp(target, `${JSON.stringify(request)}\n`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  test("says that the key is not valid", async () => {
    const { code, out, err } = await mcp({ ...target, key: "service_test_wrong" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("The API key is not valid");
  });

  test("says that no key was given", async () => {
    const { code, err } = await mcp({ ...target, key: "" });
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("No API key was given") });
  });

  test("says how to start the server when none runs", async () => {
    const data_dir = mkdtempSync(join(tmpdir(), "postroom-none-"));
    openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock }).close();
    const { code, err } = await mcp({ ...target, data_dir });
    rmSync(data_dir, { recursive: true });
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("postroom serve --data") });
  });

  test("says that the tool server is off", async () => {
    const off = await startLiveApp();
    try {
      const { data_dir } = off.app.platform.config;
      const { code, err } = await mcp({ data_dir, key: off.key });
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("The tool server is off") });
      const reply = await post(off.app.server.url, { key: off.key });
      expect([reply.status, reply.json.error.code]).toEqual([404, "not_found"]);
    } finally {
      await off.close();
    }
  });

  test("ends with a message when the key is revoked or the server stops", async () => {
    const own = await startLiveApp({ "mcp.enabled": "true" });
    const { platform } = own.app;
    const open = (key: string) => {
      const { command, args, env } = stdioCommand({ data_dir: platform.config.data_dir, key });
      return Bun.spawn([command, ...args], { env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    };
    const user_id = platform.users.list()[0]!.id;
    const { key, secret } = platform.keys.create({ name: "t", user_id, scopes: [...SCOPES], test: false });
    const [revoked, stopped] = [open(secret), open(own.key)];
    for (const child of [revoked, stopped]) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
      child.stdin.flush();
      await child.stdout.getReader().read();
    }
    platform.keys.revoke(key.id);
    expect(await revoked.exited).toBe(1);
    expect(await new Response(revoked.stderr).text()).toContain("The connection has ended");
    await own.close();
    expect(await stopped.exited).toBe(1);
    expect(await new Response(stopped.stderr).text()).toContain("The connection has ended");
  });
});

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** Sends a request to /mcp as a client of an earlier revision does. */
async function post(
  url: string,
  {
    key,
    body = PING,
    ...more
  }: { key?: string; body?: unknown; method?: string; headers?: Record<string, string> } = {},
) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(key && { Authorization: `Bearer ${key}` }),
    ...more.headers,
  };
  const sent = more.method === "GET" ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${url}/mcp`, { method: "POST", ...more, headers, body: sent });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("application/json") ?? false;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

describe("POST /mcp", () => {
  test("refuses a request without a valid key, and says how to send one", async () => {
    for (const key of [undefined, "service_test_wrong"]) {
      const { status, headers, json } = await post(target.url, { key });
      expect([status, json.error.code]).toEqual([401, "unauthorized"]);
      expect(headers.get("www-authenticate")).toStartWith("Bearer ");
    }
  });

  test("has the headers of the rate limit and the id of the request", async () => {
    const { headers } = await post(target.url, { key: target.key });
    expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
    expect(headers.get("x-request-id")).toStartWith("req_");
  });

  test("refuses a body over 4 MiB, and one that is deeply nested", async () => {
    const large = await post(target.url, { key: target.key, body: { ...PING, params: { x: "x".repeat(4 << 20) } } });
    expect(large.status).toBe(413);
    const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":${"[".repeat(1e6)}${"]".repeat(1e6)}}}}`;
    const deep = await post(target.url, { key: target.key, body: nested });
    expect(deep.status).toBeLessThan(500);
    expect((await post(target.url, { key: target.key })).status).toBe(200);
  });

  test("GET and DELETE are refused, because there are no sessions", async () => {
    for (const method of ["GET", "DELETE"]) {
      expect((await post(target.url, { key: target.key, method })).status).toBe(405);
    }
    expect((await post(target.url, { key: target.key, method: "PUT" })).status).toBe(405);
  });

  test("counts as a request: quota and rate limit end with their codes", async () => {
    const small = await startLiveApp({
      "mcp.enabled": "true",
      "limits.autopilot.requests_per_day": "2",
      "limits.requests_per_minute_key": "4",
    });
    try {
      const codes: string[] = [];
      for (let call = 0; call < 6; call++) {
        const { status, headers, json } = await post(small.app.server.url, { key: small.key });
        codes.push(status === 200 ? "ok" : json.error.code);
        if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
      expect(codes).toEqual(["ok", "ok", "quota_exceeded", "quota_exceeded", "rate_limited", "rate_limited"]);
    } finally {
      await small.close();
    }
  });

  test("needs the plan Autopilot or Team", async () => {
    const { platform } = live.app;
    const { id } = platform.users.add({ email: "pro@example.org", plan: "pro", role: "member", timezone: "UTC" });
    const { secret } = platform.keys.create({ name: "t", user_id: id, scopes: [...SCOPES], test: false });
    const { status, json } = await post(target.url, { key: secret });
    expect([status, json.error.code]).toEqual([402, "plan_required"]);
    const { command, args, env } = stdioCommand({ ...target, key: secret });
    const { code, err } = await run([command, ...args], env);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(/Autopilot/) });
  });
});

describe("a page in a browser", () => {
  const origin = "https://inspector.example";
  const asks = { Origin: origin, "Access-Control-Request-Method": "POST" };

  test("calls /mcp from an origin of http.cors_origins", async () => {
    const open = await startLiveApp({ "mcp.enabled": "true", "http.cors_origins": origin });
    try {
      const { url } = open.app.server;
      const preflight = await fetch(`${url}/mcp`, {
        method: "OPTIONS",
        headers: { ...asks, "Access-Control-Request-Headers": "authorization,mcp-protocol-version,mcp-method" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
      expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
      for (const name of ["Authorization", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id"]) {
        expect(preflight.headers.get("access-control-allow-headers")).toContain(name);
      }
      for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"]) {
        const metadata = await fetch(url + path, { headers: { Origin: origin } });
        expect([metadata.status, metadata.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
      }
      const token = await fetch(`${url}${PATHS.token}`, { method: "OPTIONS", headers: asks });
      expect([token.status, token.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
      const consent = await fetch(`${url}${PATHS.authorization}`, { method: "OPTIONS", headers: asks });
      expect(consent.headers.get("access-control-allow-origin")).toBeNull();
      const ok = await post(url, { key: open.key, headers: { Origin: origin } });
      expect([ok.status, ok.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
      const refused = await post(url, { headers: { Origin: origin } });
      expect(refused.status).toBe(401);
      expect(refused.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
      expect(refused.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
      const other = await post(url, { key: open.key, headers: { Origin: "https://evil.example" } });
      expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    } finally {
      await open.close();
    }
  });

  test("is refused from any other origin", async () => {
    const preflight = await fetch(`${target.url}/mcp`, { method: "OPTIONS", headers: asks });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([405, null]);
    expect((await post(target.url, { key: target.key, headers: { Origin: origin } })).status).toBe(403);
  });
});

const cli = inspectorCli();
if (cli === null) console.info("skipped: the official inspector (not installed; see MCP_INSPECTOR in docs/testing.md)");

describe.skipIf(cli === null)("the official inspector", () => {
  const inspect = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: target.data_dir, POSTROOM_API_KEY: target.key };
    return run([process.execPath, cli!, "--cli", ...args], env);
  };
  const ways: [string, () => string[]][] = [
    ["HTTP", () => [`${target.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${target.key}`]],
    [
      "standard input and output",
      () => {
        const { command, args } = stdioCommand(target);
        return ["-e", `POSTROOM_API_KEY=${target.key}`, command, ...args];
      },
    ],
  ];

  test.each(ways)("lists and calls tools, resources and prompts over %s", async (_, way) => {
    const listed = await inspect(...way(), "--method", "tools/list");
    expect({ code: listed.code, tools: JSON.parse(listed.out).tools?.length }).toEqual({ code: 0, tools: 21 });
    const called = await inspect(...way(), "--method", "tools/call", "--tool-name", "get_overview");
    expect(JSON.parse(called.out)).toHaveProperty("structuredContent");
    const resources = await inspect(...way(), "--method", "resources/list");
    expect(JSON.parse(resources.out).resources).toHaveLength(3);
    const prompt = await inspect(...way(), "--method", "prompts/get", "--prompt-name", "triage_inbox");
    expect(JSON.parse(prompt.out).messages).toHaveLength(1);
  });
});
