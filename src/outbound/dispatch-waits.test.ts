import { afterEach, beforeEach, expect, test } from "bun:test";
import { createSendScene, type SendScene, takesAll } from "../../test/send-scene.ts";
import type { OutgoingMessage } from "../wire/smtp/session.ts";

let scene: SendScene;
beforeEach(() => {
  scene = createSendScene();
});
afterEach(() => scene.h.close());

const schedule = async (more: object = {}): Promise<string> =>
  (await scene.send("/messages/send", { to: ["maria@acme.example"], subject: "Lunch", ...more })).json.send_id;

test("a paused mailbox sends when it goes on", async () => {
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

test("a mailbox that is paused for a day fails what waits, and nothing is handed over", async () => {
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

test("a clock that is set back in the moment of dispatch: it leaves all the same when the window is over", async () => {
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
