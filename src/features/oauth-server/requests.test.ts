import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type AssistantFixture,
  assistantFixture,
  BASE,
  REDIRECT_URI,
  RESOURCE,
} from "../../../test/support/assistant-fixture.ts";
import { OAuthClient, register } from "../../../test/support/oauth-client.ts";
import { TOOL_SCOPES } from "../../kernel/scopes.ts";

let s: AssistantFixture;
beforeEach(() => {
  s = assistantFixture();
});
afterEach(() => s.h.close());

const get = async (path: string, at: AssistantFixture = s, base = BASE) => {
  const response = await at.fetch(base + path);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : undefined, text };
};

const PATHS: [string, string][] = [
  ["GET", "/.well-known/oauth-authorization-server"],
  ["GET", "/.well-known/openid-configuration"],
  ["GET", "/.well-known/oauth-protected-resource"],
  ["GET", "/.well-known/oauth-protected-resource/mcp"],
  ["GET", "/oauth/authorize"],
  ["GET", "/oauth/authorize/x"],
  ["GET", "/oauth/jwks"],
  ["POST", "/oauth/token"],
  ["POST", "/oauth/register"],
  ["POST", "/oauth/revoke"],
  ["POST", "/mcp"],
];

describe("every path of the tool server", () => {
  test.each(PATHS)("is 404 while it is off: %s %s", async (method, path) => {
    const off = assistantFixture({ config: { "mcp.enabled": false } });
    expect((await off.fetch(BASE + path, { method })).status).toBe(404);
    off.h.close();
  });

  test.each(PATHS)("refuses unknown host names and pages of other sites: %s %s", async (method, path) => {
    expect((await s.fetch(`http://rebound.example${path}`, { method })).status).toBe(421);
    const headers = { Origin: "https://evil.example" };
    expect((await s.fetch(BASE + path, { method, headers })).status).toBe(403);
  });
});

test("the owner turns the tool server on and off on the settings page", async () => {
  const off = assistantFixture({ config: { "mcp.enabled": false } });
  const owner = off.h.session("owner@example.org", "owner");
  const enabled = async () => (await owner.call("GET", "/assistants/settings")).json;
  expect(await enabled()).toEqual({ enabled: false, from: null, url: RESOURCE });
  const turn = (to: boolean, by = owner) => by.call("PATCH", "/assistants/settings", { body: { enabled: to } });
  expect((await turn(true, off.ada)).json.error.code).toBe("owner_required");
  expect((await turn(true)).json).toEqual({ enabled: true, from: "settings", url: RESOURCE });
  expect((await off.call(null)).status).toBe(401);
  const [row] = off.h.platform.audit.list(owner.user.id, { limit: 1 });
  expect(row).toMatchObject({ action: "mcp.settings", before: { enabled: false }, after: { enabled: true } });
  expect((await turn(false)).json.enabled).toBe(false);
  expect((await off.call(null)).status).toBe(404);
  off.h.close();
});

describe("discovery", () => {
  test("begins with the 401 of the tool server", async () => {
    const { status, headers } = await s.call(null);
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource/mcp", scope="${TOOL_SCOPES.join(" ")}"`,
    );
    const wrong = await s.call("nonsense");
    expect(wrong.headers.get("www-authenticate")).toStartWith('Bearer error="invalid_token", resource_metadata=');
  });

  test("leads to the authorization server", async () => {
    for (const path of ["", "/mcp"]) {
      expect((await get(`/.well-known/oauth-protected-resource${path}`)).json).toEqual({
        resource: RESOURCE,
        resource_name: "Postroom",
        authorization_servers: [BASE],
        scopes_supported: TOOL_SCOPES,
        bearer_methods_supported: ["header"],
      });
    }
    for (const name of ["oauth-authorization-server", "openid-configuration"]) {
      expect((await get(`/.well-known/${name}`)).json).toMatchObject({
        issuer: BASE,
        authorization_endpoint: `${BASE}/oauth/authorize`,
        code_challenge_methods_supported: ["S256"],
        client_id_metadata_document_supported: true,
      });
    }
  });

  test("names the address that the client used, or the public one if there is one", async () => {
    const issuer = async (at: AssistantFixture, base: string) =>
      (await get("/.well-known/oauth-authorization-server", at, base)).json.issuer;
    expect(await issuer(s, "http://127.0.0.1:8080")).toBe("http://127.0.0.1:8080");
    const config = { "http.public_url": "https://mail.example.org/mail", "http.base_path": "/mail" };
    const behind = assistantFixture({ config });
    const base = "https://mail.example.org/mail";
    expect(await issuer(behind, "http://localhost")).toBe(base);
    for (const path of ["/.well-known/oauth-authorization-server/mail", "/mail/.well-known/openid-configuration"]) {
      const { json } = await get(path, behind, "https://mail.example.org");
      expect([json.issuer, json.token_endpoint]).toEqual([base, `${base}/oauth/token`]);
    }
    const { json } = await get("/.well-known/oauth-protected-resource/mail/mcp", behind, "https://mail.example.org");
    expect(json.resource).toBe(`${base}/mcp`);
    behind.h.close();
  });
});

