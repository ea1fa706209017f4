import { afterEach, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { type AuthFixture, authFixture, PASSWORD, type Visitor } from "../../../test/support/auth-fixture.ts";
import type { Answer } from "../../../test/support/http-harness.ts";
import type { ConfigValues } from "../../platform/config/table.ts";
import { TooBusy } from "../../platform/identity/passwords.ts";

// Password hashing is slow on purpose, and slower on a busy machine.
setDefaultTimeout(30_000);
let s: AuthFixture;
let ada: Visitor;
const start = async (config: Partial<ConfigValues> = {}) => {
  s = authFixture({ config });
  ada = s.visitor();
  await s.setUp(ada);
};
beforeEach(() => start());
afterEach(() => s.close());

const code = ({ status, json }: Answer) => [status, json?.error?.code];
const minute = 60_000;

describe("a password", () => {
  test("signs in, and a wrong one cannot be distinguished from an unknown person", async () => {
    const [unknown, wrong] = await Promise.all([
      s.signIn(s.visitor(), { email: "nobody@home.example" }),
      s.signIn(s.visitor(), { password: "not the password" }),
    ]);
    expect(code(unknown)).toEqual([401, "sign_in_refused"]);
    expect(unknown.json.error.message).toBe(wrong.json.error.message);
    // Both write one audit row, so both take equally long. Rows about strangers are in the owner's log.
    const reasons = s.audit("session.refuse").map((row) => (row as { reason: string }).reason);
    expect(reasons.sort()).toEqual(["password", "password, unknown user"]);
    expect((await s.signIn(s.visitor(), { email: " ADA@Home.example" })).status).toBe(204);
  });

  test("does not exist for a sandbox", async () => {
    expect(code(await s.signIn(s.visitor(), { email: "sandbox:ada@home.example" }))).toEqual([401, "sign_in_refused"]);
  });

  test("that was not checked because the machine was busy does not count as a failure", async () => {
    const busy = spyOn(s.h.platform.signIn.passwords, "verify").mockRejectedValue(new TooBusy("busy"));
    for (let i = 0; i < 8; i++) expect(code(await s.signIn(s.visitor()))).toEqual([429, "too_many_attempts"]);
    busy.mockRestore();
    expect((await s.signIn(s.visitor())).status).toBe(204);
  });

  test("that is replaced while it is being checked is refused", async () => {
    const { passwords } = s.h.platform.signIn;
    const next = await passwords.hash("another quiet morning");
    const checked = passwords.verify(s.owner.id, PASSWORD);
    passwords.store(s.owner.id, next);
    expect(await checked).toBe(false);
  });

  test("that is refused is audited with a shortened user agent", async () => {
    const headers = { "User-Agent": "x".repeat(5_000) };
    await s.visitor().call("POST", "/sign-in", { headers, body: { email: "ada@home.example", password: "not mine" } });
    expect((s.audit("session.refuse")[0] as { user_agent: string }).user_agent).toBe("x".repeat(300));
  });

  test("appears in plain text neither in the log nor in an audit row", async () => {
    const wrong = "hunter2 hunter2 hunter2";
    await s.signIn(s.visitor(), { password: wrong });
    const recorded = JSON.stringify([s.h.log, s.audit("session.refuse"), s.audit("session.create")]);
    for (const secret of [wrong, PASSWORD, "ada@home.example"]) expect(recorded).not.toContain(secret);
    expect(s.audit("session.refuse")).toMatchObject([{ method: "password", reason: "password", address: "192.0.2.7" }]);
  });
});

describe("a session", () => {
  test("starts with a new token, regardless of the cookie that the browser sent (fixation)", async () => {
    const planted = ada.jar.get("postroom_session")!;
    const bo = s.visitor();
    bo.jar.set("postroom_session", "x".repeat(43));
    await s.signIn(bo);
    expect(bo.jar.get("postroom_session")).not.toBe("x".repeat(43));
    // Signing in again in the same browser ends its earlier session.
    await s.signIn(ada);
    const thief = s.visitor();
    thief.jar.set("postroom_session", planted);
    expect(await thief.user()).toBeNull();
    expect(await ada.user()).not.toBeNull();
  });

  test("has a Secure cookie if the browser connected with https", async () => {
    const answer = await s.signIn(s.visitor(), {});
    expect(answer.headers.getSetCookie().every((line) => !line.includes("Secure"))).toBe(true);
    const headers = { "X-Forwarded-Proto": "https" };
    const body = { email: "ada@home.example", password: PASSWORD };
    const secure = await s.visitor().call("POST", "/sign-in", { body, headers });
    expect(secure.headers.getSetCookie().every((line) => line.includes("; Secure"))).toBe(true);
  });

  test("has a Secure cookie under the installation's https name, even if the proxy does not report TLS", async () => {
    s.close();
    await start({ "http.public_url": "https://mail.example.org/" });
    const body = { email: "ada@home.example", password: PASSWORD };
    for (const [Host, secure] of [
      ["mail.example.org", true],
      ["192.168.1.5:8025", false],
    ] as const) {
      const { headers } = await s.visitor().call("POST", "/sign-in", { body, headers: { Host } });
      expect(headers.getSetCookie().map((line) => line.includes("; Secure"))).toEqual([secure, secure]);
    }
  });

  test("ends at sign-out, also for copies of its cookie", async () => {
    const copy = s.visitor();
    copy.jar.set("postroom_session", ada.jar.get("postroom_session")!);
    expect(await copy.user()).not.toBeNull();
    expect((await ada.call("POST", "/sign-out")).status).toBe(204);
    expect(ada.jar.has("postroom_session")).toBe(false);
    expect(await copy.user()).toBeNull();
  });

  test("is listed with its device and can be ended from another one", async () => {
    const phone = s.visitor("198.51.100.4");
    const agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1";
    const body = { email: "ada@home.example", password: PASSWORD };
    await phone.call("POST", "/sign-in", { body, headers: { "User-Agent": agent } });
    const { data } = (await ada.call("GET", "/sessions")).json;
    expect(data).toHaveLength(2);
    const theirs = data.find(({ current }: { current: boolean }) => !current);
    expect(theirs).toMatchObject({ device: "Safari on iPhone", address: "198.51.100.4", method: "password" });
    expect((await ada.call("DELETE", `/sessions/${theirs.id}`)).status).toBe(204);
    expect(await phone.user()).toBeNull();
    expect((await ada.call("DELETE", `/sessions/${theirs.id}`)).status).toBe(404);
  });

  test("of another person is neither listed nor ended", async () => {
    const bo = s.h.session("bo@home.example");
    expect((await ada.call("DELETE", `/sessions/${bo.sessionId}`)).status).toBe(404);
    expect((await bo.call("GET", "/sessions")).json.data).toHaveLength(1);
  });

  test("survives ending all other sessions", async () => {
    const phone = s.visitor();
    await s.signIn(phone);
    expect((await ada.call("DELETE", "/sessions")).json).toEqual({ ended: 1 });
    expect([await phone.user(), await ada.user()]).toMatchObject([null, { role: "owner" }]);
  });
});

describe("changing the password", () => {
  const change = (current: string | undefined, next = "another quiet evening") =>
    ada.call("POST", "/password", { body: { ...(current && { current }), new: next } });

  test("ends all other sessions and gives this one a new cookie", async () => {
    const phone = s.visitor();
    await s.signIn(phone);
    const before = ada.jar.get("postroom_session");
    expect((await change(PASSWORD)).status).toBe(204);
    expect(ada.jar.get("postroom_session")).not.toBe(before);
    expect([await phone.user(), await ada.user()]).toMatchObject([null, { role: "owner" }]);
    expect((await s.signIn(s.visitor())).status).toBe(401);
    expect((await s.signIn(s.visitor(), { password: "another quiet evening" })).status).toBe(204);
  });

  test("requires the current password: a session alone is not enough", async () => {
    for (const current of [undefined, "wrong wrong wrong"]) {
      const answer = await change(current);
      expect([...code(answer), answer.json.error.param]).toEqual([401, "sign_in_refused", "current"]);
    }
    expect((await change(PASSWORD, "short")).json.error).toMatchObject({ code: "invalid_params", param: "new" });
  });

  test("needs no current password right after another kind of sign-in, but does later", async () => {
    const bo = s.h.session("bo@home.example");
    s.h.clock.advance(16 * minute);
    const late = await bo.call("POST", "/password", { body: { new: "another quiet evening" } });
    expect(code(late)).toEqual([401, "proof_required"]);
    const again = s.h.session("bo@home.example");
    expect((await again.call("POST", "/password", { body: { new: "another quiet evening" } })).status).toBe(204);
  });
});

describe("guessing", () => {
  const guess = (visitor: Visitor) => s.signIn(visitor, { password: "wrong wrong wrong" });

  test("is throttled after five wrong passwords, for unknown people too, and then delays a right one", async () => {
    const mallory = s.visitor("203.0.113.5");
    for (let i = 0; i < 5; i++) expect(code(await guess(mallory))).toEqual([401, "sign_in_refused"]);
    const slowed = await s.signIn(mallory);
    expect([...code(slowed), slowed.headers.get("retry-after")]).toEqual([429, "too_many_attempts", "1"]);
    const unknown = { email: "nobody@home.example" };
    for (let i = 0; i < 5; i++) await s.signIn(mallory, unknown);
    expect(code(await s.signIn(mallory, unknown))).toEqual([429, "too_many_attempts"]);
  });

  test("doubles the wait each time, up to 15 minutes", async () => {
    const mallory = s.visitor("203.0.113.5");
    const waits: number[] = [];
    for (let i = 0; i < 20; i++) {
      const answer = await guess(mallory);
      if (answer.status === 401) continue;
      const wait = Number(answer.headers.get("retry-after"));
      waits.push(wait);
      s.h.clock.advance(wait * 1_000);
      await guess(mallory);
    }
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16]);
    expect(Math.max(...waits)).toBe(900);
  });

  test("from elsewhere does not delay the person in a browser that they use", async () => {
    for (let i = 0; i < 8; i++) await guess(s.visitor(`203.0.113.${i}`));
    expect(code(await s.signIn(s.visitor("198.51.100.1")))).toEqual([429, "too_many_attempts"]);
    await ada.call("POST", "/sign-out");
    expect((await s.signIn(ada)).status).toBe(204);
  });

  test("with another person's device cookie, or an invented one, counts like any other", async () => {
    for (let i = 0; i < 5; i++) await guess(s.visitor(`203.0.113.${i}`));
    const mallory = s.visitor("203.0.113.77");
    for (const value of ["x.y", "nonce", ".", `${ada.jar.get("postroom_device")}x`]) {
      mallory.jar.set("postroom_device", value);
      expect(code(await guess(mallory))).toEqual([429, "too_many_attempts"]);
    }
  });

  test("at many accounts from one address is throttled as well", async () => {
    const mallory = s.visitor("203.0.113.5");
    for (let i = 0; i < 20; i++) await s.signIn(mallory, { email: `user${i}@home.example` });
    expect(code(await s.signIn(mallory, { email: "user99@home.example" }))).toEqual([429, "too_many_attempts"]);
    expect(code(await s.signIn(s.visitor("203.0.113.6"), { email: "user99@home.example" }))[0]).toBe(401);
  });

  test("concurrently counts every attempt", async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => guess(s.visitor("203.0.113.5"))));
    const refused = answers.filter(({ status }) => status === 401);
    expect(refused.length).toBe(5);
    expect(answers.length - refused.length).toBe(4);
  });

  test("is forgiven after a right password", async () => {
    const bo = s.visitor("203.0.113.5");
    for (let i = 0; i < 4; i++) await guess(bo);
    expect((await s.signIn(bo)).status).toBe(204);
    const other = s.visitor("203.0.113.6");
    for (let i = 0; i < 5; i++) expect(code(await guess(other))[0]).toBe(401);
  });
});

