import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AiFixture, aiFixture } from "../../../test/support/ai-fixture.ts";
import type { Brief } from "./model.ts";

let s: AiFixture;
/** The clock of the test harness. */
const NOW = Date.parse("2026-03-02T09:00:00Z");
const daysAgo = (days: number) => NOW - days * 86_400_000;

beforeEach(() => {
  s = aiFixture();
});
afterEach(() => s.h.close());

async function brief(): Promise<Brief> {
  await s.h.call("POST", "/brief/generate");
  return (await s.h.call("GET", "/brief/latest")).json;
}

describe("mail with the user's address as its sender", () => {
  const ask = () => s.fromBob("Could you send me the contract?", { at: daysAgo(3) });
  const reply = (more: object) => s.toBob("I will send it by Friday.", { at: daysAgo(2), ...more });
  const found = async () => {
    const { needs_reply, commitments } = await brief();
    return [needs_reply.length, commitments.filter(({ by }) => by === "me").length];
  };

  test.each(["inbox", "spam", "trash", "snoozed"] as const)(
    "is not trusted in %s: it answers and promises nothing",
    async (role) => {
      s.seeded.converse(ask(), reply({ role }));
      expect((await found())[1]).toBe(0);
      if (role !== "inbox") return;
      expect((await found())[0]).toBe(1);
    },
  );

  test.each(["sent", "archive", "other", "all"] as const)("counts as the user's in %s", async (role) => {
    s.seeded.converse(ask(), reply({ role }));
    expect(await found()).toEqual([0, 1]);
  });

  test("counts as the user's in the inbox if it is also in Sent, like mail that people send to themselves", async () => {
    const { message_ids } = s.seeded.converse(ask(), reply({ role: "inbox" }));
    const locate = (role: "sent" | "all") =>
      s.h.platform.db.sql
        .query("INSERT INTO locations (folder_id, uid, message_id, flags_hash) VALUES (?, 900, ?, 0)")
        .run(s.seeded.folder(role).id, message_ids[1]!);
    locate("all");
    expect(await found()).toEqual([1, 0]);
    locate("sent");
    expect(await found()).toEqual([0, 1]);
  });

  test("does not count as the user's in Gmail's All Mail without the label for sent mail", async () => {
    s.seeded.folder("sent");
    s.seeded.converse(ask(), reply({ role: "all" }));
    expect(await found()).toEqual([1, 0]);
  });
});
