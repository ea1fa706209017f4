import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  MINUTE_MS,
  type NotificationFixture,
  notificationFixture,
  VIP,
} from "../../../test/support/notification-fixture.ts";

let f: NotificationFixture;
beforeEach(async () => {
  f = await notificationFixture();
});
afterEach(() => f.close());

const audit = (action: string) => f.h.platform.audit.list(f.h.user.id, { limit: 20, action });

describe("mail from VIPs", () => {
  test("is one message in ntfy's format, which says only that something arrived", async () => {
    await f.target();
    f.vipMail({ subject: "The secret offer" });
    await f.advance(MINUTE_MS);
    expect(f.receiver.received).toHaveLength(1);
    const [request] = f.receiver.received;
    expect(request).toMatchObject({ method: "POST", path: "/" });
    expect(request!.headers).toMatchObject({ "content-type": "application/json" });
    expect(JSON.parse(request!.body)).toEqual({
      topic: "postroom",
      title: "New mail",
      message: "A VIP has written to you.",
      priority: 3,
      tags: ["envelope"],
    });
    expect(request!.body).not.toContain("offer");
    expect(request!.body).not.toContain(VIP);
  });

  test.each([
    ["sender", "New mail from Vera Quist (vera@harbourline.example)"],
    ["subject", "Vera Quist (vera@harbourline.example): “The offer”"],
  ])("says as much as chosen: %s", async (detail, message) => {
    await f.target({ detail });
    f.vipMail({ subject: "The offer", text: "The body is private." });
    await f.advance(MINUTE_MS);
    expect(f.sent()).toMatchObject([{ message }]);
    expect(f.receiver.received[0]!.body).not.toContain("private");
  });

  test("50 messages within a minute are one notification", async () => {
    await f.target({ detail: "subject" });
    for (let i = 0; i < 50; i++) {
      f.vipMail();
      await f.advance(1_000);
    }
    await f.advance(MINUTE_MS);
    const [only, ...more] = f.sent();
    expect(more).toEqual([]);
    expect(only.title).toBe("50 notifications");
    expect(only.message.split("\n")).toHaveLength(21);
    expect(only.message).toEndWith("and 30 more");
  });

  test("a stream of mail is at most one notification a minute", async () => {
    await f.target();
    for (let i = 0; i < 300; i++) {
      f.vipMail();
      await f.advance(1_000);
    }
    expect(f.receiver.received.length).toBeLessThanOrEqual(5);
  });

  test.each([
    ["from before the mailbox was connected", { at: Date.parse("2026-02-01T09:00:00Z") }],
    ["in spam", { role: "spam" }],
    ["from someone else", { from: { name: "Vera Quist", email: "vera@other.example" } }],
    [
      "with a forged sender",
      { authentication: { result: "fail", from_domain: "harbourline.example", dmarc: "fail", spf: null, dkim: null } },
    ],
  ] as const)("nothing is sent for mail %s", async (_, message) => {
    await f.target();
    f.vipMail(message);
    await f.advance(10 * MINUTE_MS);
    expect(f.receiver.received).toEqual([]);
  });

  test("a VIP of the contacts counts, and so does a whole domain", async () => {
    await f.settings({ senders: ["*@club.example"] });
    const { platform } = f.h;
    f.p.arrive({ from: { name: "Bo", email: "bo@friends.example" } });
    platform.db.sql.run("UPDATE contacts SET vip = 1");
    await f.target({ detail: "sender" });
    f.p.arrive({ from: { name: "Bo", email: "bo@friends.example" } });
    f.p.arrive({ from: { name: "Cy", email: "cy@club.example" } });
    f.p.arrive({ from: { name: "Di", email: "di@sub.club.example" } });
    await f.advance(MINUTE_MS);
    expect(f.sent()[0].message.split("\n")).toEqual([
      "New mail from Bo (bo@friends.example)",
      "New mail from Cy (cy@club.example)",
    ]);
  });

  test("names and subjects of strangers stay on one line", async () => {
    await f.target({ detail: "subject" });
    f.vipMail({ from: { name: "Vera\n\u202eEvil", email: VIP }, subject: `a\r\nb\u200b ${"long ".repeat(80)}` });
    await f.advance(MINUTE_MS);
    const { message } = f.sent()[0];
    expect(message).toStartWith("Vera Evil (vera@harbourline.example): “a b long");
    expect(message).toEndWith("…”");
    expect(message.length).toBeLessThan(220);
  });

  test("mail of the sandbox notifies no one", async () => {
    await f.target();
    const { platform } = f.h;
    const sandbox = platform.users.sandboxOf(f.h.user.id);
    const data = {
      thread_id: "thr_1",
      message_id: "msg_1",
      account_id: "acc_1",
      from: { email: VIP },
      subject: "x",
      tags: [],
    };
    platform.events.emit(sandbox.id, "message.received", data);
    await f.advance(10 * MINUTE_MS);
    expect(f.receiver.received).toEqual([]);
  });
});