describe("an invitation", () => {
  const invite = () => {
    const bo = s.h.newUser("bo@home.example");
    return { bo, token: s.h.platform.invitations.create(bo.id).token };
  };
  const accept = (visitor: Visitor, token: string, password = PASSWORD) =>
    visitor.call("POST", "/invitation", { body: { token, password } });

  test("lets a person choose a password, once", async () => {
    const { token } = invite();
    const bo = s.visitor();
    expect((await accept(bo, token, "short")).json.error.param).toBe("password");
    expect((await accept(bo, token)).json).toEqual({ signed_in: true });
    expect(await bo.user()).toMatchObject({ email: "bo@home.example", role: "member" });
    expect(code(await accept(s.visitor(), token))).toEqual([401, "sign_in_refused"]);
  });

  test("takes the time zone of the browser of a person who had none to sign in with, and keeps that of any other", async () => {
    const { bo, token } = invite();
    const from = (text: string, timezone: string) =>
      s.visitor().call("POST", "/invitation", { body: { token: text, password: PASSWORD, timezone } });
    expect((await from(token, "Mars")).json.error.param).toBe("timezone");
    expect((await from(token, "Europe/Berlin")).json).toEqual({ signed_in: true });
    const { users, invitations, audit } = s.h.platform;
    expect(users.get(bo.id)!.timezone).toBe("Europe/Berlin");
    expect(audit.list(bo.id, { limit: 10 }).map(({ action }) => action)).toContain("user.update");
    await from(invitations.create(bo.id).token, "Asia/Tokyo");
    expect(users.get(bo.id)!.timezone).toBe("Europe/Berlin");
  });

  test("that has expired or is invented is refused", async () => {
    const { token } = invite();
    s.h.clock.advance(8 * 24 * 60 * minute);
    for (const text of [token, "", "nonsense"]) {
      expect(code(await accept(s.visitor(), text))).toEqual([401, "sign_in_refused"]);
    }
  });
});

