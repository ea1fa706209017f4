import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSendFixture, NOWHERE, type SendFixture } from "../../../test/support/send-fixture.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

const draft = async (body: unknown = { to: ["maria@acme.example"], subject: "Lunch" }): Promise<string> =>
  (await fixture.h.call("POST", "/drafts", { body })).json.id;
const used = () => fixture.h.platform.meters.used("sends", fixture.h.user.id);
const status = async (send_id: string) => (await fixture.h.call("GET", `/sends/${send_id}`)).json.status;
const dispatches = () => fixture.h.platform.jobs.nextDue(["dispatch"]);

describe("POST /drafts/{id}/send", () => {
  test("schedules the send and its job before responding", async () => {
    const id = await draft();
    const answer = await fixture.send(`/drafts/${id}/send`, { confirm: true });
    expect(answer.json).toEqual({
      send_id: expect.stringMatching(/^snd_/),
      status: "scheduled",
      undo_until: "2026-03-02T09:00:10.000Z",
    });
    expect(dispatches()).toBe(fixture.h.clock.now() + 10_000);
    expect(used()).toBe(1);
    const audit = fixture.h.platform.audit.list(fixture.h.user.id, { limit: 1, target: answer.json.send_id });
    expect(audit[0]).toMatchObject({ action: "send.schedule", after: { draft_id: id, to: ["maria@acme.example"] } });
    expect((await fixture.h.call("GET", `/sends/${answer.json.send_id}`)).json).toMatchObject({
      status: "scheduled",
      draft_id: id,
      to: ["maria@acme.example"],
      from: "ada@example.org",
      bounced: null,
    });
  });

  test("accepts fractions of a second, and 0", async () => {
    const half = await fixture.send(`/drafts/${await draft()}/send`, { confirm: true, undo_window_s: 2.5 });
    expect(half.json.undo_until).toBe("2026-03-02T09:00:02.500Z");
    const none = await fixture.send(`/drafts/${await draft()}/send`, { confirm: true, undo_window_s: 0 });
    expect(none.json.undo_until).toBe("2026-03-02T09:00:00.000Z");
  });

  test("counts on the day of its created_at, even if midnight passes during the request", async () => {
    const { clock, platform, user } = fixture.h;
    const id = await draft();
    const { now } = clock;
    let calls = 0;
    clock.now = () => now.call(clock) + calls++ * 86_400_000;
    const { send_id } = (await fixture.send(`/drafts/${id}/send`, { confirm: true })).json;
    const day = new Date(fixture.outbound.sends.get(send_id)!.created_at).toISOString().slice(0, 10);
    const counted = platform.meters.history("sends", user.id, 2 * calls).filter(({ value }) => value > 0);
    expect(counted).toEqual([{ day, value: 1 }]);
  });

  test("scheduled_at: the window ends at the later of the two times", async () => {
    const at = async (scheduled_at: string) =>
      (await fixture.send(`/drafts/${await draft()}/send`, { confirm: true, scheduled_at })).json.undo_until;
    expect(await at("2026-03-02T12:00:00+01:00")).toBe("2026-03-02T11:00:00.000Z");
    expect(await at("2026-03-02T09:00:01Z")).toBe("2026-03-02T09:00:10.000Z");
  });

  test.each([
    [{}, "confirm"],
    [{ confirm: false }, "confirm"],
    [{ confirm: "true" }, "confirm"],
    [{ confirm: true, undo_window_s: 30.5 }, "undo_window_s"],
    [{ confirm: true, undo_window_s: -1 }, "undo_window_s"],
    [{ confirm: true, undo_window_s: "10" }, "undo_window_s"],
    [{ confirm: true, scheduled_at: "2026-03-02T08:59:59Z" }, "scheduled_at"],
    [{ confirm: true, scheduled_at: "2027-04-02T09:00:00Z" }, "scheduled_at"],
    [{ confirm: true, scheduled_at: "tomorrow" }, "scheduled_at"],
  ])("refuses %j and names %s", async (body, param) => {
    const id = await draft();
    const answer = await fixture.send(`/drafts/${id}/send`, body);
    expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([400, "invalid_params", param]);
    expect([used(), dispatches()]).toEqual([0, null]);
  });

  test("needs an Idempotency-Key", async () => {
    const id = await draft();
    for (const headers of [{}, { "Idempotency-Key": "" }] as Record<string, string>[]) {
      const answer = await fixture.h.call("POST", `/drafts/${id}/send`, { body: { confirm: true }, headers });
      expect([answer.status, answer.json.error.param]).toEqual([400, "Idempotency-Key"]);
    }
  });

  test("needs a recipient, and a mailbox that can send", async () => {
    const withoutRecipient = await fixture.send(`/drafts/${await draft({ subject: "To nobody" })}/send`, {
      confirm: true,
    });
    expect([withoutRecipient.status, withoutRecipient.json.error.param]).toEqual([400, "to"]);
    const { accounts } = fixture.mailbox;
    const withoutServer = accounts.add({
      user_id: fixture.h.user.id,
      provider: "imap",
      email: "mute@example.org",
      connection: null,
    });
    const id = await draft({ account_id: withoutServer.id, to: ["maria@acme.example"] });
    const answer = await fixture.send(`/drafts/${id}/send`, { confirm: true });
    expect([answer.status, answer.json.error.param]).toEqual([400, "account_id"]);
    const files = { provider: "imported", email: "old@imported.invalid", connection: null, read_only: true } as const;
    const imported = accounts.add({ user_id: fixture.h.user.id, ...files });
    const from = await draft({ account_id: imported.id, to: ["maria@acme.example"] });
    const { error } = (await fixture.send(`/drafts/${from}/send`, { confirm: true })).json;
    expect(error).toMatchObject({ code: "invalid_params", param: "account_id" });
    expect(error.message).toContain("imported from files and has no mail server");
    expect(used()).toBe(0);
  });

  test("a draft that is being sent cannot be sent again", async () => {
    const id = await draft();
    await fixture.send(`/drafts/${id}/send`, { confirm: true });
    const again = await fixture.send(`/drafts/${id}/send`, { confirm: true });
    expect([again.status, again.json.error.code]).toEqual([409, "draft_locked"]);
    expect(used()).toBe(1);
  });

  test("50 concurrent calls with one Idempotency-Key create one send", async () => {
    const id = await draft();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fixture.send(`/drafts/${id}/send`, { confirm: true }, "the-same")),
    );
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.send_id}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true")).toHaveLength(49);
    expect((await fixture.h.call("GET", "/sends")).json.data).toHaveLength(1);
    expect(used()).toBe(1);
  });
});

