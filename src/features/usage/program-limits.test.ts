import { afterEach, describe, expect, test } from "bun:test";
import { allAppRoutes } from "../../../test/support/all-app-routes.ts";
import { allRoutes } from "../../../test/support/all-routes.ts";
import { createHarness, type Harness, type HarnessOptions } from "../../../test/support/http-harness.ts";
import { createSendFixture } from "../../../test/support/send-fixture.ts";
import type { Plan } from "../../kernel/plans.ts";
import { takeCredits } from "../../platform/ledger/credits.ts";

const DAY_MS = 86_400_000;
const NO_LIMIT = 1_000_000_000;

let h: Harness;
afterEach(() => h.close());

/** Ada is the owner, so that her keys are those of the owner's programs. */
function start(config: HarnessOptions["config"] = {}, plan: Plan = "autopilot"): Harness {
  h = createHarness({ routes: allRoutes, appRoutes: (p) => allAppRoutes(p), role: "owner", plan, config });
  return h;
}

const choose = (programs: unknown, by = h.session()) => by.call("PATCH", "/usage/limits", { body: { programs } });
const shown = async (by = h.session()) => (await by.call("GET", "/usage/limits")).json;
const usage = (key?: string) => h.call("GET", "/usage", key ? { key } : {});
const codes = async (times: number, ask: () => ReturnType<Harness["call"]>) => {
  const found: (number | string)[] = [];
  for (let i = 0; i < times; i++) {
    const { status, json } = await ask();
    found.push(json?.error?.code ?? status);
  }
  return found;
};

describe("the switch", () => {
  test("starts at standard, changes both ways, and each change is an audit row", async () => {
    start();
    expect(await shown()).toEqual({ programs: "standard", configured: false });
    expect((await choose("none")).json).toEqual({ programs: "none", configured: false });
    expect(await shown()).toEqual({ programs: "none", configured: false });
    await choose("none");
    await choose("standard");
    expect(await shown()).toEqual({ programs: "standard", configured: false });
    const rows = h.platform.audit.list(h.user.id, { limit: 10 }).filter(({ action }) => action === "limits.programs");
    expect(rows.map(({ actor, before, after }) => [actor.kind, before, after])).toEqual([
      ["user", { programs: "none" }, { programs: "standard" }],
      ["user", { programs: "standard" }, { programs: "none" }],
    ]);
  });

  test("is only for the owner; members see what applies", async () => {
    start();
    const member = h.session("bob@example.org", "member");
    expect((await choose("none", member)).json.error.code).toBe("owner_required");
    expect(await shown(member)).toEqual({ programs: "standard", configured: false });
    expect((await h.call("PATCH", "//app/api/usage/limits", { body: { programs: "none" } })).status).toBe(403);
    expect(await shown()).toMatchObject({ programs: "standard" });
  });

  test("requires a recent authentication", async () => {
    start();
    const owner = h.session();
    h.clock.advance(16 * 60_000);
    expect((await choose("none", owner)).json.error.code).toBe("proof_required");
    expect(await shown(owner)).toMatchObject({ programs: "standard" });
  });

  test.each(["all", "", null, 1])("refuses the value %p", async (value) => {
    start();
    const { status, json } = await choose(value);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", "programs"]);
  });

  test.each(["standard", "none"] as const)(
    "gives way to limits.programs = %s in the configuration",
    async (programs) => {
      start();
      await choose(programs === "none" ? "standard" : "none");
      const { data_dir } = h.platform.config;
      h.platform.close();
      const again = createHarness({
        routes: allRoutes,
        appRoutes: (p) => allAppRoutes(p),
        data_dir,
        config: { "limits.programs": programs },
      });
      const owner = again.session();
      expect((await owner.call("GET", "/usage/limits")).json).toEqual({ programs, configured: true });
      const refused = await owner.call("PATCH", "/usage/limits", { body: { programs: "none" } });
      expect([refused.status, refused.json.error.code]).toEqual([409, "limits_configured"]);
      expect((await again.call("GET", "/usage")).json.requests.limit).toBe(programs === "none" ? NO_LIMIT : 20_000);
      h = again;
    },
  );
});

