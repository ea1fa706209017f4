import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import {
  ACCEPTED,
  acceptsAll,
  createSendFixture,
  NOWHERE,
  type SendFixture,
} from "../../../test/support/send-fixture.ts";
import { parseMessage } from "../../wire/mime/parse.ts";
import type { SubmitResult } from "../../wire/smtp/result.ts";
import type { OutgoingMessage } from "../../wire/smtp/session.ts";
import { COPY_JOB, FIND_JOB, SETTLE_JOB } from "./dispatch.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

const MESSAGE = { to: ["maria@acme.example"], subject: "Lunch", body: "At one?" };
const schedule = async (more: object = {}): Promise<string> =>
  (await fixture.send("/messages/send", { ...MESSAGE, ...more })).json.send_id;
const refused = (code: number, response: string): SubmitResult => ({
  outcome: "refused",
  stage: "content",
  code,
  enhanced: null,
  response,
  rejected: [],
});
/** Sets the clock to when the next job of a kind is due. */
const skipTo = async (kind: string) => {
  fixture.h.clock.set(fixture.h.platform.jobs.nextDue([kind])!);
  await fixture.advance(1_000);
};
const waits = (kind: string) => fixture.h.platform.jobs.nextDue([kind]) !== null;

describe("when the window is over", () => {
  test("the message is sent, joins the mailbox, and is announced", async () => {
    const taken: OutgoingMessage[] = [];
    fixture.dispatch(acceptsAll(taken));
    const send_id = await schedule();
    await fixture.advance(9_999);
    expect([taken.length, (await fixture.view(send_id)).status]).toEqual([0, "scheduled"]);
    await fixture.advance(1);
    expect(taken).toHaveLength(1);
    const sent = await fixture.view(send_id);
    expect(sent).toMatchObject({ status: "sent", draft_id: null, attempts: 1, reason: null, rejected: [] });
    const { thread_id, message_id } = sent;
    expect(fixture.events("send.completed")).toEqual([{ send_id, thread_id, message_id }]);
    const scope = { user_id: fixture.h.user.id, account_id: null };
    expect(fixture.mailbox.messageQueries.get(scope, message_id!)).toMatchObject({
      thread_id,
      body_text: "At one?",
      unread: false,
    });
    expect(fixture.mailbox.threadQueries.get(scope, thread_id!)).toMatchObject({ state: "sent", subject: "Lunch" });
    expect(waits(COPY_JOB)).toBe(true);
    const parsed = await parseMessage(taken[0]!.raw);
    expect(parsed).toMatchObject({
      subject: "Lunch",
      messageId: `<${send_id}@example.org>`,
      from: { email: "ada@example.org" },
    });
    const actions = fixture.h.platform.audit
      .list(fixture.h.user.id, { limit: 9, target: send_id })
      .map(({ action }) => action);
    expect(actions).toEqual(["send.sent", "send.schedule"]);
  });

  test("a window of 0 seconds dispatches immediately", async () => {
    const taken: OutgoingMessage[] = [];
    fixture.dispatch(acceptsAll(taken));
    const send_id = await schedule({ undo_window_s: 0 });
    await fixture.advance(10);
    expect([taken.length, (await fixture.view(send_id)).status]).toEqual([1, "sent"]);
  });

  test("a reply joins its thread", async () => {
    const { thread_id } = fixture.seeded.converse({ subject: "Budget" }, { subject: "Re: Budget" });
    fixture.dispatch(acceptsAll());
    const draft = await fixture.h.call("POST", "/drafts", { body: { reply_to_thread_id: thread_id, body: "Fine." } });
    const { send_id } = (await fixture.send(`/drafts/${draft.json.id}/send`, { confirm: true })).json;
    await fixture.advance(10_000);
    expect((await fixture.view(send_id)).thread_id).toBe(thread_id);
    const thread = fixture.mailbox.threadQueries.get({ user_id: fixture.h.user.id, account_id: null }, thread_id);
    expect([thread.messages.length, thread.state]).toEqual([3, "inbox"]);
    expect((await fixture.h.call("GET", `/drafts/${draft.json.id}`)).status).toBe(404);
  });

  test("Bcc is in the envelope and not in the message; attachments are in it", async () => {
    const taken: OutgoingMessage[] = [];
    fixture.dispatch(acceptsAll(taken));
    const { id } = (await fixture.h.call("POST", "/drafts", { body: { ...MESSAGE, bcc: ["Eve <eve@example.net>"] } }))
      .json;
    const form = new FormData();
    form.set("file", new File(["the menu"], "menu.txt", { type: "text/plain" }));
    await fixture.h.call("POST", `/drafts/${id}/attachments`, { body: form });
    await fixture.send(`/drafts/${id}/send`, { confirm: true });
    await fixture.advance(10_000);
    expect(taken[0]!.envelope).toEqual({ from: "ada@example.org", to: ["maria@acme.example", "eve@example.net"] });
    const parsed = await parseMessage(taken[0]!.raw);
    expect([parsed.bcc, Buffer.from(taken[0]!.raw).includes("eve@")]).toEqual([[], false]);
    expect(Buffer.from(parsed.attachments[0]!.content!).toString()).toBe("the menu");
  });

  test("a send that became due while the process was down is sent once, at the next start", async () => {
    const send_id = await schedule();
    fixture.h.clock.advance(3 * 3_600_000);
    const taken: OutgoingMessage[] = [];
    fixture.dispatch(acceptsAll(taken));
    await fixture.advance(10);
    expect([taken.length, (await fixture.view(send_id)).status]).toEqual([1, "sent"]);
  });

  test("a canceled send is never delivered", async () => {
    const taken: OutgoingMessage[] = [];
    fixture.dispatch(acceptsAll(taken));
    const send_id = await schedule();
    await fixture.advance(9_999);
    expect((await fixture.h.call("POST", `/sends/${send_id}/cancel`)).status).toBe(200);
    await fixture.advance(60_000);
    expect([taken.length, (await fixture.view(send_id)).status]).toEqual([0, "undone"]);
  });
});

