import { expect, test } from "bun:test";
import { weekdays } from "./weekdays.ts";

const LOCALES =
  "en de fr es it nl pt sv nb da fi pl cs sk ru uk tr hu ro el he ar fa ja zh zh-TW ko hr sl sr bg et lt lv vi id ca th hi";
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

test.each(LOCALES.split(" "))("the names that the runtime has for %s are in the list", (locale) => {
  const known = new Set(weekdays().map((name) => name.replaceAll("\\", "")));
  for (const weekday of ["short", "long"] as const) {
    const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" });
    for (let day = 0; day < 7; day += 1)
      expect(known).toContain(
        format
          .format(MONDAY + day * DAY_MS)
          .toLowerCase()
          .replace(/\.$/, ""),
      );
  }
});

test("longer names come first, so that a pattern prefers them", () => {
  const lengths = weekdays().map((name) => name.length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
  expect(weekdays()).toContain("th 2"); // Gmail's abbreviation of a Vietnamese name
});
