import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BOB, type McpFixture, mcpFixture } from "../../test/support/mcp-fixture.ts";
import { stdioSession } from "../../test/support/stdio-session.ts";
import { IDEMPOTENCY_META_KEY } from "./repeats.ts";

/** A call that is repeated with its idempotency key, after a timeout for example, changes nothing a second time. */

let m: McpFixture;
beforeEach(() => {
  m = mcpFixture();
});
afterEach(() => m.h.close());

/** Calls a tool with an idempotency key. @returns its result, or its error */
async function call(name: string, args: object, key: unknown = "key-1", secret?: string) {
  const given = { name, arguments: args, _meta: { [IDEMPOTENCY_META_KEY]: key } };
  const { result } = await m.rpc("tools/call", given, secret === undefined ? {} : { key: secret });
  return result.isError ? JSON.parse(result.content[0].text).error : result.structuredContent;
}

const EVENT = { title: "Lunch", start: "2026-03-03T12:00:00Z", end: "2026-03-03T13:00:00Z" };
const RULE = { conditions: [{ field: "subject", op: "contains", value: "x" }], actions: [{ type: "star" }] };

const credits = async () => (await m.h.call("GET", "/usage")).json.ai_credits.used as number;

describe("with the same key", () => {
  test.each<[string, object, string]>([
    ["save_draft", { to: [BOB], subject: "Hi", body: "Hello" }, "drafts"],
    ["change_event", { action: "create", ...EVENT }, "calendar_events"],
    ["change_rule", { action: "create", ...RULE }, "rules"],
  ])("%s creates one thing and returns the same result", async (name, args, table) => {
    const before = m.count(table);
    const first = await call(name, args);
    expect(await call(name, args)).toEqual(first);
    expect(m.count(table) - before).toBe(1);
    expect((await call(name, args, "key-2")).id).not.toBe(first.id);
  });

  test("a brief and an AI draft cost their credits once", async () => {
    m.fromBob("Can you send the report by Friday?");
    for (const [name, args, cost] of [
      ["get_brief", { generate: true }, 3],
      ["save_draft", { to: [BOB], subject: "Hi", use_ai: true, instructions: "Say hello" }, 1],
    ] as const) {
      const before = await credits();
      await call(name, args);
      await call(name, args);
      expect((await credits()) - before).toBe(cost);
    }
  });

  test("a note is appended once", async () => {
    const { json } = await m.h.call("POST", "/context/profiles", { body: { domain: "client.example" } });
    const args = { profile_id: json.id, append_note: "Called." };
    await call("update_context", args);
    await call("update_context", args);
    expect((await m.h.call("GET", `/context/profiles/${json.id}`)).json.notes).toHaveLength(1);
  });

  test("the undo is that of the first call", async () => {
    const { id } = await m.ok("save_draft", { subject: "Hi", body: "First" });
    await call("save_draft", { draft_id: id, body: "Second" });
    await m.undo(await call("save_draft", { draft_id: id, body: "Second" }));
    expect((await m.h.call("GET", `/drafts/${id}`)).json.body).toBe("First");
  });

  test("calls at the same time create one thing", async () => {
    const results = await Promise.all(
      Array.from({ length: 5 }, () => call("change_event", { action: "create", ...EVENT })),
    );
    expect(m.count("calendar_events")).toBe(1);
    for (const { id, code } of results) expect(code ?? id).toBe(code ? "idempotency_in_progress" : results[0].id);
  });

  test("other arguments are a conflict, another tool and another credential are not", async () => {
    await call("change_event", { action: "create", ...EVENT });
    expect(await call("change_event", { action: "create", ...EVENT, title: "Dinner" })).toMatchObject({
      code: "idempotency_conflict",
    });
    expect(await call("change_rule", { action: "create", ...RULE })).toHaveProperty("id");
    expect(await call("change_event", { action: "create", ...EVENT }, "key-1", m.h.newKey().secret)).toHaveProperty(
      "id",
    );
    expect(m.count("calendar_events")).toBe(2);
  });

  test("a call that failed can be repeated", async () => {
    const draft_id = m.h.platform.newId("draft");
    expect(await call("save_draft", { draft_id, body: "x" })).toMatchObject({ code: "not_found" });
    expect(await call("save_draft", { draft_id, body: "x" })).toMatchObject({ code: "not_found" });
  });

  test("a send that asks the person first is sent once", async () => {
    m.writtenTo(BOB);
    const { id: draft_id } = await m.ok("save_draft", { to: [BOB], subject: "Hi", body: "Hello" });
    const { confirmation } = await m.ok("prepare_send", { draft_id });
    const reply = () => ({ result: { action: "accept", content: { confirm: true } } });
    const session = await stdioSession(m, { capabilities: { elicitation: {} }, reply });
    const more = { _meta: { [IDEMPOTENCY_META_KEY]: "key-1" } };
    const first = await session.tool("send_draft", { draft_id, confirmation }, more);
    expect(first.value).toMatchObject({ status: "scheduled" });
    expect(await session.tool("send_draft", { draft_id, confirmation }, more)).toEqual(first);
    expect(m.count("sends")).toBe(1);
  });
});

test.each([[""], ["x".repeat(256)], [7], [null], [{}]])("the key %p is refused", async (key) => {
  const error = await call("save_draft", { subject: "Hi" }, key);
  expect(error).toMatchObject({ code: "invalid_params", param: IDEMPOTENCY_META_KEY });
  expect(m.count("drafts")).toBe(0);
});

test("reading is not affected by a key", async () => {
  const before = await call("list_drafts", {});
  await m.ok("save_draft", { subject: "Hi" });
  const after = await call("list_drafts", {});
  expect([before.drafts.length, after.drafts.length]).toEqual([0, 1]);
});
