import { expect, test } from "bun:test";
import { nextRun } from "./cron.ts";

test("a schedule is a cron expression in UTC, or empty", () => {
  const now = Date.parse("2026-03-02T09:03:00Z");
  expect(new Date(nextRun("*/10 * * * *", now)!).toISOString()).toBe("2026-03-02T09:10:00.000Z");
  expect(nextRun("", now)).toBeNull();
});
