import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { type McpFixture, mcpFixture } from "../../test/support/mcp-fixture.ts";
import { stdioSession } from "../../test/support/stdio-session.ts";
import { storeProgramLimits } from "../platform/identity/program-limits.ts";
import { storeMcpEnabled } from "../platform/identity/tool-server.ts";

/** Every call of a tool is checked and counted like a request of the API, however it arrives. */

let m: McpFixture;
afterEach(() => m.h.close());

const call = (id: number, name = "get_overview") => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: {} },
});

/** Sends several calls in one request, as revision 2025-03-26 allows. @returns the code of each call, or "ok" */
async function batch(calls: number, key?: string): Promise<string[]> {
  const headers = {
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": "2025-03-26",
  };
  const body = JSON.stringify(Array.from({ length: calls }, (_, id) => call(id)));
  const { text } = await m.h.call("POST", "//mcp", { headers, body, ...(key !== undefined && { key }) });
  const messages = [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, json]) => JSON.parse(json!));
  return (messages.length > 0 ? messages : JSON.parse(text))
    .sort((a: { id: number }, b: { id: number }) => a.id - b.id)
    .map(({ result }: { result: { isError?: boolean; content: { text: string }[] } }) =>
      result.isError ? JSON.parse(result.content[0]!.text).error.code : "ok",
    );
}

const usage = async () => (await m.h.call("GET", "/usage", { key: m.h.newKey().secret })).json.requests.used as number;

describe("a batch of calls in one request", () => {
  test("ends at the rate limit, call by call", async () => {
    m = mcpFixture({ config: { "limits.requests_per_minute_key": 5 } });
    const outcomes = await batch(10);
    expect(outcomes).toEqual([...Array(5).fill("ok"), ...Array(5).fill("rate_limited")]);
  });

  test("ends at the daily quota, call by call", async () => {
    m = mcpFixture({ config: { "limits.autopilot.requests_per_day": 5 } });
    const outcomes = await batch(10);
    expect(outcomes).toEqual([...Array(5).fill("ok"), ...Array(5).fill("quota_exceeded")]);
  });

  test("counts each call in the usage of the day", async () => {
    m = mcpFixture();
    const before = await usage();
    await batch(10);
    // Reading the usage counts as well.
    expect((await usage()) - before).toBe(11);
  });
});

describe("while the limits for programs are lifted", () => {
  test("the owner's assistants may use the tools on every plan, and their calls are counted but not limited", async () => {
    m = mcpFixture({ config: { "limits.requests_per_minute_key": 5, "limits.pro.requests_per_day": 5 } });
    const { platform } = m.h;
    const { user } = m.h.session("owner@example.org", "owner");
    platform.users.setPlan(user.id, "pro");
    const { secret } = m.h.newKey({ user_id: user.id });
    const refused = await m.h.call("POST", "//mcp", { key: secret, body: call(1) });
    expect(refused.json.error.code).toBe("plan_required");
    storeProgramLimits(platform, "none", { user_id: user.id, actor: { kind: "user", id: user.id } });
    expect(await batch(10, secret)).toEqual(Array(10).fill("ok"));
    expect((await m.h.call("GET", "/usage", { key: secret })).json.requests.used).toBe(11);
    storeProgramLimits(platform, "standard", { user_id: user.id, actor: { kind: "user", id: user.id } });
    m.h.clock.advance(60_000);
    const again = await m.h.call("POST", "//mcp", { key: secret, body: call(1) });
    expect(again.json.error.code).toBe("plan_required");
  });
});

describe("an open connection of a local program", () => {
  test("ends when the tool server is turned off", async () => {
    m = mcpFixture({ config: { "mcp.enabled": false } });
    const { platform, user } = m.h;
    const by = { user_id: user.id, actor: { kind: "user", id: user.id } as const };
    storeMcpEnabled(platform, true, by);
    const session = await stdioSession(m);
    expect((await session.tool("list_threads")).error).toBeNull();
    storeMcpEnabled(platform, false, by);
    await expect(session.tool("list_threads")).rejects.toThrow("ended");
    expect(session.isClosed()).toBe(true);
  });

  test("gets no answer from a tool server that another process has turned off", async () => {
    m = mcpFixture({ config: { "mcp.enabled": false } });
    const { platform, user } = m.h;
    storeMcpEnabled(platform, true, { user_id: user.id, actor: { kind: "user", id: user.id } });
    const session = await stdioSession(m);
    platform.grants.remove("settings", { key: "mcp_enabled" });
    expect((await session.tool("list_threads")).error?.code).toBe("not_found");
  });

  test("records that its key was used", async () => {
    m = mcpFixture();
    const { id, secret } = m.h.newKey();
    const session = await stdioSession(m, { key: secret });
    await session.tool("get_overview");
    m.h.pipeline.close();
    expect(m.h.platform.keys.get(id)!.last_used_at).toBe(m.h.clock.now());
  });

  test("is counted against rate limit and quota", async () => {
    m = mcpFixture({ config: { "limits.requests_per_minute_key": 2 } });
    const session = await stdioSession(m);
    expect((await session.tool("get_overview")).error).toBeNull();
    expect((await session.tool("get_overview")).error).toBeNull();
    expect((await session.tool("get_overview")).error?.code).toBe("rate_limited");
  });
});

test("an assistant sees its waiting sends, however many others wait", async () => {
  m = mcpFixture();
  const ask = async (key?: string) => {
    const connection = key === undefined ? {} : { key };
    const { id: draft_id } = await m.ok(
      "save_draft",
      { to: ["new@example.org"], subject: "Hi", body: "x" },
      connection,
    );
    const { confirmation } = await m.ok("prepare_send", { draft_id }, connection);
    return (await m.ok("send_draft", { draft_id, confirmation }, connection)).approval_id as string;
  };
  const first = await ask();
  // Many keys, because one key may have a limit.
  for (let i = 0; i < 11; i++) {
    const { secret } = m.h.newKey();
    for (let n = 0; n < 10; n++) await ask(secret);
  }
  const { waiting_for_approval } = await m.ok("list_drafts");
  expect(waiting_for_approval.map(({ approval_id }: { approval_id: string }) => approval_id)).toEqual([first]);
}, 60_000);

test("a tool server whose library could not be loaded is loaded at the next request", async () => {
  m = mcpFixture();
  const sealer = Object.getPrototypeOf(m.h.platform.keyring.system());
  const { longHmac } = sealer;
  let failures = 0;
  const failing = spyOn(sealer, "longHmac").mockImplementation(function (this: unknown, ...given: unknown[]) {
    if (given[1] === "question" && failures++ === 0) throw new Error("the disk failed");
    return longHmac.apply(this, given);
  });
  expect(await m.rpc("tools/list")).toMatchObject({ error: { code: "internal_error" } });
  expect((await m.rpc("tools/list")).result.tools).toHaveLength(21);
  failing.mockRestore();
  expect(failures).toBe(2);
});

test("arguments that are nested too deep for recursion get an answer", async () => {
  m = mcpFixture();
  const headers = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const started = JSON.stringify({
    ...call(1, "list_threads"),
    params: { name: "list_threads", arguments: { limit: 0 } },
  });
  const { status, text } = await m.h.call("POST", "//mcp", { headers, body: started.replace(":0}", `:${deep}}`) });
  expect(status).toBe(200);
  expect(text).toContain("limit must be an integer.");
});
