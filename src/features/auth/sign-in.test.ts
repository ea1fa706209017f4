import { afterEach, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { type AuthFixture, authFixture, PASSWORD, type Visitor } from "../../../test/support/auth-fixture.ts";
import type { Answer } from "../../../test/support/http-harness.ts";
import type { ConfigValues } from "../../platform/config/table.ts";
import { TooBusy } from "../../platform/identity/passwords.ts";

// Passwords are slow on purpose, and slower on a busy machine.
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
  test("lets in, and a wrong one is told from an unknown person by nothing", async () => {
    const [unknown, wrong] = await Promise.all([
      s.signIn(s.visitor(), { email: "nobody@home.example" }),
      s.signIn(s.visitor(), { password: "not the password" }),
    ]);
    expect(code(unknown)).toEqual([401, "sign_in_refused"]);
    expect(unknown.json.error.message).toBe(wrong.json.error.message);
    // Both leave one row, which takes as long; the owner hears of strangers.
    const reasons = s.audit("session.refuse").map((row) => (row as { reason: string }).reason);
    expect(reasons.sort()).toEqual(["password", "password, unknown user"]);
    expect((await s.signIn(s.visitor(), { email: " ADA@Home.example" })).status).toBe(204);
  });

  test("of a sandbox there is none", async () => {
    expect(code(await s.signIn(s.visitor(), { email: "sandbox:ada@home.example" }))).toEqual([401, "sign_in_refused"]);
  });

  test("that there was no time to check is no failed attempt: a flood of guesses locks nobody out", async () => {
    const busy = spyOn(s.h.platform.signIn.passwords, "verify").mockRejectedValue(new TooBusy("busy"));
    for (let i = 0; i < 8; i++) expect(code(await s.signIn(s.visitor()))).toEqual([429, "too_many_attempts"]);
    busy.mockRestore();
    expect((await s.signIn(s.visitor())).status).toBe(204);
  });

  test("that is replaced while it is being checked lets nobody in any more", async () => {
    const { passwords } = s.h.platform.signIn;
    const next = await passwords.hash("another quiet morning");
    const checked = passwords.verify(s.owner.id, PASSWORD);
    passwords.store(s.owner.id, next);
    expect(await checked).toBe(false);
  });

  test("that is refused is told of with a browser's name that has an end", async () => {
    const headers = { "User-Agent": "x".repeat(5_000) };
    await s.visitor().call("POST", "/sign-in", { headers, body: { email: "ada@home.example", password: "not mine" } });
    expect((s.audit("session.refuse")[0] as { user_agent: string }).user_agent).toBe("x".repeat(300));
  });

  test("is nowhere in clear, neither in the log nor in an audit row", async () => {
    const wrong = "hunter2 hunter2 hunter2";
    await s.signIn(s.visitor(), { password: wrong });
    const told = JSON.stringify([s.h.log, s.audit("session.refuse"), s.audit("session.create")]);
    for (const secret of [wrong, PASSWORD, "ada@home.example"]) expect(told).not.toContain(secret);
    expect(s.audit("session.refuse")).toMatchObject([{ method: "password", reason: "password", address: "192.0.2.7" }]);
  });
});

