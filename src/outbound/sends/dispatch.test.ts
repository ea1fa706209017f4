import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import {
  ACCEPTED,
  createSendFixture,
  NOWHERE,
  type SendFixture,
  takesAll,
} from "../../../test/support/send-fixture.ts";
import { parseMessage } from "../../wire/mime/parse.ts";
import type { SubmitResult } from "../../wire/smtp/result.ts";
import type { OutgoingMessage } from "../../wire/smtp/session.ts";
import { COPY_JOB, FIND_JOB, SETTLE_JOB } from "./dispatch.ts";

let scene: SendFixture;
beforeEach(() => {
  scene = createSendFixture();
});
afterEach(() => scene.h.close());

const MESSAGE = { to: ["maria@acme.example"], subject: "Lunch", body: "At one?" };
const schedule = async (more: object = {}): Promise<string> =>
  (await scene.send("/messages/send", { ...MESSAGE, ...more })).json.send_id;
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
  scene.h.clock.set(scene.h.platform.jobs.nextDue([kind])!);
  await scene.advance(1_000);
};
const waits = (kind: string) => scene.h.platform.jobs.nextDue([kind]) !== null;

describe("when the window is over", () => {
  test("the message is sent, joins the mailbox, and is announced", async () => {
    const taken: OutgoingMessage[] = [];
    scene.dispatch(takesAll(taken));
    const send_id = await schedule();
    await scene.advance(9_999);
    expect([taken.length, (await scene.view(send_id)).status]).toEqual([0, "scheduled"]);
    await scene.advance(1);
    expect(taken).toHaveLength(1);
    const sent = await scene.view(send_id);
    expect(sent).toMatchObject({ status: "sent", draft_id: null, attempts: 1, reason: null, rejected: [] });
    const { thread_id, message_id } = sent;
    expect(scene.events("send.completed")).toEqual([{ send_id, thread_id, message_id }]);
    const scope = { user_id: scene.h.user.id, account_id: null };
    expect(scene.mailbox.messageQueries.get(scope, message_id!)).toMatchObject({
      thread_id,
      body_text: "At one?",
      unread: false,
    });
    expect(scene.mailbox.threadQueries.get(scope, thread_id!)).toMatchObject({ state: "sent", subject: "Lunch" });
    expect(waits(COPY_JOB)).toBe(true);
    const parsed = await parseMessage(taken[0]!.raw);
    expect(parsed).toMatchObject({
      subject: "Lunch",
      messageId: `<${send_id}@example.org>`,
      from: { email: "ada@example.org" },
    });
    const actions = scene.h.platform.audit
      .list(scene.h.user.id, { limit: 9, target: send_id })
      .map(({ action }) => action);
    expect(actions).toEqual(["send.sent", "send.schedule"]);
  });

  test("a window of 0 seconds dispatches immediately", async () => {
    const taken: OutgoingMessage[] = [];
    scene.dispatch(takesAll(taken));
    const send_id = await schedule({ undo_window_s: 0 });
    await scene.advance(10);
    expect([taken.length, (await scene.view(send_id)).status]).toEqual([1, "sent"]);
  });

  test("a reply joins its thread", async () => {
    const { thread_id } = scene.seeded.converse({ subject: "Budget" }, { subject: "Re: Budget" });
    scene.dispatch(takesAll());
    const draft = await scene.h.call("POST", "/drafts", { body: { reply_to_thread_id: thread_id, body: "Fine." } });
    const { send_id } = (await scene.send(`/drafts/${draft.json.id}/send`, { confirm: true })).json;
    await scene.advance(10_000);
    expect((await scene.view(send_id)).thread_id).toBe(thread_id);
    const thread = scene.mailbox.threadQueries.get({ user_id: scene.h.user.id, account_id: null }, thread_id);
    expect([thread.messages.length, thread.state]).toEqual([3, "inbox"]);
    expect((await scene.h.call("GET", `/drafts/${draft.json.id}`)).status).toBe(404);
  });

  test("Bcc is in the envelope and not in the message; attachments are in it", async () => {
    const taken: OutgoingMessage[] = [];
    scene.dispatch(takesAll(taken));
    const { id } = (await scene.h.call("POST", "/drafts", { body: { ...MESSAGE, bcc: ["Eve <eve@example.net>"] } }))
      .json;
    const form = new FormData();
    form.set("file", new File(["the menu"], "menu.txt", { type: "text/plain" }));
    await scene.h.call("POST", `/drafts/${id}/attachments`, { body: form });
    await scene.send(`/drafts/${id}/send`, { confirm: true });
    await scene.advance(10_000);
    expect(taken[0]!.envelope).toEqual({ from: "ada@example.org", to: ["maria@acme.example", "eve@example.net"] });
    const parsed = await parseMessage(taken[0]!.raw);
    expect([parsed.bcc, Buffer.from(taken[0]!.raw).includes("eve@")]).toEqual([[], false]);
    expect(Buffer.from(parsed.attachments[0]!.content!).toString()).toBe("the menu");
  });

  test("a send that fell due while the process was down is sent at the next start, once", async () => {
    const send_id = await schedule();
    scene.h.clock.advance(3 * 3_600_000);
    const taken: OutgoingMessage[] = [];
    scene.dispatch(takesAll(taken));
    await scene.advance(10);
    expect([taken.length, (await scene.view(send_id)).status]).toEqual([1, "sent"]);
  });

  test("a canceled send is never delivered", async () => {
    const taken: OutgoingMessage[] = [];
    scene.dispatch(takesAll(taken));
    const send_id = await schedule();
    await scene.advance(9_999);
    expect((await scene.h.call("POST", `/sends/${send_id}/cancel`)).status).toBe(200);
    await scene.advance(60_000);
    expect([taken.length, (await scene.view(send_id)).status]).toEqual([0, "undone"]);
  });
});

