import { afterEach, beforeEach, expect, test } from "bun:test";
import { acceptsAll, createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";
import type { JobRunner } from "../../platform/jobs/runner.ts";
import type { OutgoingMessage } from "../../wire/smtp/session.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

const schedule = async (more: object = {}): Promise<string> =>
  (await fixture.send("/messages/send", { to: ["maria@acme.example"], subject: "Lunch", ...more })).json.send_id;

test("a paused mailbox sends when it resumes", async () => {
  const taken: OutgoingMessage[] = [];
  fixture.dispatch(acceptsAll(taken));
  const { accounts } = fixture.mailbox;
  accounts.setPaused(fixture.seeded.account, true);
  await schedule();
  await fixture.advance(60_000);
  expect(taken).toHaveLength(0);
  accounts.setPaused(accounts.get(fixture.seeded.account.id)!, false);
  await fixture.advance(6 * 60_000);
  expect(taken).toHaveLength(1);
});

test("a mailbox that is paused for a day fails waiting sends, and nothing is submitted", async () => {
  const taken: OutgoingMessage[] = [];
  fixture.mailbox.accounts.setPaused(fixture.seeded.account, true);
  const send_id = await schedule();
  fixture.dispatch(acceptsAll(taken));
  await fixture.advance(60_000);
  expect(await fixture.view(send_id)).toMatchObject({ status: "scheduled", attempts: 0 });
  fixture.h.clock.set(fixture.h.clock.now() + 24 * 3_600_000);
  await fixture.advance(1_000);
  expect(await fixture.view(send_id)).toMatchObject({ status: "failed", reason: "unreachable" });
  expect(taken).toHaveLength(0);
});

test("if the clock is set back at the moment of dispatch, the message is still sent when the window ends", async () => {
  const taken: OutgoingMessage[] = [];
  fixture.dispatch(acceptsAll(taken));
  const { sends } = fixture.outbound;
  const { take } = sends;
  sends.take = (id) => {
    sends.take = take;
    return sends.get(id);
  };
  const send_id = await schedule({ undo_window_s: 1 });
  await fixture.advance(1_000);
  await fixture.advance(1_000);
  expect([taken.length, (await fixture.view(send_id)).status]).toEqual([1, "sent"]);
});

const DAY_MS = 86_400_000;
/** Sets the clock back. Real timers do not follow it, so the next check runs within a second. */
const setBack = async (ms: number) => {
  fixture.h.clock.set(fixture.h.clock.now() - ms);
  runner.wake();
  await runner.idle();
};
let runner: JobRunner;

test("if the clock was two days ahead at the send request, the message is sent after its window, not in two days", async () => {
  const taken: OutgoingMessage[] = [];
  runner = fixture.dispatch(acceptsAll(taken));
  const send_id = await schedule({ undo_window_s: 10 });
  await setBack(2 * DAY_MS);
  await fixture.advance(5_000);
  expect([taken.length, (await fixture.view(send_id)).status]).toEqual([0, "scheduled"]);
  await fixture.advance(6_000);
  expect([taken.length, (await fixture.view(send_id)).status]).toEqual([1, "sent"]);
});

test("a scheduled message is sent at its time, even if the clock was wrong when it was scheduled", async () => {
  const taken: OutgoingMessage[] = [];
  runner = fixture.dispatch(acceptsAll(taken));
  const at = fixture.h.clock.now() + 3 * DAY_MS;
  await schedule({ scheduled_at: new Date(at).toISOString() });
  await setBack(2 * DAY_MS);
  await fixture.advance(60_000);
  expect(taken).toHaveLength(0);
  fixture.h.clock.set(at);
  await fixture.advance(1_000);
  expect(taken).toHaveLength(1);
});

test("if the clock was a week ahead during a temporary refusal, the next attempt is made in time", async () => {
  const taken: OutgoingMessage[] = [];
  let refuses = true;
  const accept = acceptsAll(taken);
  runner = fixture.dispatch(async (...given) => {
    if (!refuses) return accept(...given);
    return { outcome: "not_sent", reason: "connect", detail: "connection refused" };
  });
  const send_id = await schedule({ undo_window_s: 0 });
  await fixture.advance(10);
  refuses = false;
  await setBack(7 * DAY_MS);
  await fixture.advance(61_000);
  expect([taken.length, (await fixture.view(send_id)).status]).toEqual([1, "sent"]);
});
