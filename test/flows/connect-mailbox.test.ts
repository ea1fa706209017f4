import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SESSION_COOKIE } from "../../src/http/guard/session-cookie.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(60_000);

const MESSAGES = 25;

/** As on the settings page: the whole program over HTTP, with a session, and a real mail server. */
describe.skipIf(!DOVECOT)("a mailbox connected on the settings page", () => {
  let dovecot: Dovecot;
  let live: LiveApp;
  let cookie: string;
  let id: string;

  beforeAll(async () => {
    dovecot = await startDovecot();
    const mail = Array.from({ length: MESSAGES }, (_, i) => ({ raw: mailText({ id: `m${i}` }) }));
    dovecot.loadMaildir("alice", "INBOX", mail);
    live = await startLiveApp({ "mail.ca_file": dovecot.caFile });
    const { platform } = live.app;
    const about = {
      user_id: platform.users.list()[0]!.id,
      method: "password" as const,
      user_agent: "test",
      address: "127.0.0.1",
    };
    cookie = `${SESSION_COOKIE}=${platform.sessions.create(about).token}`;
  });
  afterAll(async () => {
    await live?.close();
    await dovecot?.stop();
  });

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${live.app.server.port}/app/api${path}`, {
      method,
      headers: { Cookie: cookie, "X-Postroom-App": "1", "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: text === "" ? null : JSON.parse(text) };
  };
  const login = (password: string) => ({
    email: "alice@mail.test",
    imap: { host: "127.0.0.1", port: dovecot.imapPort, security: "starttls" },
    smtp: null,
    username: dovecot.logins.alice.username,
    password,
  });
  const box = async () => (await call("GET", "/mailboxes")).json.data[0];

  test("a member cannot probe the machine: only the owner may connect or list servers on the local network", async () => {
    const { platform } = live.app;
    const bo = platform.users.add({ email: "bo@mail.test", plan: "pro", role: "member", timezone: "UTC" });
    const about = { user_id: bo.id, method: "password" as const, user_agent: "test", address: "127.0.0.1" };
    const owners = cookie;
    cookie = `${SESSION_COOKIE}=${platform.sessions.create(about).token}`;
    const smtp = { host: "localhost", port: 22, security: "none" };
    const { json } = await call("POST", "/mailboxes/test", { ...login("x"), smtp });
    cookie = owners;
    expect([json.imap.problem.code, json.smtp.problem.code]).toEqual(["at_home", "at_home"]);
  });

  test("a wrong password is reported as such, and connects nothing", async () => {
    const tested = await call("POST", "/mailboxes/test", login("wr0ng-pa55"));
    expect(tested.json).toMatchObject({ imap: { ok: false, problem: { code: "login_refused" } }, smtp: null });
    const { status, json, text } = await call("POST", "/mailboxes", login("wr0ng-pa55"));
    expect([status, json.error.code]).toEqual([400, "connection_failed"]);
    expect(text).not.toContain("wr0ng-pa55");
    expect((await call("GET", "/mailboxes")).json.data).toEqual([]);
  });

  test("is fetched at once, folder by folder, and its completeness is verified", async () => {
    const { status, json } = await call("POST", "/mailboxes", login(dovecot.logins.alice.password));
    expect(status).toBe(201);
    id = json.id;
    await eventually(async () => (await box()).sync.phase === "live", 30_000);
    const inbox = async () => (await box()).folders.find(({ role }: { role: string }) => role === "inbox");
    expect(await inbox()).toMatchObject({ path: "INBOX", done: MESSAGES, total: MESSAGES });
    expect((await call("POST", `/mailboxes/${id}/check`, {})).status).toBe(204);
    await eventually(async () => (await inbox()).verified_at !== null, 20_000);
    await eventually(async () => (await box()).completeness.complete === true, 20_000);
    const { json: found } = await live.call("GET", `/accounts/${id}/completeness`);
    expect(found).toMatchObject({ complete: true, total: { server: MESSAGES, here: MESSAGES, missing: 0, extra: 0 } });
    expect(found.sentence).toStartWith(`${MESSAGES} of ${MESSAGES} messages are here, verified`);
  });

  test("new mail arrives on request; a paused mailbox fetches none until it is resumed", async () => {
    await dovecot.deliver("alice", mailText({ id: "new" }));
    expect((await call("POST", `/mailboxes/${id}/sync`, {})).status).toBe(204);
    await eventually(async () => (await box()).folders[0].done === MESSAGES + 1, 20_000);
    expect((await call("PATCH", `/mailboxes/${id}`, { paused: true })).json.status).toBe("paused");
    expect((await call("PATCH", `/mailboxes/${id}`, { paused: false })).json.status).toBe("connecting");
    await eventually(async () => (await box()).status === "active", 20_000);
  });

  test("is disconnected with all of our copy, and nothing changes on its server", async () => {
    expect((await call("DELETE", `/mailboxes/${id}`)).status).toBe(204);
    expect((await live.call("GET", "/threads")).json.data).toEqual([]);
    const other = await dovecot.connect("alice");
    expect((await other.status("INBOX", { messages: true })) || null).toMatchObject({ messages: MESSAGES + 1 });
  });
});
