import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type AuthFixture, authFixture, PASSWORD, type Visitor } from "../../../test/support/auth-fixture.ts";
import { Authenticator } from "../../../test/support/authenticator.ts";
import type { Answer } from "../../../test/support/http-harness.ts";
import { type OidcServer, startOidcServer } from "../../../test/support/oidc-server.ts";
import type { ConfigValues } from "../../platform/config/table.ts";

setDefaultTimeout(30_000);
let s: AuthFixture;
let ada: Visitor;
const minute = 60_000;
const start = async (config: Partial<ConfigValues> = {}) => {
  s = authFixture({ config });
  ada = s.visitor();
  await s.setUp(ada);
};
beforeEach(() => start());
afterEach(() => s.close());

const code = ({ status, json }: Answer) => [status, json?.error?.code];
/** Calls a route that requires recent authentication. */
const guarded = (visitor: Visitor) => visitor.call("POST", "/totp");
const reauthenticate = (visitor: Visitor, body: Record<string, unknown> = {}) =>
  visitor.call("POST", "/proof", { body });

describe("a session that started a while ago", () => {
  beforeEach(() => s.h.clock.advance(15 * minute + 1));

  test("must re-authenticate, and then continues for another 15 minutes", async () => {
    expect(code(await guarded(ada))).toEqual([401, "proof_required"]);
    expect((await ada.call("GET", "/proof")).json).toEqual({
      password: true,
      passkey: false,
      oidc: null,
      proxy: false,
    });
    expect((await reauthenticate(ada, { password: PASSWORD })).status).toBe(204);
    expect((await guarded(ada)).status).toBe(200);
    expect(s.audit("session.prove")).toEqual([{ method: "password" }]);
    s.h.clock.advance(15 * minute + 1);
    expect(code(await guarded(ada))).toEqual([401, "proof_required"]);
  });

  test("gains nothing from a wrong or missing password, and guessing is throttled", async () => {
    for (const body of [{}, { password: "not the password" }]) {
      const answer = await reauthenticate(ada, body);
      expect([...code(answer), answer.json.error.param]).toEqual([401, "sign_in_refused", "password"]);
    }
    for (let i = 0; i < 5; i++) await reauthenticate(ada, { password: "not the password" });
    expect(code(await reauthenticate(ada, { password: PASSWORD }))).toEqual([429, "too_many_attempts"]);
    expect(code(await guarded(ada))).toEqual([401, "proof_required"]);
  });

  test("in another browser is not affected", async () => {
    const phone = s.visitor();
    await s.signIn(phone);
    expect((await guarded(phone)).status).toBe(200);
    expect(code(await guarded(ada))).toEqual([401, "proof_required"]);
  });
});

describe("a passkey", () => {
  const device = new Authenticator();
  const ORIGIN = "https://localhost";
  const at = { Host: "localhost", Origin: ORIGIN, "X-Forwarded-Proto": "https" };
  const add = async (visitor: { call: Visitor["call"] }, made = device) => {
    const { json } = await visitor.call("POST", "/passkeys/options", { headers: at });
    const body = { name: "phone", credential: made.create(json, ORIGIN) };
    expect((await visitor.call("POST", "/passkeys", { body, headers: at })).status).toBe(201);
  };
  const byPasskey = async (visitor: Visitor, made = device) => {
    const { json } = await visitor.call("POST", "/sign-in/passkey/options", { headers: at });
    return visitor.call("POST", "/proof/passkey", { body: made.get(json, ORIGIN), headers: at });
  };

  test("re-authenticates its owner only, and signs no one else in", async () => {
    await add(ada);
    const bos = new Authenticator();
    await add(s.h.session("bo@home.example"), bos);
    s.h.clock.advance(16 * minute);
    expect(code(await byPasskey(ada, bos))).toEqual([401, "sign_in_refused"]);
    expect(await ada.user()).toMatchObject({ email: "ada@home.example" });
    expect(code(await guarded(ada))).toEqual([401, "proof_required"]);
    expect((await byPasskey(ada)).status).toBe(204);
    expect((await guarded(ada)).status).toBe(200);
  });
});

