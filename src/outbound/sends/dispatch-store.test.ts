import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { acceptsAll, createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";
import { COPY_JOB, STORE_JOB } from "./dispatch.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

/** Sets the clock to when the next job of a kind is due. */
const skipTo = async (kind: string) => {
  fixture.h.clock.set(fixture.h.platform.jobs.nextDue([kind])!);
  await fixture.advance(1_000);
};
const waits = (kind: string) => fixture.h.platform.jobs.nextDue([kind]) !== null;

describe("a message that was sent but could not be stored", () => {
  const refuse = () =>
    fixture.h.platform.db.sql.run(
      "CREATE TEMP TRIGGER refused BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
  const leave = async (): Promise<string> => {
    refuse();
    fixture.dispatch(acceptsAll());
    const body = { to: ["maria@acme.example"], subject: "Lunch", body: "At one?", undo_window_s: 0 };
    const { send_id } = (await fixture.send("/messages/send", body)).json;
    await fixture.advance(10);
    expect(await fixture.view(send_id)).toMatchObject({ status: "sent", message_id: null, draft_id: null });
    expect(fixture.events("send.completed")).toEqual([]);
    expect((await fixture.h.call("GET", "/drafts")).json.data).toEqual([]);
    return send_id;
  };
  const drafts = () => fixture.h.platform.db.sql.query("SELECT count(*) AS c FROM drafts").get();

  test("is stored later, and then announced with its ids, once", async () => {
    const send_id = await leave();
    await fixture.advance(10_000);
    expect(fixture.events("send.completed")).toEqual([]);
    fixture.h.platform.db.sql.run("DROP TRIGGER refused");
    await skipTo(STORE_JOB);
    const { thread_id, message_id, draft_id } = await fixture.view(send_id);
    expect([thread_id, message_id, draft_id]).toEqual([expect.any(String), expect.any(String), null]);
    expect(fixture.events("send.completed")).toEqual([{ send_id, thread_id, message_id }]);
    expect([waits(STORE_JOB), waits(COPY_JOB), drafts()]).toEqual([false, true, { c: 0 }]);
    const scope = { user_id: fixture.h.user.id, account_id: null };
    expect(fixture.mailbox.messageQueries.get(scope, message_id!).body_text).toBe("At one?");
  });

  test("has the ids of the server's copy if the sync stored that first, and is not stored twice", async () => {
    const send_id = await leave();
    fixture.h.platform.db.sql.run("DROP TRIGGER refused");
    const { message_id } = fixture.seeded.deliver({ role: "sent", messageId: `<${send_id}@example.org>` });
    await skipTo(STORE_JOB);
    expect(fixture.events("send.completed")).toEqual([expect.objectContaining({ send_id, message_id })]);
    expect((await fixture.view(send_id)).message_id).toBe(message_id);
    expect(fixture.h.platform.db.sql.query("SELECT count(*) AS c FROM messages").get()).toEqual({ c: 1 });
    expect([waits(COPY_JOB), drafts()]).toEqual([false, { c: 0 }]);
  });

  test("is announced without ids after a day, once, and its draft does not come back", async () => {
    const send_id = await leave();
    fixture.h.clock.set(fixture.h.clock.now() + 24 * 3_600_000);
    await fixture.advance(1_000);
    expect(fixture.events("send.completed")).toEqual([{ send_id, thread_id: "", message_id: "" }]);
    expect([(await fixture.view(send_id)).status, waits(STORE_JOB), drafts()]).toEqual(["sent", false, { c: 0 }]);
  });
});
