import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { AccessTokens, NoToken } from "../../mailbox/accounts/access-tokens.ts";
import { SYNC_JOB } from "../../mailbox/accounts/accounts.ts";
import { CHECK_JOB, CompletenessStore } from "../../mailbox/accounts/completeness.ts";
import { OAuthClients } from "../../mailbox/accounts/oauth-clients.ts";
import { OAuthFlows } from "../../mailbox/accounts/oauth-flows.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import type { Login, LoginTest } from "../../wire/login-test.ts";
import { TokenFault, type Tokens } from "../../wire/oauth/token.ts";
import { problem } from "../../wire/problems.ts";
import { connectAppRoutes } from "./app-routes.ts";
import type { ConnectParts, Redeemed } from "./parts.ts";
import { completenessRoutes } from "./routes.ts";

/** Routes and tables are real. Logins and providers are scripted here; test/flows uses real ones. */
let h: Harness;
let mailbox: Mailbox;
let parts: ConnectParts;
let tried: Login[];
let answer: LoginTest;
let redeemed: Redeemed[];
let tokens: Tokens | TokenFault;

const PASSED: LoginTest = { imap: { ok: true, problem: null }, smtp: { ok: true, problem: null }, provider: "imap" };
const SERVERS = {
  imap: { host: "imap.home.example", port: 993, security: "tls" },
  smtp: { host: "smtp.home.example", port: 465, security: "tls" },
};
const BODY = { email: "me@home.example", ...SERVERS, username: "me", password: "right horse" };

beforeAll(() => {
  h = createHarness({
    appRoutes: (platform) => {
      mailbox = createMailbox(platform);
      parts = {
        platform,
        mailbox,
        clients: new OAuthClients(platform),
        flows: new OAuthFlows(platform),
        tokens: new AccessTokens(platform, () =>
          Promise.reject(new NoToken("unavailable", "the provider is unavailable")),
        ),
        checks: new CompletenessStore(platform, mailbox.folders),
        discover: async (email) =>
          email.includes("@")
            ? ({
                name: "Home",
                source: "autoconfig",
                ...SERVERS,
                username: email,
                methods: ["password"],
                oauth: null,
                advice: null,
              } as never)
            : null,
        testLogins: async (login) => {
          tried.push(login);
          return answer;
        },
        redeem: async (_provider, _client, grant) => {
          redeemed.push(grant);
          if (tokens instanceof TokenFault) throw tokens;
          return tokens;
        },
      };
      return connectAppRoutes(parts);
    },
    routes: (platform) =>
      completenessRoutes({
        accounts: createMailbox(platform).accounts,
        checks: new CompletenessStore(platform, createMailbox(platform).folders),
        now: () => platform.clock.now(),
      }),
  });
});
afterAll(() => h.close());
beforeEach(() => {
  tried = [];
  redeemed = [];
  answer = PASSED;
  tokens = { access_token: "at-1", refresh_token: "rt-1", expiresInS: 3_600 };
});

let people = 0;
const person = () => h.session(`p${++people}@example.org`);
const owner = () => h.session(`o${++people}@example.org`, "owner");
const audit = (user_id: string) =>
  h.platform.audit
    .list(user_id, { limit: 50 })
    .filter(({ action }) => action.startsWith("account."))
    .map(({ action, target }) => [action, target]);
const jobs = (kind: string) =>
  h.platform.db.sql
    .query<{ c: number }, [string]>("SELECT count(*) AS c FROM jobs WHERE kind = ? AND state = 'pending'")
    .get(kind)!.c;

