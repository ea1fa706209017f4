import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { type OAuthServer, startOAuth } from "../../../test/support/oauth-server.ts";
import { systemClock } from "../../platform/clock.ts";
import { loadConfig, withValues } from "../../platform/config/load.ts";
import { EgressClient } from "../../platform/egress/client.ts";
import { EgressGuard } from "../../platform/egress/guard.ts";
import { authorizeUrl, newSecrets } from "./authorize.ts";
import { type Endpoints, endpointsOf, type OAuthClient } from "./endpoints.ts";
import { requestTokens, TokenFault } from "./token.ts";

const REDIRECT = "https://mail.home.example/app/oauth/callback";

describe.skipIf(!OPENSSL)("exchanging codes and refresh tokens for access tokens", () => {
  let authority: Authority;
  let server: OAuthServer;
  let egress: EgressClient;
  let endpoints: Endpoints;
  let client: OAuthClient;

  beforeAll(async () => {
    authority = createAuthority();
    server = await startOAuth(authority.issue(["127.0.0.1"]));
    const config = withValues(loadConfig({ data_dir: "/nowhere", env: {} }), {
      "oauth.google_authorize_url": server.authorize_url,
      "oauth.google_token_url": server.token_url,
    });
    endpoints = endpointsOf(config, "google", { tenant: "" });
    client = { ...server.client, tenant: "" };
  });
  afterAll(async () => {
    await server?.stop();
    authority?.remove();
  });
  afterEach(() => egress.close());
  beforeEach(() => {
    egress = new EgressClient({ guard: new EgressGuard(["127.0.0.1"]), clock: systemClock, ca: authority.ca });
    server.faults = [];
    server.asked = [];
  });

  const asked = { client_id: "postroom-test", redirect_uri: REDIRECT, email: "ada@gmail.com" };
  const consent = () => {
    const secrets = newSecrets();
    const { state, code } = server.consent(authorizeUrl(endpoints, asked, secrets), "ada@gmail.com");
    expect(state).toBe(secrets.state);
    return { grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: secrets.verifier } as const;
  };
  const ask = (grant: Parameters<typeof requestTokens>[3], from: OAuthClient = client) =>
    requestTokens(egress, endpoints, from, grant);
  const reason = (grant: Parameters<typeof requestTokens>[3], from?: OAuthClient) =>
    ask(grant, from).then(String, (error) => (error as TokenFault).reason);

  test("a code works once, with its verifier and its redirect URI", async () => {
    const grant = consent();
    const tokens = await ask(grant);
    expect(tokens).toMatchObject({ refresh_token: expect.stringMatching(/^rt-/), expiresInS: 3_600 });
    expect(server.ownerOf(tokens.access_token)).toBe("ada@gmail.com");
    expect(await reason(grant)).toBe("withdrawn");
    expect(await reason({ ...consent(), code_verifier: newSecrets().verifier })).toBe("withdrawn");
    expect(await reason({ ...consent(), redirect_uri: "https://evil.example/" })).toBe("withdrawn");
  });

  test("a refresh token works until it is revoked", async () => {
    const { refresh_token } = await ask(consent());
    const grant = { grant_type: "refresh_token", refresh_token: refresh_token! } as const;
    expect((await ask(grant)).refresh_token).toBeNull();
    server.withdraw();
    expect(await reason(grant)).toBe("withdrawn");
  });

  test("an unknown client and revoked access have different errors", async () => {
    expect(await reason(consent(), { ...client, client_secret: "wrong" })).toBe("client");
  });

  test.each([
    ["an error page", { status: 503, body: "<html>busy</html>" }],
    ["an answer without a token", { status: 200, body: "{}" }],
    ["a token with a line break in it", { status: 200, body: JSON.stringify({ access_token: "a\r\nb" }) }],
    ["no JSON", { status: 200, body: "hello" }],
    ["a redirect", { status: 302, headers: { Location: "https://evil.example/token" } }],
    ["a cut connection", "reset"],
  ] as const)("%s is worth another try later", async (_name, fault) => {
    server.faults = [fault];
    expect(await reason(consent())).toBe("unavailable");
    expect(server.asked).toHaveLength(1);
  });

  test("nothing is sent to an address that the owner has not allowed", async () => {
    const closed = new EgressClient({ guard: new EgressGuard([]), clock: systemClock, ca: authority.ca });
    const fault = await requestTokens(closed, endpoints, client, consent()).catch((error) => error);
    expect(fault).toBeInstanceOf(TokenFault);
    expect(server.asked).toEqual([]);
    closed.close();
  });

  test("Microsoft's directory is part of its URLs, and cannot lead elsewhere", () => {
    const config = loadConfig({ data_dir: "/nowhere", env: {} });
    expect(endpointsOf(config, "microsoft", { tenant: "" }).token_url).toBe(
      "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    );
    expect(endpointsOf(config, "microsoft", { tenant: "../../evil" }).token_url).toContain("..%2F..%2Fevil");
  });
});
