import { expect, test } from "bun:test";
import { earliestAttempt, isFailing, retryDelay } from "./schedule.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.parse("2026-03-02T09:00:00Z");

test("the pauses between attempts grow to four hours, or to what the server asks for", () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 50].map((failures) => retryDelay(failures, null) / MINUTE_MS);
  expect(minutes).toEqual([0.5, 2, 10, 30, 60, 120, 240, 240, 240]);
  expect(retryDelay(1, HOUR_MS)).toBe(HOUR_MS);
  expect(retryDelay(4, 1_000)).toBe(30 * MINUTE_MS);
});

test.each([
  ["two refusals", { failures: 2, since: NOW, refused: true }, false],
  ["three refusals", { failures: 3, since: NOW, refused: true }, true],
  ["a day of failures", { failures: 12, since: NOW - 24 * HOUR_MS, refused: false }, true],
  ["less than a day of failures", { failures: 12, since: NOW - 23 * HOUR_MS, refused: false }, false],
  ["a machine that slept for days after a failure", { failures: 2, since: NOW - 90 * HOUR_MS, refused: false }, false],
])("%s", (_, streak, failing) => {
  expect(isFailing(streak, NOW)).toBe(failing);
});

test("the next attempt waits for the pause and for the gap after the last message", () => {
  expect(earliestAttempt({ retry_at: null, sent_at: null }, NOW)).toBe(NOW);
  expect(earliestAttempt({ retry_at: NOW + HOUR_MS, sent_at: null }, NOW)).toBe(NOW + HOUR_MS);
  expect(earliestAttempt({ retry_at: null, sent_at: NOW - 20_000 }, NOW)).toBe(NOW + 40_000);
});

test("a clock that was set back by days does not hold back notifications", () => {
  expect(earliestAttempt({ retry_at: NOW + 72 * HOUR_MS, sent_at: NOW + 72 * HOUR_MS }, NOW)).toBe(NOW);
});
