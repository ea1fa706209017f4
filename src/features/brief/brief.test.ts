import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ADA, type AiFixture, aiFixture, BOB } from "../../../test/support/ai-fixture.ts";
import { nextTimeOfDay } from "../../platform/jobs/cron.ts";
import type { Brief } from "./model.ts";

let s: AiFixture;
/** Monday, 2 March 2026, 09:00 UTC: the clock of the test harness. */
const NOW = Date.parse("2026-03-02T09:00:00Z");
const daysAgo = (days: number) => NOW - days * 86_400_000;

beforeEach(() => {
  s = aiFixture();
});
afterEach(() => s.h.close());

async function brief(): Promise<Brief> {
  const made = await s.h.call("POST", "/brief/generate");
  expect(made.json).toEqual({ date: "2026-03-02", status: "ready", credits_spent: 3 });
  const { status, json } = await s.h.call("GET", "/brief/latest");
  expect(status).toBe(200);
  return json;
}

/** Asserts that every item of a brief quotes its message word for word at the given position. */
function expectEvidence(made: Brief): void {
  for (const item of [...made.needs_reply, ...made.commitments, ...made.undated]) {
    expect(s.slice(item.message_id, item.start, item.end)).toBe(item.quote);
  }
}

describe("needs_reply", () => {
  test("lists an unanswered question to the user, with its position in the message", async () => {
    const text = "Hi Ada,\n\nhope you are well. Could you send me the signed contract by Friday?\n\nBob";
    const { thread_id, message_ids } = s.seeded.converse(s.fromBob(text, { at: daysAgo(2), subject: "Contract" }));
    const made = await brief();
    expect(made.needs_reply).toEqual([
      {
        thread_id,
        message_id: message_ids[0]!,
        from: BOB,
        subject: "Contract",
        why: "Asked 2 days ago: “Could you send me the signed contract by Friday?”, due on Friday.",
        asked_at: new Date(daysAgo(2)).toISOString(),
        due: "2026-03-06",
        vip: false,
        quote: "Could you send me the signed contract by Friday?",
        start: 28,
        end: 76,
      },
    ]);
    expectEvidence(made);
  });

  test.each<[string, (fixture: AiFixture) => void]>([
    [
      "was answered",
      (fixture) =>
        fixture.seeded.converse(
          fixture.fromBob("Can you come?", { at: daysAgo(3) }),
          fixture.toBob("Yes.", { at: daysAgo(2) }),
        ),
    ],
    [
      "is in a newsletter",
      (fixture) =>
        fixture.seeded.deliver(fixture.fromBob("Can you resist?", { category: "promotions", at: daysAgo(1) })),
    ],
    [
      "was archived",
      (fixture) => fixture.seeded.deliver(fixture.fromBob("Can you come?", { role: "archive", at: daysAgo(1) })),
    ],
    [
      "is spam",
      (fixture) => fixture.seeded.deliver(fixture.fromBob("Can you come?", { role: "spam", at: daysAgo(1) })),
    ],
    [
      "is older than a month",
      (fixture) => fixture.seeded.deliver(fixture.fromBob("Can you come?", { at: daysAgo(40) })),
    ],
    [
      "addresses another person by name",
      (fixture) => {
        const to = [ADA, { name: "Zoe Quinn", email: "zoe@acme.example" }];
        fixture.seeded.deliver(fixture.fromBob("Zoe, could you send the slides?", { to, at: daysAgo(1) }));
      },
    ],
    [
      "was sent to someone else, with a copy to the user",
      (fixture) => {
        const to = [{ name: "Zoe", email: "zoe@acme.example" }];
        fixture.seeded.deliver(fixture.fromBob("Could you send the slides?", { to, cc: [ADA], at: daysAgo(1) }));
      },
    ],
    [
      "is mere politeness",
      (fixture) =>
        fixture.seeded.deliver(fixture.fromBob("If you have any questions, let me know.", { at: daysAgo(1) })),
    ],
    [
      "is in quoted history",
      (fixture) => {
        const body_text = "Thanks, all clear.";
        fixture.seeded.deliver(
          fixture.fromBob(body_text, {
            text: `${body_text}\n\n> Could you send it?`,
            newText: body_text,
            bodyText: body_text,
            at: daysAgo(1),
          }),
        );
      },
    ],
  ])("omits a question that %s", async (_what, fill) => {
    fill(s);
    expect((await brief()).needs_reply).toEqual([]);
  });

  test("lists a question that addresses the user by name, even in a copy", async () => {
    const to = [{ name: "Zoe", email: "zoe@acme.example" }];
    s.seeded.deliver(s.fromBob("Hello both.\nAda, could you check the numbers?", { to, cc: [ADA], at: daysAgo(1) }));
    expect((await brief()).needs_reply.map(({ quote }) => quote)).toEqual(["Ada, could you check the numbers?"]);
  });

  test("is ranked by VIP and due date", async () => {
    const zoe = { name: "Zoe", email: "zoe@acme.example" };
    const eve = { name: "Eve", email: "eve@acme.example" };
    s.seeded.deliver(s.fromBob("Can you call me?", { subject: "plain", at: daysAgo(1) }));
    s.seeded.deliver({ from: zoe, to: [ADA], text: "Can you call me?", subject: "vip", at: daysAgo(1) });
    s.seeded.deliver({ from: eve, to: [ADA], text: "Can you call me today?", subject: "soon", at: daysAgo(0.1) });
    const store = s.people.contactStore;
    store.recordAddress(s.h.user.id, { ...zoe, rank: 2, at: NOW });
    s.h.platform.db.sql.run("UPDATE contacts SET vip = 1, imported = 1");
    expect((await brief()).needs_reply.map(({ subject, vip }) => [subject, vip])).toEqual([
      ["vip", true],
      ["soon", false],
      ["plain", false],
    ]);
  });
});

