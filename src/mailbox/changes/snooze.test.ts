import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { createMailbox, type Mailbox } from "../mailbox.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;

const HOUR_MS = 3_600_000;

beforeEach(() => {
  h = createHarness();
  mailbox = createMailbox(h.platform);
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
});
afterEach(() => h.close());

const me = () => ({ user_id: h.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null });
const snooze = (id: string, until: number | null) => mailbox.changes.update(me(), id, { snooze_until: until });
const status = (id: string) => mailbox.threadQueries.owned(me(), id);
const folders = () =>
  h.platform.db.sql
    .query<{ message_id: string; value: string }, []>(
      "SELECT message_id, value FROM pending_changes WHERE field = 'folder'",
    )
    .all()
    .map(({ message_id, value }) => [message_id, value]);
const changed = () =>
  h.platform.events.after(h.user.id, 0, 100).map(({ data }) => ("changed" in data ? data.changed : null));

/** Runs what is due now. @returns the outcomes */
async function runDue(): Promise<string[]> {
  const outcomes: string[] = [];
  for (let job = h.platform.jobs.claim("wake"); job; job = h.platform.jobs.claim("wake")) {
    const result = await mailbox.snooze.wakeHandler.run(job);
    h.platform.jobs.finish(job, result);
    outcomes.push(result.outcome);
  }
  return outcomes;
}

