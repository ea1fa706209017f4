import { expect, test } from "bun:test";
import fc from "fast-check";
import { ManualClock } from "../../platform/clock.ts";
import { RateLimiter, tightest } from "./rate-limit.ts";

test("for any sequence of requests, no window passes more than its limit, and a full bucket reopens after a minute", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer({ min: 0, max: 40_000 })), (limit, pauses) => {
      const clock = new ManualClock();
      const limiter = new RateLimiter(clock, limit);
      let window = { ends: 0, used: 0 };
      for (const pause of pauses) {
        clock.advance(pause);
        if (clock.now() >= window.ends) window = { ends: clock.now() + 60_000, used: 0 };
        const state = limiter.state("a");
        expect(state).toEqual({ limit, remaining: limit - window.used, resetAt: window.ends });
        if (state.remaining === 0) continue;
        limiter.take("a");
        window.used++;
      }
    }),
  );
});

test("names do not share a bucket", () => {
  const limiter = new RateLimiter(new ManualClock(), 1);
  limiter.take("a");
  expect([limiter.state("a").remaining, limiter.state("b").remaining]).toEqual([0, 1]);
});

test("memory is bounded, and ended windows are dropped first", () => {
  const clock = new ManualClock();
  const limiter = new RateLimiter(clock, 10, 100);
  for (let i = 0; i < 50; i++) limiter.take(`old ${i}`);
  clock.advance(60_000);
  for (let i = 0; i < 90; i++) limiter.take(`new ${i}`);
  expect(limiter.size).toBe(90);
  for (let i = 0; i < 1000; i++) limiter.take(`flood ${i}`);
  expect(limiter.size).toBe(100);
});

test("setting the clock back locks no one out", () => {
  const clock = new ManualClock();
  const limiter = new RateLimiter(clock, 1);
  limiter.take("a");
  clock.set(clock.now() - 3_600_000);
  expect(limiter.state("a").remaining).toBe(1);
});

test("the tightest bucket has the fewest requests left; among equals, it is the one that resets last", () => {
  const a = { limit: 120, remaining: 5, resetAt: 10 };
  const b = { limit: 300, remaining: 4, resetAt: 5 };
  const c = { limit: 300, remaining: 4, resetAt: 9 };
  expect(tightest([a, b, c])).toBe(c);
  expect(tightest([c, b, a])).toBe(c);
});