describe("a VIP", () => {
  const vip = { name: "Zoe Winter", email: "zoe.winter@acme.example" };
  const stranger = { name: "Zoe Winter", email: "zoe.winter@evil.example" };
  const asks = (from: { name: string; email: string }) =>
    s.seeded.deliver({ from, to: [ADA], text: "Can you call me?", subject: from.email, at: daysAgo(1) });
  const see = (person: typeof vip, rank: 1 | 2 | 3) =>
    s.people.contactStore.recordAddress(s.h.user.id, { ...person, rank, at: NOW });
  const vips = async () => (await brief()).needs_reply.filter((item) => item.vip).map(({ from }) => from.email);
  const mark = () => s.h.platform.db.sql.run("UPDATE contacts SET vip = 1");

  test("is not a stranger who uses the name of a person whom the user has written to", async () => {
    asks(vip);
    asks(stranger);
    see(vip, 1);
    s.mailbox.importer.noteCorrespondents(
      { user_id: s.h.user.id, id: s.seeded.account.id, self: new Set() } as never,
      { to: [vip], cc: [], bcc: [] },
      false,
    );
    see(stranger, 2);
    mark();
    expect(s.h.platform.db.sql.query("SELECT count(*) AS n FROM contacts").get()).toEqual({ n: 1 });
    expect(await vips()).toEqual([vip.email]);
  });

  test("is not a stranger who uses the name of a person in the address book", async () => {
    asks(vip);
    asks(stranger);
    see(vip, 3);
    see(stranger, 2);
    mark();
    expect(await vips()).toEqual([vip.email]);
  });

  test("can be a person who only ever wrote to the user, as long as no one else uses that name", async () => {
    asks(vip);
    see(vip, 2);
    mark();
    expect(await vips()).toEqual([vip.email]);
    asks(stranger);
    see(stranger, 2);
    expect(await vips()).toEqual([]);
  });
});

describe("commitments", () => {
  test("are promises by the user and to the user, with their due dates", async () => {
    const mine = s.seeded.converse(s.toBob("I'll send you the slides by Wednesday.", { at: daysAgo(1) }));
    const theirs = s.seeded.converse(s.fromBob("Hi Ada, we will get back to you on Thursday.", { at: daysAgo(2) }));
    const made = await brief();
    expect(
      made.commitments.map(({ thread_id, promise, due, by, overdue }) => [thread_id, promise, due, by, overdue]),
    ).toEqual([
      [mine.thread_id, "I'll send you the slides by Wednesday.", "2026-03-04", "me", false],
      [theirs.thread_id, "Hi Ada, we will get back to you on Thursday.", "2026-03-05", "them", false],
    ]);
    expect(made.commitments[0]!.with).toEqual(BOB);
    expectEvidence(made);
  });

  test("are omitted if kept or long overdue; those of last week are marked overdue", async () => {
    s.seeded.converse(
      s.toBob("I'll send you the slides by Wednesday.", { at: daysAgo(3) }),
      s.toBob("Here are the slides.", { at: daysAgo(2) }),
    );
    s.seeded.converse(s.toBob("I'll pay the invoice by tomorrow.", { at: daysAgo(20) }));
    s.seeded.converse(s.toBob("I will call the bank tomorrow.", { at: daysAgo(4) }));
    expect((await brief()).commitments.map(({ promise, overdue }) => [promise, overdue])).toEqual([
      ["I will call the bank tomorrow.", true],
    ]);
  });

  test("without a date are listed separately, so that every due is a date", async () => {
    s.seeded.converse(s.toBob("I'll look into it and get back to you.", { at: daysAgo(1) }));
    const made = await brief();
    expect(made.commitments).toEqual([]);
    expect(made.undated.map(({ promise, due }) => [promise, due])).toEqual([
      ["I'll look into it and get back to you.", null],
    ]);
    expectEvidence(made);
  });
});

