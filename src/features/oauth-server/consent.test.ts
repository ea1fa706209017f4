import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AssistantFixture, assistantFixture, BASE, type Window } from "../../../test/support/assistant-fixture.ts";
import { OAuthClient } from "../../../test/support/oauth-client.ts";
import { SendingPolicies } from "../../outbound/approvals/policies.ts";

let s: AssistantFixture;
let client: OAuthClient;
let window: Window;
beforeEach(async () => {
  s = assistantFixture();
  client = await OAuthClient.register(s, {
    client_name: "Probe\u202e\u3164\n <b>",
    client_uri: "https://probe.example",
  });
  window = s.window();
});
afterEach(() => s.h.close());

const approve = (uid: string, body: object = { scopes: ["mail:read"] }, at = window) =>
  s.consent("POST", `${uid}/approve`, at, { body });

describe("the consent", () => {
  test("says who asks, for what, and what can be chosen", async () => {
    const account = s.mailbox.accounts.add({
      user_id: s.h.user.id,
      provider: "imap",
      email: "ada@example.org",
      connection: null,
    });
    const uid = await s.begin(client.url({ scope: "mail:read mail:send nonsense" }), window);
    const { status, json } = await s.consent("GET", uid, window);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      client_id: client.client_id,
      name: "Probe <b>",
      uri: "https://probe.example",
      redirect_host: "localhost",
      verified: false,
      mailboxes: [{ id: account.id, email: "ada@example.org" }],
      connection: null,
      refusal: null,
      expires_at: "2026-03-02T09:30:00.000Z",
    });
    const shown = json.permissions.map((group: Record<string, unknown>) => [
      group.scopes,
      group.danger,
      group.suggested,
    ]);
    expect(shown).toEqual([
      [["mail:read"], false, true],
      [["mail:send"], true, false],
    ]);
  });

  test.each([
    ["https://example.org:8443/cb", "example.org:8443"],
    ["http://[::1]:9/cb", "localhost"],
    ["example.org:/cb", "example.org:"],
    ["localhost:/cb", "localhost:"],
  ])("shows where the browser returns with %s: no scheme looks like a host", async (redirect_uri, shown) => {
    const other = await OAuthClient.register(s, { redirect_uris: [redirect_uri] });
    const uid = await s.begin(other.url({ redirect_uri }), window);
    expect((await s.consent("GET", uid, window)).json.redirect_host).toBe(shown);
  });

  test("describes only what an assistant can get", async () => {
    const { json } = await s.consent("GET", await s.begin(client.url(), window), window);
    const by = (name: string) => json.permissions.find((group: { name: string }) => group.name === name);
    expect(by("run_agent")).toMatchObject({ title: "See what the agent did", scopes: ["agent:read"], danger: false });
    expect(by("look_after")).toMatchObject({ title: "See usage", scopes: ["usage:read"] });
    expect(by("webhooks")).toBeUndefined();
  });

  test("shows what the client has already", async () => {
    await client.connect({ scopes: ["mail:write"] });
    const uid = await s.begin(client.url(), window);
    const { json } = await s.consent("GET", uid, window);
    expect(json.connection.scopes).toEqual(["mail:write"]);
    const suggested = json.permissions.filter((group: { suggested: boolean }) => group.suggested);
    expect(suggested.map((group: { name: string }) => group.name)).toContain("organise_mail");
  });

  test("that is denied sends the browser back with access_denied", async () => {
    const { searchParams } = await s.authorize(client.url(), { deny: true });
    expect([searchParams.get("error"), searchParams.get("state"), searchParams.get("iss")]).toEqual([
      "access_denied",
      "st",
      BASE,
    ]);
    expect(s.h.platform.connections.list([s.h.user.id])).toEqual([]);
  });

  test("sets how sends are confirmed, and leaves the default without a choice", async () => {
    const confirmed = (id: string) => new SendingPolicies(s.h.platform).of(id).confirm;
    const only = () => s.h.platform.connections.list([s.h.user.id])[0]!.id;
    await approve(await s.begin(client.url(), window), { scopes: ["mail:send"] });
    expect(confirmed(only())).toBe("ask");
    await approve(await s.begin(client.url(), window), { scopes: ["mail:send"], confirm: "approve" });
    expect(confirmed(only())).toBe("approve");
    const uid = await s.begin(client.url(), window);
    expect((await approve(uid, { scopes: ["mail:send"], confirm: "token" })).json.error.param).toBe("confirm");
  });

  test("is decided once", async () => {
    const uid = await s.begin(client.url(), window);
    expect((await approve(uid)).status).toBe(200);
    expect((await approve(uid)).status).toBe(404);
    expect((await s.consent("POST", `${uid}/deny`, window)).status).toBe(404);
  });

  test("expires after half an hour", async () => {
    const uid = await s.begin(client.url(), window);
    s.h.clock.advance(30 * 60_000);
    expect((await s.consent("GET", uid, window)).status).toBe(404);
  });

  test.each([
    [{ scopes: ["mail:send"] }, 400, "scopes[0]"],
    [{ scopes: [] }, 400, "scopes"],
    [{ scopes: ["webhooks:manage"] }, 400, "scopes[0]"],
    [{ scopes: ["mail:read"], account_id: "acc_01jz4t9h2m8q5r7v3w6x0y1z2a" }, 404, "account_id"],
  ])("grants no more than was asked for: %j", async (body, status, param) => {
    const uid = await s.begin(client.url({ scope: "mail:read" }), window);
    const answer = await approve(uid, body);
    expect([answer.status, answer.json.error.param]).toEqual([status, param]);
    expect(s.h.platform.connections.list([s.h.user.id])).toEqual([]);
  });

  test("cannot bind the connection to a mailbox of someone else", async () => {
    const bob = s.h.newUser("bob@example.org");
    const account = s.mailbox.accounts.add({ user_id: bob.id, provider: "imap", email: bob.email, connection: null });
    const uid = await s.begin(client.url(), window);
    expect((await approve(uid, { scopes: ["mail:read"], account_id: account.id })).status).toBe(404);
  });

  test("needs a plan that includes assistants", async () => {
    s.h.platform.users.setPlan(s.h.user.id, "pro");
    const uid = await s.begin(client.url(), window);
    expect((await s.consent("GET", uid, window)).json.refusal).toMatchObject({ code: "plan_required", plan: "pro" });
    expect((await approve(uid)).json.error.code).toBe("plan_required");
  });

  test("needs a recent authentication", async () => {
    const uid = await s.begin(client.url(), window);
    s.h.clock.advance(16 * 60_000);
    expect((await approve(uid)).json.error.code).toBe("proof_required");
    expect((await s.consent("POST", `${uid}/deny`, window)).status).toBe(200);
  });
});

