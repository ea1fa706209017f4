import { expect, test } from "bun:test";
import fc from "fast-check";
import { isoTime, nextUtcMidnight, utcDay, utcMonth } from "./clock.ts";

test("days and months are in UTC", () => {
  const lastSecond = Date.parse("2026-02-28T23:59:59Z");
  expect([utcDay(lastSecond), utcMonth(lastSecond)]).toEqual(["2026-02-28", "2026-02"]);
  expect([utcDay(lastSecond + 1000), utcMonth(lastSecond + 1000)]).toEqual(["2026-03-01", "2026-03"]);
  expect(isoTime(lastSecond)).toBe("2026-02-28T23:59:59.000Z");
});

test("the next midnight is the first moment of the next UTC day", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (now) => {
      const midnight = nextUtcMidnight(now);
      expect(isoTime(midnight)).toEndWith("T00:00:00.000Z");
      expect(midnight - now).toBeGreaterThan(0);
      expect(midnight - now).toBeLessThanOrEqual(86_400_000);
      expect(utcDay(midnight - 1)).toBe(utcDay(now));
    }),
  );
});