describe("server responses", () => {
  test("after 4xx, the same message is sent again later and can no longer be canceled", async () => {
    const answers = [refused(451, "451 try later"), refused(451, "451 try later"), ACCEPTED];
    const taken: OutgoingMessage[] = [];
    fixture.dispatch(async (_account, _login, message) => {
      taken.push(message);
      return answers.shift()!;
    });
    const send_id = await schedule({ undo_window_s: 0 });
    await fixture.advance(10);
    expect(await fixture.view(send_id)).toMatchObject({
      status: "sending",
      attempts: 1,
      detail: "451 try later",
      reason: null,
    });
    expect((await fixture.h.call("POST", `/sends/${send_id}/cancel`)).status).toBe(409);
    await fixture.advance(59_000);
    expect(taken).toHaveLength(1);
    await fixture.advance(1_000);
    expect(taken).toHaveLength(2);
    await fixture.advance(5 * 60_000);
    expect(await fixture.view(send_id)).toMatchObject({ status: "sent", attempts: 3 });
    expect(new Set(taken.map(({ raw }) => Buffer.from(raw).toString())).size).toBe(1);
    expect(fixture.events("send.completed")).toHaveLength(1);
  });

  test("4xx for a day: it fails, and the draft is returned", async () => {
    fixture.dispatch(async () => refused(451, "451 try later"));
    const send_id = await schedule();
    await skipTo("dispatch");
    const began = fixture.h.clock.now();
    while (waits("dispatch")) await skipTo("dispatch");
    expect(fixture.h.clock.now() - began).toBeWithin(24 * 3_600_000, 24.1 * 3_600_000);
    const { status, reason, detail, draft_id } = await fixture.view(send_id);
    expect([status, reason, detail]).toEqual(["failed", "provider_rejected", "451 try later"]);
    expect((await fixture.h.call("GET", `/drafts/${draft_id}`)).json).toMatchObject({
      subject: "Lunch",
      status: "draft",
    });
    expect(fixture.events("send.failed")).toEqual([{ send_id, reason, detail }]);
  });

  test("after 5xx, it fails immediately with the server's reply and can be sent again", async () => {
    const answers = [refused(554, "554 5.7.1 no, thank you"), ACCEPTED];
    fixture.dispatch(async () => answers.shift()!);
    const { id } = (await fixture.h.call("POST", "/drafts", { body: MESSAGE })).json;
    const { send_id } = (await fixture.send(`/drafts/${id}/send`, { confirm: true, undo_window_s: 0 })).json;
    await fixture.advance(10);
    expect(await fixture.view(send_id)).toMatchObject({
      status: "failed",
      draft_id: id,
      detail: "554 5.7.1 no, thank you",
    });
    const late = await fixture.h.call("POST", `/sends/${send_id}/cancel`);
    expect([late.json.error.code, late.json.error.message]).toEqual([
      "undo_window_elapsed",
      expect.stringContaining("has already failed"),
    ]);
    const again = (await fixture.send(`/drafts/${id}/send`, { confirm: true, undo_window_s: 0 })).json;
    await fixture.advance(10);
    expect((await fixture.view(again.send_id)).status).toBe("sent");
    expect((await fixture.view(send_id)).status).toBe("failed");
  });

  test("if only some recipients are refused, it counts as sent and names them", async () => {
    const rejected = [
      { recipient: "gone@acme.example", code: 550, enhanced: "5.1.1", response: "550 5.1.1 no such user" },
    ];
    fixture.dispatch(async () => ({ ...ACCEPTED, rejected }));
    const send_id = await schedule({ to: ["maria@acme.example", "gone@acme.example"], undo_window_s: 0 });
    await fixture.advance(10);
    expect(await fixture.view(send_id)).toMatchObject({
      status: "sent",
      rejected: [{ recipient: "gone@acme.example", detail: "550 5.1.1 no such user" }],
    });
  });

  test("without a response to the whole message, it is never sent again, and counts as sent if found on the server", async () => {
    let attempts = 0;
    fixture.dispatch(async (_account, _login, message) => {
      attempts++;
      await message.beforeEnd!();
      return { outcome: "unknown", detail: "cut" };
    });
    const send_id = await schedule({ undo_window_s: 0 });
    await fixture.advance(10);
    expect([(await fixture.view(send_id)).status, waits(FIND_JOB)]).toEqual(["sending", true]);
    await fixture.advance(60_000);
    expect(attempts).toBe(1);
    const { jobs } = fixture.h.platform;
    jobs.enqueue({ kind: SETTLE_JOB, user_id: fixture.h.user.id, payload: { send_id, found: true } });
    await fixture.advance(1_000);
    expect(await fixture.view(send_id)).toMatchObject({ status: "sent", attempts: 1 });
    expect(fixture.events("send.completed")).toHaveLength(1);
  });

  test("no response, and not found: delivery_unknown, with the draft back", async () => {
    fixture.dispatch(async (_account, _login, message) => {
      await message.beforeEnd!();
      return { outcome: "unknown", detail: "cut" };
    });
    const send_id = await schedule({ undo_window_s: 0 });
    await fixture.advance(10);
    fixture.h.platform.jobs.enqueue({
      kind: SETTLE_JOB,
      user_id: fixture.h.user.id,
      payload: { send_id, found: false },
    });
    await fixture.advance(1_000);
    expect(await fixture.view(send_id)).toMatchObject({ status: "failed", reason: "delivery_unknown" });
    expect(fixture.events("send.failed")).toHaveLength(1);
  });

  test("a restart between submission and response never sends again", async () => {
    const never = fixture.dispatch(async (_account, _login, message) => {
      await message.beforeEnd!();
      return new Promise<SubmitResult>(() => {});
    });
    const send_id = await schedule({ undo_window_s: 0 });
    fixture.h.clock.advance(10);
    await eventually(() => fixture.outbound.sends.get(send_id)!.handed_over_at !== null);
    void never.stop();
    const taken: OutgoingMessage[] = [];
    // Another boot: jobs that were running in the last one are returned to the queue.
    fixture.h.platform.db.sql.run("UPDATE jobs SET started_by = 'an earlier boot' WHERE state = 'running'");
    fixture.dispatch(acceptsAll(taken));
    await fixture.advance(60_000);
    expect([taken.length, (await fixture.view(send_id)).status, waits(FIND_JOB)]).toEqual([0, "sending", true]);
  });

  test("a restart before submission sends", async () => {
    const never = fixture.dispatch(() => new Promise<SubmitResult>(() => {}));
    const send_id = await schedule({ undo_window_s: 0 });
    fixture.h.clock.advance(10);
    await Bun.sleep(20);
    void never.stop();
    const taken: OutgoingMessage[] = [];
    fixture.h.platform.db.sql.run("UPDATE jobs SET started_by = 'an earlier boot' WHERE state = 'running'");
    fixture.dispatch(acceptsAll(taken));
    await fixture.advance(1_000);
    expect([taken.length, (await fixture.view(send_id)).status]).toEqual([1, "sent"]);
  });
});