describe("snooze", () => {
  test("a snoozed thread is hidden until its time, then returns to the inbox, unread", async () => {
    const { thread_id, message_ids } = seed.converse({ role: "archive" }, {}, { role: "sent" });
    const until = h.clock.now() + 2 * HOUR_MS;
    expect(snooze(thread_id, until)).toEqual({ id: thread_id, state: "snoozed", labels: [], unread: false });
    expect(status(thread_id)).toMatchObject({ state: "snoozed", snooze_until: until });
    // Archived messages stay in the archive.
    expect(folders()).toEqual([[message_ids[1]!, "snoozed"]]);
    expect(await runDue()).toEqual([]);
    h.clock.advance(2 * HOUR_MS);
    expect(await runDue()).toEqual(["done"]);
    expect(status(thread_id)).toMatchObject({ state: "inbox", unread: true, snooze_until: null });
    expect(folders()).toEqual([[message_ids[1]!, "inbox"]]);
    expect(changed()).toEqual([["state"], ["state", "read"]]);
    expect(h.platform.audit.list(h.user.id, { limit: 10, action: "thread.wake" })).toMatchObject([
      { actor: { kind: "system" }, target: thread_id, before: { state: "snoozed" }, after: { state: "inbox" } },
    ]);
    expect(h.platform.jobs.claim("mirror")).not.toBeNull();
  });

  test("snoozing again moves the time, to later as well as to earlier", async () => {
    const { thread_id } = seed.deliver();
    const start = h.clock.now();
    snooze(thread_id, start + HOUR_MS);
    snooze(thread_id, start + 3 * HOUR_MS);
    h.clock.advance(HOUR_MS);
    expect(await runDue()).toEqual(["retry"]);
    expect(status(thread_id).state).toBe("snoozed");
    snooze(thread_id, start + 2 * HOUR_MS);
    h.clock.advance(HOUR_MS);
    expect(await runDue()).toEqual(["done"]);
    expect(status(thread_id).state).toBe("inbox");
    h.clock.advance(2 * HOUR_MS);
    expect(await runDue()).toEqual([]);
    // Only the first snooze and the wake changed what lists show.
    expect(changed()).toEqual([["state"], ["state", "read"]]);
  });

  test("null wakes the thread at once, and the job that remains does nothing", async () => {
    const { thread_id } = seed.deliver();
    snooze(thread_id, h.clock.now() + HOUR_MS);
    expect(snooze(thread_id, null).state).toBe("inbox");
    expect(status(thread_id)).toMatchObject({ state: "inbox", unread: false, snooze_until: null });
    h.clock.advance(HOUR_MS);
    expect(await runDue()).toEqual(["done"]);
    expect(status(thread_id).unread).toBe(false);
    expect(changed()).toEqual([["state"], ["state"]]);
  });

  test("a thread that was moved elsewhere before its time stays there", async () => {
    const { thread_id } = seed.deliver();
    snooze(thread_id, h.clock.now() + HOUR_MS);
    mailbox.changes.update(me(), thread_id, { state: "trash" });
    h.clock.advance(HOUR_MS);
    expect(await runDue()).toEqual(["done"]);
    expect(status(thread_id)).toMatchObject({ state: "trash", snooze_until: null, unread: false });
  });

  test("new mail wakes the thread, and its snoozed messages return to the inbox", async () => {
    const first = { messageId: "<first@x>", subject: "Hello" };
    const { thread_id, message_id } = seed.deliver(first);
    snooze(thread_id, h.clock.now() + HOUR_MS);
    seed.deliver({ subject: "Re: Hello", references: ["<first@x>"], flags: { seen: false } });
    h.platform.db.write(() => mailbox.snooze.wakeOnNewMail(thread_id));
    expect(status(thread_id)).toMatchObject({ state: "inbox", snooze_until: null });
    expect(folders()).toEqual([[message_id, "inbox"]]);
    h.clock.advance(HOUR_MS);
    expect(await runDue()).toEqual(["done"]);
    const events = changed().length;
    h.platform.db.write(() => mailbox.snooze.wakeOnNewMail(thread_id));
    expect(changed()).toHaveLength(events);
  });

  test("a snoozed thread that is merged into another one still wakes", async () => {
    const a = seed.deliver({ subject: "One", messageId: "<one@x>" });
    const b = seed.deliver({ subject: "Two", messageId: "<two@x>" });
    snooze(a.thread_id, h.clock.now() + HOUR_MS);
    snooze(b.thread_id, h.clock.now() + HOUR_MS);
    seed.deliver({ subject: "Both", role: "sent", messageId: "<both@x>", references: ["<one@x>", "<two@x>"] });
    expect(status(b.thread_id)).toMatchObject({ id: a.thread_id, state: "snoozed" });
    h.clock.advance(HOUR_MS);
    expect(await runDue()).toEqual(["done", "done"]);
    expect(status(b.thread_id)).toMatchObject({ state: "inbox", unread: true });
  });

  test("a thread that another program snoozed wakes after a week, unless it is old", async () => {
    const now = h.clock.now();
    const stray = seed.deliver({ role: "snoozed", internalDate: now - HOUR_MS });
    const ours = seed.deliver({ internalDate: now - HOUR_MS });
    const old = seed.deliver({ role: "snoozed", internalDate: now - 31 * 24 * HOUR_MS });
    snooze(ours.thread_id, now + HOUR_MS);
    const account = mailbox.accounts.list(h.user.id)[0]!;
    expect(mailbox.snooze.adopt(account)).toBe(1);
    expect(mailbox.snooze.adopt(account)).toBe(0);
    expect(status(ours.thread_id).snooze_until).toBe(now + HOUR_MS);
    expect(status(old.thread_id)).toMatchObject({ state: "snoozed", snooze_until: null });
    expect(status(stray.thread_id)).toMatchObject({ state: "snoozed", snooze_until: now + 7 * 24 * HOUR_MS });
    h.clock.advance(7 * 24 * HOUR_MS);
    expect(await runDue()).toEqual(["done", "done"]);
    expect(status(stray.thread_id)).toMatchObject({ state: "inbox", unread: true });
    expect(status(old.thread_id).state).toBe("snoozed");
  });

  test("new mail wakes a snoozed thread that held only sent mail", () => {
    const { thread_id } = seed.deliver({ role: "sent", messageId: "<asked@x>" });
    snooze(thread_id, h.clock.now() + HOUR_MS);
    expect(seed.mailbox.threadQueries.current(thread_id)!.state).toBe("snoozed");
    seed.deliver({ references: ["<asked@x>"] });
    seed.mailbox.snooze.wakeOnNewMail(thread_id);
    expect(seed.mailbox.threadQueries.current(thread_id)).toMatchObject({ state: "inbox", snooze_until: null });
  });
});
