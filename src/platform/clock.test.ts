import { describe, expect, test } from "bun:test";
import { ManualClock, systemClock } from "./clock.ts";

describe("the manual clock", () => {
  test("fires due timers in order and at their time, including those set while it advances", () => {
    const clock = new ManualClock(0);
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.now()]);
    clock.after(200, note("late"));
    clock.after(100, () => {
      note("early")();
      clock.after(50, note("set during the advance"));
    });
    clock.after(1_000, note("not yet"));
    clock.advance(500);
    expect(fired).toEqual([
      ["early", 100],
      ["set during the advance", 150],
      ["late", 200],
    ]);
    expect(clock.now()).toBe(500);
  });

  test("a canceled timer does not fire; setting the wall clock fires nothing", () => {
    const clock = new ManualClock(0);
    let fired = 0;
    const cancel = clock.after(10, () => fired++);
    clock.after(20, () => fired++);
    cancel();
    cancel();
    clock.set(1_000);
    expect(fired).toBe(0);
    clock.advance(0);
    expect(fired).toBe(1);
  });
});

test("the system clock does not fire at once when a delay exceeds the maximum of a timer", async () => {
  let fired = false;
  const cancel = systemClock.after(2 ** 31 + 10_000, () => {
    fired = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  cancel();
  expect(fired).toBe(false);
});
