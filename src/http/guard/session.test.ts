import { afterEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createHarness, type Harness, type HarnessOptions } from "../../../test/support/http-harness.ts";
import { createSample, sampleRoutes } from "../../../test/support/sample-routes.ts";
import { change, publicRead, type Route, read } from "../route.ts";
import type { Caller } from "./caller.ts";

/** Tests who can use a session, and which requests count as the person's own. */

const Who = Type.Object({ user_id: Type.String(), actor: Type.String(), isTest: Type.Boolean() }, { $id: "Who" });

const viewCaller = ({ caller }: { caller: Caller }) => ({
  user_id: caller.user_id,
  actor: caller.actor.kind,
  isTest: caller.isTest,
});

function callerRoutes(): Route[] {
  return [
    read({ method: "GET", path: "/who", audience: "session", response: Who, handle: viewCaller }),
    read({
      method: "GET",
      path: "/shown",
      audience: "session",
      followsSandbox: true,
      response: Who,
      handle: viewCaller,
    }),
    change({ method: "DELETE", path: "/who", audience: "session", handle: () => undefined }),
    change({ method: "POST", path: "/owner-only", audience: "session", role: "owner", handle: () => undefined }),
    publicRead({
      method: "GET",
      path: "/public",
      response: Type.Object({ known: Type.Boolean() }),
      handle: ({ caller }) => ({ known: caller !== null }),
    }),
  ];
}

let h: Harness;
function start(options: HarnessOptions = {}): Harness {
  h = createHarness({ routes: sampleRoutes(createSample()), appRoutes: callerRoutes, ...options });
  return h;
}
afterEach(() => h.close());

const code = (answer: { status: number; json?: { error?: { code: string } } }) => [
  answer.status,
  answer.json?.error?.code,
];

