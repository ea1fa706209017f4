import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSendFixture, type SendFixture, takesAll } from "../../../test/support/send-fixture.ts";
import { COPY_JOB, STORE_JOB } from "./dispatch.ts";

let scene: SendFixture;
beforeEach(() => {
  scene = createSendFixture();
});
afterEach(() => scene.h.close());

/** Sets the clock to when the next job of a kind is due. */
const skipTo = async (kind: string) => {
  scene.h.clock.set(scene.h.platform.jobs.nextDue([kind])!);
  await scene.advance(1_000);
};
const waits = (kind: string) => scene.h.platform.jobs.nextDue([kind]) !== null;

describe("a message that was sent but could not be stored", () => {
  const refuse = () =>
    scene.h.platform.db.sql.run(
      "CREATE TEMP TRIGGER refused BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
  const leave = async (): Promise<string> => {
    refuse();
    scene.dispatch(takesAll());
    const body = { to: ["maria@acme.example"], subject: "Lunch", body: "At one?", undo_window_s: 0 };
    const { send_id } = (await scene.send("/messages/send", body)).json;
    await scene.advance(10);
    expect(await scene.view(send_id)).toMatchObject({ status: "sent", message_id: null, draft_id: null });
    expect(scene.events("send.completed")).toEqual([]);
    expect((await scene.h.call("GET", "/drafts")).json.data).toEqual([]);
    return send_id;
  };
  const drafts = () => scene.h.platform.db.sql.query("SELECT count(*) AS c FROM drafts").get();

  test("is stored later, and then announced with its ids, once", async () => {
    const send_id = await leave();
    await scene.advance(10_000);
    expect(scene.events("send.completed")).toEqual([]);
    scene.h.platform.db.sql.run("DROP TRIGGER refused");
    await skipTo(STORE_JOB);
    const { thread_id, message_id, draft_id } = await scene.view(send_id);
    expect([thread_id, message_id, draft_id]).toEqual([expect.any(String), expect.any(String), null]);
    expect(scene.events("send.completed")).toEqual([{ send_id, thread_id, message_id }]);
    expect([waits(STORE_JOB), waits(COPY_JOB), drafts()]).toEqual([false, true, { c: 0 }]);
    const scope = { user_id: scene.h.user.id, account_id: null };
    expect(scene.mailbox.messageQueries.get(scope, message_id!).body_text).toBe("At one?");
  });

  test("has the ids of the server's copy if the sync stored that first, and is not stored twice", async () => {
    const send_id = await leave();
    scene.h.platform.db.sql.run("DROP TRIGGER refused");
    const { message_id } = scene.seeded.deliver({ role: "sent", message_id: `<${send_id}@example.org>` });
    await skipTo(STORE_JOB);
    expect(scene.events("send.completed")).toEqual([expect.objectContaining({ send_id, message_id })]);
    expect((await scene.view(send_id)).message_id).toBe(message_id);
    expect(scene.h.platform.db.sql.query("SELECT count(*) AS c FROM messages").get()).toEqual({ c: 1 });
    expect([waits(COPY_JOB), drafts()]).toEqual([false, { c: 0 }]);
  });

  test("is announced without ids after a day, once, and its draft does not come back", async () => {
    const send_id = await leave();
    scene.h.clock.set(scene.h.clock.now() + 24 * 3_600_000);
    await scene.advance(1_000);
    expect(scene.events("send.completed")).toEqual([{ send_id, thread_id: "", message_id: "" }]);
    expect([(await scene.view(send_id)).status, waits(STORE_JOB), drafts()]).toEqual(["sent", false, { c: 0 }]);
  });
});