describe("a brief", () => {
  test("is not found before the first one was generated", async () => {
    expect((await s.h.call("GET", "/brief/latest")).json.error.code).toBe("not_found");
  });

  test("emits brief.ready, spends three credits and is audited, in one transaction", async () => {
    s.seeded.deliver(s.fromBob("Can you come?", { at: daysAgo(1) }));
    await brief();
    expect(s.events("brief.ready")).toEqual([{ date: "2026-03-02", needs_reply_count: 1 }]);
    expect(s.h.platform.meters.used("ai_credits", s.h.user.id)).toBe(3);
    expect(s.h.platform.audit.list(s.h.user.id, { limit: 9, action: "brief.generate" })).toHaveLength(1);
  });

  test("is generated once for a retried request", async () => {
    const headers = { "Idempotency-Key": "k" };
    const first = await s.h.call("POST", "/brief/generate", { headers });
    const again = await s.h.call("POST", "/brief/generate", { headers });
    expect(again.json).toEqual(first.json);
    expect(s.h.platform.meters.used("ai_credits", s.h.user.id)).toBe(3);
    expect(s.events("brief.ready")).toHaveLength(1);
  });

  test("is refused and costs nothing if metered credits are used up", async () => {
    s.h.close();
    s = aiFixture({ config: { "ai.metered": true, "limits.autopilot.ai_credits_per_month": 5 } });
    expect((await s.h.call("POST", "/brief/generate")).status).toBe(200);
    const refused = await s.h.call("POST", "/brief/generate");
    expect([refused.status, refused.json.error.code]).toEqual([402, "insufficient_credits"]);
    expect(s.h.platform.meters.used("ai_credits", s.h.user.id)).toBe(3);
    expect(s.events("brief.ready")).toHaveLength(1);
  });

  test("omits a message that was deleted since", async () => {
    s.seeded.deliver(s.fromBob("Can you come?", { at: daysAgo(1) }));
    expect((await brief()).needs_reply).toHaveLength(1);
    s.h.platform.db.sql.run("DELETE FROM messages");
    expect((await s.h.call("GET", "/brief/latest")).json.needs_reply).toEqual([]);
  });

  test.each(["trash", "spam"] as const)("omits a thread that was moved to %s since", async (state) => {
    const { thread_id } = s.seeded.deliver(s.fromBob("Can you come? I'll call you on Friday.", { at: daysAgo(1) }));
    const made = await brief();
    expect([made.needs_reply.length, made.commitments.length]).toEqual([1, 1]);
    const by = { user_id: s.h.user.id, account_id: null, actor: { kind: "user" as const, id: null }, request_id: null };
    s.mailbox.changes.update(by, thread_id, { state });
    expect((await s.h.call("GET", "/brief/latest")).json).toMatchObject({ needs_reply: [], commitments: [] });
  });

  test("shows a key that is bound to one mailbox only items from that mailbox", async () => {
    s.seeded.deliver(s.fromBob("Can you come?", { at: daysAgo(1) }));
    const other = s.mailbox.accounts.add({
      user_id: s.h.user.id,
      provider: "imap",
      email: "ada@other.example",
      connection: null,
    });
    await brief();
    const bound = s.h.newKey({ account_id: other.id });
    expect((await s.h.call("GET", "/brief/latest", { key: bound.secret })).json.needs_reply).toEqual([]);
  });

  test("has settings that a key bound to one mailbox cannot change, because they affect all mailboxes", async () => {
    const bound = s.h.newKey({ account_id: s.seeded.account.id });
    const body = { daily: false, mail: true };
    const { status, json } = await s.h.call("PATCH", "/brief/settings", { key: bound.secret, body });
    expect([status, json.error.code]).toEqual([403, "forbidden_scope"]);
    expect((await s.h.call("GET", "/brief/settings", { key: bound.secret })).json).toMatchObject({
      daily: true,
      mail: false,
    });
  });

  test("of another user is not visible", async () => {
    s.seeded.deliver(s.fromBob("Can you come?", { at: daysAgo(1) }));
    await brief();
    const { id } = s.h.newUser("zoe@example.org");
    const { secret } = s.h.newKey({ user_id: id });
    expect((await s.h.call("GET", "/brief/latest", { key: secret })).status).toBe(404);
  });
});

