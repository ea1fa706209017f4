import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { APP_HEADER } from "../src/http/guard/app-guard.ts";
import type { Route } from "../src/http/route.ts";
import { ID_PREFIXES } from "../src/kernel/ids.ts";
import { allAppRoutes } from "./support/all-app-routes.ts";
import { allRoutes } from "./support/all-routes.ts";
import { expectGolden } from "./support/golden-file.ts";
import { type Answer, type Browser, createHarness, type Harness } from "./support/http-harness.ts";

/** The guards of the settings page's own paths. The test covers every path; none is listed here. */

setDefaultTimeout(60_000);
const FREE_OF_LIMITS = { "limits.requests_per_minute_session": 1_000_000, "limits.requests_per_minute_ip": 1_000_000 };

let h: Harness;
let routes: Route[];
let closed: Route[];
let ada: Browser;

beforeAll(() => {
  h = createHarness({ appRoutes: allAppRoutes, config: FREE_OF_LIMITS });
  routes = allAppRoutes(h.platform);
  closed = routes.filter(({ audience }) => audience === "session");
  ada = h.session();
});
afterAll(() => h.close());

const pathOf = ({ path, params }: Route) =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const kind = params[name]!;
    return kind === "text" ? "x" : `${ID_PREFIXES[kind]}01jz4t9h2m8q5r7v3w6x0y1z2a`;
  });
const code = ({ status, json }: Answer) => [status, json?.error?.code];

async function expectAll(of: Route[], wanted: [number, string], ask: (route: Route, path: string) => Promise<Answer>) {
  for (const route of of) {
    const path = pathOf(route);
    expect([route.operationId, ...code(await ask(route, path))]).toEqual([route.operationId, ...wanted]);
  }
}

describe("every path of the settings page", () => {
  test("rejects requests without a session, including those with any API key", async () => {
    const headers = { [APP_HEADER]: "1" };
    for (const key of [null, h.key]) {
      await expectAll(closed, [401, "unauthorized"], ({ method }, path) =>
        h.call(method, `//app/api${path}`, { key, headers }),
      );
    }
  });

  test("does nothing for a page of another origin, signed in or not", async () => {
    const foreign: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "same-site" },
      { [APP_HEADER]: "" },
    ];
    for (const headers of foreign) {
      await expectAll(routes, [403, "origin_refused"], ({ method }, path) => ada.call(method, path, { headers }));
    }
  });

  test("does not answer under a host name that was rebound to this machine", async () => {
    const headers = { Host: "rebound.example", Origin: "http://rebound.example", "Sec-Fetch-Site": "same-origin" };
    await expectAll(routes, [421, "host_refused"], ({ method }, path) => ada.call(method, path, { headers }));
  });

  test("of the owner is closed to everyone else", async () => {
    const owners = routes.filter(({ role }) => role === "owner");
    expect(owners.length).toBeGreaterThan(5);
    await expectAll(owners, [403, "owner_required"], ({ method }, path) => ada.call(method, path));
  });

  test("that grants lasting access, or cannot be undone, requires recent authentication", async () => {
    const late = createHarness({ appRoutes: allAppRoutes, config: FREE_OF_LIMITS });
    try {
      const owner = late.session("owner@example.org", "owner");
      late.clock.advance(16 * 60_000);
      const guarded = closed.filter(({ recentAuth }) => recentAuth);
      expect(guarded.length).toBeGreaterThan(9);
      await expectAll(guarded, [401, "proof_required"], ({ method }, path) => owner.call(method, path));
    } finally {
      late.close();
    }
  });

  test("the same holds for a session under /v1, and for no API key", async () => {
    const late = createHarness({ routes: allRoutes, config: FREE_OF_LIMITS });
    try {
      const owner = late.session("owner@example.org", "owner");
      late.clock.advance(16 * 60_000);
      const guarded = allRoutes(late.platform).filter(({ recentAuth }) => recentAuth);
      const names = guarded.map(({ operationId }) => operationId);
      expect(names).toEqual(["createWebhook", "updateWebhook", "rotateWebhookSecret"]);
      await expectAll(guarded, [401, "proof_required"], ({ method }, path) => owner.call(method, `//v1${path}`));
      const [create, ...others] = guarded;
      await expectAll([create!], [400, "invalid_params"], ({ method }, path) => late.call(method, path, { body: {} }));
      await expectAll(others, [404, "not_found"], ({ method }, path) => late.call(method, path, { body: {} }));
    } finally {
      late.close();
    }
  });

  test("is not part of the API: no scope covers it, and the description omits it", async () => {
    const { json } = await h.call("GET", "/openapi.json", { key: null });
    expect(Object.keys(json.paths)).toEqual(["/openapi.json"]);
    expect(routes.filter(({ scope, audience }) => scope !== null || audience === "api")).toEqual([]);
  });

  test("is on the list of permitted callers", async () => {
    const lines = routes.map(
      ({ method, path, audience, role, recentAuth, followsSandbox }) =>
        `${method.padEnd(6)} /app/api${path}  ${role ?? audience}${recentAuth ? ", proved just now" : ""}` +
        (followsSandbox ? ", in the sandbox where the page shows it" : ""),
    );
    const byPath = (a: string, b: string) => (a.slice(7) < b.slice(7) ? -1 : 1);
    await expectGolden("app-routes.txt", `${lines.sort(byPath).join("\n")}\n`);
  });
});
