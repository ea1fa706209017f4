import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type McpFixture, mcpFixture } from "../../../test/support/mcp-fixture.ts";

let m: McpFixture;
let key: string;
beforeEach(() => {
  m = mcpFixture();
  key = m.h.newKey({ tools_only: true }).secret;
});
afterEach(() => m.h.close());

describe("a key that is only for the tool server", () => {
  test("is refused for every path of the API, also for one that does not exist", async () => {
    const to = { to: ["eve@evil.example"], subject: "Hi", body: "Hello" };
    const requests = [
      ["GET", "/threads", undefined],
      ["POST", "/messages/send", to],
      ["POST", "/drafts", to],
      ["GET", "/events", undefined],
      ["GET", "/nothing", undefined],
    ] as const;
    for (const [method, path, body] of requests) {
      const { status, json } = await m.h.call(method, path, { key, ...(body && { body }) });
      expect([path, status, json.error.code]).toEqual([path, 403, "forbidden_scope"]);
      expect(json.error.message).toContain("only with the tool server");
    }
    expect([m.count("sends"), m.count("drafts")]).toEqual([0, 0]);
  });

  test("works at /mcp, where a send waits for the person", async () => {
    const { id: draft_id } = await m.ok("save_draft", { to: ["eve@evil.example"], subject: "Hi", body: "." }, { key });
    const { confirmation } = await m.ok("prepare_send", { draft_id }, { key });
    const step = await m.ok("send_draft", { draft_id, confirmation }, { key });
    expect(step.status).toBe("waiting_for_approval");
  });

  test("is told that its plan has no API first, and then that it is limited", async () => {
    m.h.platform.users.setPlan(m.h.user.id, "free");
    expect((await m.h.call("GET", "/threads", { key })).json.error.code).toBe("plan_required");
  });

  test("another key is not limited", async () => {
    expect((await m.h.call("GET", "/threads")).status).toBe(200);
  });
});