describe("connecting with a password", () => {
  test("discovers the servers, tries both logins and shows the mailbox", async () => {
    const ada = person();
    const found = await ada.call("POST", "/mailboxes/discover", { body: { email: "me@home.example" } });
    expect(found.json).toMatchObject({ source: "autoconfig", ...SERVERS });
    expect((await ada.call("POST", "/mailboxes/discover", { body: { email: "nobody" } })).json.error).toMatchObject({
      code: "invalid_params",
      param: "email",
    });
    const before = jobs(SYNC_JOB);
    const { status, json } = await ada.call("POST", "/mailboxes", {
      body: { ...BODY, read_only: true, exclude: ["Old"] },
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      email: "me@home.example",
      status: "connecting",
      auth: "password",
      oauth: null,
      ...SERVERS,
      username: "me",
      read_only: true,
      primary: true,
      aliases: [],
      folders: [],
      completeness: { complete: null, verified_at: null },
    });
    expect(JSON.stringify(json)).not.toContain("right horse");
    expect(tried).toEqual([{ ...SERVERS, username: "me", password: "right horse" } as never]);
    expect(jobs(SYNC_JOB)).toBe(before + 1);
    expect(audit(ada.user.id)).toEqual([["account.connect", json.id]]);
    expect((await ada.call("GET", "/mailboxes")).json.data).toEqual([json]);
  });

  test("a failed login connects nothing, and both results are reported", async () => {
    const ada = person();
    answer = { ...PASSED, smtp: { ok: false, problem: problem("refused") } };
    const { status, json } = await ada.call("POST", "/mailboxes", { body: BODY });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({
      code: "connection_failed",
      message: "Nothing listens at this host and port.",
      details: { imap: { ok: true, problem: null }, smtp: { ok: false, problem: { code: "refused" } } },
    });
    expect((await ada.call("GET", "/mailboxes")).json.data).toEqual([]);
    const tested = await ada.call("POST", "/mailboxes/test", { body: { ...SERVERS, username: "me", password: "x" } });
    expect(tested.json).toMatchObject({ imap: { ok: true }, smtp: { problem: { code: "refused" } } });
  });

  test("each person can connect an address once, which is checked before any login; a retry connects it once", async () => {
    const [ada, bob] = [person(), person()];
    const headers = { "Idempotency-Key": "connect-1" };
    const first = await ada.call("POST", "/mailboxes", { body: BODY, headers });
    const again = await ada.call("POST", "/mailboxes", { body: BODY, headers });
    expect(again.json).toEqual(first.json);
    expect(tried).toHaveLength(1);
    const other = await ada.call("POST", "/mailboxes", { body: { ...BODY, email: "ME@home.example" } });
    expect([other.status, other.json.error.code]).toEqual([409, "mailbox_exists"]);
    expect(tried).toHaveLength(1);
    expect((await bob.call("POST", "/mailboxes", { body: BODY })).status).toBe(201);
  });

  test("a page that shows the sandbox still connects real mailboxes to the person", async () => {
    const ada = person();
    const { json } = await ada.call("POST", "/mailboxes", { body: BODY, headers: { "X-Postroom-Sandbox": "1" } });
    expect(mailbox.accounts.get(json.id)?.user_id).toBe(ada.user.id);
  });

  test("a page that shows the sandbox lists its mailbox and no other", async () => {
    const ada = person();
    await ada.call("POST", "/mailboxes", { body: BODY });
    const sandbox = h.platform.users.sandboxOf(ada.user.id);
    const actor = { kind: "system", id: null } as const;
    const sample = {
      user_id: sandbox.id,
      provider: "sandbox",
      email: "alex@sandbox.example",
      connection: null,
    } as const;
    const { id } = mailbox.accounts.add({ ...sample, actor });
    const shown = await ada.call("GET", "/mailboxes", { headers: { "X-Postroom-Sandbox": "1" } });
    expect(shown.json.data).toMatchObject([{ id, provider: "sandbox" }]);
    expect((await ada.call("GET", "/mailboxes")).json.data).toMatchObject([{ email: BODY.email }]);
  });

  test("one person's login tests are limited and do not block those of others", async () => {
    const [ada, bob] = [person(), person()];
    const gate = Promise.withResolvers<void>();
    const asks = parts.testLogins;
    parts.testLogins = async (...given) => {
      await gate.promise;
      return asks(...given);
    };
    const body = { ...SERVERS, username: "me", password: "x" };
    const waiting = Array.from({ length: 5 }, () => ada.call("POST", "/mailboxes/test", { body }));
    const refused = await Promise.race(waiting);
    expect([refused.status, refused.json.error.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "15",
    ]);
    const other = bob.call("POST", "/mailboxes/test", { body });
    gate.resolve();
    expect((await other).status).toBe(200);
    expect((await Promise.all(waiting)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
    parts.testLogins = asks;
    expect((await ada.call("POST", "/mailboxes/test", { body })).status).toBe(200);
  });

  test.each([
    [{ imap: { ...SERVERS.imap, port: 0 } }, "imap.port"],
    [{ imap: { ...SERVERS.imap, host: "a b" } }, "imap.host"],
    [{ imap: { ...SERVERS.imap, security: "ssl" } }, "imap.security"],
    [{ password: "" }, "password"],
    [{ email: "me" }, "email"],
  ])("%p is refused", async (wrong, param) => {
    const { status, json } = await person().call("POST", "/mailboxes", { body: { ...BODY, ...wrong } });
    expect([status, json.error.param, tried.length]).toEqual([400, param, 0]);
  });
});

describe("a connected mailbox", () => {
  const connected = async () => {
    const ada = person();
    const { json } = await ada.call("POST", "/mailboxes", { body: BODY });
    tried = [];
    return { ada, id: json.id as string };
  };

  test("stores a new password if it works, and keeps the old one otherwise", async () => {
    const { ada, id } = await connected();
    const password = () => mailbox.accounts.connection(mailbox.accounts.get(id)!)!.password;
    answer = { ...PASSED, imap: { ok: false, problem: problem("login_refused") } };
    expect((await ada.call("PATCH", `/mailboxes/${id}`, { body: { password: "wrong" } })).status).toBe(400);
    expect(password()).toBe("right horse");
    answer = PASSED;
    mailbox.accounts.setStatus(id, "auth_failed", "The server refused the username or password.");
    const { status, json } = await ada.call("PATCH", `/mailboxes/${id}`, { body: { password: "new horse" } });
    expect([status, json.status, json.last_error]).toEqual([200, "connecting", null]);
    expect(password()).toBe("new horse");
  });

  test("can be paused and resumed; each change is audited, and a change without effect is not", async () => {
    const { ada, id } = await connected();
    const patch = async (body: object) => (await ada.call("PATCH", `/mailboxes/${id}`, { body })).json;
    expect((await patch({ paused: true })).status).toBe("paused");
    expect((await patch({ paused: true })).status).toBe("paused");
    expect((await patch({ password: "new horse" })).status).toBe("paused");
    expect((await patch({ paused: false })).status).toBe("connecting");
    expect((await patch({ read_only: true })).read_only).toBe(true);
    expect((await patch({ aliases: ["Sales@Home.example", "me@home.example", "sales@home.example"] })).aliases).toEqual(
      ["Sales@home.example"],
    );
    expect((await patch({ primary: true })).primary).toBe(true);
    expect(audit(ada.user.id).map(([action]) => action)).toEqual([
      ...Array(5).fill("account.update"),
      "account.connect",
    ]);
    expect((await patch({ aliases: ["nobody"] })).error.param).toBe("aliases[0]");
  });

  test("can be made primary, and is removed with the whole local copy", async () => {
    const { ada, id } = await connected();
    const { json } = await ada.call("POST", "/mailboxes", { body: { ...BODY, email: "two@home.example" } });
    expect(json.primary).toBe(false);
    expect((await ada.call("PATCH", `/mailboxes/${json.id}`, { body: { primary: true } })).json.primary).toBe(true);
    expect((await ada.call("DELETE", `/mailboxes/${json.id}`)).status).toBe(204);
    const { data } = (await ada.call("GET", "/mailboxes")).json;
    expect(data).toMatchObject([{ id, primary: true }]);
    expect((await ada.call("DELETE", `/mailboxes/${json.id}`)).status).toBe(404);
  });

  test("is synced and compared on request", async () => {
    const { ada, id } = await connected();
    const [syncs, checks] = [jobs(SYNC_JOB), jobs(CHECK_JOB)];
    expect((await ada.call("POST", `/mailboxes/${id}/sync`, { body: {} })).status).toBe(204);
    // One job is already waiting, because the mailbox was just connected.
    expect(jobs(SYNC_JOB)).toBe(syncs);
    expect((await ada.call("POST", `/mailboxes/${id}/check`, { body: {} })).status).toBe(204);
    expect(jobs(CHECK_JOB)).toBe(checks + 1);
    const { json } = await ada.call("GET", `//v1/accounts/${id}/completeness`);
    expect(json).toMatchObject({ account_id: id, complete: null, folders: [] });
    expect(json.sentence).toContain("has not been compared");
  });

  test("is accessible neither to other people nor to an API key", async () => {
    const { id } = await connected();
    const eve = person();
    for (const [method, path] of [
      ["PATCH", `/mailboxes/${id}`],
      ["DELETE", `/mailboxes/${id}`],
      ["POST", `/mailboxes/${id}/sync`],
      ["POST", `/mailboxes/${id}/check`],
      ["GET", `//v1/accounts/${id}/completeness`],
    ] as const) {
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      expect([path, (await eve.call(method, path, { body })).status]).toEqual([path, 404]);
    }
    expect((await eve.call("GET", "/mailboxes")).json.data).toEqual([]);
    expect([401, 403]).toContain((await h.call("GET", "//app/api/mailboxes")).status);
    const start = await eve.call("POST", "/mailboxes/oauth/start", {
      body: { provider: "google", email: "a@b.example", account_id: id },
    });
    expect([404, 409]).toContain(start.status);
  });
});

describe("connecting by signing in at the provider", () => {
  const client = { client_id: "id-1", client_secret: "s3cret" };
  const stateOf = (url: string) => new URL(url).searchParams.get("state")!;

  test("needs a client id that the owner stores, and never shows the secret", async () => {
    const [ada, boss] = [person(), owner()];
    const body = { provider: "google", email: "ada@gmail.com" };
    const missing = await ada.call("POST", "/mailboxes/oauth/start", { body });
    expect([missing.status, missing.json.error.code]).toEqual([409, "oauth_client_missing"]);
    expect((await ada.call("PUT", "/oauth-clients/google", { body: client })).json.error.code).toBe("owner_required");
    expect((await boss.call("PUT", "/oauth-clients/google", { body: client })).status).toBe(204);
    expect((await boss.call("PUT", "/oauth-clients/myspace", { body: client })).status).toBe(404);
    const listed = await boss.call("GET", "/oauth-clients");
    expect(listed.json.data).toMatchObject([
      {
        provider: "google",
        client_id: "id-1",
        has_secret: true,
        redirect_uri: expect.stringMatching(/\/app\/oauth\/callback$/),
      },
    ]);
    expect(listed.text).not.toContain("s3cret");
    expect((await ada.call("GET", "/oauth-clients")).json.data[0].client_id).toBe("");
    const { json } = await ada.call("POST", "/mailboxes/oauth/start", { body });
    const url = new URL(json.authorize_url);
    expect(url.origin + url.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "id-1",
      scope: "https://mail.google.com/",
      access_type: "offline",
      code_challenge_method: "S256",
      login_hint: "ada@gmail.com",
      redirect_uri: listed.json.data[0].redirect_uri,
    });
    expect(json.authorize_url).not.toContain("s3cret");
  });

  test("returns with a code, tries both logins with the token and connects the mailbox", async () => {
    const ada = person();
    const body = { provider: "google", email: "ada@gmail.com" };
    const { authorize_url } = (await ada.call("POST", "/mailboxes/oauth/start", { body })).json;
    const finish = { state: stateOf(authorize_url), code: "code-1" };
    const { status, json } = await ada.call("POST", "/mailboxes/oauth/finish", { body: finish });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      email: "ada@gmail.com",
      auth: "oauth2",
      oauth: "google",
      imap: { host: "imap.gmail.com" },
    });
    expect(tried).toMatchObject([{ username: "ada@gmail.com", password: "", access_token: "at-1" }]);
    expect(redeemed).toMatchObject([{ code: "code-1", code_verifier: expect.stringMatching(/^[\w-]{43}$/) }]);
    expect(JSON.stringify(json)).not.toMatch(/at-1|rt-1/);
    const password = await ada.call("PATCH", `/mailboxes/${json.id}`, { body: { password: "x" } });
    expect(password.json.error.param).toBe("password");
    const again = await ada.call("POST", "/mailboxes/oauth/finish", { body: finish });
    expect(again.json.error.code).toBe("oauth_refused");
  });

  test("a foreign, unknown or expired state is refused", async () => {
    const [ada, eve] = [person(), person()];
    const body = { provider: "google", email: "ada@gmail.com" };
    const begin = async () => stateOf((await ada.call("POST", "/mailboxes/oauth/start", { body })).json.authorize_url);
    const finish = async (who: typeof ada, state: string) =>
      (await who.call("POST", "/mailboxes/oauth/finish", { body: { state, code: "c" } })).json.error?.code;
    const state = await begin();
    expect(await finish(eve, state)).toBe("oauth_refused");
    expect(await finish(ada, `${state}x`)).toBe("oauth_refused");
    h.clock.advance(16 * 60_000);
    expect(await finish(ada, state)).toBe("oauth_refused");
    expect(redeemed).toEqual([]);
  });

  test("a refusal by the provider is explained", async () => {
    const ada = person();
    const attempt = async (more: object) => {
      const { authorize_url } = (
        await ada.call("POST", "/mailboxes/oauth/start", { body: { provider: "google", email: "ada@gmail.com" } })
      ).json;
      return (await ada.call("POST", "/mailboxes/oauth/finish", { body: { state: stateOf(authorize_url), ...more } }))
        .json.error;
    };
    expect((await attempt({ error: "access_denied" })).message).toBe(
      "You did not give Postroom access at Google. Start again to connect the mailbox.",
    );
    tokens = new TokenFault("client", "the sign-in service answered 401 (invalid_client)");
    expect((await attempt({ code: "c" })).message).toContain("invalid_client");
    tokens = { access_token: "at", refresh_token: null, expiresInS: 1 };
    expect((await attempt({ code: "c" })).message).toContain("for one hour only");
    tokens = { access_token: "at", refresh_token: "rt", expiresInS: 1 };
    answer = { ...PASSED, imap: { ok: false, problem: problem("token_refused") } };
    expect(await attempt({ code: "c" })).toMatchObject({ code: "connection_failed", details: { imap: { ok: false } } });
    expect((await ada.call("GET", "/mailboxes")).json.data).toEqual([]);
  });

  test("a token is sent only to the provider's servers", async () => {
    const imap = { host: "imap.evil.example", port: 993, security: "tls" };
    const body = { provider: "google", email: "ada@gmail.com", imap };
    const { status, json } = await person().call("POST", "/mailboxes/oauth/start", { body });
    expect([status, json.error.param]).toEqual([400, "imap"]);
    const microsoft = { ...imap, host: "outlook.office365.com" };
    expect((await person().call("POST", "/mailboxes/oauth/start", { body: { ...body, imap: microsoft } })).status).toBe(
      400,
    );
    const clear = { ...imap, host: "imap.gmail.com", security: "none" };
    expect((await person().call("POST", "/mailboxes/oauth/start", { body: { ...body, imap: clear } })).status).toBe(
      400,
    );
  });

  test("only the owner can remove the client id", async () => {
    expect((await person().call("DELETE", "/oauth-clients/google")).status).toBe(403);
    const boss = owner();
    expect((await boss.call("DELETE", "/oauth-clients/google")).status).toBe(204);
    expect((await boss.call("GET", "/oauth-clients")).json.data).toEqual([]);
  });
});