describe("a consent is not found", () => {
  test("in a browser that did not begin it", async () => {
    const uid = await s.begin(client.url(), window);
    expect((await s.consent("GET", uid, s.window())).status).toBe(404);
    const another = s.window();
    await s.begin(client.url(), another);
    expect((await s.consent("GET", uid, another)).status).toBe(404);
    expect((await approve(uid, undefined, another)).status).toBe(404);
    expect((await s.consent("GET", uid, window)).status).toBe(200);
  });

  test("by another person than the one who opened it", async () => {
    const bob = s.h.session("bob@example.org");
    const uid = await s.begin(client.url(), window);
    expect((await s.consent("GET", uid, window)).status).toBe(200);
    expect((await s.consent("GET", uid, window, { by: bob })).status).toBe(404);
    const body = { scopes: ["mail:read"] };
    expect((await s.consent("POST", `${uid}/approve`, window, { by: bob, body })).status).toBe(404);
    expect((await s.consent("POST", `${uid}/deny`, window, { by: bob })).status).toBe(404);
  });

  test("while the tool server is off", async () => {
    const uid = await s.begin(client.url(), window);
    Object.assign(s.h.platform, { config: { get: () => false } });
    expect((await s.consent("GET", uid, window)).status).toBe(404);
  });

  test("without a session, and from a page of another site", async () => {
    const uid = await s.begin(client.url(), window);
    const path = `//app/api/assistants/consents/${uid}`;
    const cookie = [...window.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { Cookie: cookie, "X-Postroom-App": "1" };
    expect((await s.h.call("GET", path, { key: null, headers })).status).toBe(401);
    const foreign = { ...headers, Cookie: `${cookie}; ${s.ada.cookie}`, Origin: "https://evil.example" };
    expect((await s.h.call("GET", path, { key: null, headers: foreign })).json.error.code).toBe("origin_refused");
  });
});

describe("after consent", () => {
  test("only the browser that began the request receives the code", async () => {
    const uid = await s.begin(client.url(), window);
    const { redirect_to } = (await approve(uid)).json;
    const elsewhere = await s.window().go(redirect_to);
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([400, null]);
    const back = await window.go(redirect_to);
    expect(new URL(back.headers.get("location")!).searchParams.get("code")).toBeString();
  });

  test("only the person who decided receives the code, even if the consent cookie was planted in their browser", async () => {
    const eve = s.h.session("eve@example.org");
    const hers = s.window(undefined, eve);
    const uid = await s.begin(client.url(), hers);
    window.cookies.set("postroom_consent", uid);
    const { redirect_to } = (await approve(uid)).json;
    const back = await hers.go(redirect_to);
    expect([back.status, back.headers.get("location")]).toEqual([400, null]);
    expect(await back.text()).toContain("not signed in here");
  });

  test("the next request asks again: the server keeps no session of its own", async () => {
    await s.authorize(client.url(), {}, window);
    expect([...window.cookies.keys()]).not.toContain("postroom_oauth");
    expect(await s.begin(client.url(), window)).toBeString();
    const silent = await window.go(client.url({ prompt: "none" }).href);
    expect(new URL(silent.headers.get("location")!).searchParams.get("error")).toBe("consent_required");
  });
});
