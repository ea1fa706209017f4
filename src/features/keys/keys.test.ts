import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type MemberFixture, memberFixture } from "../../../test/support/member-fixture.ts";
import { SCOPES } from "../../kernel/scopes.ts";
import { SCOPE_GROUPS } from "./scope-groups.ts";

let s: MemberFixture;
beforeEach(() => {
  s = memberFixture();
});
afterEach(() => s.h.close());

const make = (body: object, by = s.ada) =>
  by.call("POST", "/keys", { body: { name: "n", scopes: ["usage:read"], ...body } });
const usage = async (key: string, peer?: string) => (await s.h.call("GET", "/usage", { key, peer })).status;

describe("groups of scopes", () => {
  test("contain every scope once, and mark those that act in the user's name", () => {
    expect(SCOPE_GROUPS.flatMap(({ scopes }) => scopes).sort()).toEqual([...SCOPES].sort());
    const marked = SCOPE_GROUPS.filter(({ danger }) => danger).flatMap(({ scopes }) => scopes);
    expect(marked).toEqual(["mail:send", "agent:read", "agent:run"]);
  });

  test("show which of them the plan allows", async () => {
    s.h.platform.users.setPlan(s.h.user.id, "pro");
    const { json } = await s.ada.call("GET", "/scopes");
    const closed = json.data.filter(({ available }: { available: boolean }) => !available);
    expect(closed.map(({ name }: { name: string }) => name)).toEqual(["run_agent"]);
  });
});

describe("presets", () => {
  interface Preset {
    name: string;
    scopes: string[];
    tools_only: boolean;
    available: boolean;
  }
  const presets = async () => (await s.ada.call("GET", "/scopes")).json.presets as Preset[];

  test("have only scopes that the plan allows, so that each of them makes a key", async () => {
    for (const plan of ["pro", "autopilot"] as const) {
      s.h.platform.users.setPlan(s.h.user.id, plan);
      for (const { name, scopes, tools_only, available } of await presets()) {
        if (!available) continue;
        const { status, json } = await make({ name, scopes, tools_only });
        expect([plan, name, status]).toEqual([plan, name, 201]);
        expect(json).toMatchObject({ scopes, tools_only });
      }
    }
  });

  test("for assistants need a plan with the tool server, and all need one with keys", async () => {
    const closed = async (plan: "pro" | "free" | "autopilot") => {
      s.h.platform.users.setPlan(s.h.user.id, plan);
      return (await presets()).filter(({ available }) => !available).map(({ name }) => name);
    };
    expect(await closed("autopilot")).toEqual([]);
    expect(await closed("pro")).toEqual(["assistant"]);
    expect(await closed("free")).toEqual(["read_only", "assistant", "automation", "everything"]);
  });
});

test.each(["a\nb", "\u001b[31mred", "nul\u0000", "\u202egpj.exe", "  ", "\u200b"])(
  "an empty or misleading name is refused everywhere: %j",
  async (name) => {
    for (const answer of [
      await make({ name }),
      await s.owner.call("POST", "/teams", { body: { name } }),
      await s.owner.call("POST", "/members", { body: { email: `${name}@example.org`, plan: "pro" } }),
    ]) {
      expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_params"]);
      expect(["name", "email"]).toContain(answer.json.error.param);
    }
  },
);

describe("a key", () => {
  test("is shown once, works, is listed with its last use, and stops working when it is revoked", async () => {
    const { status, json } = await make({ name: " laptop " });
    expect([status, json.name, json.state, json.test]).toEqual([201, "laptop", "active", false]);
    expect(await usage(json.secret)).toBe(200);
    s.h.clock.advance(5_000);
    const listed = async () => (await s.ada.call("GET", "/keys")).json.data[0];
    expect(await listed()).toMatchObject({ id: json.id, hint: json.hint, last_used_at: "2026-03-02T09:00:00.000Z" });
    expect(JSON.stringify(await listed())).not.toContain(json.secret);
    expect((await s.ada.call("DELETE", `/keys/${json.id}`)).status).toBe(204);
    expect(await usage(json.secret)).toBe(401);
    expect((await s.ada.call("GET", "/keys")).json.data.at(-1)).toMatchObject({ id: json.id, state: "revoked" });
    const actions = s.h.platform.audit.list(s.h.user.id, { limit: 2 }).map(({ action, actor }) => [action, actor.kind]);
    expect(actions).toEqual([
      ["key.revoke", "user"],
      ["key.create", "user"],
    ]);
  });

  test("for testing belongs to the sandbox, whether the page shows the person or the sandbox", async () => {
    const headers = { "X-Postroom-Sandbox": "1" };
    const { json } = await s.ada.call("POST", "/keys", {
      headers,
      body: { name: "n", scopes: ["usage:read"], test: true },
    });
    expect(json.secret).toStartWith("service_test_");
    expect(s.h.platform.keys.get(json.id)?.user_id).toBe(s.h.platform.users.sandboxOf(s.h.user.id).id);
    expect((await s.ada.call("GET", "/keys")).json.data[0].id).toBe(json.id);
    expect((await s.ada.call("DELETE", `/keys/${json.id}`, { headers })).status).toBe(204);
  });

  test("works with the tool server only, if it was made so", async () => {
    const { json } = await make({ tools_only: true });
    expect([json.tools_only, await usage(json.secret)]).toEqual([true, 403]);
    const [listed] = (await s.ada.call("GET", "/keys")).json.data;
    expect(listed).toMatchObject({ id: json.id, tools_only: true });
    expect((await make({})).json.tools_only).toBe(false);
  });

  test("expires, and is bound to a mailbox and to addresses", async () => {
    const { json } = await make({ expires_in_days: 1, account_id: s.account.id, ip_allow: ["192.0.2.0/24"] });
    expect(json).toMatchObject({ expires_at: "2026-03-03T09:00:00.000Z", account_id: s.account.id });
    expect([await usage(json.secret, "192.0.2.7"), await usage(json.secret, "198.51.100.1")]).toEqual([200, 401]);
    s.h.clock.advance(86_400_000);
    expect(await usage(json.secret, "192.0.2.7")).toBe(401);
  });

  test.each([
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["mail:red"] }, "scopes[0]"],
    [{ name: "  " }, "name"],
    [{ expires_in_days: 0 }, "expires_in_days"],
    [{ ip_allow: ["10.0.0.0/8", "my house"] }, "ip_allow[1]"],
  ])("%j is refused", async (body, param) => {
    const { status, json } = await make(body);
    expect([status, json.error.param]).toEqual([400, param]);
    expect((await s.ada.call("GET", "/keys")).json.data).toHaveLength(1);
  });

  test("gets no scope that the plan does not include", async () => {
    s.h.platform.users.setPlan(s.h.user.id, "pro");
    expect((await make({ scopes: ["agent:run"] })).json.error.code).toBe("plan_required");
    s.h.platform.users.setPlan(s.h.user.id, "free");
    expect((await make({})).json.error.code).toBe("plan_required");
  });

  test("of another user is not accessible: it cannot be listed or revoked, nor can a key be bound to that user's mailbox", async () => {
    const { json } = await make({});
    expect((await s.owner.call("GET", "/keys")).json.data).toEqual([]);
    expect((await s.owner.call("DELETE", `/keys/${json.id}`)).status).toBe(404);
    expect((await make({ account_id: s.account.id }, s.owner)).status).toBe(404);
    expect(await usage(json.secret)).toBe(200);
  });
});
