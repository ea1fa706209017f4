import { afterEach, describe, expect, test } from "bun:test";
import { type Answer, createHarness, type Harness, type HarnessOptions } from "../../../test/support/http-harness.ts";
import { createSample, sampleRoutes } from "../../../test/support/sample-routes.ts";
import { loadConfig } from "../../platform/config/load.ts";
import { ApiGuard } from "./api-guard.ts";

let h: Harness;
function start(options: HarnessOptions = {}): Harness {
  h = createHarness({ routes: sampleRoutes(createSample()), ...options });
  return h;
}
afterEach(() => h.close());

const get = (options: Parameters<Harness["call"]>[2] = {}) => h.call("GET", "/notes", options);
const rate = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

async function times(count: number, call: () => Promise<Answer>): Promise<Answer> {
  let last: Answer | undefined;
  for (let i = 0; i < count; i++) last = await call();
  return last!;
}

test("a trusted proxy that is not an address is refused at the start, with the name of the setting", () => {
  const { platform } = start();
  const config = loadConfig({ data_dir: platform.config.data_dir, env: { POSTROOM_HTTP_TRUSTED_PROXIES: "nas.lan" } });
  expect(() => new ApiGuard(Object.create(platform, { config: { value: config } }))).toThrow(
    "http.trusted_proxies: nas.lan is neither an address",
  );
});

describe("the API key", () => {
  test("stops working at once when revoked or expired", async () => {
    start();
    const { id, secret } = h.newKey({ expires_at: h.clock.now() + 1000 });
    expect((await get({ key: secret })).status).toBe(200);
    h.clock.advance(1000);
    expect((await get({ key: secret })).json.error.code).toBe("unauthorized");
    const other = h.newKey();
    expect((await get({ key: other.secret })).status).toBe(200);
    h.platform.keys.revoke(other.id);
    expect((await get({ key: other.secret })).status).toBe(401);
    expect(h.platform.keys.revoke(id)).toBe(true);
  });

  test("is accepted for any case of the scheme, and only as a bearer token", async () => {
    start();
    const withHeader = (value: string) => get({ key: null, headers: { Authorization: value } });
    expect((await withHeader(`bearer ${h.key}`)).status).toBe(200);
    for (const value of [h.key, `Token ${h.key}`, `Bearer ${h.key} x`, "Bearer", `Bearer ${h.key.slice(0, -1)}`]) {
      const answer = await withHeader(value);
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="postroom"']);
    }
    expect((await h.call("GET", `/notes?access_token=${h.key}`, { key: null })).status).toBe(401);
  });

  test("with an address list works only from those addresses", async () => {
    start();
    const { secret } = h.newKey({ ip_allow: ["10.1.0.0/16", "2001:db8::/32"] });
    const from = async (peer: string) => (await get({ key: secret, peer })).status;
    expect(await from("10.1.2.3")).toBe(200);
    expect(await from("::ffff:10.1.2.3")).toBe(200);
    expect(await from("2001:db8::1")).toBe(200);
    expect(await from("10.2.2.3")).toBe(401);
    const spoofed = await get({ key: secret, peer: "10.2.2.3", headers: { "X-Forwarded-For": "10.1.2.3" } });
    expect(spoofed.status).toBe(401);
  });

  test("last_used_at is written within 5 seconds", async () => {
    start();
    const { id, secret } = h.newKey();
    h.clock.advance(60_000);
    await get({ key: secret });
    const usedAt = h.clock.now();
    h.clock.advance(5_000);
    expect(h.platform.keys.get(id)!.last_used_at).toBe(usedAt);
  });

  test("of the sandbox belongs to a separate user with separate counters", async () => {
    start();
    const { secret } = h.newKey({ test: true });
    await get({ key: secret });
    expect(h.platform.meters.requests(h.user.id)).toBe(0);
    expect(h.platform.meters.requests(h.platform.users.sandboxOf(h.user.id).id)).toBe(1);
  });
});