describe("the daily brief", () => {
  test("is due at the user's local time of day, even when the clocks change", () => {
    const at = (time: string, zone: string, now: string) =>
      new Date(nextTimeOfDay(time, zone, Date.parse(now))).toISOString();
    expect(at("07:00", "Europe/Lisbon", "2026-03-02T09:00:00Z")).toBe("2026-03-03T07:00:00.000Z");
    expect(at("07:00", "America/New_York", "2026-03-02T09:00:00Z")).toBe("2026-03-02T12:00:00.000Z");
    expect(at("07:00", "Europe/Berlin", "2026-03-28T09:00:00Z")).toBe("2026-03-29T05:00:00.000Z");
    // 02:30 does not exist on that day.
    expect(at("02:30", "Europe/Berlin", "2026-03-28T09:00:00Z")).toStartWith("2026-03-29T0");
  });

  async function runDue(): Promise<number> {
    const { handler } = s.ai.jobs.brief ? { handler: s.ai.jobs.brief } : { handler: null };
    let ran = 0;
    for (let job = s.h.platform.jobs.claim("brief"); job; job = s.h.platform.jobs.claim("brief")) {
      s.h.platform.jobs.finish(job, await handler!.run(job));
      ran++;
    }
    return ran;
  }

  test("is generated once a day, and the next one is queued", async () => {
    s.ai.start();
    expect(await runDue()).toBe(0);
    s.h.clock.advance(23 * 3_600_000);
    expect(await runDue()).toBeGreaterThan(0);
    expect(s.events("brief.ready")).toEqual([{ date: "2026-03-03", needs_reply_count: 0 }]);
    expect(await runDue()).toBe(0);
    s.h.clock.advance(86_400_000);
    await runDue();
    expect(s.events("brief.ready")).toHaveLength(2);
  });

  test("follows the settings, including turning it off", async () => {
    s.ai.start();
    const changed = await s.h.call("PATCH", "/brief/settings", { body: { time: "10:30" } });
    expect(changed.json).toEqual({ daily: true, time: "10:30", timezone: "UTC", mail: false });
    s.h.clock.advance(2 * 3_600_000);
    await runDue();
    expect(s.events("brief.ready")).toHaveLength(1);
    await s.h.call("PATCH", "/brief/settings", { body: { daily: false } });
    s.h.clock.advance(3 * 86_400_000);
    await runDue();
    expect(s.events("brief.ready")).toHaveLength(1);
  });

  test("follows the user to another time zone at once", async () => {
    s.ai.start();
    // It is 18:00 in Tokyo. The next 07:00 there is 22:00 UTC, nine hours before 07:00 UTC.
    s.h.platform.users.change(s.h.user.id, { timezone: "Asia/Tokyo" });
    s.h.clock.advance(13 * 3_600_000 - 1);
    await runDue();
    expect(s.events("brief.ready")).toEqual([]);
    s.h.clock.advance(1);
    await runDue();
    expect(s.events("brief.ready")).toEqual([{ date: "2026-03-03", needs_reply_count: 0 }]);
    // The job that was queued for 07:00 UTC does not generate a second brief.
    s.h.clock.advance(12 * 3_600_000);
    await runDue();
    expect(s.events("brief.ready")).toHaveLength(1);
  });

  test("is mailed only if that is turned on", async () => {
    s.ai.start();
    const sends = () => s.h.platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM sends").get()!.n;
    s.h.clock.advance(86_400_000);
    await runDue();
    expect(sends()).toBe(0);
    await s.h.call("PATCH", "/brief/settings", { body: { mail: true } });
    s.mailbox.accounts.setConnection(s.seeded.account, {
      imap: { host: "127.0.0.1", port: 1, security: "none" },
      smtp: { host: "127.0.0.1", port: 1, security: "none" },
      username: "ada",
      password: "x",
    });
    s.h.clock.advance(86_400_000);
    await runDue();
    expect(sends()).toBe(1);
  });

  test("refuses an invalid time", async () => {
    const answer = await s.h.call("PATCH", "/brief/settings", { body: { time: "25:00" } });
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param: "time" });
  });
});