describe("a stored choice that Postroom did not write", () => {
  const stored = () =>
    h.platform.db.sql.query<{ value: Uint8Array }, []>("SELECT value FROM settings WHERE key = 'program_limits'").get();

  test("lifts nothing when it is put back after the limits apply again", async () => {
    start();
    await choose("none");
    const { value } = stored()!;
    await choose("standard");
    expect(stored()).toBeNull();
    h.platform.db.sql.query("INSERT INTO settings VALUES ('program_limits', ?, ?)").run(value, h.clock.now());
    expect(await shown()).toMatchObject({ programs: "standard" });
    expect((await usage()).json.requests.limit).toBe(20_000);
    await choose("none");
    expect(await shown()).toMatchObject({ programs: "none" });
  });

  test("lifts nothing when its value was changed", async () => {
    start();
    await choose("none");
    h.platform.db.sql.query("UPDATE settings SET value = x'00' WHERE key = 'program_limits'").run();
    expect(await shown()).toMatchObject({ programs: "standard" });
  });
});

describe("with each value", () => {
  const few = {
    "limits.requests_per_minute_key": 3,
    "limits.requests_per_minute_user": 3,
    "limits.requests_per_minute_ip": 3,
  };

  test("requests per minute: refused beyond the limit, or counted without one", async () => {
    start(few);
    expect(await codes(4, usage)).toEqual([200, 200, 200, "rate_limited"]);
    await choose("none");
    expect(await codes(9, usage)).toEqual(Array(9).fill(200));
    const { headers } = await usage();
    // Three requests before the switch, ten after it, and this one.
    expect(headers.get("x-ratelimit-limit")).toBe(String(NO_LIMIT));
    expect(headers.get("x-ratelimit-remaining")).toBe(String(NO_LIMIT - 13));
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThan(h.clock.now() / 1000);
    await choose("standard");
    expect(await codes(1, usage)).toEqual(["rate_limited"]);
    h.clock.advance(60_000);
    expect(await codes(4, usage)).toEqual([200, 200, 200, "rate_limited"]);
  });

  test("requests without a usable key stay limited by their address", async () => {
    start(few);
    await choose("none");
    const wrong = () => h.call("GET", "/usage", { key: "service_live_wrong" });
    expect(await codes(4, wrong)).toEqual(["unauthorized", "unauthorized", "unauthorized", "rate_limited"]);
    // They use up nothing of the owner's programs on the same machine.
    expect((await usage()).status).toBe(200);
  });

  test("requests of the settings page stay limited", async () => {
    start({ "limits.requests_per_minute_session": 3 });
    const owner = h.session();
    await choose("none", owner);
    expect(await codes(3, () => owner.call("GET", "/usage/limits"))).toEqual([200, 200, "rate_limited"]);
  });

  test("requests per day", async () => {
    start({ "limits.autopilot.requests_per_day": 2 });
    expect(await codes(3, usage)).toEqual([200, 200, "quota_exceeded"]);
    await choose("none");
    const { json } = await usage();
    expect(json.requests).toMatchObject({ used: 3, limit: NO_LIMIT });
    await choose("standard");
    expect(await codes(1, usage)).toEqual(["quota_exceeded"]);
  });

  test("sends per day; the cap of a new key stays", async () => {
    const fixture = createSendFixture({
      role: "owner",
      config: { "limits.autopilot.sends_per_day": 1, "limits.new_key_sends_per_day": 2 },
      appRoutes: (p) => allAppRoutes(p),
    });
    h = fixture.h;
    h.clock.advance(DAY_MS);
    const send = (key = h.key) =>
      h.call("POST", "/messages/send", {
        key,
        body: { to: ["m@acme.example"] },
        headers: { "Idempotency-Key": crypto.randomUUID() },
      });
    expect(await codes(2, send)).toEqual([200, "quota_exceeded"]);
    await choose("none");
    expect(await codes(3, send)).toEqual([200, 200, 200]);
    expect((await usage()).json.sends).toEqual({ used: 4, limit: NO_LIMIT });
    const fresh = h.newKey().secret;
    expect(await codes(3, () => send(fresh))).toEqual([200, 200, "quota_exceeded"]);
    expect((await usage(fresh)).json.sends).toEqual({ used: 2, limit: 2 });
    await choose("standard");
    expect(await codes(1, send)).toEqual(["quota_exceeded"]);
  });

  test("AI credits per month, where they are limited", async () => {
    start({ "ai.metered": true, "limits.autopilot.ai_credits_per_month": 2 });
    const { platform, user } = h;
    const spend = () => takeCredits(platform, user, 2);
    expect([spend(), spend()]).toEqual([true, false]);
    await choose("none");
    expect(spend()).toBe(true);
    expect((await usage()).json.ai_credits).toEqual({ used: 4, limit: NO_LIMIT, byok: false });
    await choose("standard");
    expect(spend()).toBe(false);
  });

  test("webhook endpoints", async () => {
    start({ "limits.autopilot.webhook_endpoints": 1, "webhooks.allow": ["hooks.example"] });
    const add = () => {
      const body = { url: "https://hooks.example/x", events: ["message.received"] };
      return h.call("POST", "/webhooks", { body });
    };
    expect(await codes(2, add)).toEqual([200, "plan_required"]);
    await choose("none");
    expect(await codes(2, add)).toEqual([200, 200]);
    await choose("standard");
    expect(await codes(1, add)).toEqual(["plan_required"]);
  });

  test("usage keeps its documented shape", async () => {
    start();
    await choose("none");
    h.clock.advance(DAY_MS);
    expect((await usage()).json).toEqual({
      plan: "autopilot",
      requests: { used: 1, limit: NO_LIMIT, resets: "2026-03-04T00:00:00.000Z" },
      sends: { used: 0, limit: NO_LIMIT },
      ai_credits: { used: 0, limit: NO_LIMIT, byok: true },
    });
  });
});