describe("a session", () => {
  test("begins with a value of ours, whatever the browser brought along (fixation)", async () => {
    const planted = ada.jar.get("postroom_session")!;
    const bo = s.visitor();
    bo.jar.set("postroom_session", "x".repeat(43));
    await s.signIn(bo);
    expect(bo.jar.get("postroom_session")).not.toBe("x".repeat(43));
    // Signing in again in the same browser ends what it had.
    await s.signIn(ada);
    const thief = s.visitor();
    thief.jar.set("postroom_session", planted);
    expect(await thief.user()).toBeNull();
    expect(await ada.user()).not.toBeNull();
  });

  test("is Secure when the browser came by https", async () => {
    const answer = await s.signIn(s.visitor(), {});
    expect(answer.headers.getSetCookie().every((line) => !line.includes("Secure"))).toBe(true);
    const headers = { "X-Forwarded-Proto": "https" };
    const body = { email: "ada@home.example", password: PASSWORD };
    const secure = await s.visitor().call("POST", "/sign-in", { body, headers });
    expect(secure.headers.getSetCookie().every((line) => line.includes("; Secure"))).toBe(true);
  });

  test("is Secure by the https name of the house, also when the proxy does not say that it speaks TLS", async () => {
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

  test("ends when the person signs out, for everybody who has its cookie", async () => {
    const copy = s.visitor();
    copy.jar.set("postroom_session", ada.jar.get("postroom_session")!);
    expect(await copy.user()).not.toBeNull();
    expect((await ada.call("POST", "/sign-out")).status).toBe(204);
    expect(ada.jar.has("postroom_session")).toBe(false);
    expect(await copy.user()).toBeNull();
  });

  test("is listed with its device, and can be ended from another one", async () => {
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

  test("of somebody else is not to be seen or ended", async () => {
    const bo = s.h.session("bo@home.example");
    expect((await ada.call("DELETE", `/sessions/${bo.sessionId}`)).status).toBe(404);
    expect((await bo.call("GET", "/sessions")).json.data).toHaveLength(1);
  });

  test("survives `end all others`", async () => {
    const phone = s.visitor();
    await s.signIn(phone);
    expect((await ada.call("DELETE", "/sessions")).json).toEqual({ ended: 1 });
    expect([await phone.user(), await ada.user()]).toMatchObject([null, { role: "owner" }]);
  });
});

describe("changing the password", () => {
  const change = (current: string | undefined, next = "another quiet evening") =>
    ada.call("POST", "/password", { body: { ...(current && { current }), new: next } });

  test("ends all other sessions, and gives this one a new cookie", async () => {
    const phone = s.visitor();
    await s.signIn(phone);
    const before = ada.jar.get("postroom_session");
    expect((await change(PASSWORD)).status).toBe(204);
    expect(ada.jar.get("postroom_session")).not.toBe(before);
    expect([await phone.user(), await ada.user()]).toMatchObject([null, { role: "owner" }]);
    expect((await s.signIn(s.visitor())).status).toBe(401);
    expect((await s.signIn(s.visitor(), { password: "another quiet evening" })).status).toBe(204);
  });

  test("needs the present one: a session alone is not enough", async () => {
    for (const current of [undefined, "wrong wrong wrong"]) {
      const answer = await change(current);
      expect([...code(answer), answer.json.error.param]).toEqual([401, "sign_in_refused", "current"]);
    }
    expect((await change(PASSWORD, "short")).json.error).toMatchObject({ code: "invalid_params", param: "new" });
  });

  test("is possible without one right after coming in another way, and not later", async () => {
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

  test("becomes slow after five wrong ones, for unknown people too, and a right one meanwhile waits with it", async () => {
    const mallory = s.visitor("203.0.113.5");
    for (let i = 0; i < 5; i++) expect(code(await guess(mallory))).toEqual([401, "sign_in_refused"]);
    const slowed = await s.signIn(mallory);
    expect([...code(slowed), slowed.headers.get("retry-after")]).toEqual([429, "too_many_attempts", "1"]);
    const unknown = { email: "nobody@home.example" };
    for (let i = 0; i < 5; i++) await s.signIn(mallory, unknown);
    expect(code(await s.signIn(mallory, unknown))).toEqual([429, "too_many_attempts"]);
  });

  test("doubles its wait, to a quarter of an hour at most", async () => {
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

  test("from elsewhere does not make the person wait in a browser that they use", async () => {
    for (let i = 0; i < 8; i++) await guess(s.visitor(`203.0.113.${i}`));
    expect(code(await s.signIn(s.visitor("198.51.100.1")))).toEqual([429, "too_many_attempts"]);
    await ada.call("POST", "/sign-out");
    expect((await s.signIn(ada)).status).toBe(204);
  });

  test("with a device cookie of somebody else, or a made-up one, is counted with all others", async () => {
    for (let i = 0; i < 5; i++) await guess(s.visitor(`203.0.113.${i}`));
    const mallory = s.visitor("203.0.113.77");
    for (const value of ["x.y", "nonce", ".", `${ada.jar.get("postroom_device")}x`]) {
      mallory.jar.set("postroom_device", value);
      expect(code(await guess(mallory))).toEqual([429, "too_many_attempts"]);
    }
  });

  test("at many accounts from one address becomes slow as well", async () => {
    const mallory = s.visitor("203.0.113.5");
    for (let i = 0; i < 20; i++) await s.signIn(mallory, { email: `user${i}@home.example` });
    expect(code(await s.signIn(mallory, { email: "user99@home.example" }))).toEqual([429, "too_many_attempts"]);
    expect(code(await s.signIn(s.visitor("203.0.113.6"), { email: "user99@home.example" }))[0]).toBe(401);
  });

  test("many at once count as many", async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => guess(s.visitor("203.0.113.5"))));
    const refused = answers.filter(({ status }) => status === 401);
    expect(refused.length).toBe(5);
    expect(answers.length - refused.length).toBe(4);
  });

  test("is forgiven by a right one", async () => {
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

  test("that is void or made up opens nothing", async () => {
    const { token } = invite();
    s.h.clock.advance(8 * 24 * 60 * minute);
    for (const text of [token, "", "nonsense"]) {
      expect(code(await accept(s.visitor(), text))).toEqual([401, "sign_in_refused"]);
    }
  });
});

test("a time zone can be changed, to one that exists", async () => {
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

  test("cookies are for that path alone", async () => {
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

  test("is believed when it is the one that we were told of", async () => {
    const bo = s.visitor(PROXY);
    const state = await stateOf(bo, "ADA@home.example");
    expect(state).toMatchObject({ user: { email: "ada@home.example" }, methods: { forward_auth: true } });
    expect((await bo.call("GET", "/sessions", { headers: named("ada@home.example") })).status).toBe(200);
    expect(s.audit("session.create")).toContainEqual(
      expect.objectContaining({ method: "forward_auth", address: "192.0.2.50" }),
    );
    // The session goes on; it is not made anew with every look.
    const cookie = bo.jar.get("postroom_session");
    await stateOf(bo, "ada@home.example");
    expect(bo.jar.get("postroom_session")).toBe(cookie!);
  });

  test("is not believed from anybody else: the header is forged", async () => {
    const mallory = s.visitor("192.0.2.66");
    expect(await stateOf(mallory, "ada@home.example")).toMatchObject({ user: null, methods: { forward_auth: false } });
    expect(mallory.jar.size).toBe(0);
  });

  test("names somebody whom we do not know: nobody is signed in, and no account is made", async () => {
    const before = s.h.platform.users.list().length;
    expect(await stateOf(s.visitor(PROXY), "eve@home.example")).toMatchObject({ user: null });
    expect(s.h.platform.users.list().length).toBe(before);
  });

  test("names another person than the session: that one's session ends", async () => {
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