describe("server responses", () => {
  test("4xx: the same message is sent again later, and cannot be canceled any more", async () => {
    const answers = [refused(451, "451 try later"), refused(451, "451 try later"), ACCEPTED];
    const taken: OutgoingMessage[] = [];
    scene.dispatch(async (_account, _login, message) => {
      taken.push(message);
      return answers.shift()!;
    });
    const send_id = await schedule({ undo_window_s: 0 });
    await scene.advance(10);
    expect(await scene.view(send_id)).toMatchObject({
      status: "sending",
      attempts: 1,
      detail: "451 try later",
      reason: null,
    });
    expect((await scene.h.call("POST", `/sends/${send_id}/cancel`)).status).toBe(409);
    await scene.advance(59_000);
    expect(taken).toHaveLength(1);
    await scene.advance(1_000);
    expect(taken).toHaveLength(2);
    await scene.advance(5 * 60_000);
    expect(await scene.view(send_id)).toMatchObject({ status: "sent", attempts: 3 });
    expect(new Set(taken.map(({ raw }) => Buffer.from(raw).toString())).size).toBe(1);
    expect(scene.events("send.completed")).toHaveLength(1);
  });

  test("4xx for a day: it fails, and the draft is returned", async () => {
    scene.dispatch(async () => refused(451, "451 try later"));
    const send_id = await schedule();
    await skipTo("dispatch");
    const began = scene.h.clock.now();
    while (waits("dispatch")) await skipTo("dispatch");
    expect(scene.h.clock.now() - began).toBeWithin(24 * 3_600_000, 24.1 * 3_600_000);
    const { status, reason, detail, draft_id } = await scene.view(send_id);
    expect([status, reason, detail]).toEqual(["failed", "provider_rejected", "451 try later"]);
    expect((await scene.h.call("GET", `/drafts/${draft_id}`)).json).toMatchObject({
      subject: "Lunch",
      status: "draft",
    });
    expect(scene.events("send.failed")).toEqual([{ send_id, reason, detail }]);
  });

  test("5xx: it fails immediately with the server's reply, and can be sent again", async () => {
    const answers = [refused(554, "554 5.7.1 no, thank you"), ACCEPTED];
    scene.dispatch(async () => answers.shift()!);
    const { id } = (await scene.h.call("POST", "/drafts", { body: MESSAGE })).json;
    const { send_id } = (await scene.send(`/drafts/${id}/send`, { confirm: true, undo_window_s: 0 })).json;
    await scene.advance(10);
    expect(await scene.view(send_id)).toMatchObject({
      status: "failed",
      draft_id: id,
      detail: "554 5.7.1 no, thank you",
    });
    const late = await scene.h.call("POST", `/sends/${send_id}/cancel`);
    expect([late.json.error.code, late.json.error.message]).toEqual([
      "undo_window_elapsed",
      expect.stringContaining("has already failed"),
    ]);
    const again = (await scene.send(`/drafts/${id}/send`, { confirm: true, undo_window_s: 0 })).json;
    await scene.advance(10);
    expect((await scene.view(again.send_id)).status).toBe("sent");
    expect((await scene.view(send_id)).status).toBe("failed");
  });

  test("some recipients refused: sent, with those recipients named", async () => {
    const rejected = [
      { recipient: "gone@acme.example", code: 550, enhanced: "5.1.1", response: "550 5.1.1 no such user" },
    ];
    scene.dispatch(async () => ({ ...ACCEPTED, rejected }));
    const send_id = await schedule({ to: ["maria@acme.example", "gone@acme.example"], undo_window_s: 0 });
    await scene.advance(10);
    expect(await scene.view(send_id)).toMatchObject({
      status: "sent",
      rejected: [{ recipient: "gone@acme.example", detail: "550 5.1.1 no such user" }],
    });
  });

  test("no response after the whole message: never sent again; if found on the server, it counts as sent", async () => {
    let attempts = 0;
    scene.dispatch(async (_account, _login, message) => {
      attempts++;
      message.beforeEnd!();
      return { outcome: "unknown", detail: "cut" };
    });
    const send_id = await schedule({ undo_window_s: 0 });
    await scene.advance(10);
    expect([(await scene.view(send_id)).status, waits(FIND_JOB)]).toEqual(["sending", true]);
    await scene.advance(60_000);
    expect(attempts).toBe(1);
    const { jobs } = scene.h.platform;
    jobs.enqueue({ kind: SETTLE_JOB, user_id: scene.h.user.id, payload: { send_id, found: true } });
    await scene.advance(1_000);
    expect(await scene.view(send_id)).toMatchObject({ status: "sent", attempts: 1 });
    expect(scene.events("send.completed")).toHaveLength(1);
  });

  test("no response, and not found: delivery_unknown, with the draft back", async () => {
    scene.dispatch(async (_account, _login, message) => {
      message.beforeEnd!();
      return { outcome: "unknown", detail: "cut" };
    });
    const send_id = await schedule({ undo_window_s: 0 });
    await scene.advance(10);
    scene.h.platform.jobs.enqueue({ kind: SETTLE_JOB, user_id: scene.h.user.id, payload: { send_id, found: false } });
    await scene.advance(1_000);
    expect(await scene.view(send_id)).toMatchObject({ status: "failed", reason: "delivery_unknown" });
    expect(scene.events("send.failed")).toHaveLength(1);
  });

  test("a restart between submission and response never sends again", async () => {
    const never = scene.dispatch(async (_account, _login, message) => {
      message.beforeEnd!();
      return new Promise<SubmitResult>(() => {});
    });
    const send_id = await schedule({ undo_window_s: 0 });
    scene.h.clock.advance(10);
    await Bun.sleep(20);
    void never.stop();
    const taken: OutgoingMessage[] = [];
    // Another boot: jobs that were running in the last one are returned to the queue.
    scene.h.platform.db.sql.run("UPDATE jobs SET started_by = 'an earlier boot' WHERE state = 'running'");
    scene.dispatch(takesAll(taken));
    await scene.advance(60_000);
    expect([taken.length, (await scene.view(send_id)).status, waits(FIND_JOB)]).toEqual([0, "sending", true]);
  });

  test("a restart before submission sends", async () => {
    const never = scene.dispatch(() => new Promise<SubmitResult>(() => {}));
    const send_id = await schedule({ undo_window_s: 0 });
    scene.h.clock.advance(10);
    await Bun.sleep(20);
    void never.stop();
    const taken: OutgoingMessage[] = [];
    scene.h.platform.db.sql.run("UPDATE jobs SET started_by = 'an earlier boot' WHERE state = 'running'");
    scene.dispatch(takesAll(taken));
    await scene.advance(1_000);
    expect([taken.length, (await scene.view(send_id)).status]).toEqual([1, "sent"]);
  });
});