describe("what plans leave out", () => {
  const agentKey = (by = h.session()) =>
    by.call("POST", "/keys", { body: { name: "n", scopes: ["agent:run"], test: false } });
  const offered = async () =>
    (await h.session().call("GET", "/scopes")).json.data.every(({ available }: { available: boolean }) => available);
  const assistantsAllowed = async (by = h.session()) => (await by.call("GET", "/assistants")).json.allowed;

  test.each(["free", "pro"] as const)("is open to the owner's programs on the %s plan with none", async (plan) => {
    start({}, plan);
    const actions = () => h.call("GET", "/agent/actions");
    expect(await codes(1, actions)).toEqual(["plan_required"]);
    expect([(await agentKey()).status, await offered(), await assistantsAllowed()]).toEqual([402, false, false]);
    await choose("none");
    expect(await codes(1, actions)).toEqual([200]);
    expect([(await agentKey()).status, await offered(), await assistantsAllowed()]).toEqual([201, true, true]);
    const sandbox = h.newKey({ test: true }).secret;
    expect((await h.call("GET", "/agent/actions", { key: sandbox })).status).toBe(200);
    // The plan itself does not change.
    expect((await usage()).json).toMatchObject({ plan, requests: { limit: NO_LIMIT } });
    await choose("standard");
    expect(await codes(1, actions)).toEqual(["plan_required"]);
    expect(await assistantsAllowed()).toBe(false);
  });

  test("stays closed to members, whose plan the owner chose", async () => {
    start();
    await choose("none");
    const limited = h.newUser("carol@example.org", "pro");
    const none = h.newUser("dan@example.org", "free");
    const { secret } = h.newKey({ user_id: limited.id });
    const { json } = await h.call("GET", "/usage", { key: secret });
    expect(json).toMatchObject({ plan: "pro", requests: { limit: NO_LIMIT }, sends: { used: 0, limit: 50 } });
    expect((await h.call("GET", "/agent/actions", { key: secret })).json.error.code).toBe("plan_required");
    expect(await assistantsAllowed(h.session("carol@example.org"))).toBe(false);
    const closed = h.newKey({ user_id: none.id }).secret;
    expect((await h.call("GET", "/usage", { key: closed })).json.error.code).toBe("plan_required");
  });
});

test("the page knows whether the owner is the only person", async () => {
  start();
  const alone = async (by = h.session()) => (await by.call("GET", "/state")).json.alone;
  expect(await alone()).toBe(true);
  h.newUser("bob@example.org");
  expect(await alone()).toBe(false);
  expect(await alone(h.session("bob@example.org"))).toBe(false);
  expect((await h.call("GET", "//app/api/state", { key: null, headers: { "X-Postroom-App": "1" } })).json.alone).toBe(
    false,
  );
});