test("the flow works under a base path, and the token only at the address for which it was issued", async () => {
  const base = "https://mail.example.org/mail";
  const behind = assistantFixture({ config: { "http.public_url": base, "http.base_path": "/mail" } });
  const { client_id } = await OAuthClient.register(behind);
  const client = new OAuthClient(behind, client_id, base);
  const begun = await behind.fetch(client.url({ resource: `${base}/mcp` }));
  const uid = /uid=(.*)/.exec(begun.headers.get("location")!)![1]!;
  const attributes = begun.headers.getSetCookie().map((cookie) => {
    const [pair, path, , ...flags] = cookie.split("; ");
    return [pair, path, flags.sort()];
  });
  const flags = ["httponly", "samesite=lax", "secure"];
  expect(attributes).toEqual([
    [`postroom_consent=${uid}`, "path=/mail/app/", flags],
    [`postroom_consent_resume=${uid}`, `path=/mail/oauth/authorize/${uid}`, flags],
  ]);
  const back = await behind.authorize(client.url({ resource: `${base}/mcp` }));
  expect(back.searchParams.get("iss")).toBe(base);
  const { json } = await client.exchange(back.searchParams.get("code")!, { resource: `${base}/mcp` });
  expect((await behind.call(json.access_token)).status).toBe(200);
  behind.h.close();

  const at = await OAuthClient.register(s);
  const tokens = (await at.connect()).json;
  expect((await s.call(tokens.access_token)).status).toBe(200);
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  expect((await s.fetch("http://127.0.0.1/mcp", { method: "POST", headers })).status).toBe(401);
});

describe("an authorization request is refused", () => {
  let client: OAuthClient;
  beforeEach(async () => {
    client = await OAuthClient.register(s);
  });
  const refused = async (more: Record<string, string | undefined>) => {
    const response = await s.window().go(client.url(more).href);
    const location = response.headers.get("location");
    if (location === null) return response.status;
    const { search, hash } = new URL(location);
    return new URLSearchParams(search || hash.slice(1)).get("error");
  };

  test.each([
    ["without PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["with the plain method of PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["for another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["for the API", { resource: `${BASE}/v1` }, "invalid_target"],
    ["with another response type", { response_type: "token" }, "unsupported_response_type"],
    ["with a response in a form", { response_mode: "form_post" }, "unsupported_response_mode"],
    ["with a request object", { request: "x.y.z" }, "request_not_supported"],
  ])("%s", async (_, more, error) => {
    expect(await refused(more)).toBe(error);
  });

  test.each([
    ["of an unknown client", { client_id: "unknown" }],
    ["to a redirect URI that is not registered", { redirect_uri: "https://evil.example/" }],
    ["to another path on this computer", { redirect_uri: "http://127.0.0.1:7777/other" }],
  ])("%s, with a page that leads nowhere", async (_, more) => {
    expect(await refused(more)).toBe(400);
  });

  test("to any port on this computer it is accepted (RFC 8252 §7.3)", async () => {
    expect(await s.begin(client.url({ redirect_uri: REDIRECT_URI.replace("7777", "8888") }), s.window())).toBeString();
  });

  test("in a page of ours, which runs no script and cannot be framed", async () => {
    const { status, text, headers } = await get(`/oauth/authorize?client_id=${encodeURIComponent("<script>")}`);
    expect([status, text.includes("<script>")]).toEqual([400, false]);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });
});

test("clients of older revisions, which name no resource and no scope, get both", async () => {
  const client = await OAuthClient.register(s);
  const back = await s.authorize(client.url({ resource: undefined }));
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: client.client_id,
    code: back.searchParams.get("code")!,
    redirect_uri: REDIRECT_URI,
    code_verifier: client.verifier,
  });
  const tokens = (await (await s.fetch(`${BASE}/oauth/token`, { method: "POST", body })).json()) as {
    access_token: string;
  };
  expect((await s.call(tokens.access_token)).status).toBe(200);
});