test("a mailbox uses at most two connections, and all messages leave", async () => {
  let [now, most] = [0, 0];
  scene.dispatch(async () => {
    most = Math.max(most, ++now);
    await Bun.sleep(1);
    now--;
    return ACCEPTED;
  });
  for (let i = 0; i < 20; i++) await schedule({ undo_window_s: 0 });
  await scene.advance(1_000);
  await scene.advance(1_000);
  expect([most, scene.events("send.completed").length]).toEqual([2, 20]);
});

test("a server that does not respond does not hold up other mailboxes' mail", async () => {
  const other = scene.mailbox.accounts.add({
    user_id: scene.h.user.id,
    provider: "imap",
    email: "b@example.org",
    connection: NOWHERE,
  });
  const stuck = scene.seeded.account.id;
  scene.dispatch((account) => (account === stuck ? new Promise(() => {}) : Promise.resolve(ACCEPTED)));
  for (let i = 0; i < 40; i++) await schedule({ undo_window_s: 0 });
  const send_id = await schedule({ undo_window_s: 0, account_id: other.id });
  scene.h.clock.advance(10);
  await eventually(async () => (await scene.view(send_id)).status === "sent");
});

test("a full disk after the server took the message: it is recorded later, and not sent again", async () => {
  let attempts = 0;
  scene.dispatch(async (_account, _login, message) => {
    attempts++;
    message.beforeEnd!();
    scene.h.platform.db.sql.run(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    scene.h.platform.db.sql.run(
      "CREATE TEMP TRIGGER full_too BEFORE UPDATE ON sends BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    return ACCEPTED;
  });
  const send_id = await schedule({ undo_window_s: 0 });
  await scene.advance(10);
  expect((await scene.view(send_id)).status).toBe("sending");
  for (const name of ["full", "full_too"]) scene.h.platform.db.sql.run(`DROP TRIGGER ${name}`);
  await scene.advance(60_000);
  expect([attempts, (await scene.view(send_id)).status]).toEqual([1, "sent"]);
  expect(scene.events("send.completed")).toHaveLength(1);
});

test("a delivered message whose attachment is gone here since counts as sent", async () => {
  scene.dispatch(async (_account, _login, message) => {
    message.beforeEnd!();
    return { outcome: "unknown", detail: "cut" };
  });
  const { id } = (await scene.h.call("POST", "/drafts", { body: MESSAGE })).json;
  const form = new FormData();
  form.set("file", new File(["the menu"], "menu.txt"));
  await scene.h.call("POST", `/drafts/${id}/attachments`, { body: form });
  const { send_id } = (await scene.send(`/drafts/${id}/send`, { confirm: true, undo_window_s: 0 })).json;
  await scene.advance(10);
  const { config } = scene.h.platform;
  rmSync(join(config.data_dir, "blobs"), { recursive: true });
  const { jobs } = scene.h.platform;
  jobs.enqueue({ kind: SETTLE_JOB, user_id: scene.h.user.id, payload: { send_id, found: true } });
  await scene.advance(1_000);
  expect(await scene.view(send_id)).toMatchObject({ status: "sent", message_id: null, reason: null });
});

test("an alias that was removed since fails the send with a readable reason", async () => {
  const { accounts } = scene.mailbox;
  const account = scene.seeded.account;
  accounts.setProfile(account, { ...account, aliases: ["shop@example.org"] });
  scene.dispatch(takesAll());
  const send_id = await schedule({ from: "Shop <shop@example.org>" });
  accounts.setProfile(account, { ...account, aliases: [] });
  await scene.advance(10_000);
  expect(await scene.view(send_id)).toMatchObject({ status: "failed", reason: "compose_failed" });
});

test("in the sandbox it is returned as received mail, and no server is contacted", async () => {
  const sandbox = scene.h.platform.users.sandboxOf(scene.h.user.id);
  const account = scene.mailbox.accounts.add({
    user_id: sandbox.id,
    provider: "sandbox",
    email: "alex@sandbox.example",
    connection: null,
  });
  let asked = 0;
  scene.dispatch(async () => {
    asked++;
    return ACCEPTED;
  });
  const { secret } = scene.h.newKey({ test: true });
  const headers = { "Idempotency-Key": "1" };
  const { send_id } = (
    await scene.h.call("POST", "/messages/send", { key: secret, headers, body: { ...MESSAGE, undo_window_s: 1 } })
  ).json;
  await scene.advance(1_000);
  const sent = (await scene.h.call("GET", `/sends/${send_id}`, { key: secret })).json;
  expect([asked, sent.status]).toEqual([0, "sent"]);
  const events = scene.h.platform.events.after(sandbox.id, 0, 100).map(({ event, data }) => [event, data]);
  const { thread_id, message_id } = sent;
  expect(events).toEqual([
    ["message.received", expect.objectContaining({ thread_id, message_id, account_id: account.id, subject: "Lunch" })],
    ["send.completed", { send_id, thread_id, message_id }],
  ]);
  const thread = scene.mailbox.threadQueries.get({ user_id: sandbox.id, account_id: null }, thread_id);
  expect([thread.state, thread.messages.length]).toEqual(["inbox", 1]);
  expect(waits(COPY_JOB)).toBe(false);
  expect(NOWHERE.smtp?.port).toBe(1);
});
