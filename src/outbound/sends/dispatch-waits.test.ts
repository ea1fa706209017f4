import { afterEach, beforeEach, expect, test } from "bun:test";
import { createSendFixture, type SendFixture, takesAll } from "../../../test/support/send-fixture.ts";
import type { JobRunner } from "../../platform/jobs/runner.ts";
import type { OutgoingMessage } from "../../wire/smtp/session.ts";

let scene: SendFixture;
beforeEach(() => {
  scene = createSendFixture();
});
afterEach(() => scene.h.close());

const schedule = async (more: object = {}): Promise<string> =>
  (await scene.send("/messages/send", { to: ["maria@acme.example"], subject: "Lunch", ...more })).json.send_id;

test("a paused mailbox sends when it resumes", async () => {
  const taken: OutgoingMessage[] = [];
  scene.dispatch(takesAll(taken));
  const { accounts } = scene.mailbox;
  accounts.setPaused(scene.seeded.account, true);
  await schedule();
  await scene.advance(60_000);
  expect(taken).toHaveLength(0);
  accounts.setPaused(accounts.get(scene.seeded.account.id)!, false);
  await scene.advance(6 * 60_000);
  expect(taken).toHaveLength(1);
});

test("a mailbox that is paused for a day fails waiting sends, and nothing is submitted", async () => {
  const taken: OutgoingMessage[] = [];
  scene.mailbox.accounts.setPaused(scene.seeded.account, true);
  const send_id = await schedule();
  scene.dispatch(takesAll(taken));
  await scene.advance(60_000);
  expect(await scene.view(send_id)).toMatchObject({ status: "scheduled", attempts: 0 });
  scene.h.clock.set(scene.h.clock.now() + 24 * 3_600_000);
  await scene.advance(1_000);
  expect(await scene.view(send_id)).toMatchObject({ status: "failed", reason: "unreachable" });
  expect(taken).toHaveLength(0);
});

test("a clock set back at the moment of dispatch: the message still leaves when the window is over", async () => {
  const taken: OutgoingMessage[] = [];
  scene.dispatch(takesAll(taken));
  const { sends } = scene.outbound;
  const { take } = sends;
  sends.take = (id) => {
    sends.take = take;
    return sends.get(id);
  };
  const send_id = await schedule({ undo_window_s: 1 });
  await scene.advance(1_000);
  await scene.advance(1_000);
  expect([taken.length, (await scene.view(send_id)).status]).toEqual([1, "sent"]);
});

const DAY_MS = 86_400_000;
/** Sets the clock back. Real timers do not follow it, so the next check runs within a second. */
const setBack = async (ms: number) => {
  scene.h.clock.set(scene.h.clock.now() - ms);
  runner.wake();
  await runner.idle();
};
let runner: JobRunner;

test("a clock that was two days ahead when the message was sent: it leaves after its window, not in two days", async () => {
  const taken: OutgoingMessage[] = [];
  runner = scene.dispatch(takesAll(taken));
  const send_id = await schedule({ undo_window_s: 10 });
  await setBack(2 * DAY_MS);
  await scene.advance(5_000);
  expect([taken.length, (await scene.view(send_id)).status]).toEqual([0, "scheduled"]);
  await scene.advance(6_000);
  expect([taken.length, (await scene.view(send_id)).status]).toEqual([1, "sent"]);
});

test("a message scheduled for a time leaves at that time, even if the clock was wrong when it was scheduled", async () => {
  const taken: OutgoingMessage[] = [];
  runner = scene.dispatch(takesAll(taken));
  const at = scene.h.clock.now() + 3 * DAY_MS;
  await schedule({ scheduled_at: new Date(at).toISOString() });
  await setBack(2 * DAY_MS);
  await scene.advance(60_000);
  expect(taken).toHaveLength(0);
  scene.h.clock.set(at);
  await scene.advance(1_000);
  expect(taken).toHaveLength(1);
});

test("a clock that was a week ahead during a temporary refusal: the next attempt is made in time", async () => {
  const taken: OutgoingMessage[] = [];
  let refuses = true;
  const accept = takesAll(taken);
  runner = scene.dispatch(async (...given) => {
    if (!refuses) return accept(...given);
    return { outcome: "not_sent", reason: "connect", detail: "nobody there" };
  });
  const send_id = await schedule({ undo_window_s: 0 });
  await scene.advance(10);
  refuses = false;
  await setBack(7 * DAY_MS);
  await scene.advance(61_000);
  expect([taken.length, (await scene.view(send_id)).status]).toEqual([1, "sent"]);
});
