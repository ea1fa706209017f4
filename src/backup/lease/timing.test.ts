import { expect, test } from "bun:test";
import { ManualClock } from "../../platform/clock.ts";
import { ManualSteadyClock, systemSteadyClock } from "../../platform/steady-clock.ts";
import { ACT_MS, after, hasPassed, RENEW_MS, STOP_MS, WAIT_MS, Wait } from "./timing.ts";

function manual() {
  const clock = new ManualClock();
  return { clock, steady: new ManualSteadyClock(clock) };
}

test("the times leave the margins that the proof names", () => {
  expect(ACT_MS / 0.8).toBeLessThanOrEqual(WAIT_MS / 1.2);
  expect((ACT_MS + STOP_MS) / 0.91).toBeLessThanOrEqual(WAIT_MS / 1.09);
  expect(2 * RENEW_MS).toBeLessThanOrEqual(ACT_MS);
});

test("a deadline has passed as soon as one clock has reached it", () => {
  const { clock, steady } = manual();
  const deadline = after(steady.read(), 20_000);
  clock.advance(19_999);
  expect(hasPassed(deadline, steady.read())).toBe(false);
  steady.shift("boot", 1);
  expect(hasPassed(deadline, steady.read())).toBe(true);
});

test("a wait counts only time that passed by all clocks", () => {
  const { clock, steady } = manual();
  const wait = new Wait(steady.read());
  clock.advance(2_000);
  expect(wait.elapsedMs(steady.read())).toBe(2_000);
  steady.shift("wall", 3_600_000);
  clock.advance(2_000);
  expect(wait.elapsedMs(steady.read())).toBe(4_000);
  // The machine slept: the monotonic clock stopped.
  clock.advance(60_000);
  steady.shift("monotonic", -60_000);
  expect(wait.elapsedMs(steady.read())).toBe(4_000);
});

test("a clock that is set back lengthens a wait by one step only", () => {
  const { clock, steady } = manual();
  const wait = new Wait(steady.read());
  clock.advance(2_000);
  steady.shift("wall", -86_400_000);
  expect(wait.elapsedMs(steady.read())).toBe(0);
  clock.advance(2_000);
  expect(wait.elapsedMs(steady.read())).toBe(2_000);
});

test("all clocks of the system advance", () => {
  const before = systemSteadyClock.read();
  const end = performance.now() + 60;
  while (performance.now() < end);
  const now = systemSteadyClock.read();
  for (const clock of ["monotonic", "wall", "boot"] as const) {
    const passed = now[clock] - before[clock];
    expect([clock, passed > 0, passed < 60_000]).toEqual([
      clock,
      process.platform === "linux" || clock !== "boot",
      true,
    ]);
  }
});
