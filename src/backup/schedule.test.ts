import { describe, expect, test } from "bun:test";
import { cronFault, NO_SCHEDULE, nextOf, nextRuns, type Schedule } from "./schedule.ts";

const NOW = Date.parse("2026-03-27T12:00:00Z");
const runs = (schedule: Partial<Schedule>, count = 3) =>
  nextRuns({ ...NO_SCHEDULE, ...schedule }, NOW, count).map((at) => new Date(at).toISOString().slice(0, 16));

describe("a schedule", () => {
  test("that is off is never due", () => {
    expect(nextOf(NO_SCHEDULE, NOW)).toBeNull();
    expect(runs({})).toEqual([]);
  });

  test("is at the same local time before and after the clocks change", () => {
    // Berlin's clocks change on 29 March.
    expect(runs({ every: "day", time: "06:30", timezone: "Europe/Berlin" })).toEqual([
      "2026-03-28T05:30",
      "2026-03-29T04:30",
      "2026-03-30T04:30",
    ]);
  });

  test("at a time that the clocks skip is due once on that day", () => {
    const days = runs({ every: "day", time: "02:30", timezone: "Europe/Berlin" }).map((at) => at.slice(0, 10));
    expect(days).toEqual(["2026-03-28", "2026-03-29", "2026-03-30"]);
  });

  test("can be weekly, every few hours or a cron expression", () => {
    expect(runs({ every: "week", weekday: 0, time: "03:00" }, 2)).toEqual(["2026-03-29T03:00", "2026-04-05T03:00"]);
    expect(runs({ every: "hours", hours: 8 })).toEqual(["2026-03-27T16:00", "2026-03-28T00:00", "2026-03-28T08:00"]);
    expect(runs({ every: "custom", cron: "15 4 1 * *" }, 2)).toEqual(["2026-04-01T04:15", "2026-05-01T04:15"]);
  });
});

test.each([
  ["30 2 * * *", null],
  ["*/15 * * * *", null],
  ["", /five fields/],
  ["0 30 2 * * *", /five fields/],
  ["x 2 * * *", /not a valid/],
  ["0 0 30 2 *", /never due/],
  ["* * * * *", /15 minutes/],
  ["0,5 3 * * *", /15 minutes/],
])("the cron expression %j", (cron, fault) => {
  const found = cronFault(cron, NOW);
  if (fault === null) expect(found).toBeNull();
  else expect(found).toMatch(fault);
});