describe("a path of the settings page", () => {
  test("identifies the person and acts in their name", async () => {
    const ada = start().session();
    expect((await ada.call("GET", "/who")).json).toEqual({ user_id: ada.user.id, actor: "user", isTest: false });
  });

  test("refuses API keys and requests without a session", async () => {
    start();
    const headers = { "X-Postroom-App": "1" };
    for (const key of [h.key, null]) {
      expect(code(await h.call("GET", "//app/api/who", { key, headers }))).toEqual([401, "unauthorized"]);
    }
  });

  test("that is public receives the caller, or null without a session", async () => {
    const ada = start().session();
    expect((await ada.call("GET", "/public")).json).toEqual({ known: true });
    const anonymous = await h.call("GET", "//app/api/public", { key: null, headers: { "X-Postroom-App": "1" } });
    expect(anonymous.json).toEqual({ known: false });
  });

  test("for the owner refuses everyone else", async () => {
    start();
    expect(code(await h.session().call("POST", "/owner-only"))).toEqual([403, "owner_required"]);
    expect((await h.session("owner@example.org", "owner").call("POST", "/owner-only")).status).toBe(204);
  });

  test("has no Access-Control header, even where the API has one", async () => {
    const ada = start({ config: { "http.cors_origins": ["*"] } }).session();
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "DELETE" };
    const preflight = await ada.call("OPTIONS", "/who", { headers });
    expect(preflight.status).toBe(405);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("under /v1 a session", () => {
  test("is a caller with every scope, and no plan restricts it", async () => {
    start({ plan: "free" });
    const ada = h.session();
    expect((await ada.call("GET", "//v1/notes")).status).toBe(200);
    expect(h.platform.meters.requests(ada.user.id)).toBe(0);
  });

  test("sees the sandbox when it asks for it", async () => {
    const ada = start().session();
    const sandbox = h.platform.users.sandboxOf(ada.user.id);
    const headers = { "X-Postroom-Sandbox": "1" };
    await ada.call("POST", "//v1/notes", { body: { text: "for the sandbox" }, headers });
    const wrote = (user_id: string) => h.platform.audit.list(user_id, { limit: 9, action: "note" }).length;
    expect([wrote(sandbox.id), wrote(ada.user.id)]).toEqual([1, 0]);
    // The page's own paths act for the person even while the sandbox is shown, except those that follow it.
    const own = await ada.call("GET", "/who", { headers });
    expect(own.json).toEqual({ user_id: ada.user.id, actor: "user", isTest: false });
    const shown = await ada.call("GET", "/shown", { headers });
    expect(shown.json).toEqual({ user_id: sandbox.id, actor: "user", isTest: true });
  });

  test("is ignored without the page's header, which a link or form on another site cannot send", async () => {
    const { cookie } = start().session();
    const answer = await h.call("GET", "/notes", { key: null, headers: { Cookie: cookie } });
    expect(code(answer)).toEqual([401, "unauthorized"]);
  });

  test("acts for its own person, and refuses a request that names someone else", async () => {
    const ada = start().session();
    const named = (email: string) => ada.call("GET", "//v1/notes", { headers: { "X-On-Behalf-Of": email } });
    expect((await named("ada@example.org")).status).toBe(200);
    const { status, json } = await named("bo@example.org");
    expect([status, json.error.param]).toEqual([400, "X-On-Behalf-Of"]);
  });

  test("has a separate rate-limit bucket", async () => {
    const ada = start({ config: { "limits.requests_per_minute_session": 2 } }).session();
    for (const left of ["1", "0"]) {
      expect((await ada.call("GET", "//v1/notes")).headers.get("x-ratelimit-remaining")).toBe(left);
    }
    expect(code(await ada.call("GET", "/who"))).toEqual([429, "rate_limited"]);
    expect((await h.call("GET", "/notes")).headers.get("x-ratelimit-remaining")).toBe("119");
  });
});

describe("another site", () => {
  const from = (headers: Record<string, string>) => h.session().call("DELETE", "/who", { headers });

  test.each([
    [{ Origin: "https://evil.example" }],
    [{ Origin: "http://localhost:3000" }],
    [{ Origin: "null" }],
    [{ "Sec-Fetch-Site": "cross-site" }],
    [{ "Sec-Fetch-Site": "same-site" }],
    [{ "X-Postroom-App": "yes" }],
  ])("cannot act: %j", async (headers) => {
    start();
    expect(code(await from(headers))).toEqual([403, "origin_refused"]);
    expect(code(await h.session().call("GET", "//v1/notes", { headers }))).toEqual([403, "origin_refused"]);
  });

  test("is distinguished from the page itself, even behind a proxy that terminates TLS or uses another name", async () => {
    start({ config: { "http.public_url": "https://mail.example.org/box" } });
    const ours: Record<string, string>[] = [
      { Origin: "http://localhost", "Sec-Fetch-Site": "same-origin" },
      { Origin: "https://localhost" },
      { Origin: "https://mail.example.org", Host: "127.0.0.1:8025" },
      { Origin: "http://192.168.1.4:8025", Host: "192.168.1.4:8025" },
    ];
    for (const headers of ours) expect((await from(headers)).status).toBe(204);
  });
});

describe("the name in Host", () => {
  const by = async (Host: string) => (await h.session().call("GET", "/who", { headers: { Host } })).status;

  test("must be recognized: another name that points to this machine is refused", async () => {
    start({ config: { "http.public_url": "https://mail.example.org", "http.allowed_hosts": ["nas.lan"] } });
    for (const host of [
      "localhost:8025",
      "127.0.0.1",
      "[::1]:8025",
      "192.168.7.9:8025",
      "Mail.Example.org",
      "nas.lan:80",
    ]) {
      expect([host, await by(host)]).toEqual([host, 200]);
    }
    for (const host of [
      "evil.example",
      "localhost.evil.example",
      "evil.example:8025",
      "mail.example.org.evil.example",
    ]) {
      expect([host, await by(host)]).toEqual([host, 421]);
    }
  });

  test("does not matter for requests with a key", async () => {
    start();
    expect((await h.call("GET", "/notes", { headers: { Host: "evil.example" } })).status).toBe(200);
  });
});

describe("the end of a session", () => {
  test("is immediate after a revocation, and automatic after a period without use", async () => {
    start();
    const [first, second] = [h.session(), h.session()];
    h.platform.sessions.revoke(first.user.id, first.sessionId);
    expect((await first.call("GET", "/who")).status).toBe(401);
    const day = 86_400_000;
    for (let i = 0; i < 6; i++) {
      h.clock.advance(13 * day);
      expect((await second.call("GET", "/who")).status).toBe(200);
      h.clock.advance(5_000); // last use is written a few seconds later
    }
    h.clock.advance(14 * day);
    expect((await second.call("GET", "/who")).status).toBe(401);
  });

  test("ends its open streams as well", async () => {
    const ada = start().session();
    const headers = { Cookie: ada.cookie, "X-Postroom-App": "1" };
    const response = await h.fetch("GET", "/notes/stream", { key: null, headers });
    const reader = response.body!.getReader();
    await reader.read();
    h.platform.sessions.revoke(ada.user.id, ada.sessionId);
    h.clock.advance(1_000);
    expect((await reader.read()).done).toBe(true);
  });

  test("is after ninety days even if it is in use", async () => {
    const { call } = start().session();
    for (let i = 0; i < 9; i++) {
      h.clock.advance(9.9 * 86_400_000);
      expect((await call("GET", "/who")).status).toBe(200);
      h.clock.advance(5_000);
    }
    h.clock.advance(86_400_000);
    expect((await call("GET", "/who")).status).toBe(401);
  });

  test("two cookies of the same name count as none", async () => {
    const ada = start().session();
    const other = h.session("mallory@example.org");
    const answer = await ada.call("GET", "/who", { headers: { Cookie: `${other.cookie}; ${ada.cookie}` } });
    expect(answer.status).toBe(401);
  });
});

describe("a base path", () => {
  test("precedes every path, and the proxy may have stripped it", async () => {
    const ada = start({ config: { "http.base_path": "/box" } }).session();
    const paths = ["//box/app/api/who", "//app/api/who", "//box/v1/notes", "//box/healthz", "//box/v1/docs"];
    for (const path of paths) expect([path, (await ada.call("GET", path)).status]).toEqual([path, 200]);
    expect((await ada.call("GET", "//boxer/v1/notes")).status).toBe(404);
    const bare = await ada.call("GET", "//box");
    expect([bare.status, bare.headers.get("location")]).toEqual([302, "box/"]);
  });
});
