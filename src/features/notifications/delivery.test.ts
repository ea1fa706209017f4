import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { approvalFixture } from "../../../test/support/approval-fixture.ts";
import {
  HOUR_MS,
  MINUTE_MS,
  type NotificationFixture,
  notificationFixture,
} from "../../../test/support/notification-fixture.ts";
import { NOWHERE } from "../../../test/support/send-fixture.ts";

let f: NotificationFixture;
beforeEach(async () => {
  f = await notificationFixture();
});
afterEach(() => f.close());

const ALL_ON = { mail: "on", approval: "on", send: "on", brief: "on", health: "on" };
const approve = (n = 1) =>
  f.h.platform.events.emit(f.h.user.id, "approval.requested", {
    approval_id: `apv_${n}`,
    draft_id: `drf_${n}`,
    asked_by: { id: "key_1", name: "Claude" },
    recipients: 1,
  });
const inZone = (timezone: string) => f.h.platform.users.change(f.h.user.id, { timezone });

describe("quiet hours and digests", () => {
  // The clock of the test starts at 09:00 UTC.
  const QUIET = { quiet: true, quiet_start: "08:00", quiet_end: "12:00" };

  test("what comes during quiet hours is one message at their end; urgent kinds are sent at once", async () => {
    await f.settings(QUIET);
    const id = await f.target({ kinds: { ...ALL_ON, approval: "always" } });
    f.vipMail();
    await f.advance(30 * MINUTE_MS);
    f.vipMail();
    f.h.platform.events.emit(f.h.user.id, "brief.ready", { date: "2026-03-02", needs_reply_count: 0 });
    await f.advance(10 * MINUTE_MS);
    expect(f.sent()).toEqual([]);
    expect((await f.view(id)).waiting).toBe(3);
    approve();
    await f.advance(5_000);
    expect(f.sent()).toMatchObject([{ title: "Approval needed" }]);
    await f.advance(3 * HOUR_MS);
    expect(f.sent()).toHaveLength(2);
    expect(f.sent()[1]).toMatchObject({
      title: "3 notifications",
      message: "2 messages from VIPs have arrived.\nYour daily brief is ready.",
    });
  });

  test("without the mark, an approval waits for the end of quiet hours", async () => {
    await f.settings(QUIET);
    await f.target({ kinds: ALL_ON });
    approve();
    await f.advance(10 * MINUTE_MS);
    expect(f.sent()).toEqual([]);
    await f.advance(3 * HOUR_MS);
    expect(f.sent()).toHaveLength(1);
  });

  test("an approval that was decided during quiet hours is not announced afterwards", async () => {
    await f.settings(QUIET);
    const id = await f.target({ kinds: ALL_ON });
    const { platform } = f.h;
    f.p.mailbox.accounts.setConnection(f.p.account, NOWHERE);
    const asked = approvalFixture(platform, f.h.user.id, { id: "key_1", name: "Claude" });
    const { approval_id } = asked.ask({ subject: "Offer" });
    asked.ask({ subject: "Another offer", to: ["yan@new.example"] });
    await f.settle();
    expect((await f.view(id)).waiting).toBe(2);
    platform.db.sql.query("UPDATE send_approvals SET state = 'rejected' WHERE id = ?").run(approval_id);
    await f.advance(4 * HOUR_MS);
    expect(f.sent()).toMatchObject([{ title: "Approval needed", message: "A message waits for your approval." }]);
    expect((await f.view(id)).waiting).toBe(0);
  });

  test("quiet hours that are turned off, or move with the time zone, release what waits", async () => {
    await f.settings(QUIET);
    await f.target();
    f.vipMail();
    await f.advance(10 * MINUTE_MS);
    inZone("Asia/Tokyo");
    await f.advance(MINUTE_MS);
    expect(f.sent()).toHaveLength(1);
    inZone("UTC");
    f.vipMail();
    await f.advance(10 * MINUTE_MS);
    await f.settings({ quiet: false });
    await f.settle();
    expect(f.sent()).toHaveLength(2);
  });

  test("a digest joins what came since the last one", async () => {
    await f.target({ digest: "hours", digest_hours: 3, detail: "sender" });
    f.vipMail();
    await f.advance(HOUR_MS);
    f.vipMail();
    await f.advance(HOUR_MS + 59 * MINUTE_MS);
    expect(f.sent()).toEqual([]);
    await f.advance(MINUTE_MS);
    expect(f.sent()).toMatchObject([{ title: "2 notifications" }]);
    f.vipMail();
    await f.advance(2 * HOUR_MS);
    expect(f.sent()).toHaveLength(1);
    await f.advance(HOUR_MS);
    expect(f.sent()).toHaveLength(2);
  });

  test("more than can wait is only counted", async () => {
    const id = await f.target({ kinds: ALL_ON, digest: "daily", digest_at: "18:00" });
    for (let i = 0; i < 510; i++) approve(i);
    for (let i = 0; i < 10; i++) await f.advance(10_000);
    expect((await f.view(id)).waiting).toBe(510);
    await f.patch(id, { digest: "off" });
    await f.advance(MINUTE_MS);
    expect(f.sent()).toMatchObject([
      { title: "510 notifications", message: "500 messages wait for your approval.\nand 10 more" },
    ]);
    expect((await f.view(id)).waiting).toBe(0);
  });
});

