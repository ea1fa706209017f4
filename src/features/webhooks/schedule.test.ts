import { expect, test } from "bun:test";
import { retryAfterDelay } from "../../platform/egress/retry-after.ts";
import { nextState, outcomeOf, RETRY_DELAYS_MS, retryDelay } from "./schedule.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-03-02T09:00:00Z");

test("the waits match the documentation", () => {
  const waits = RETRY_DELAYS_MS.map((_, step) => retryDelay(step, null, 0)! / 1000);
  expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(retryDelay(RETRY_DELAYS_MS.length, null, 0)).toBeNull();
});

test("jitter lengthens a wait by at most a tenth, and never shortens it", () => {
  expect(retryDelay(1, null, 0.5)).toBe(315_000);
  expect(retryDelay(1, null, 1)).toBe(330_000);
});

test("Retry-After can lengthen a wait but not shorten it", () => {
  expect(retryDelay(0, 60_000, 0)).toBe(60_000);
  expect(retryDelay(2, 60_000, 0)).toBe(1_800_000);
});

test.each([
  [429, "120", 120_000],
  [503, "120", 120_000],
  [503, " 0 ", 0],
  [503, "Mon, 02 Mar 2026 09:10:00 GMT", 600_000],
  [503, "Mon, 02 Mar 2026 08:00:00 GMT", 0],
  [429, "9999999", 24 * HOUR],
  [429, "soon", null],
  [429, "", null],
  [429, undefined, null],
  [500, "120", null],
  [404, "120", null],
])("%i with Retry-After %p asks for %p ms", (status, header, wait) => {
  expect(retryAfterDelay(status, header, NOW)).toBe(wait);
});

test.each([
  [200, "delivered"],
  [204, "delivered"],
  [299, "delivered"],
  [301, "failed"],
  [302, "failed"],
  [307, "failed"],
  [400, "failed"],
  [404, "failed"],
  [410, "gone"],
  [429, "failed"],
  [500, "failed"],
])("a response with status %i counts as %s", (status, meaning) => {
  expect(outcomeOf(status)).toBe(meaning as never);
});

test("the state after an attempt depends on its outcome, its step and whether the endpoint is disabled", () => {
  const failed = { outcome: "failed" as const, ended_at: NOW, askedWaitMs: null };
  const last = RETRY_DELAYS_MS.length;
  expect(nextState(3, { ...failed, outcome: "delivered" }, 0, false)).toEqual({
    status: "delivered",
    step: 3,
    next_attempt_at: null,
  });
  expect(nextState(0, failed, 0, false)).toEqual({ status: "pending", step: 1, next_attempt_at: NOW + 5_000 });
  expect(nextState(last, failed, 0, false)).toEqual({ status: "failed", step: last, next_attempt_at: null });
  // Its endpoint is disabled now, but may be activated again.
  expect(nextState(last, failed, 0, true)).toEqual({
    status: "pending",
    step: last,
    next_attempt_at: NOW + 24 * HOUR,
  });
});
