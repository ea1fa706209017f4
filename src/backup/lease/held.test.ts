import { expect, test } from "bun:test";
import { join } from "node:path";
import { ManualClock } from "../../platform/clock.ts";
import { ManualSteadyClock, systemSteadyClock } from "../../platform/steady-clock.ts";
import { HeldView, NotActing } from "./held.ts";
import { after } from "./timing.ts";

function manual() {
  const clock = new ManualClock();
  const steady = new ManualSteadyClock(clock);
  return { clock, steady, view: new HeldView(steady) };
}

test("a new view permits nothing", () => {
  const { view } = manual();
  expect([view.mayAct(), view.token]).toEqual([false, 0]);
  expect(() => view.assertActing()).toThrow(NotActing);
});

test("acting is permitted until the moment, to the millisecond", () => {
  const { clock, steady, view } = manual();
  view.extend(after(steady.read(), 20_000), 7);
  clock.advance(19_999);
  expect([view.mayAct(), view.token]).toEqual([true, 7]);
  view.assertActing();
  clock.advance(1);
  expect(view.mayAct()).toBe(false);
  expect(() => view.assertActing()).toThrow("does not act");
});

test("work under an earlier token is not permitted under a later one", () => {
  const { steady, view } = manual();
  view.extend(after(steady.read(), 20_000), 7);
  view.assertActing(7);
  view.revoke();
  view.extend(after(steady.read(), 20_000), 9);
  expect([view.mayAct(7), view.mayAct(9), view.mayAct()]).toEqual([false, true, true]);
  expect(() => view.assertActing(7)).toThrow(NotActing);
});

test.each(["wall", "boot"] as const)("a jump of the %s clock ends it", (which) => {
  const { steady, view } = manual();
  view.extend(after(steady.read(), 20_000), 1);
  steady.shift(which, 20_000);
  expect(view.mayAct()).toBe(false);
});

test("without a standby, acting is permitted until it is revoked", () => {
  const { clock, view } = manual();
  view.allow();
  clock.advance(1e12);
  expect([view.mayAct(), view.mayAct(0), view.token]).toEqual([true, true, 0]);
  view.revoke();
  expect(view.mayAct()).toBe(false);
});

test("another thread sees at once what the thread of the lease permits, by its own clocks", async () => {
  const view = new HeldView(systemSteadyClock);
  const worker = new Worker(join(import.meta.dir, "../../../test/support/held-worker.ts"));
  const ask = (token: number | null) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(token);
    return promise;
  };
  try {
    worker.postMessage(view.buffer);
    expect(await ask(null)).toBe(false);
    view.extend(after(systemSteadyClock.read(), 60_000), 3);
    expect([await ask(null), await ask(3), await ask(2)]).toEqual([true, true, false]);
    view.revoke();
    expect(await ask(null)).toBe(false);
    view.extend(after(systemSteadyClock.read(), -1), 4);
    expect(await ask(null)).toBe(false);
    view.allow();
    expect(await ask(null)).toBe(true);
  } finally {
    worker.terminate();
  }
});

test("a check takes microseconds", () => {
  const view = new HeldView(systemSteadyClock);
  view.extend(after(systemSteadyClock.read(), 60_000), 1);
  const start = performance.now();
  for (let i = 0; i < 1_000; i++) view.assertActing(1);
  // About 7 µs each; the limit is for a busy machine.
  expect((performance.now() - start) / 1_000).toBeLessThan(0.5);
});
