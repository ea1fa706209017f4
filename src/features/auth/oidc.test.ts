import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { type AuthFixture, authFixture, type Visitor } from "../../../test/support/auth-fixture.ts";
import { type OidcServer, startOidcServer } from "../../../test/support/oidc-server.ts";
import type { ConfigValues } from "../../platform/config/table.ts";

setDefaultTimeout(30_000);
let provider: OidcServer;
let s: AuthFixture;
const start = async (config: Partial<ConfigValues> = {}) => {
  s = authFixture({
    config: {
      "oidc.issuer": provider.issuer,
      "oidc.client_id": provider.client_id,
      "oidc.client_secret": provider.client_secret,
      "oidc.name": "Home",
      ...config,
    },
  });
  await s.setUp(s.visitor());
};
beforeEach(async () => {
  provider = startOidcServer();
  await start();
});
afterEach(() => {
  s.close();
  provider.stop();
});

const HOST = { Host: "localhost" };
/** Follows the browser to the provider. @returns the address that the provider sends the browser back to */
async function leave(browser: Visitor): Promise<string> {
  const started = await browser.call("GET", "//app/oidc/start", { headers: HOST });
  expect(started.status).toBe(302);
  return provider.agree(started.headers.get("location")!);
}
const returnTo = (browser: Visitor, address: string) => {
  const { pathname, search } = new URL(address);
  // A navigation from another site, so without the page's header.
  return browser.call("GET", `/${pathname}${search}`, {
    headers: { ...HOST, "X-Postroom-App": "", "Sec-Fetch-Site": "cross-site" },
  });
};
const roundTrip = async (browser = s.visitor()) => returnTo(browser, await leave(browser));

describe("signing in at a provider", () => {
  test("signs in the person whose verified address the provider reports", async () => {
    const browser = s.visitor();
    expect((await browser.call("GET", "/state")).json.methods.oidc).toEqual({ name: "Home" });
    const answer = await roundTrip(browser);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "../"]);
    expect(await browser.user()).toMatchObject({ email: "ada@home.example" });
    expect(browser.jar.has("postroom_oidc")).toBe(false);
    expect(s.audit("session.create")).toContainEqual(expect.objectContaining({ method: "oidc" }));
  });

  test("uses PKCE, state and nonce, with new values each time", async () => {
    const asked = async () => {
      const { headers } = await s.visitor().call("GET", "//app/oidc/start", { headers: HOST });
      return new URL(headers.get("location")!).searchParams;
    };
    const [one, two] = [await asked(), await asked()];
    expect(Object.fromEntries(one)).toMatchObject({
      response_type: "code",
      scope: "openid email",
      code_challenge_method: "S256",
      redirect_uri: "http://localhost/app/oidc/callback",
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one.get(name)!.length).toBeGreaterThan(40);
      expect(one.get(name)).not.toBe(two.get(name));
    }
  });

  test("fails if another browser returns the answer (login CSRF)", async () => {
    const mallory = s.visitor();
    const address = await leave(mallory);
    const victim = s.visitor();
    expect((await returnTo(victim, address)).status).toBe(401);
    await leave(victim);
    expect((await returnTo(victim, address)).status).toBe(401);
    expect(await victim.user()).toBeNull();
    expect(provider.token_requests).toBe(0);
  });

  test("succeeds once if the answer is repeated, and fails if it is late", async () => {
    const browser = s.visitor();
    const address = await leave(browser);
    const flow = browser.jar.get("postroom_oidc")!;
    expect((await returnTo(browser, address)).status).toBe(302);
    browser.jar.set("postroom_oidc", flow);
    expect((await returnTo(browser, address)).status).toBe(401);
    const late = s.visitor();
    const second = await leave(late);
    s.h.clock.advance(10 * 60_000);
    expect((await returnTo(late, second)).status).toBe(401);
  });

  test("that the provider refuses shows a plain page that runs no script", async () => {
    const browser = s.visitor();
    const back = new URL(await leave(browser));
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "<script>alert(1)</script>");
    const answer = await returnTo(browser, back.href);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
    expect(answer.text).toContain("was not accepted");
    expect(answer.text).not.toContain("<script>");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
  });
});

describe("a forged id_token", () => {
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

  test.each<[string, (provider: OidcServer) => void]>([
    ["signed with another key", (p) => (p.forged_with = other)],
    ["not signed", (p) => (p.algorithm = "none")],
    ["signed with the client's secret", (p) => (p.algorithm = "HS256")],
    ["of another issuer", (p) => (p.claims = { iss: "https://evil.example" })],
    ["for another client", (p) => (p.claims = { aud: "somebody-else" })],
    ["for another client too", (p) => (p.claims = { aud: ["somebody-else", "postroom"], azp: "somebody-else" })],
    ["that has expired", (p) => (p.claims = { exp: 1_700_000_000 })],
    ["of another sign-in", (p) => (p.claims = { nonce: "n" })],
    ["without a nonce", (p) => (p.claims = { nonce: undefined })],
  ])("%s signs no one in", async (_, forge) => {
    forge(provider);
    const browser = s.visitor();
    const answer = await roundTrip(browser);
    expect([answer.status, provider.token_requests]).toEqual([401, 1]);
    expect(await browser.user()).toBeNull();
  });
});

describe("an address", () => {
  test.each([
    [{ email_verified: false }],
    [{ email_verified: undefined }],
    [{ email_verified: "true" }],
    [{ email: "eve@home.example" }],
    [{ email: undefined }],
    [{ email: "sandbox:ada@home.example" }],
  ])("that does not name a person of this installation, verified, signs no one in: %j", async (claims) => {
    provider.claims = claims;
    const people = s.h.platform.users.list().length;
    const browser = s.visitor();
    expect((await roundTrip(browser)).status).toBe(401);
    expect(await browser.user()).toBeNull();
    expect(s.h.platform.users.list().length).toBe(people);
  });
});

test("an unreachable provider is reported, and tried again the next time", async () => {
  const { issuer } = provider;
  provider.stop();
  const answer = await s.visitor().call("GET", "//app/oidc/start", { headers: HOST });
  expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("cannot be reached")]);
  expect(JSON.stringify(s.h.log)).toContain("sign-in at the provider failed");
  expect(issuer).toStartWith("http://127.0.0.1");
});

test("without a configured provider the method does not exist", async () => {
  s.close();
  await start({ "oidc.issuer": "" });
  expect((await s.visitor().call("GET", "/state")).json.methods.oidc).toBeNull();
  expect((await s.visitor().call("GET", "//app/oidc/start", { headers: HOST })).status).toBe(404);
});
