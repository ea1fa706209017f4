import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import {
  MINUTE_MS,
  type NotificationFixture,
  notificationFixture,
  VIP,
} from "../../../test/support/notification-fixture.ts";
import { backdateSessions } from "../../../test/support/stale-sessions.ts";
import { exportPerson } from "../../app/members.ts";
import { MAX_TARGETS } from "./service.ts";

let f: NotificationFixture;
beforeEach(async () => {
  f = await notificationFixture();
});
afterEach(() => f.close());

const everythingStored = () => {
  const { sql } = f.h.platform.db;
  return JSON.stringify(
    ["notification_targets", "notification_settings", "audit"].map((table) =>
      sql
        .query<Record<string, unknown>, []>(`SELECT * FROM ${table}`)
        .all()
        .map((row) =>
          Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
          ),
        ),
    ),
  );
};

describe("targets", () => {
  test("a new target is private, and is listed without its secrets", async () => {
    const { json } = await f.create({ auth: "token", token: "tk_verysecret" });
    expect(json.data).toMatchObject({
      name: "Phone",
      service: "ntfy",
      topic: "postroom",
      auth: "token",
      detail: "minimal",
      digest: "off",
      status: "active",
      kinds: { mail: "on", approval: "always", send: "on", brief: "off", health: "always" },
      outcome: null,
    });
    const { text } = await f.me.call("GET", "/notifications");
    expect(text).not.toContain("verysecret");
    expect(everythingStored()).not.toContain("verysecret");
    expect(everythingStored()).not.toContain("harbourline");
  });

  test.each([
    ["no topic", { topic: undefined }, "topic"],
    ["a topic with a slash", { topic: "a/b" }, "topic"],
    ["a topic that is too long for ntfy", { topic: "a".repeat(65) }, "topic"],
    ["a token that is missing", { auth: "token" }, "token"],
    ["a token with a line break", { auth: "token", token: "a\r\nX: y" }, "token"],
    ["a password that is missing", { auth: "password", username: "ada" }, "password"],
    ["a username that is missing", { auth: "password", password: "x" }, "username"],
    ["a username with a colon", { auth: "password", username: "a:b", password: "x" }, "username"],
    ["plain HTTP elsewhere", { url: "http://ntfy.example" }, "url"],
    ["a private address", { url: "https://192.168.1.4" }, "url"],
    ["no URL", { url: "ntfy" }, "url"],
    ["a URL with credentials", { url: "https://a:b@ntfy.example" }, "url"],
    ["a URL with a query", { url: "https://ntfy.example/?x=1" }, "url"],
    ["a URL for the Apprise API", { urls: "ntfy://x" }, "urls"],
    ["an unknown level of detail", { detail: "body" }, "detail"],
    ["an interval that does not divide a day", { digest: "hours", digest_hours: 5 }, "digest_hours"],
    ["a time that does not exist", { digest_at: "24:00" }, "digest_at"],
    [
      "mail during quiet hours",
      { kinds: { mail: "always", approval: "on", send: "on", brief: "on", health: "on" } },
      "kinds.mail",
    ],
    ["a name with a control character", { name: "a\u202eb" }, "name"],
  ])("are refused with %s", async (_, more, param) => {
    const { status, json } = await f.create(more);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", param]);
  });

  test("of the Apprise API need a key or URLs, not both", async () => {
    const apprise = { service: "apprise", topic: undefined };
    expect((await f.create(apprise)).json.error.param).toBe("topic");
    expect((await f.create({ ...apprise, topic: "home", urls: "json://x" })).json.error.param).toBe("urls");
    expect((await f.create({ ...apprise, topic: "home" })).status).toBe(200);
    const { json } = await f.create({ ...apprise, urls: "tgram://secret-token/1", tag: "family" });
    expect(json.data).toMatchObject({ has_urls: true, topic: "", tag: "family" });
    expect(everythingStored()).not.toContain("secret-token");
  });

  test("plain HTTP to this machine is only for the owner", async () => {
    await f.close();
    f = await notificationFixture({ role: "member", allow: [] });
    expect((await f.create()).json.error.param).toBe("url");
    await f.close();
    f = await notificationFixture({ role: "owner", allow: [] });
    const id = await f.target({ detail: "minimal" });
    f.receiver.behave = () => ({ status: 200, body: "private page" });
    const { json, text } = await f.me.call("POST", `/notifications/targets/${id}/test`, { body: {} });
    expect(json.data.outcome).toMatchObject({ ok: true, response_status: 200 });
    expect(text).not.toContain("private page");
  });

  test("adding and changing one require re-authentication", async () => {
    const id = await f.target();
    const old = f.h.session();
    backdateSessions(f.h.platform);
    const body = { name: "Phone", service: "ntfy", url: f.receiver.origin, topic: "postroom" };
    const added = await old.call("POST", "/notifications/targets", { body });
    const changed = await old.call("PATCH", `/notifications/targets/${id}`, { body: { detail: "subject" } });
    expect([added.json.error.code, changed.json.error.code]).toEqual(["proof_required", "proof_required"]);
  });

  test("have a limit", async () => {
    for (let i = 0; i < MAX_TARGETS; i++) await f.target();
    const { status, json } = await f.create();
    expect([status, json.error.code]).toEqual([429, "quota_exceeded"]);
  });

  test("of other people are not found, and no API key reaches them", async () => {
    const id = await f.target();
    const bo = f.h.session("bo@example.org", "member");
    const path = `/notifications/targets/${id}`;
    expect((await bo.call("PATCH", path, { body: { detail: "subject" } })).status).toBe(404);
    expect((await bo.call("DELETE", path)).status).toBe(404);
    expect((await bo.call("POST", `${path}/test`, { body: {} })).status).toBe(404);
    expect((await bo.call("GET", "/notifications")).json.targets).toEqual([]);
    expect((await f.me.call("PATCH", "/notifications/targets/ntg_x", { body: {} })).status).toBe(404);
    expect((await f.h.call("GET", "//app/api/notifications")).status).toBe(403);
  });

  test("keep their credentials when something else changes, but not for another server", async () => {
    const id = await f.target({ auth: "password", username: "ada", password: "pw" });
    await f.patch(id, { name: "Tablet", topic: "other" });
    f.vipMail();
    await f.advance(MINUTE_MS);
    const basic = `Basic ${Buffer.from("ada:pw").toString("base64")}`;
    expect(f.receiver.received[0]!.headers.authorization).toBe(basic);
    expect(f.sent()[0].topic).toBe("other");
    const moved = await f.patch(id, { url: "https://ntfy.example" });
    expect(moved.json.error.param).toBe("username");
    expect((await f.patch(id, { url: "https://ntfy.example", auth: "none" })).status).toBe(200);
  });

  test("that were changed outside Postroom get nothing", async () => {
    const id = await f.target();
    f.h.platform.db.sql.query("UPDATE notification_targets SET detail = 'subject' WHERE id = ?").run(id);
    await f.restart();
    f.vipMail();
    await f.advance(5 * MINUTE_MS);
    expect(f.sent()).toEqual([]);
  });

  test("every change is audited, without topics and secrets; a change of nothing is not", async () => {
    const id = await f.target({ topic: "my-secret-topic", auth: "token", token: "tk_1" });
    await f.patch(id, { detail: "sender" });
    await f.patch(id, { detail: "sender" });
    await f.me.call("POST", `/notifications/targets/${id}/test`, { body: {} });
    await f.me.call("DELETE", `/notifications/targets/${id}`);
    const rows = f.h.platform.audit.list(f.h.user.id, { limit: 20, target: id });
    expect(rows.map(({ action }) => action)).toEqual([
      "notification.delete",
      "notification.test",
      "notification.update",
      "notification.create",
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/my-secret-topic|tk_1/);
  });
});

test("the export of a person has targets and settings, without secrets", async () => {
  await f.target({ auth: "password", username: "ada", password: "very-secret" });
  await f.target({ service: "apprise", topic: undefined, urls: "tgram://very-secret/1" });
  const archive = exportPerson(f.h.platform, f.p.mailbox, f.h.user);
  const files = unzipSync(new Uint8Array(await new Response(archive).arrayBuffer()));
  const text = (name: string) => Buffer.from(files[name]!).toString();
  expect(JSON.parse(text("notification-targets.json"))).toMatchObject([
    { name: "Phone", service: "ntfy", topic: "postroom", auth: "password", status: "active", detail: "minimal" },
    { service: "apprise", auth: "none" },
  ]);
  expect(JSON.parse(text("notification-settings.json"))).toMatchObject([{ senders: [VIP], quiet: false }]);
  expect(Object.keys(files).filter((name) => text(name).includes("very-secret"))).toEqual([]);
  expect(files["PROBLEMS.txt"]).toBeUndefined();
});

describe("the Test button", () => {
  test("shows the answer of the server, and counts neither as success nor as failure", async () => {
    const id = await f.target({ auth: "token", token: "tk_1" });
    f.receiver.behave = () => ({ status: 401, body: '{"code":40101,"http":401,"error":"unauthorized"}' });
    const { json } = await f.me.call("POST", `/notifications/targets/${id}/test`, { body: {} });
    expect(json.data).toMatchObject({
      failure_count: 0,
      outcome: {
        ok: false,
        test: true,
        response_status: 401,
        error: "the server answered 401: unauthorized",
        response_body: '{"code":40101,"http":401,"error":"unauthorized"}',
      },
    });
    expect(f.receiver.received[0]!.headers.authorization).toBe("Bearer tk_1");
    expect(f.sent()[0]).toMatchObject({ topic: "postroom", title: "Test from Postroom" });
  });

  test("says why there is no answer", async () => {
    const id = await f.target();
    await f.receiver.stop();
    const { json } = await f.me.call("POST", `/notifications/targets/${id}/test`, { body: {} });
    expect(json.data.outcome).toMatchObject({ ok: false, error: "nothing is listening at this address and port" });
  });

  test("a redirect is not followed", async () => {
    const id = await f.target();
    f.receiver.behave = () => ({ status: 301, headers: { Location: "http://127.0.0.1:1/" } });
    const { json } = await f.me.call("POST", `/notifications/targets/${id}/test`, { body: {} });
    expect(json.data.outcome.error).toContain("a redirect");
    expect(f.receiver.received).toHaveLength(1);
  });
});

describe("the Apprise API", () => {
  const apprise = { service: "apprise", topic: undefined };

  test("with a stored configuration: POST /notify/KEY with the tag", async () => {
    await f.target({ ...apprise, url: `${f.receiver.origin}/apprise/`, topic: "home", tag: "family, phone" });
    f.vipMail();
    await f.advance(MINUTE_MS);
    expect(f.receiver.received).toMatchObject([{ method: "POST", path: "/apprise/notify/home" }]);
    expect(f.sent()).toEqual([
      { title: "New mail", body: "A VIP has written to you.", type: "info", format: "text", tag: "family, phone" },
    ]);
  });

  test("without one: POST /notify with the URLs", async () => {
    await f.target({ ...apprise, urls: "json://127.0.0.1:1" });
    f.h.platform.events.emit(f.h.user.id, "send.failed", { send_id: "snd_1", reason: "refused", detail: "550" });
    await f.advance(5_000);
    expect(f.receiver.received).toMatchObject([{ path: "/notify" }]);
    expect(f.sent()).toEqual([
      {
        urls: "json://127.0.0.1:1",
        title: "Message not sent",
        body: "A message could not be sent.",
        type: "failure",
        format: "text",
      },
    ]);
  });

  test.each([
    [204, "", "the server notified no one: the key has no configuration, or no service has the tag"],
    [
      424,
      '{"error":"One or more notification could not be sent."}',
      "the server answered 424: One or more notification could not be sent",
    ],
  ])("answers %p if no one was notified", async (status, body, error) => {
    const id = await f.target({ ...apprise, topic: "home" });
    f.receiver.behave = () => ({ status, body });
    f.vipMail();
    await f.advance(MINUTE_MS);
    expect(await f.view(id)).toMatchObject({ failure_count: 1, waiting: 1, outcome: { error } });
  });
});

describe("settings", () => {
  test.each([
    ["quiet hours without a length", { quiet_start: "08:00", quiet_end: "08:00" }, "quiet_end"],
    ["a time that does not exist", { quiet_start: "7" }, "quiet_start"],
    ["a sender that is no address", { senders: ["a@b.example", "bob"] }, "senders[1]"],
    ["a star in the middle", { senders: ["a*@b.example"] }, "senders[0]"],
  ])("are refused with %s", async (_, body, param) => {
    const { status, json } = await f.settings(body);
    expect([status, json.error.param]).toEqual([400, param]);
  });

  test("are stored in lower case, once, and audited", async () => {
    const { json } = await f.settings({ senders: ["Bob@X.example", "bob@x.example", "*@Club.example"], quiet: true });
    expect(json.settings).toEqual({
      senders: ["bob@x.example", "*@club.example"],
      quiet: true,
      quiet_start: "22:00",
      quiet_end: "07:00",
      timezone: "UTC",
    });
    await f.settings({ quiet: true });
    expect(f.h.platform.audit.list(f.h.user.id, { limit: 9, action: "notification.settings" })).toHaveLength(2);
  });
});