describe("behind a proxy that signs people in", () => {
  const PROXY = "10.0.0.2";
  const headers = (email: string) => ({ "Remote-Email": email });
  const through = (visitor: Visitor, email: string): Visitor => ({
    ...visitor,
    call: (method, path, options = {}) =>
      visitor.call(method, path, { ...options, peer: PROXY, headers: { ...options.headers, ...headers(email) } }),
  });
  beforeEach(async () => {
    s.close();
    await start({ "http.forward_auth_header": "Remote-Email", "http.trusted_proxies": [PROXY] });
    s.h.newUser("bo@home.example");
  });

  test("a person with a password must enter it, because the proxy lets an open browser in again unasked", async () => {
    const browser = through(s.visitor(), "ada@home.example");
    await browser.call("GET", "/state");
    expect(code(await guarded(browser))).toEqual([401, "proof_required"]);
    expect(code(await reauthenticate(browser))).toEqual([401, "sign_in_refused"]);
    expect((await reauthenticate(browser, { password: PASSWORD })).status).toBe(204);
    expect((await guarded(browser)).status).toBe(200);
  });

  test("a person without a password is trusted only while the proxy names them", async () => {
    const visitor = s.visitor();
    const bo = through(visitor, "bo@home.example");
    await bo.call("GET", "/state");
    s.h.clock.advance(16 * minute);
    expect((await bo.call("GET", "/proof")).json).toMatchObject({ password: false, proxy: true });
    expect(code(await bo.call("POST", "/passkeys/options"))).toEqual([401, "proof_required"]);
    // Without the proxy, or named as another person.
    for (const other of [visitor, through(visitor, "ada@home.example")]) {
      expect(code(await reauthenticate(other))).toEqual([401, "sign_in_refused"]);
    }
    expect((await reauthenticate(bo)).status).toBe(204);
    expect((await bo.call("POST", "/passkeys/options", { headers: { Host: "localhost" } })).status).toBe(200);
  });
});

describe("with an OpenID provider", () => {
  let provider: OidcServer;
  beforeEach(async () => {
    provider = startOidcServer();
    s.close();
    const { issuer, client_id, client_secret } = provider;
    await start({ "oidc.issuer": issuer, "oidc.client_id": client_id, "oidc.client_secret": client_secret });
  });
  afterEach(() => provider.stop());

  const signIn = async (visitor: Visitor, query = ""): Promise<URL> => {
    const headers = { Host: "localhost" };
    const started = await visitor.call("GET", `//app/oidc/start${query}`, { headers });
    const asked = new URL(started.headers.get("location")!);
    const back = new URL(provider.agree(asked.href));
    expect((await visitor.call("GET", `/${back.pathname}${back.search}`, { headers })).status).toBe(302);
    return asked;
  };

  test("an ordinary sign-in does not re-authenticate a person who has a password", async () => {
    const browser = s.visitor();
    await signIn(browser);
    expect(code(await guarded(browser))).toEqual([401, "proof_required"]);
  });

  test("a new sign-in re-authenticates only if the provider reports that it asked the person", async () => {
    const browser = s.visitor();
    const asked = await signIn(browser, "?again=1");
    expect([asked.searchParams.get("prompt"), asked.searchParams.get("max_age")]).toEqual(["login", "0"]);
    expect(code(await guarded(browser))).toEqual([401, "proof_required"]);
    provider.claims = { auth_time: s.h.clock.now() / 1000 - 3_600 };
    await signIn(browser, "?again=1");
    expect(code(await guarded(browser))).toEqual([401, "proof_required"]);
    provider.claims = { auth_time: s.h.clock.now() / 1000 };
    await signIn(browser, "?again=1");
    expect((await guarded(browser)).status).toBe(200);
  });

  test("it is enough for a person who has no other method", async () => {
    s.h.newUser("bo@home.example");
    provider.claims = { email: "bo@home.example" };
    const bo = s.visitor();
    await signIn(bo);
    const options = () => bo.call("POST", "/passkeys/options", { headers: { Host: "localhost" } });
    expect((await options()).status).toBe(200);
    s.h.clock.advance(16 * minute);
    expect(code(await options())).toEqual([401, "proof_required"]);
    await signIn(bo, "?again=1");
    expect((await options()).status).toBe(200);
  });
});