describe("POST /messages/send", () => {
  const message = { to: ["maria@acme.example"], subject: "Lunch", body: "At one?" };

  test("schedules without a visible draft", async () => {
    const answer = await fixture.send("/messages/send", message);
    expect(answer.json).toMatchObject({ status: "scheduled", undo_until: "2026-03-02T09:00:10.000Z" });
    expect((await fixture.h.call("GET", "/drafts")).json.data).toEqual([]);
    expect(fixture.events("draft.created")).toEqual([]);
  });

  test("confirm may be absent, but not false", async () => {
    expect((await fixture.send("/messages/send", { ...message, confirm: true })).status).toBe(200);
    const answer = await fixture.send("/messages/send", { ...message, confirm: false });
    expect([answer.status, answer.json.error.param]).toEqual([400, "confirm"]);
  });

  test("50 concurrent calls with one Idempotency-Key create one send; another body is a conflict", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fixture.send("/messages/send", message, "one")));
    expect(new Set(answers.map(({ json }) => json.send_id)).size).toBe(1);
    const other = await fixture.send("/messages/send", { ...message, subject: "Dinner" }, "one");
    expect([other.status, other.json.error.code]).toEqual([409, "idempotency_conflict"]);
    expect((await fixture.h.call("GET", "/sends")).json.data).toHaveLength(1);
  });

  test.each([
    [{ to: [] }, "to"],
    [{ subject: "x" }, "to"],
    [{ ...message, to: ["maria@acme.example", "nobody"] }, "to[1]"],
    [{ ...message, from: "mallory@example.org" }, "from"],
  ])("refuses %j and names %s", async (body, param) => {
    const answer = await fixture.send("/messages/send", body);
    expect([answer.status, answer.json.error.param]).toEqual([400, param]);
  });
});

test("POST /messages/send replies to a thread with inherited recipients and subject", async () => {
  const { thread_id } = fixture.seeded.converse({ subject: "Budget", from: { name: "Bob", email: "bob@example.net" } });
  const { send_id } = (await fixture.send("/messages/send", { reply_to_thread_id: thread_id, body: "Fine." })).json;
  expect((await fixture.h.call("GET", `/sends/${send_id}`)).json).toMatchObject({
    to: ["bob@example.net"],
    subject: "Re: Budget",
  });
});