describe("rate limits", () => {
  test("allow 120 requests a minute per key, then 429 until the window ends", async () => {
    start();
    const began = h.clock.now() / 1000;
    expect(rate(await get())).toEqual([120, 119, began + 60]);
    h.clock.advance(20_000);
    expect(rate(await times(119, get))).toEqual([120, 0, began + 60]);
    const over = await get();
    expect([over.status, over.json.error.code]).toEqual([429, "rate_limited"]);
    expect([over.json.error.type, over.headers.get("retry-after")]).toEqual(["rate_limit_error", "40"]);
    expect(rate(over)).toEqual([120, 0, began + 60]);
    h.clock.advance(40_000);
    expect((await get()).status).toBe(200);
  });

  test("allow 300 requests a minute per user over all keys", async () => {
    start();
    for (let k = 0; k < 3; k++) {
      const { secret } = h.newKey();
      expect((await times(100, () => get({ key: secret, peer: `10.0.0.${k}` }))).status).toBe(200);
    }
    const over = await get({ peer: "10.0.0.9" });
    expect([over.status, rate(over)[0], rate(over)[1]]).toEqual([429, 300, 0]);
  });

  test("allow 300 requests a minute per address over all users; IPv6 by /64", async () => {
    start();
    for (let k = 0; k < 3; k++) {
      const user = h.newUser(`u${k}@example.org`);
      const { secret } = h.newKey({ user_id: user.id });
      await times(100, () => get({ key: secret, peer: `2001:db8:1:2::${k + 1}` }));
    }
    expect((await get({ peer: "2001:db8:1:2:ffff::1" })).status).toBe(429);
    expect((await get({ peer: "2001:db8:1:3::1" })).status).toBe(200);
  });

  test("do not count a refused request", async () => {
    start();
    const user = h.newUser("other@example.org");
    await times(150, get); // 30 of them refused
    expect(h.platform.meters.requests(h.user.id)).toBe(120);
    expect(rate(await get({ key: h.newKey({ user_id: user.id }).secret }))[1]).toBe(119);
  });

  test("a request without a key gets 401 until its address has used up its limit, then 429", async () => {
    start();
    const first = await get({ key: null, peer: "10.0.0.1" });
    expect([first.status, ...rate(first).slice(0, 2)]).toEqual([401, 300, 299]);
    const last = await times(299, () => get({ key: null, peer: "10.0.0.1" }));
    expect([last.status, rate(last)[1]]).toEqual([401, 0]);
    h.clock.advance(15_000);
    const over = await get({ key: null, peer: "10.0.0.1" });
    expect([over.status, over.json.error.code, over.headers.get("retry-after")]).toEqual([429, "rate_limited", "45"]);
    expect(rate(over).slice(0, 2)).toEqual([300, 0]);
    expect((await get({ peer: "10.0.0.1" })).status).toBe(429);
    expect((await h.call("GET", "/openapi.json", { key: null, peer: "10.0.0.1" })).status).toBe(429);
    expect((await get({ key: null, peer: "10.0.0.2" })).status).toBe(401);
    h.clock.advance(45_000);
    expect((await get({ key: null, peer: "10.0.0.1" })).status).toBe(401);
  });

  test("an address over its limit gets 429 before its request is checked", async () => {
    start({ config: { "limits.requests_per_minute_ip": 5 } });
    const revoked = h.newKey();
    h.platform.keys.revoke(revoked.id);
    const peer = "2001:db8:1:2::1";
    await times(5, () => get({ key: null, peer }));
    const calls: [string, string, Parameters<Harness["call"]>[2]][] = [
      ["GET", "/notes", { key: null, headers: { Authorization: "Bearer" } }],
      ["GET", "/notes", { key: null, headers: { Authorization: `Token ${h.key}` } }],
      ["GET", "/notes", { key: null, headers: { Authorization: "Basic eDp5" } }],
      ["GET", "/notes", { key: "service_live_nope" }],
      ["GET", "/notes", { key: revoked.secret }],
      ["GET", "/notes", { key: null, headers: { "X-Postroom-App": "1" } }],
      ["GET", "/notes", { key: null, headers: { "X-Postroom-App": "1", Cookie: "postroom_session=x" } }],
      ["GET", "/nope", { key: null }],
      ["GET", "/%ff/%", { key: null }],
      ["PUT", "/notes", { key: null }],
      ["OPTIONS", "/notes", { key: null }],
      ["HEAD", "/notes", { key: null }],
      ["POST", "/notes", { key: null, body: JSON.stringify("x".repeat(2 ** 21)) }],
      ["POST", "/notes", { body: JSON.stringify("x".repeat(2 ** 21)) }],
      ["DELETE", "/notes/thr_x", {}],
    ];
    for (const [method, path, options] of calls) {
      const answer = await h.call(method, path, { ...options, peer: "2001:db8:1:2:ffff::9" });
      expect([method, path, answer.status]).toEqual([method, path, 429]);
      expect(answer.headers.get("retry-after")).toBe("60");
      expect(rate(answer).slice(0, 2)).toEqual([5, 0]);
    }
  });

  test("behind a trusted proxy each client has its own limit, which forged headers do not raise", async () => {
    start({ config: { "http.trusted_proxies": ["10.0.0.0/8"], "limits.requests_per_minute_ip": 3 } });
    const from = async (peer: string, forwarded: string) =>
      (await get({ key: null, peer, headers: { "X-Forwarded-For": forwarded } })).status;
    for (let i = 0; i < 3; i++) expect(await from("10.0.0.1", `192.0.2.${i}, 203.0.113.7`)).toBe(401);
    expect(await from("10.0.0.1", "192.0.2.9, 203.0.113.7")).toBe(429);
    expect(await from("10.0.0.1", "203.0.113.8")).toBe(401);
    for (let i = 0; i < 3; i++) expect(await from("198.51.100.1", `203.0.113.${20 + i}`)).toBe(401);
    expect(await from("198.51.100.1", "203.0.113.99")).toBe(429);
  });

  test("a signed-in person is not slowed down by other traffic from the same address", async () => {
    start({ config: { "limits.requests_per_minute_ip": 2 } });
    await times(3, () => get({ key: null }));
    expect((await h.session().call("GET", "//v1/notes")).status).toBe(200);
  });

  test("limits are configurable", async () => {
    start({ config: { "limits.requests_per_minute_key": 2 } });
    expect(rate(await get()).slice(0, 2)).toEqual([2, 1]);
    await get();
    expect((await get()).status).toBe(429);
  });
});

