import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ICAL from "ical.js";
import { FIXTURES } from "../../../test/support/fixtures-path.ts";
import { occurrences } from "./occurrences.ts";
import { readObjects } from "./read.ts";
import { readVcards } from "./vcard.ts";
import { ianaZone } from "./zones.ts";

const SUITE = join(FIXTURES, "ical");
const here = existsSync(SUITE);
if (!here) console.info("skipped: the iCalendar suites (their fixtures are missing)");
const files = (folder: string, ending: string) =>
  here ? readdirSync(join(SUITE, folder)).filter((name) => name.endsWith(ending)) : [];
const text = (...path: string[]) => readFileSync(join(SUITE, ...path), "utf8");
const UTC = ianaZone("UTC")!;

describe.skipIf(!here)("reads iCalendar and vCard files of other projects", () => {
  test("files parse as expected", () => {
    for (const name of files("parser", ".json")) {
      const base = name.replace(/\.json$/, "");
      const source = existsSync(join(SUITE, "parser", `${base}.ics`)) ? `${base}.ics` : `${base}.vcf`;
      expect([name, ICAL.parse(text("parser", source)) as unknown]).toEqual([name, JSON.parse(text("parser", name))]);
    }
  });

  test("the samples contain events with occurrences", () => {
    const found = Object.fromEntries(
      files("samples", ".ics").map((name) => {
        const objects = readObjects(text("samples", name));
        const all = { from: Date.parse("1970-01-01T00:00Z"), to: Date.parse("2030-01-01T00:00Z") };
        return [name, objects.map(({ ics }) => occurrences(ics, all, UTC).length)];
      }),
    );
    expect(found).toEqual(EXPECTED);
  });

  test("recurrence sets equal those of the library's own suite", () => {
    const starts = (name: string, from: string, to: string) =>
      readObjects(text("samples", name))
        .flatMap(({ ics }) => occurrences(ics, { from: Date.parse(from), to: Date.parse(to) }, UTC))
        .map(({ start }) => new Date(start).toISOString().slice(0, 16));
    expect(starts("recur_instances_finite.ics", "2012-01-01T00:00Z", "2014-01-01T00:00Z")).toEqual(FINITE);
    expect(starts("timezone_from_file.ics", "2023-01-01T00:00Z", "2024-01-01T00:00Z")).toEqual(["2023-03-06T21:23"]);
  });

  test("vCards of every version contain names and addresses", () => {
    const cards = files("parser", ".vcf").flatMap((name) => readVcards(text("parser", name), 100).cards);
    expect(cards.length).toBeGreaterThanOrEqual(files("parser", ".vcf").length - 1);
    expect(cards.some(({ emails }) => emails.length > 0)).toBe(true);
    for (const { emails } of cards) for (const email of emails) expect(email).toContain("@");
  });
});

/** Occurrences of each UID until 2030, at most a thousand. */
const EXPECTED: Record<string, number[]> = {
  "blank_description.ics": [1],
  "blank_line_end.ics": [],
  "blank_line_mid.ics": [],
  "daily_recur.ics": [1000],
  "day_long_recur_yearly.ics": [1000],
  "duration_instead_of_dtend.ics": [1],
  "forced_types.ics": [1],
  "google_birthday.ics": [3, 3],
  "minimal.ics": [1],
  "multiple_rrules.ics": [36],
  "only_dtstart_date.ics": [1],
  "only_dtstart_time.ics": [1],
  "parserv2.ics": [1000],
  "rdate_exdate.ics": [3],
  "recur_instances.ics": [209],
  "recur_instances_finite.ics": [5],
  "timezone_from_file.ics": [1],
  "utc_negative_zero.ics": [1],
};
/** Ten o'clock in Los Angeles, before and after the clock change. */
const FINITE = ["2012-10-02T17:00", "2012-11-05T18:00", "2012-11-06T18:00", "2012-11-10T18:00", "2012-12-04T18:00"];
