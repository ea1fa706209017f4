import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Value } from "@sinclair/typebox/value";
import { openapiDocument } from "../src/http/openapi/document.ts";
import type { Route } from "../src/http/route.ts";
import { ID_PREFIXES, isId } from "../src/kernel/ids.ts";
import { isScope, SCOPES } from "../src/kernel/scopes.ts";
import { openPlatform } from "../src/platform/platform.ts";
import { allRoutes } from "./support/all-routes.ts";
import { expectGolden } from "./support/golden-file.ts";
import { type Answer, type CallOptions, createHarness, type Harness } from "./support/http-harness.ts";

/**
 * The published API: the route table, its guards and its description. The test covers every route; none is listed here.
 */

const FREE_OF_LIMITS = {
  "limits.requests_per_minute_key": 1_000_000,
  "limits.requests_per_minute_user": 1_000_000,
  "limits.requests_per_minute_ip": 1_000_000,
};

let h: Harness;
let routes: Route[];

beforeAll(() => {
  h = createHarness({ routes: allRoutes, config: FREE_OF_LIMITS });
  routes = allRoutes(h.platform);
});
afterAll(() => h.close());

/** A well-formed id that belongs to no one. */
function foreignId(kind: keyof typeof ID_PREFIXES): string {
  const id = `${ID_PREFIXES[kind]}01jz4t9h2m8q5r7v3w6x0y1z2a`;
  expect(isId(kind, id)).toBe(true);
  return id;
}

function pathOf(route: Route, value: (kind: string) => string): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => value(route.params[name]!));
}

const anyPath = (route: Route) => pathOf(route, (kind) => (kind === "text" ? "x" : foreignId(kind as never)));

function ask(route: Route, options: CallOptions, path = anyPath(route)): Promise<Answer> {
  const body = route.body ? (route.examples.body ?? {}) : route.form ? new FormData() : undefined;
  return h.call(route.method, path, { body, ...options });
}

function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.json?.error).toMatchObject({ code });
  expect(answer.status).toBe(status);
  expect(answer.json.error.request_id).toBe(answer.headers.get("x-request-id"));
  for (const name of ["limit", "remaining", "reset"]) {
    expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
}

describe("every route", () => {
  test("has a documented scope", () => {
    expect(routes.length).toBeGreaterThan(0);
    for (const route of routes)
      expect([route.operationId, isScope(route.scope ?? "")]).toEqual([route.operationId, true]);
  });

  test("answers 401 without a key, and with a malformed, revoked or expired one", async () => {
    const revoked = h.newKey();
    h.platform.keys.revoke(revoked.id);
    const expired = h.newKey({ expires_at: h.clock.now() });
    for (const route of routes) {
      for (const key of [null, "nonsense", "service_live_nope", revoked.secret, expired.secret]) {
        expectError(await ask(route, { key }), 401, "unauthorized");
      }
      const basic = await ask(route, { key: null, headers: { Authorization: `Basic ${btoa(`x:${h.key}`)}` } });
      expectError(basic, 401, "unauthorized");
    }
  });

  test("answers 403 to a key with every scope but its own", async () => {
    for (const route of routes) {
      const { secret } = h.newKey({ scopes: SCOPES.filter((scope) => scope !== route.scope) });
      expectError(await ask(route, { key: secret }), 403, "forbidden_scope");
    }
  });

  test("answers 402 to a user of the Free plan", async () => {
    const poor = h.newUser("free@example.org", "free");
    const { secret } = h.newKey({ user_id: poor.id });
    for (const route of routes) expectError(await ask(route, { key: secret }), 402, "plan_required");
  });

  test("answers 404 to ids that are malformed, of another kind, or unassigned", async () => {
    const withIds = routes.filter((route) => Object.values(route.params).some((kind) => kind !== "text"));
    for (const route of withIds) {
      const wrong = ["x", "%ff", "..%2f..%2fusage", foreignId("user"), `${foreignId("thread")}x`];
      for (const value of wrong) {
        const path = pathOf(route, (kind) => (kind === "text" ? "x" : value));
        expectError(await ask(route, { headers: { "Idempotency-Key": crypto.randomUUID() } }, path), 404, "not_found");
      }
      expectError(await ask(route, { headers: { "Idempotency-Key": crypto.randomUUID() } }), 404, "not_found");
    }
  });

  test("answers 405 to other methods, and names the allowed ones", async () => {
    for (const route of routes) {
      const answer = await h.call("TRACE", anyPath(route));
      expectError(answer, 405, "method_not_allowed");
      expect(answer.headers.get("allow")?.split(", ")).toContain(route.method);
    }
  });

  test("has examples that match its schemas", () => {
    for (const { operationId, body, response, produces, examples } of routes) {
      const wants = { body: body !== null, response: response !== null && produces === null };
      expect([operationId, examples.body !== undefined, examples.response !== undefined]).toEqual([
        operationId,
        wants.body,
        wants.response,
      ]);
      if (body) expect([operationId, ...Value.Errors(body, Value.Default(body, examples.body))]).toEqual([operationId]);
      if (wants.response) {
        expect([operationId, ...Value.Errors(response!, examples.response)]).toEqual([operationId]);
      }
    }
  });
});