describe("a server that does not answer", () => {
  test("is tried again with growing pauses, and gets everything as one message", async () => {
    const id = await f.target();
    f.receiver.behave = () => ({ status: 500, body: '{"error":"out of order"}' });
    f.vipMail();
    await f.advance(MINUTE_MS);
    expect(f.receiver.received).toHaveLength(1);
    expect(await f.view(id)).toMatchObject({
      status: "active",
      failure_count: 1,
      waiting: 1,
      outcome: { ok: false, response_status: 500, error: "the server answered 500: out of order" },
    });
    for (let i = 0; i < 20; i++) {
      f.vipMail();
      await f.advance(1_000);
    }
    expect(f.receiver.received).toHaveLength(1);
    await f.advance(10_000);
    expect(f.receiver.received).toHaveLength(2);
    await f.advance(MINUTE_MS);
    expect(f.receiver.received).toHaveLength(2);
    f.receiver.behave = () => ({ status: 200 });
    await f.advance(MINUTE_MS);
    expect(f.receiver.received).toHaveLength(3);
    expect(f.sent()[2].title).toBe("21 notifications");
    expect(await f.view(id)).toMatchObject({
      failure_count: 0,
      failing_since: null,
      waiting: 0,
      outcome: { ok: true },
    });
  });

  test.each(["reset", "hang"] as const)("a connection that ends in %s is a failure with a reason", async (behavior) => {
    const id = await f.target();
    f.receiver.behave = () => behavior;
    f.vipMail();
    await f.settle();
    f.h.clock.advance(MINUTE_MS);
    const settled = f.settle();
    await Bun.sleep(50);
    f.h.clock.advance(16_000);
    await settled;
    const { outcome } = await f.view(id);
    expect(outcome).toMatchObject({ ok: false, response_status: null });
    expect(outcome!.error).toMatch(/closed the connection|no response within 15 seconds/);
  });

  test("Retry-After is respected", async () => {
    await f.target();
    f.receiver.behave = () => ({ status: 429, headers: { "Retry-After": "1800" } });
    f.vipMail();
    await f.advance(MINUTE_MS);
    await f.advance(29 * MINUTE_MS);
    expect(f.receiver.received).toHaveLength(1);
    await f.advance(2 * MINUTE_MS);
    expect(f.receiver.received).toHaveLength(2);
  });

  test("after a day the target is failing: nothing more is sent until its person turns it on again", async () => {
    const id = await f.target();
    f.receiver.behave = () => ({ status: 502 });
    f.vipMail();
    for (let i = 0; i < 23 * 4; i++) await f.advance(15 * MINUTE_MS);
    expect(await f.view(id)).toMatchObject({ status: "active" });
    for (let i = 0; i < 24; i++) await f.advance(15 * MINUTE_MS);
    expect(await f.view(id)).toMatchObject({ status: "failing", waiting: 1 });
    const tried = f.receiver.received.length;
    expect(tried).toBeLessThan(15);
    f.vipMail();
    await f.advance(5 * HOUR_MS);
    expect(f.receiver.received).toHaveLength(tried);
    const [row] = f.h.platform.audit.list(f.h.user.id, { limit: 5, action: "notification.failing" });
    expect(row).toMatchObject({ actor: { kind: "system" }, target: id });
    f.receiver.behave = () => ({ status: 200 });
    await f.patch(id, { status: "active" });
    await f.advance(2 * MINUTE_MS);
    await f.advance(2 * MINUTE_MS);
    const titles = f.sent().map(({ title }) => title);
    expect(titles.slice(tried)).toEqual(["2 notifications"]);
    expect(await f.view(id)).toMatchObject({ status: "active", failure_count: 0, waiting: 0 });
  });

  test("a server that refuses the credentials makes the target fail after three attempts", async () => {
    const id = await f.target();
    f.receiver.behave = () => ({ status: 403, body: '{"code":40301,"error":"forbidden"}' });
    f.vipMail();
    for (let i = 0; i < 8; i++) await f.advance(MINUTE_MS);
    expect(f.receiver.received).toHaveLength(3);
    expect(await f.view(id)).toMatchObject({
      status: "failing",
      outcome: { error: "the server answered 403: forbidden" },
    });
  });
});

