import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { occurrences } from "./occurrences.ts";
import { readObjects } from "./read.ts";
import { ianaZone } from "./zones.ts";

const BERLIN = ianaZone("Europe/Berlin")!;
const UTC = ianaZone("UTC")!;

/** Returns a calendar of events, each given by its lines. */
const calendar = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events
    .map(
      (lines) => `BEGIN:VEVENT\r\nUID:u1\r\nSUMMARY:S\r\n${lines.trim().replace(/\n\s*/g, "\r\n")}\r\nEND:VEVENT\r\n`,
    )
    .join("")}END:VCALENDAR\r\n`;
const between = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });
const starts = (ics: string, from: string, to: string, zone = UTC) =>
  occurrences(ics, between(from, to), zone).map(({ start }) => new Date(start).toISOString().slice(0, 16));

describe("time zones", () => {
  test("a weekly meeting stays at nine when the clocks change, in both directions", () => {
    const ics = calendar(
      "DTSTART;TZID=Europe/Berlin:20260316T090000\nDTEND;TZID=Europe/Berlin:20260316T100000\nRRULE:FREQ=WEEKLY",
    );
    expect(starts(ics, "2026-03-15T00:00Z", "2026-04-07T00:00Z")).toEqual([
      "2026-03-16T08:00",
      "2026-03-23T08:00",
      "2026-03-30T07:00",
      "2026-04-06T07:00",
    ]);
    expect(starts(ics, "2026-10-18T00:00Z", "2026-11-01T00:00Z")).toEqual(["2026-10-19T07:00", "2026-10-26T08:00"]);
  });

  test("recognizes zone names of Windows and of vendors", () => {
    for (const tzid of ["W. Europe Standard Time", "/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"]) {
      expect(
        starts(calendar(`DTSTART;TZID=${tzid}:20260701T090000`), "2026-07-01T00:00Z", "2026-07-02T00:00Z"),
      ).toEqual(["2026-07-01T07:00"]);
    }
  });

  test("a zone that only the file defines is taken from the file; an unknown one is the reader's", () => {
    const zone =
      "BEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0330\r\nTZOFFSETTO:+0330\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n";
    const ics = calendar("DTSTART;TZID=Office:20260701T090000").replace("BEGIN:VEVENT", `${zone}BEGIN:VEVENT`);
    expect(starts(ics, "2026-07-01T00:00Z", "2026-07-02T00:00Z")).toEqual(["2026-07-01T05:30"]);
    const nowhere = calendar("DTSTART;TZID=Nowhere:20260701T090000");
    expect(starts(nowhere, "2026-07-01T00:00Z", "2026-07-02T00:00Z", BERLIN)).toEqual(["2026-07-01T07:00"]);
  });

  test("a local time that does not exist is read with the offset before the change", () => {
    const ics = calendar("DTSTART;TZID=Europe/Berlin:20260328T023000\nRRULE:FREQ=DAILY;COUNT=3");
    expect(starts(ics, "2026-03-28T00:00Z", "2026-04-01T00:00Z")).toEqual([
      "2026-03-28T01:30",
      "2026-03-29T01:30",
      "2026-03-30T00:30",
    ]);
  });

  test("UNTIL in UTC ends a series in local time", () => {
    const ics = calendar("DTSTART;TZID=Europe/Berlin:20260327T090000\nRRULE:FREQ=DAILY;UNTIL=20260329T070000Z");
    expect(starts(ics, "2026-03-01T00:00Z", "2026-05-01T00:00Z")).toEqual([
      "2026-03-27T08:00",
      "2026-03-28T08:00",
      "2026-03-29T07:00",
    ]);
  });

  test("all-day events use the reader's days", () => {
    const ics = calendar("DTSTART;VALUE=DATE:20260329\nDTEND;VALUE=DATE:20260331\nRRULE:FREQ=YEARLY");
    const [one] = occurrences(ics, between("2026-01-01T00:00Z", "2027-01-01T00:00Z"), BERLIN);
    expect(one).toMatchObject({
      all_day: true,
      start: Date.parse("2026-03-28T23:00Z"),
      end: Date.parse("2026-03-30T22:00Z"),
    });
  });

  test("an hour is an hour, a day is a day: DURATION and DTEND across a clock change", () => {
    const window = between("2026-03-28T00:00Z", "2026-04-01T00:00Z");
    const end = (lines: string) =>
      new Date(occurrences(calendar(lines), window, UTC)[0]!.end).toISOString().slice(0, 16);
    const start = "DTSTART;TZID=Europe/Berlin:20260328T120000";
    expect(end(`${start}\nDURATION:P1D`)).toBe("2026-03-29T10:00");
    expect(end(`${start}\nDURATION:PT24H`)).toBe("2026-03-29T11:00");
    expect(end(`${start}\nDTEND;TZID=Europe/Berlin:20260329T120000`)).toBe("2026-03-29T10:00");
  });
});

describe("series", () => {
  test("excluded, added, moved and canceled occurrences", () => {
    const ics = calendar(
      `DTSTART:20260302T090000Z
       DTEND:20260302T100000Z
       RRULE:FREQ=DAILY;COUNT=6
       EXDATE:20260301T090000Z,20260302T090000Z
       EXDATE;VALUE=DATE:20260304
       RDATE:20260320T150000Z`,
      "RECURRENCE-ID:20260305T090000Z\nDTSTART:20260305T160000Z\nDTEND:20260305T170000Z\nSUMMARY:Later",
      "RECURRENCE-ID:20260306T090000Z\nDTSTART:20260306T090000Z\nSTATUS:CANCELLED",
    );
    const found = occurrences(ics, between("2026-03-01T00:00Z", "2026-04-01T00:00Z"), UTC);
    expect(found.map(({ start, status }) => [new Date(start).toISOString().slice(5, 13), status])).toEqual([
      ["03-03T09", "confirmed"],
      ["03-05T16", "confirmed"],
      ["03-06T09", "cancelled"],
      ["03-07T09", "confirmed"],
      ["03-20T15", "confirmed"],
    ]);
    expect(found[1]!.recurrence_id).toBe(Date.parse("2026-03-05T09:00Z"));
  });

  test("an occurrence that was moved into or out of the window counts at its new time", () => {
    const ics = calendar(
      "DTSTART:20260302T090000Z\nDTEND:20260302T100000Z\nRRULE:FREQ=WEEKLY",
      "RECURRENCE-ID:20260309T090000Z\nDTSTART:20260401T090000Z\nDTEND:20260401T100000Z",
    );
    expect(starts(ics, "2026-03-09T00:00Z", "2026-03-10T00:00Z")).toEqual([]);
    expect(starts(ics, "2026-04-01T00:00Z", "2026-04-02T00:00Z")).toEqual(["2026-04-01T09:00"]);
  });

  test("one occurrence of another person's series is read alone", () => {
    const ics = calendar("RECURRENCE-ID:20260309T090000Z\nDTSTART:20260309T110000Z");
    expect(starts(ics, "2026-03-01T00:00Z", "2026-04-01T00:00Z")).toEqual(["2026-03-09T11:00"]);
  });

  test("an event that began before the window and has not ended is in it", () => {
    const ics = calendar("DTSTART:20260301T220000Z\nDTEND:20260302T020000Z\nRRULE:FREQ=DAILY");
    expect(starts(ics, "2026-03-10T01:00Z", "2026-03-10T03:00Z")).toEqual(["2026-03-09T22:00"]);
  });

  test("last Fridays, every second Tuesday, leap days", () => {
    const lastFriday = calendar("DTSTART:20260130T100000Z\nRRULE:FREQ=MONTHLY;BYDAY=-1FR");
    expect(starts(lastFriday, "2026-02-01T00:00Z", "2026-05-01T00:00Z")).toEqual([
      "2026-02-27T10:00",
      "2026-03-27T10:00",
      "2026-04-24T10:00",
    ]);
    const fortnight = calendar("DTSTART:20200107T100000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2");
    expect(starts(fortnight, "2026-03-01T00:00Z", "2026-03-31T00:00Z")).toEqual([
      "2026-03-10T10:00",
      "2026-03-24T10:00",
    ]);
    const leap = calendar("DTSTART:20240229T100000Z\nRRULE:FREQ=YEARLY");
    expect(starts(leap, "2025-01-01T00:00Z", "2029-01-01T00:00Z")).toEqual(["2028-02-29T10:00"]);
    const lastDays = calendar("DTSTART:20260131T100000Z\nRRULE:FREQ=MONTHLY");
    expect(starts(lastDays, "2026-02-01T00:00Z", "2026-06-01T00:00Z")).toEqual([
      "2026-03-31T10:00",
      "2026-05-31T10:00",
    ]);
  });

  test("a series of many years costs no more than a new one, and gives the same result", () => {
    const numbers = fc.record({
      freq: fc.constantFrom("DAILY", "WEEKLY", "HOURLY"),
      interval: fc.integer({ min: 1, max: 30 }),
      year: fc.integer({ min: 1990, max: 2025 }),
      byday: fc.boolean(),
      zone: fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata"),
    });
    fc.assert(
      fc.property(numbers, ({ freq, interval, year, byday, zone }) => {
        const days = byday && freq === "WEEKLY" ? ";BYDAY=MO,TH" : "";
        const at = `${year}0105T093000`;
        const rule = `FREQ=${freq};INTERVAL=${interval}${days}`;
        const ics = calendar(`DTSTART;TZID=${zone}:${at}\nRRULE:${rule}`);
        const [from, to] = ["2026-03-20T00:00Z", "2026-04-10T00:00Z"];
        // Computed independently, on the calendar of the zone.
        const expected: string[] = [];
        const start = Temporal.PlainDateTime.from(`${year}-01-05T09:30`);
        const monday = start.subtract({ days: start.dayOfWeek - 1 });
        const end = Temporal.PlainDateTime.from("2026-04-12T00:00");
        const add = (wall: Temporal.PlainDateTime) => {
          const at = new Date(wall.toZonedDateTime(zone).epochMilliseconds).toISOString();
          if (Temporal.PlainDateTime.compare(wall, start) >= 0 && at >= "2026-03-20" && at < "2026-04-10") {
            expected.push(at.slice(0, 16));
          }
        };
        const unit = { DAILY: { days: interval }, WEEKLY: { weeks: interval }, HOURLY: { hours: interval } }[freq]!;
        const skip = Math.max(
          0,
          Math.floor(
            start.until("2026-03-15T00:00").total({ unit: "hours", relativeTo: start }) / hours(freq, interval),
          ),
        );
        const first = days === "" ? start : monday;
        for (let i = skip; ; i++) {
          const wall = first.add(Object.fromEntries(Object.entries(unit).map(([name, n]) => [name, n * i])));
          if (Temporal.PlainDateTime.compare(wall, end) > 0) break;
          add(wall);
          if (days !== "") add(wall.add({ days: 3 }));
        }
        expect(starts(ics, from, to)).toEqual([...new Set(expected)].sort());
      }),
      { numRuns: 80 },
    );
  });

  test("impossible and expensive rules end in bounded time", () => {
    for (const rule of [
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=SECONDLY",
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=50",
      "FREQ=YEARLY;INTERVAL=100000;BYMONTH=2;BYMONTHDAY=29",
      "FREQ=DAILY;COUNT=999999999",
    ]) {
      const work = workFromNow();
      const found = starts(
        calendar(`DTSTART:20200131T090000Z\nRRULE:${rule}`),
        "2026-03-01T00:00Z",
        "2026-04-01T00:00Z",
      );
      expect(found.length).toBeLessThanOrEqual(1_000);
      expect(work()).toBeLessThan(8_000);
    }
    expect(
      starts(
        calendar("DTSTART:20200131T090000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
        "2021-01-01T00:00Z",
        "2030-01-01T00:00Z",
      ),
    ).toEqual([]);
  }, 60_000);
});

const hours = (freq: string, interval: number) => interval * { DAILY: 24, WEEKLY: 168, HOURLY: 1 }[freq]!;

describe("reading", () => {
  test("a broken line affects only itself", () => {
    const ics = calendar("DTSTART:20260302T090000Z\nthis is no line\n=?utf-8?q?nor_this");
    expect(readObjects(ics)).toMatchObject([{ uid: "u1", method: null }]);
  });

  test("a text that is not a calendar contains no events", () => {
    for (const text of [
      "",
      "hello",
      "BEGIN:VCALENDAR",
      "BEGIN:VCARD\r\nEND:VCARD",
      "\u0000\u0001",
      "BEGIN:VEVENT\r\nEND:VEVENT",
    ]) {
      expect(readObjects(text)).toEqual([]);
    }
  });

  test("any content is read without throwing", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "BEGIN:VEVENT",
        "END:VEVENT",
        "BEGIN:VCALENDAR",
        "END:VCALENDAR",
        "UID:1",
        "DTSTART:20260302T090000Z",
        "DTSTART;TZID=X:2026",
        "RRULE:FREQ=DAILY",
        "RRULE:FREQ=",
        "EXDATE:",
        "DURATION:-P1W",
        "RDATE;VALUE=PERIOD:20260302T090000Z/PT1H",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        for (const { ics } of readObjects(`BEGIN:VCALENDAR\r\n${lines.join("\r\n")}\r\nEND:VCALENDAR`)) {
          try {
            occurrences(ics, between("2026-01-01T00:00Z", "2027-01-01T00:00Z"), UTC);
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
          }
        }
      }),
    );
  });
});
