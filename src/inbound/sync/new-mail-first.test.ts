import { beforeEach, expect, test } from "bun:test";
import { ManualClock } from "../../platform/clock.ts";
import { NewMailFirst } from "./new-mail-first.ts";

let clock: ManualClock;
let first: NewMailFirst;
beforeEach(() => {
  clock = new ManualClock(0);
  first = new NewMailFirst(clock);
});

/** Starts a piece of history. @returns whether it may run, after everything that needs no time */
function history(account_id: string): () => Promise<boolean> {
  let may = false;
  void first.turnOfHistory(account_id).then(() => {
    may = true;
  });
  return async () => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
    return may;
  };
}

test("history waits until the new mail of other mailboxes is stored", async () => {
  first.announced("acc_a");
  first.announced("acc_b");
  const may = history("acc_c");
  first.settled("acc_a");
  expect(await may()).toBe(false);
  first.settled("acc_b");
  expect(await may()).toBe(true);
});

test("history does not wait for its own mailbox, which needs its connection", async () => {
  first.announced("acc_a");
  expect(await history("acc_a")()).toBe(true);
  first.announced("acc_b");
  const may = history("acc_c");
  expect(await may()).toBe(false);
  first.announced("acc_c");
  expect(await may()).toBe(true);
});

test("history waits for a bounded time, and not at all for mail that cannot be fetched", async () => {
  first.announced("acc_a");
  const may = history("acc_c");
  clock.advance(299);
  expect(await may()).toBe(false);
  clock.advance(1);
  expect(await may()).toBe(true);
  clock.advance(5_000);
  expect(await history("acc_c")()).toBe(true);
});

test("a listener is called for new mail of its account, until it is removed or replaced", () => {
  const heard: string[] = [];
  first.onAnnounced("acc_a", () => heard.push("earlier"));
  const stop = first.onAnnounced("acc_a", () => heard.push("a"));
  first.announced("acc_a");
  first.announced("acc_b");
  stop();
  first.announced("acc_a");
  expect(heard).toEqual(["a"]);
});