describe("behind a proxy", () => {
  test("the client is the right-most address that is not a trusted proxy", async () => {
    start({ config: { "http.trusted_proxies": ["10.0.0.0/8"] } });
    const { secret } = h.newKey({ ip_allow: ["203.0.113.7"] });
    const from = async (peer: string, forwarded: string) =>
      (await get({ key: secret, peer, headers: { "X-Forwarded-For": forwarded } })).status;
    expect(await from("10.0.0.1", "203.0.113.7")).toBe(200);
    expect(await from("10.0.0.1", "1.2.3.4, 203.0.113.7, 10.0.0.2")).toBe(200);
    expect(await from("10.0.0.1", "203.0.113.7, 1.2.3.4")).toBe(401);
    expect(await from("192.0.2.1", "203.0.113.7")).toBe(401);
  });
});

describe("plan and scope", () => {
  test("Free has no API, Pro no agent scopes; a scope outside the plan is 402 even when the key lacks it", async () => {
    start({ plan: "free" });
    expect((await get()).json.error).toMatchObject({ code: "plan_required", type: "billing_error" });
    expect((await h.call("GET", "/nope")).status).toBe(402);
    const pro = h.newUser("pro@example.org", "pro");
    expect((await get({ key: h.newKey({ user_id: pro.id }).secret })).status).toBe(200);
  });

  test("the order is key, rate limits, plan, scope, quota, input", async () => {
    start({ config: { "limits.autopilot.requests_per_day": 1, "limits.requests_per_minute_user": 4 } });
    const weak = h.newKey({ scopes: ["usage:read"] }).secret;
    const broken = "/notes?limit=0";
    expect((await h.call("GET", broken, { key: weak })).json.error.code).toBe("forbidden_scope");
    expect((await h.call("GET", broken)).json.error.code).toBe("invalid_params");
    expect((await h.call("GET", broken)).json.error.code).toBe("quota_exceeded");
    expect((await h.call("GET", broken, { key: weak })).json.error.code).toBe("forbidden_scope");
    expect((await h.call("GET", broken, { key: weak })).json.error.code).toBe("rate_limited");
    expect((await h.call("GET", broken, { key: null })).json.error.code).toBe("unauthorized");
  });
});

describe("the daily quota", () => {
  test("refuses requests with Retry-After until UTC midnight, then resets", async () => {
    start({ config: { "limits.autopilot.requests_per_day": 3 } });
    await times(3, get);
    const over = await get();
    expect([over.status, over.json.error.code]).toEqual([429, "quota_exceeded"]);
    expect(over.headers.get("retry-after")).toBe(String(15 * 3600)); // 09:00 → 24:00
    expect(over.headers.get("x-ratelimit-remaining")).toBe("116");
    h.clock.advance(15 * 3_600_000);
    expect((await get()).status).toBe(200);
  });
});