describe("no other path", () => {
  test("is reachable under /v1", async () => {
    for (const path of ["/", "/nope", "/usage/", "//usage", "/../metrics", "/docs/other.css", "/openapi.yaml"]) {
      const url = `http://localhost/v1${path}`;
      const bare = await h.pipeline.fetch(new Request(url));
      expect([path, bare.status]).toEqual([path, path === "/../metrics" ? 200 : 401]);
    }
    expectError(await h.call("GET", "/nope"), 404, "not_found");
  });

  test("is public, except the description", async () => {
    const open = ["/openapi.json", "/docs", "/docs/docs.css"];
    for (const path of open) expect((await h.call("GET", path, { key: null })).status).toBe(200);
  });

  test("the root address redirects to the settings page", async () => {
    const root = await h.pipeline.fetch(new Request("http://localhost/"));
    expect([root.status, root.headers.get("Location")]).toEqual([302, "app/"]);
  });
});

describe("the published files", () => {
  test("the route table", async () => {
    const lines = routes.map((route) => `${route.method.padEnd(6)} /v1${route.path}  ${route.scope}`);
    const open = [
      "GET    /  (public)",
      "GET    /v1/docs  (public)",
      "GET    /v1/docs/docs.css  (public)",
      "GET    /v1/openapi.json  (public)",
    ];
    const byPath = (a: string, b: string) => (a.slice(7) < b.slice(7) ? -1 : 1);
    await expectGolden("routes.txt", `${[...lines, ...open].sort(byPath).join("\n")}\n`);
  });

  test("the OpenAPI description", async () => {
    const document = openapiDocument(routes, { public_url: "" });
    await expectGolden("openapi.json", `${JSON.stringify(document, null, 2)}\n`);
  });

  test("is valid OpenAPI 3.1 according to an independent validator", async () => {
    const served = await h.call("GET", "/openapi.json", { key: null });
    const { valid, errors } = await new Validator().validate(served.json);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(served.json.openapi).toStartWith("3.1.");
  });

  test("describes every operation completely", () => {
    const document = openapiDocument(routes, { public_url: "https://mail.example.org/" });
    const text = JSON.stringify(document);
    // biome-ignore lint/suspicious/noExplicitAny: the document is plain data of many shapes
    const { paths, components, servers } = document as any;
    expect(servers).toEqual([{ url: "https://mail.example.org/v1" }]);
    for (const route of routes) {
      const operation = paths[route.path.replace(/:(\w+)/g, "{$1}")][route.method.toLowerCase()];
      expect(operation).toMatchObject({ operationId: route.operationId, tags: [route.tag], summary: route.summary });
      expect(operation.security).toEqual([{ api_key: [route.scope] }]);
      const inPath = operation.parameters.filter((parameter: { in: string }) => parameter.in === "path");
      expect(inPath.map((parameter: { name: string }) => parameter.name)).toEqual(Object.keys(route.params));
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining([String(route.status), "401", "402", "403", "429", "500"]),
      );
      expect(Object.keys(operation.responses[route.status].headers)).toContain("X-RateLimit-Reset");
    }
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      expect([name, components[kind!][name!] !== undefined]).toEqual([name, true]);
    }
  });
});

test("is the same on another platform: it depends only on the declarations", () => {
  const { config, clock, log } = h.platform;
  const again = openPlatform({ config, clock, log });
  const options = { public_url: "" };
  expect(JSON.stringify(openapiDocument(allRoutes(again), options))).toBe(
    JSON.stringify(openapiDocument(routes, options)),
  );
  again.close();
});