test("a mailbox uses at most two connections, and all messages are sent", async () => {
  let [now, most] = [0, 0];
  fixture.dispatch(async () => {
    most = Math.max(most, ++now);
    await Bun.sleep(1);
    now--;
    return ACCEPTED;
  });
  for (let i = 0; i < 20; i++) await schedule({ undo_window_s: 0 });
  await fixture.advance(1_000);
  await fixture.advance(1_000);
  expect([most, fixture.events("send.completed").length]).toEqual([2, 20]);
});

test("a server that does not respond does not hold up other mailboxes' mail", async () => {
  const other = fixture.mailbox.accounts.add({
    user_id: fixture.h.user.id,
    provider: "imap",
    email: "b@example.org",
    connection: NOWHERE,
  });
  const stuck = fixture.seeded.account.id;
  fixture.dispatch((account) => (account === stuck ? new Promise(() => {}) : Promise.resolve(ACCEPTED)));
  for (let i = 0; i < 40; i++) await schedule({ undo_window_s: 0 });
  const send_id = await schedule({ undo_window_s: 0, account_id: other.id });
  fixture.h.clock.advance(10);
  await eventually(async () => (await fixture.view(send_id)).status === "sent");
});

test("if the disk is full after the server took the message, that is recorded later and it is not sent again", async () => {
  let attempts = 0;
  fixture.dispatch(async (_account, _login, message) => {
    attempts++;
    await message.beforeEnd!();
    fixture.h.platform.db.sql.run(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    fixture.h.platform.db.sql.run(
      "CREATE TEMP TRIGGER full_too BEFORE UPDATE ON sends BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    return ACCEPTED;
  });
  const send_id = await schedule({ undo_window_s: 0 });
  await fixture.advance(10);
  expect((await fixture.view(send_id)).status).toBe("sending");
  for (const name of ["full", "full_too"]) fixture.h.platform.db.sql.run(`DROP TRIGGER ${name}`);
  await fixture.advance(60_000);
  expect([attempts, (await fixture.view(send_id)).status]).toEqual([1, "sent"]);
  expect(fixture.events("send.completed")).toHaveLength(1);
});

test("a delivered message whose attachment is gone here since counts as sent", async () => {
  fixture.dispatch(async (_account, _login, message) => {
    await message.beforeEnd!();
    return { outcome: "unknown", detail: "cut" };
  });
  const { id } = (await fixture.h.call("POST", "/drafts", { body: MESSAGE })).json;
  const form = new FormData();
  form.set("file", new File(["the menu"], "menu.txt"));
  await fixture.h.call("POST", `/drafts/${id}/attachments`, { body: form });
  const { send_id } = (await fixture.send(`/drafts/${id}/send`, { confirm: true, undo_window_s: 0 })).json;
  await fixture.advance(10);
  const { config } = fixture.h.platform;
  rmSync(join(config.data_dir, "blobs"), { recursive: true });
  const { jobs } = fixture.h.platform;
  jobs.enqueue({ kind: SETTLE_JOB, user_id: fixture.h.user.id, payload: { send_id, found: true } });
  await fixture.advance(1_000);
  expect(await fixture.view(send_id)).toMatchObject({ status: "sent", message_id: null, reason: null });
});

test("an alias that was removed since fails the send with a readable reason", async () => {
  const { accounts } = fixture.mailbox;
  const account = fixture.seeded.account;
  accounts.setProfile(account, { ...account, aliases: ["shop@example.org"] });
  fixture.dispatch(acceptsAll());
  const send_id = await schedule({ from: "Shop <shop@example.org>" });
  accounts.setProfile(account, { ...account, aliases: [] });
  await fixture.advance(10_000);
  expect(await fixture.view(send_id)).toMatchObject({ status: "failed", reason: "compose_failed" });
});

test("in the sandbox it is returned as received mail, and no server is contacted", async () => {
  const sandbox = fixture.h.platform.users.sandboxOf(fixture.h.user.id);
  const account = fixture.mailbox.accounts.add({
    user_id: sandbox.id,
    provider: "sandbox",
    email: "alex@sandbox.example",
    connection: null,
  });
  let asked = 0;
  fixture.dispatch(async () => {
    asked++;
    return ACCEPTED;
  });
  const { secret } = fixture.h.newKey({ test: true });
  const headers = { "Idempotency-Key": "1" };
  const { send_id } = (
    await fixture.h.call("POST", "/messages/send", { key: secret, headers, body: { ...MESSAGE, undo_window_s: 1 } })
  ).json;
  await fixture.advance(1_000);
  const sent = (await fixture.h.call("GET", `/sends/${send_id}`, { key: secret })).json;
  expect([asked, sent.status]).toEqual([0, "sent"]);
  const events = fixture.h.platform.events.after(sandbox.id, 0, 100).map(({ event, data }) => [event, data]);
  const { thread_id, message_id } = sent;
  expect(events).toEqual([
    ["message.received", expect.objectContaining({ thread_id, message_id, account_id: account.id, subject: "Lunch" })],
    ["send.completed", { send_id, thread_id, message_id }],
  ]);
  const thread = fixture.mailbox.threadQueries.get({ user_id: sandbox.id, account_id: null }, thread_id);
  expect([thread.state, thread.messages.length]).toEqual(["inbox", 1]);
  expect(waits(COPY_JOB)).toBe(false);
  expect(NOWHERE.smtp?.port).toBe(1);
});
