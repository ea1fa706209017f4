import { expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, daysBetween, localDay, offsetMinutes, startOfDay } from "./local-time.ts";

test("days and offsets follow the time zone, including daylight saving time", () => {
  const winter = Date.parse("2026-01-15T23:30:00Z");
  const summer = Date.parse("2026-07-15T22:30:00Z");
  expect([offsetMinutes("Europe/Berlin", winter), offsetMinutes("Europe/Berlin", summer)]).toEqual([60, 120]);
  expect([localDay("Europe/Berlin", winter), localDay("America/New_York", winter)]).toEqual([
    "2026-01-16",
    "2026-01-15",
  ]);
  expect(offsetMinutes("Asia/Kathmandu", winter)).toBe(345);
});

test("a day starts at its first moment, even where a clock change skips midnight", () => {
  const zones = fc.constantFrom(
    "UTC",
    "Europe/Lisbon",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Pacific/Auckland",
    "Africa/Cairo",
  );
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 20_000 }), (zone, n) => {
      const day = addDays("1990-01-01", n % 18_000);
      const start = startOfDay(zone, day);
      expect(localDay(zone, start)).toBe(day);
      expect(localDay(zone, start - 1)).not.toBe(day);
    }),
    { numRuns: 300 },
  );
});

test("adding and counting days follows the calendar", () => {
  expect([addDays("2026-02-28", 1), addDays("2026-03-01", -1)]).toEqual(["2026-03-01", "2026-02-28"]);
  expect([daysBetween("2026-02-28", "2026-03-02"), daysBetween("2026-03-02", "2026-03-01")]).toEqual([2, -1]);
});