describe("other kinds", () => {
  test("an approval is announced within seconds, with a link to it", async () => {
    await f.close();
    f = await notificationFixture({ config: { "http.public_url": "https://mail.home.example/" } });
    await f.target({ detail: "sender" });
    const asked_by = { id: "key_1", name: "Claude" };
    f.h.platform.events.emit(f.h.user.id, "approval.requested", {
      approval_id: "apv_1",
      draft_id: "drf_1",
      asked_by,
      recipients: 2,
    });
    await f.advance(5_000);
    expect(f.sent()).toMatchObject([
      {
        title: "Approval needed",
        message: "Claude wants to send a message to 2 recipients",
        priority: 4,
        click: "https://mail.home.example/app/#/approvals/apv_1",
      },
    ]);
  });

  test("failed sends, returned messages and briefs", async () => {
    await f.target({ detail: "sender", kinds: { mail: "on", approval: "on", send: "on", brief: "on", health: "off" } });
    const { events } = f.h.platform;
    events.emit(f.h.user.id, "send.failed", { send_id: "snd_1", reason: "refused", detail: "550" });
    events.emit(f.h.user.id, "send.bounced", { send_id: "snd_1", recipient: "zoe@x.example", detail: "550" });
    events.emit(f.h.user.id, "brief.ready", { date: "2026-03-02", needs_reply_count: 3 });
    await f.advance(5_000);
    expect(f.sent()[0].message.split("\n")).toEqual([
      "A message to unknown recipients could not be sent",
      "A message to zoe@x.example was returned",
      "Your daily brief is ready: 3 messages wait for your reply",
    ]);
  });

  test("a kind that is off notifies no one, and turning it on brings nothing old", async () => {
    const kinds = { mail: "off", approval: "off", send: "off", brief: "off", health: "off" };
    const id = await f.target({ kinds });
    f.vipMail();
    await f.advance(10 * MINUTE_MS);
    expect((await f.patch(id, { kinds: { ...kinds, mail: "on" } })).status).toBe(200);
    await f.advance(10 * MINUTE_MS);
    expect(f.receiver.received).toEqual([]);
    f.vipMail();
    await f.advance(10 * MINUTE_MS);
    expect(f.receiver.received).toHaveLength(1);
  });
});

describe("faults", () => {
  const fault = { check: "disk space", result: "FAULT", detail: "Only 10 MB are free." };

  test("the owner is notified once of a failed check, of a failed backup and of a mailbox that cannot sign in", async () => {
    f.findings = [
      fault,
      { check: "clock", result: "advice", detail: "x" },
      { ...fault, check: "mailbox bo@x.example" },
    ];
    f.backup = { state: "failed", error: "The disk is full." };
    f.p.mailbox.accounts.setStatus(f.p.account.id, "auth_failed", "Wrong password.");
    await f.target({ detail: "subject" });
    await f.advance(MINUTE_MS);
    expect(f.sent()).toHaveLength(1);
    expect(f.sent()[0].message.split("\n")).toEqual([
      "ada@example.org: Postroom cannot sign in to this mailbox. Wrong password.",
      "disk space: Only 10 MB are free.",
      "backup: The last backup failed. The disk is full.",
    ]);
    f.findings = [];
    await f.advance(70 * MINUTE_MS);
    f.findings = [fault];
    await f.advance(70 * MINUTE_MS);
    expect(f.sent()).toHaveLength(1);
  });

  test("a fault that is back after a day is announced again", async () => {
    f.findings = [fault];
    await f.target({ detail: "subject" });
    await f.advance(MINUTE_MS);
    f.findings = [];
    for (let i = 0; i < 24; i++) await f.advance(61 * MINUTE_MS);
    f.findings = [fault];
    for (let i = 0; i < 2; i++) await f.advance(61 * MINUTE_MS);
    expect(f.sent()).toHaveLength(2);
  });

  test("a member is not notified of the installation, and a mailbox must be unreachable for an hour", async () => {
    await f.close();
    f = await notificationFixture({ role: "member" });
    await f.target({ detail: "sender" });
    f.findings = [fault];
    f.p.mailbox.accounts.setStatus(f.p.account.id, "unreachable", null);
    await f.advance(30 * MINUTE_MS);
    expect(f.sent()).toEqual([]);
    for (let i = 0; i < 12; i++) await f.advance(6 * MINUTE_MS);
    expect(f.sent()).toMatchObject([{ message: "The mailbox ada@example.org needs you" }]);
  });

  test("no checks run while no target wants them", async () => {
    const id = await f.target();
    await f.patch(id, { status: "off" });
    await f.advance(10 * MINUTE_MS);
    const jobs = f.h.platform.db.sql.query<{ kind: string }, []>("SELECT kind FROM jobs WHERE state = 'pending'").all();
    expect(jobs.filter(({ kind }) => kind.startsWith("notify"))).toEqual([]);
  });
});

describe("turning off and deleting", () => {
  test("a target that is off drops what waits, and starts from then on when it is on again", async () => {
    const id = await f.target();
    f.vipMail();
    await f.settle();
    expect((await f.view(id)).waiting).toBe(1);
    await f.patch(id, { status: "off" });
    f.vipMail();
    await f.advance(10 * MINUTE_MS);
    expect((await f.view(id)).waiting).toBe(0);
    await f.patch(id, { status: "active" });
    await f.advance(10 * MINUTE_MS);
    expect(f.receiver.received).toEqual([]);
    expect(audit("notification.update")).toHaveLength(2);
  });

  test("a deleted target leaves nothing", async () => {
    const id = await f.target();
    f.vipMail();
    await f.settle();
    expect((await f.me.call("DELETE", `/notifications/targets/${id}`)).status).toBe(204);
    await f.advance(10 * MINUTE_MS);
    expect(f.receiver.received).toEqual([]);
    expect(f.h.platform.db.sql.query("SELECT * FROM notification_items").all()).toEqual([]);
    expect((await f.me.call("DELETE", `/notifications/targets/${id}`)).status).toBe(404);
  });
});