describe("a process that ends", () => {
  test("between the decision and the delivery: the next one delivers, once", async () => {
    await f.target();
    f.vipMail();
    await f.settle();
    await f.restart(false);
    await f.advance(2 * MINUTE_MS);
    expect(f.sent()).toHaveLength(1);
    await f.restart();
    await f.advance(5 * MINUTE_MS);
    expect(f.sent()).toHaveLength(1);
  });

  test("before the decision: the next one finds the event in the log", async () => {
    await f.target();
    await f.settle();
    f.vipMail();
    await f.restart(false);
    await f.advance(2 * MINUTE_MS);
    expect(f.sent()).toHaveLength(1);
  });

  test("an event that is read twice is delivered once", async () => {
    const id = await f.target();
    f.vipMail();
    await f.advance(2 * MINUTE_MS);
    f.h.platform.db.sql.query("UPDATE notification_targets SET position = 0 WHERE id = ?").run(id);
    await f.restart();
    await f.advance(5 * MINUTE_MS);
    expect(f.sent()).toHaveLength(1);
  });
});

test("two targets do not delay each other", async () => {
  await f.target({ topic: "dead" });
  await f.target({ topic: "alive" });
  f.receiver.behave = ({ body }) => ({ status: body.includes("dead") ? 500 : 200 });
  f.vipMail();
  await f.advance(MINUTE_MS);
  expect(
    f
      .sent()
      .map(({ topic }) => topic)
      .sort(),
  ).toEqual(["alive", "dead"]);
  await f.advance(MINUTE_MS);
  expect(
    f
      .sent()
      .map(({ topic }) => topic)
      .sort(),
  ).toEqual(["alive", "dead", "dead"]);
});

test("a deleted person leaves no notifications", async () => {
  await f.close();
  f = await notificationFixture({ role: "member" });
  await f.target();
  f.vipMail();
  await f.settle();
  f.h.platform.users.lockOut(f.h.user.id);
  f.h.platform.users.remove(f.h.user.id);
  await f.advance(10 * MINUTE_MS);
  expect(f.sent()).toEqual([]);
  for (const table of ["targets", "items", "settings", "findings"]) {
    expect(f.h.platform.db.sql.query(`SELECT * FROM notification_${table}`).all()).toEqual([]);
  }
});