describe("POST /sends/{id}/cancel", () => {
  test("restores the draft and the quota", async () => {
    const id = await draft();
    const { send_id } = (await fixture.send(`/drafts/${id}/send`, { confirm: true })).json;
    fixture.h.clock.advance(9_999);
    const answer = await fixture.h.call("POST", `/sends/${send_id}/cancel`);
    expect(answer.json).toEqual({ send_id, status: "undone", draft_id: id });
    expect([await status(send_id), used()]).toEqual(["undone", 0]);
    expect((await fixture.h.call("PATCH", `/drafts/${id}`, { body: { subject: "Later" } })).status).toBe(200);
    expect((await fixture.send(`/drafts/${id}/send`, { confirm: true })).status).toBe(200);
    expect((await fixture.h.call("POST", `/sends/${send_id}/cancel`)).json).toEqual(answer.json);
  });

  test("turns a compose-and-send into a draft", async () => {
    const { send_id } = (await fixture.send("/messages/send", { to: ["m@acme.example"], subject: "S", body: "B" }))
      .json;
    const { draft_id } = (await fixture.h.call("POST", `/sends/${send_id}/cancel`)).json;
    expect((await fixture.h.call("GET", `/drafts/${draft_id}`)).json).toMatchObject({
      subject: "S",
      body: "B",
      status: "draft",
    });
    expect(fixture.events("draft.created")).toEqual([{ draft_id, thread_id: null }]);
  });

  test("is refused once the window has ended", async () => {
    const { send_id } = (await fixture.send("/messages/send", { to: ["m@acme.example"] })).json;
    fixture.h.clock.advance(10_000);
    const answer = await fixture.h.call("POST", `/sends/${send_id}/cancel`);
    expect([answer.status, answer.json.error.code]).toEqual([409, "undo_window_elapsed"]);
    expect(await status(send_id)).toBe("scheduled");
  });

  test("is refused for a window of 0", async () => {
    const { send_id } = (await fixture.send("/messages/send", { to: ["m@acme.example"], undo_window_s: 0 })).json;
    expect((await fixture.h.call("POST", `/sends/${send_id}/cancel`)).status).toBe(409);
  });

  test("does not restore the quota of another day", async () => {
    const body = { to: ["m@acme.example"], scheduled_at: "2026-03-05T09:00:00Z" };
    const { send_id } = (await fixture.send("/messages/send", body)).json;
    fixture.h.clock.advance(24 * 3_600_000);
    await fixture.send("/messages/send", { to: ["m@acme.example"] });
    await fixture.h.call("POST", `/sends/${send_id}/cancel`);
    expect(used()).toBe(1);
  });
});

describe("daily caps", () => {
  const send = (key?: string) =>
    fixture.h.call("POST", "/messages/send", {
      body: { to: ["m@acme.example"] },
      headers: { "Idempotency-Key": crypto.randomUUID() },
      ...(key ? { key } : {}),
    });

  test("a key's first day has a lower cap; a day later the plan applies", async () => {
    fixture.h.close();
    fixture = createSendFixture({ config: { "limits.new_key_sends_per_day": 2 } });
    await send();
    const second = (await send()).json.send_id;
    const third = await send();
    expect([third.status, third.json.error.code]).toEqual([429, "quota_exceeded"]);
    expect(Number(third.headers.get("retry-after"))).toBe(86_400);
    await fixture.h.call("POST", `/sends/${second}/cancel`);
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
    expect((await send(fixture.h.newKey().secret)).status).toBe(200);
    fixture.h.clock.advance(24 * 3_600_000);
    expect((await send()).status).toBe(200);
  });

  test("the plan's daily cap applies to all keys together, and a refusal is not stored under its Idempotency-Key", async () => {
    fixture.h.close();
    fixture = createSendFixture({ config: { "limits.autopilot.sends_per_day": 2 } });
    await send();
    await send(fixture.h.newKey().secret);
    const body = { to: ["m@acme.example"] };
    const refused = await fixture.send("/messages/send", body, "kept?");
    expect([refused.status, refused.json.error.code]).toEqual([429, "quota_exceeded"]);
    expect((await fixture.h.call("GET", "/sends")).json.data).toHaveLength(2);
    fixture.h.clock.set("2026-03-03T00:00:01Z");
    expect((await fixture.send("/messages/send", body, "kept?")).status).toBe(200);
  });
});

test("users who share a send quota use it up together, and a cancellation restores it for all", () => {
  const { platform, user } = fixture.h;
  const { scheduler, canceler } = fixture.outbound;
  const colleague = fixture.h.newUser("bo@example.org");
  const account = fixture.mailbox.accounts.add({
    user_id: colleague.id,
    provider: "imap",
    email: "bo@example.org",
    connection: NOWHERE,
  });
  const pool = { pool_id: "org_1", plan: "pro" as const };
  const as = ({ id }: { id: string }) => ({
    user_id: id,
    account_id: null,
    actor: { kind: "user" as const, id },
    request_id: null,
    key: { id: "key_org", created_at: 0 },
    user: { id, ...pool },
  });
  const send = (sender: { id: string }) =>
    scheduler.sendNow(as(sender), { to: ["m@acme.example"] }, { undo_window_s: 10 }).id;
  expect(account.is_primary).toBe(true);
  platform.db.write(() => platform.meters.spend("sends", "org_1", 198, null));
  send(user);
  const last = send(colleague);
  expect(() => send(user)).toThrow("used up");
  canceler.cancel(as(colleague), last);
  expect([platform.meters.used("sends", "org_1"), used()]).toEqual([199, 0]);
  send(user);
});

test("another user's sends are not found", async () => {
  const { send_id } = (await fixture.send("/messages/send", { to: ["m@acme.example"] })).json;
  const other = fixture.h.newUser("eve@example.org");
  const { secret } = fixture.h.newKey({ user_id: other.id });
  expect((await fixture.h.call("GET", `/sends/${send_id}`, { key: secret })).status).toBe(404);
  expect((await fixture.h.call("POST", `/sends/${send_id}/cancel`, { key: secret })).status).toBe(404);
  expect((await fixture.h.call("GET", "/sends", { key: secret })).json.data).toEqual([]);
});