test("a time zone can be changed to any that exists", async () => {
  expect((await ada.call("PATCH", "/me", { body: { timezone: "Asia/Tokyo" } })).json.timezone).toBe("Asia/Tokyo");
  expect(await ada.user()).toMatchObject({ timezone: "Asia/Tokyo" });
  expect(s.h.platform.users.sandboxOf(s.owner.id).timezone).toBe("Asia/Tokyo");
  expect((await ada.call("PATCH", "/me", { body: { timezone: "Mars" } })).json.error.param).toBe("timezone");
});

describe("under a base path", () => {
  beforeEach(async () => {
    s.close();
    await start({ "http.base_path": "/box" });
  });

  test("cookies are limited to that path", async () => {
    const answer = await s.signIn(ada);
    expect(answer.headers.getSetCookie().every((line) => line.includes("; Path=/box;"))).toBe(true);
    expect((await ada.call("GET", "//box/app/api/state")).json).toMatchObject({ base_path: "/box" });
  });
});

describe("a reverse proxy that signs people in", () => {
  const PROXY = "10.0.0.2";
  const named = (email: string) => ({ "Remote-Email": email, "X-Forwarded-For": "192.0.2.50" });
  beforeEach(async () => {
    s.close();
    await start({ "http.forward_auth_header": "Remote-Email", "http.trusted_proxies": [PROXY] });
  });
  const stateOf = async (visitor: Visitor, email: string) =>
    (await visitor.call("GET", "/state", { headers: named(email) })).json;

  test("is trusted if it is configured as trusted", async () => {
    const bo = s.visitor(PROXY);
    const state = await stateOf(bo, "ADA@home.example");
    expect(state).toMatchObject({ user: { email: "ada@home.example" }, methods: { forward_auth: true } });
    expect((await bo.call("GET", "/sessions", { headers: named("ada@home.example") })).status).toBe(200);
    expect(s.audit("session.create")).toContainEqual(
      expect.objectContaining({ method: "forward_auth", address: "192.0.2.50" }),
    );
    // The session continues. Later requests do not create new ones.
    const cookie = bo.jar.get("postroom_session");
    await stateOf(bo, "ada@home.example");
    expect(bo.jar.get("postroom_session")).toBe(cookie!);
  });

  test("is not trusted if it is any other host, because the header can be forged", async () => {
    const mallory = s.visitor("192.0.2.66");
    expect(await stateOf(mallory, "ada@home.example")).toMatchObject({ user: null, methods: { forward_auth: false } });
    expect(mallory.jar.size).toBe(0);
  });

  test("naming an unknown person signs no one in and creates no account", async () => {
    const before = s.h.platform.users.list().length;
    expect(await stateOf(s.visitor(PROXY), "eve@home.example")).toMatchObject({ user: null });
    expect(s.h.platform.users.list().length).toBe(before);
  });

  test("naming another person than the session's ends that session", async () => {
    s.h.newUser("bo@home.example");
    const browser = s.visitor(PROXY);
    await stateOf(browser, "ada@home.example");
    const old = browser.jar.get("postroom_session")!;
    expect(await stateOf(browser, "bo@home.example")).toMatchObject({ user: { email: "bo@home.example" } });
    const thief = s.visitor();
    thief.jar.set("postroom_session", old);
    expect(await thief.user()).toBeNull();
  });
});