describe("a registration", () => {
  test.each([
    ["https://client.example/callback"],
    ["http://localhost:3000/cb"],
    ["http://[::1]/cb"],
    ["cursor://anysphere.cursor-retrieval/oauth"],
    ["com.example.app:/oauth"],
  ])("with %s is accepted", async (uri) => {
    const { status, json } = await register(s, { redirect_uris: [uri] });
    expect([status, json.redirect_uris]).toEqual([201, [uri]]);
    const client = new OAuthClient(s, json.client_id);
    const back = await s.authorize(client.url({ redirect_uri: uri }));
    expect(back.searchParams.get("code")).toBeString();
  });

  test.each([
    [["http://client.example/callback"]],
    [["https://client.example/#fragment"]],
    [["https://user:pw@client.example/"]],
    [["https://localhost/cb"]],
    [["javascript:alert(1)"]],
    [["data:text/html,x"]],
    [["file:///etc/passwd"]],
    [["search-ms:query=x"]],
    [["/relative"]],
    [[]],
    ["https://client.example/"],
    [[5]],
    [Array.from({ length: 21 }, (_, n) => `https://client.example/${n}`)],
  ])("with %j is refused", async (redirect_uris) => {
    const { status, json } = await register(s, { redirect_uris });
    expect([status, json.error]).toEqual([400, "invalid_redirect_uri"]);
  });

  test.each([["client_secret_basic"], ["client_secret_post"]])("with %s gets a secret", async (method) => {
    const { status, json } = await register(s, { token_endpoint_auth_method: method });
    expect([status, json.client_secret_expires_at]).toEqual([201, 0]);
    const client = new OAuthClient(s, json.client_id);
    const back = await s.authorize(client.url());
    const code = back.searchParams.get("code")!;
    expect((await client.exchange(code)).json.error).toBe("invalid_client");
    const params: Record<string, string> = method === "client_secret_post" ? { client_secret: json.client_secret } : {};
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: json.client_id,
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: client.verifier,
      ...params,
    });
    const basic = `Basic ${btoa(`${json.client_id}:${json.client_secret}`)}`;
    const headers: Record<string, string> = method === "client_secret_post" ? {} : { Authorization: basic };
    expect((await s.fetch(`${BASE}/oauth/token`, { method: "POST", body, headers })).status).toBe(200);
  });

  test("can be repeated, is limited in length, and 20 a minute from an address", async () => {
    const first = (await register(s)).json.client_id;
    const second = await register(s);
    expect([second.status, second.json.client_id === first]).toEqual([201, false]);
    expect((await register(s, { contacts: ["x".repeat(20_000)] })).status).toBe(413);
    for (let n = 0; n < 17; n++) expect((await register(s)).status).toBe(201);
    expect((await register(s)).status).toBe(429);
    s.h.clock.advance(60_000);
    expect((await register(s)).status).toBe(201);
  });

  test("that no one uses is deleted after a day; a used one is kept for ever", async () => {
    const used = await OAuthClient.register(s);
    const unused = await OAuthClient.register(s);
    await used.connect();
    s.h.clock.advance(86_400_001);
    expect(s.h.platform.assistantClients.prune()).toBe(1);
    expect(await s.begin(used.url(), s.window())).toBeString();
    expect((await s.window().go(unused.url().href)).status).toBe(400);
    s.h.clock.advance(1_000 * 86_400_000);
    expect(s.h.platform.assistantClients.prune()).toBe(0);
  });

  test("is one of at most 200 that wait for a person", async () => {
    const { assistantClients: clients, db } = s.h.platform;
    const used = await OAuthClient.register(s);
    await used.connect();
    for (let n = 0; n < 205; n++) {
      s.h.clock.advance(1);
      clients.put(`client-${n}`, { n });
    }
    const { n } = db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM assistant_clients").get()!;
    expect(n).toBe(201);
    expect([clients.find("client-0"), clients.find("client-204"), clients.find(used.client_id) !== null]).toEqual([
      null,
      { n: 204 },
      true,
    ]);
  });

  test("needs JSON", async () => {
    const response = await s.fetch(`${BASE}/oauth/register`, { method: "POST", body: "nonsense" });
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      400,
      "invalid_client_metadata",
    ]);
  });
});

test.each(["/oauth/token", "/oauth/revoke", "/oauth/register"])(
  "a request to %s that its client cuts off is the client's fault",
  async (path) => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error("The connection was closed.")),
    });
    expect((await s.fetch(BASE + path, { method: "POST", body })).status).toBe(400);
    expect(s.h.log.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
  },
);
