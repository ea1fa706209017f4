import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SubmitResult } from "../../src/wire/smtp/result.ts";
import { acceptsAll, createSendFixture, type SendFixture } from "../support/send-fixture.ts";
import { findingsOf } from "./broken.ts";
import { asLines, checkInvariants } from "./check.ts";

/** One send that left, one that was refused, one that was cancelled, and one that is still scheduled. */
let fixture: SendFixture;

const REFUSED: SubmitResult = {
  outcome: "refused",
  stage: "content",
  code: 554,
  enhanced: "5.7.1",
  response: "554 5.7.1 No.",
  rejected: [],
};

beforeAll(async () => {
  fixture = createSendFixture();
  const send = async (subject: string, more: object = {}): Promise<string> => {
    const body = { to: ["maria@acme.example"], subject, body: "Hello.", undo_window_s: 0, ...more };
    return (await fixture.send("/messages/send", body)).json.send_id;
  };
  const later = await send("Later", { scheduled_at: "2026-03-20T09:00:00Z" });
  const back = await send("Taken back", { undo_window_s: 30 });
  await send("Sent");
  const runner = fixture.dispatch(acceptsAll());
  await fixture.advance(1_000);
  await runner.stop();
  await send("Refused");
  const refusing = fixture.dispatch(async () => REFUSED);
  await fixture.advance(1_000);
  await fixture.h.call("POST", `/sends/${back}/cancel`, { body: {} });
  await refusing.stop();
  const all = fixture.h.platform.db.sql.query("SELECT status FROM sends ORDER BY status").all();
  expect(all).toEqual(["failed", "scheduled", "sent", "undone"].map((status) => ({ status })));
  expect((await fixture.view(later)).status).toBe("scheduled");
}, 60_000);
afterAll(() => fixture.h.close());

const RULES = /^(sends|events|meters|jobs|deliveries|orphan rows|sealed values|database|folders|accounts): /;

test("correctly ended and scheduled sends have no findings", async () => {
  const lines = asLines((await checkInvariants(fixture.h.platform)).findings);
  expect(lines.filter((line) => RULES.test(line))).toEqual([]);
});

const of = (status: string) => `(SELECT id FROM sends WHERE status = '${status}')`;

test.each([
  [
    "a send that no job will end",
    "UPDATE jobs SET state = 'done', finished_at = 1 WHERE state = 'pending'",
    /^sends: snd_\w+ has not ended, and no job/,
  ],
  [
    "a send that no job will end, with another job pending",
    "UPDATE jobs SET kind = 'embed-mail', dedupe_key = NULL WHERE state = 'pending'",
    /^sends: snd_\w+ has not ended, and no job/,
  ],
  ["a send that ended without a time", "UPDATE sends SET finished_at = NULL", /^sends: .* without an end time/],
  ["a failure without a reason", "UPDATE sends SET outcome = NULL", /^sends: .* without a reason/],
  ["a sent message that was never submitted", "UPDATE sends SET handed_over_at = NULL", /^sends: .* never submitted/],
  [
    "a sent message that was not stored and whose draft was deleted",
    "UPDATE sends SET draft_id = 'drf_x' WHERE status = 'sent'",
    /^sends: .* is not stored/,
  ],
  [
    "a canceled message that was submitted",
    "UPDATE sends SET handed_over_at = 1 WHERE status = 'undone'",
    /^sends: .* canceled but submitted/,
  ],
  [
    "a draft that an ended send holds",
    `UPDATE drafts SET send_id = ${of("undone")} WHERE send_id IS NULL`,
    /^sends: drf_\w+ is locked by a send/,
  ],
  [
    "a missing event for an ended send",
    "DELETE FROM events WHERE type = 'send.failed'",
    /^events: snd_\w+ is failed, and the log has nothing/,
  ],
  [
    "an event for an unfinished send",
    "UPDATE sends SET status = 'scheduled' WHERE status = 'failed'",
    /^events: snd_\w+ has not ended, and the log has send.failed/,
  ],
  [
    "a failure with the event of a success",
    "UPDATE events SET type = 'send.completed' WHERE type = 'send.failed'",
    /^events: snd_\w+ is failed, and the log has send.completed/,
  ],
  ["a send that was not counted", "UPDATE meters SET used = used - 1 WHERE meter = 'sends'", /^meters: usr_\w+ used/],
  ["a send that was counted twice", "UPDATE meters SET used = used + 1 WHERE meter = 'sends'", /^meters: usr_\w+ used/],
  [
    "a job in no valid state",
    "UPDATE jobs SET state = 'lost' WHERE state = 'pending'",
    /^jobs: job_\w+ has an unknown/,
  ],
])("%s is detected", async (_, damage, line) => {
  expect(await findingsOf(fixture.h.platform, damage)).toContainEqual(expect.stringMatching(line));
});

test("a returned draft may be deleted; one that is being sent must exist", async () => {
  const lost = "orphan rows: 1 rows of sends have a draft_id that does not exist";
  const without = (status: string) =>
    findingsOf(
      fixture.h.platform,
      `DELETE FROM drafts WHERE id = (SELECT draft_id FROM sends WHERE status = '${status}')`,
    );
  expect(await without("scheduled")).toContain(lost);
  expect(await without("undone")).not.toContain(lost);
});

test("unfinished work is detected when all work should be done", async () => {
  const lines = await findingsOf(fixture.h.platform, "UPDATE jobs SET state = 'running' WHERE state = 'pending'", {
    settled: true,
  });
  expect(lines).toContainEqual(expect.stringMatching(/^sends: snd_\w+ has not ended$/));
  expect(lines).toContainEqual(expect.stringMatching(/^jobs: job_\w+ \(\w+\) is still running$/));
});

test("a duplicate event is detected", async () => {
  const { platform } = fixture.h;
  const [{ send_id }] = fixture.events("send.failed") as [{ send_id: string }];
  const lines = await findingsOf(platform, () => {
    const reason = "refused" as const;
    platform.events.emit(fixture.h.user.id, "send.failed", { send_id, reason, detail: "" } as never);
  });
  expect(lines).toContainEqual(`events: ${send_id} is failed, and the log has send.failed, send.failed`);
});

test("sends of a removed mailbox stay in the day's count", async () => {
  const { db } = fixture.h.platform;
  const { accounts } = fixture.mailbox;
  const meters = async (damage: string | (() => void)) =>
    (await findingsOf(fixture.h.platform, damage)).filter((line) => line.startsWith("meters: "));
  expect(await meters("DELETE FROM sends")).toHaveLength(1);
  const { write } = db;
  // Inside the transaction of the damage, in which dependent rows are not deleted automatically.
  db.write = (fn) => fn();
  try {
    const removed = await meters(() => {
      accounts.remove(accounts.get(fixture.seeded.account.id)!);
      db.sql.run("DELETE FROM sends");
    });
    expect(removed).toEqual([]);
  } finally {
    db.write = write;
  }
});
